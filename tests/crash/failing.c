/* To be preloaded (LD_PRELOAD) into a program whose writes shall fail. It counts every call that changes what
 * is on the disk (stdin, stdout and stderr, pipes and sockets aside) and lets one of them fail, or all from
 * there on:
 *
 *   KNACK_FAIL_NTH      which call fails, from 1; 0: none
 *   KNACK_FAIL_CODE     the errno that it gives
 *   KNACK_FAIL_LASTING  1: all that follow fail too
 *   KNACK_FAIL_COUNT    a file that gets the number of calls when the program ends
 *   KNACK_FAIL_NETWORK  1: the file system is one over a network, as NFS: no nameless files, no locks on what
 *                       is open for reading (folders), no sync of folders, and closing may fail as a write
 *                       does; 2: no locks of flock at all, besides
 *
 * Calls that the C library makes from inside (stdio) are not seen; the library writes nothing that it keeps
 * through stdio. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static long setting(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Counts a call; true if it is to fail, with errno set. */
static bool fails(void)
{
    long now = atomic_fetch_add(&calls, 1) + 1, nth = setting("KNACK_FAIL_NTH");
    if (!nth || (setting("KNACK_FAIL_LASTING") ? now < nth : now != nth)) return false;
    errno = (int)setting("KNACK_FAIL_CODE");
    return true;
}

static bool kept(int fd)
{
    struct stat info;
    return fd > STDERR_FILENO && fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("KNACK_FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

/* One row a function: its type, its parameters, its arguments, and when the call counts. */
#define FAIL(type, name, parameters, arguments, counts)                                                      \
    type name parameters;                                                                                    \
    type name parameters                                                                                     \
    {                                                                                                        \
        type(*real) parameters;                                                                              \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                           \
        if ((counts) && fails()) return -1;                                                                  \
        return real arguments;                                                                               \
    }

FAIL(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size), kept(fd))
FAIL(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at), kept(fd))
FAIL(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at), kept(fd))
FAIL(ssize_t, writev, (int fd, const struct iovec *pieces, int count), (fd, pieces, count), kept(fd))
FAIL(ssize_t, pwritev, (int fd, const struct iovec *pieces, int count, off_t at), (fd, pieces, count, at),
     kept(fd))
FAIL(ssize_t, pwritev64, (int fd, const struct iovec *pieces, int count, off64_t at), (fd, pieces, count, at),
     kept(fd))
static bool is_folder(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A file system over a network says that it cannot do this. */
static bool refused(bool asked, int code)
{
    if (!asked || !setting("KNACK_FAIL_NETWORK")) return false;
    errno = code;
    return true;
}

int flock(int fd, int how);
int flock(int fd, int how)
{
    int (*real)(int, int);
    *(void **)&real = dlsym(RTLD_NEXT, "flock");
    if (refused(setting("KNACK_FAIL_NETWORK") == 2, ENOLCK)) return -1;
    if (refused((how & LOCK_EX) && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY, EBADF)) return -1;
    return real(fd, how);
}

int fsync(int fd);
int fsync(int fd)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    if (refused(is_folder(fd), EINVAL) || (kept(fd) && fails())) return -1;
    return real(fd);
}

/* What was written in the background may fail when the file is closed, which closes it all the same. */
int close(int fd);
int close(int fd)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "close");
    bool late = setting("KNACK_FAIL_NETWORK") && kept(fd) && !is_folder(fd) &&
                (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && fails();
    int code = errno, got = real(fd);
    if (!late) return got;
    errno = code;
    return -1;
}

FAIL(int, fdatasync, (int fd), (fd), kept(fd))
FAIL(int, ftruncate, (int fd, off_t size), (fd, size), kept(fd))
FAIL(int, ftruncate64, (int fd, off64_t size), (fd, size), kept(fd))
FAIL(int, posix_fallocate, (int fd, off_t at, off_t size), (fd, at, size), kept(fd))
FAIL(int, rename, (const char *from, const char *to), (from, to), true)
FAIL(int, link, (const char *from, const char *to), (from, to), true)
FAIL(int, linkat, (int fd, const char *from, int other, const char *to, int flags),
     (fd, from, other, to, flags), true)
FAIL(int, mkdir, (const char *path, mode_t mode), (path, mode), true)

/* Opening counts where it makes something. */
#define FAIL_OPEN(name)                                                                                      \
    int name(const char *path, int flags, ...);                                                              \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        int (*real)(const char *, int, ...);                                                                 \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                           \
        bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;                                  \
        mode_t mode = 0;                                                                                     \
        if (makes) {                                                                                         \
            va_list rest;                                                                                    \
            va_start(rest, flags);                                                                           \
            mode = va_arg(rest, mode_t);                                                                     \
            va_end(rest);                                                                                    \
        }                                                                                                    \
        if (refused((flags & O_TMPFILE) == O_TMPFILE, EOPNOTSUPP)) return -1;                                \
        if (makes && fails()) return -1;                                                                     \
        return real(path, flags, mode);                                                                      \
    }
FAIL_OPEN(open)
FAIL_OPEN(open64)
