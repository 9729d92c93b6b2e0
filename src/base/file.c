#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- Reading ---- */

static KnStatus read_all(int file, const char *path, bool only_text, KnText *text, size_t max, KnError *error)
{
    char piece[1 << 16];
    for (;;) {
        ssize_t got = read(file, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return kn_fail_errno(error, "%s: cannot read", path);
        if (got == 0) return kn_text_ok(text) ? KN_OK : kn_fail_memory(error, "reading a file");
        if ((size_t)got > max - text->length)
            return kn_fail(error, KN_INPUT, "%s: larger than the %zu bytes allowed here", path, max);
        const char *zero = only_text ? memchr(piece, 0, (size_t)got) : NULL;
        if (zero)
            return kn_fail(error, KN_INPUT, "%s: is not a text file: it has a zero byte at %zu", path,
                           text->length + (size_t)(zero - piece));
        kn_text_add_bytes(text, piece, (size_t)got);
        if (!kn_text_ok(text)) return kn_fail_memory(error, "reading a file");
    }
}

static KnStatus read_file(const char *path, bool only_text, KnText *text, size_t max, KnError *error)
{
    kn_text_clear(text);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return kn_fail_errno(error, "%s: cannot open", path);
    struct stat stat;
    KnStatus status;
    bool known = fstat(file, &stat) == 0;
    if (known && S_ISDIR(stat.st_mode))
        status = kn_fail(error, KN_INPUT, "%s: is a folder; a file is wanted", path);
    else if (known && S_ISREG(stat.st_mode) && stat.st_size > 0 && (uint64_t)stat.st_size > max)
        status = kn_fail(error, KN_INPUT, "%s: larger than the %zu bytes allowed here", path, max);
    else
        status = read_all(file, path, only_text, text, max, error);
    close(file);
    if (status != KN_OK) kn_text_clear(text);
    return status;
}

KnStatus kn_file_read(const char *path, KnText *text, size_t max, KnError *error)
{
    return read_file(path, false, text, max, error);
}

KnStatus kn_file_read_text(const char *path, KnText *text, size_t max, KnError *error)
{
    return read_file(path, true, text, max, error);
}

KnStatus kn_digest_file(KnDigest *digest, const char *path, KnError *error)
{
    char piece[1 << 16];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return kn_fail_errno(error, "%s: cannot open", path);
    struct stat info;
    KnStatus status = fstat(file, &info) == 0 ? KN_OK : kn_fail_errno(error, "%s: cannot read", path);
    if (status == KN_OK) kn_digest_u64(digest, (uint64_t)info.st_size);
    while (status == KN_OK) {
        ssize_t got = read(file, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) status = kn_fail_errno(error, "%s: cannot read", path);
        if (got <= 0) break;
        kn_digest_add(digest, piece, (size_t)got);
    }
    close(file);
    return status;
}

bool kn_file_exists(const char *path) { return access(path, F_OK) == 0; }

/* ---- Where files lie ---- */

/* FUSE is not among them: one cannot tell whether a disk or a network is behind it. */
bool kn_file_system_is_remote(unsigned long magic)
{
    static const unsigned long remote[] = {
        0x6969,     /* NFS */
        0x517B,     /* SMB */
        0xFE534D42, /* SMB 2 */
        0xFF534D42, /* CIFS */
        0x564C,     /* NCP */
        0x5346414F, /* AFS */
        0x6B414653, /* kAFS */
        0x73757245, /* Coda */
        0x00C36400, /* Ceph */
        0x0BD00BD0, /* Lustre */
        0x47504653, /* GPFS */
        0x19830326, /* BeeGFS */
        0x20030528, /* OrangeFS */
        0xAAD7AAEA, /* PanFS */
        0x01161970, /* GFS2 */
        0x7461636F, /* OCFS2 */
        0x01021997, /* 9P */
    };
    for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
        if (remote[i] == (magic & 0xFFFFFFFF)) return true;
    return false;
}

bool kn_file_is_remote(const char *path)
{
    const char *told = getenv("KNACK_SHARED_FILES");
    if (told && strcmp(told, "yes") == 0) return true;
    if (told && strcmp(told, "no") == 0) return false;
    struct statfs info;
    if (statfs(path, &info) == 0) return kn_file_system_is_remote((unsigned long)info.f_type);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    return statfs(slash ? folder : ".", &info) == 0 && kn_file_system_is_remote((unsigned long)info.f_type);
}

/* ---- Writing ---- */

KnStatus kn_file_put(int file, const char *path, const void *bytes, size_t size, KnError *error)
{
    const char *at = bytes;
    while (size) {
        ssize_t put = write(file, at, size);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0 && errno == ENOSPC)
            return kn_fail_errno(
                error, "%s: cannot write (make room, or choose another place; the old contents are kept)",
                path);
        if (put < 0) return kn_fail_errno(error, "%s: cannot write", path);
        at += put;
        size -= (size_t)put;
    }
    return KN_OK;
}

/* Devices and pipes: nothing to replace, so nothing to keep. */
static KnStatus write_through(const char *path, KnFileFill *fill, void *user, KnError *error)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return kn_fail_errno(error, "%s: cannot open for writing", path);
    KnStatus status = fill(user, file, path, error);
    if (close(file) != 0 && status == KN_OK) status = kn_fail_errno(error, "%s: cannot write", path);
    return status;
}

/* The folder that `path` lies in, opened with these flags. */
static int open_folder_of(const char *path, int flags, mode_t mode)
{
    KnText folder = KN_TEXT_EMPTY;
    const char *slash = strrchr(path, '/');
    if (slash)
        kn_text_add_bytes(&folder, path, (size_t)(slash - path) + 1);
    else
        kn_text_add(&folder, ".");
    int file = kn_text_ok(&folder) ? open(folder.data, flags | O_CLOEXEC, mode) : -1;
    kn_text_free(&folder);
    return file;
}

/* Gives a new file a name beside `path`, which goes to `temporary`: to the nameless `file`, or, if that is
 * -1, to one that is made. Returns the file, or -1. */
static int name_beside(int file, const char *path, mode_t mode, KnText *temporary)
{
    char nameless[40];
    snprintf(nameless, sizeof nameless, "/proc/self/fd/%d", file);
    for (int attempt = 0; attempt < 100; attempt++) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) < 0) return -1;
        kn_text_clear(temporary);
        kn_text_printf(temporary, "%s.%016llx.tmp", path, (unsigned long long)random);
        if (!kn_text_ok(temporary)) {
            errno = ENOMEM;
            return -1;
        }
        int named = file >= 0 ? linkat(AT_FDCWD, nameless, AT_FDCWD, temporary->data, AT_SYMLINK_FOLLOW) == 0
                                    ? file
                                    : -1
                              : open(temporary->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (named >= 0 || errno != EEXIST) return named;
    }
    return -1;
}

/* The rename itself must survive a power cut too. File systems that cannot sync a folder do it on their own
 * terms. */
static void sync_folder(const char *path)
{
    int file = open_folder_of(path, O_RDONLY | O_DIRECTORY, 0);
    if (file < 0) return;
    fsync(file);
    close(file);
}

/* Whether a name is one that name_beside gives to what will become `base`. */
static bool is_beside(const char *name, const char *base)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '.') return false;
    const char *at = name + length + 1;
    for (int i = 0; i < 16; i++, at++)
        if (!isxdigit((unsigned char)*at)) return false;
    return strcmp(at, ".tmp") == 0;
}

KnLock kn_file_lock(int file)
{
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return KN_LOCK_BUSY;
        if (errno != EINTR) return KN_LOCK_NONE;
    }
    return KN_LOCK_TAKEN;
}

bool kn_file_is_named(int file, const char *path)
{
    struct stat held, named;
    return fstat(file, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

/* A process that is killed between naming and renaming leaves its file behind. The next writer removes it: a
 * running process holds a lock on its file. */
static void remove_leftovers(const char *path)
{
    int folder = open_folder_of(path, O_RDONLY | O_DIRECTORY, 0);
    DIR *listing = folder >= 0 ? fdopendir(folder) : NULL;
    if (!listing && folder >= 0) close(folder);
    if (!listing) return;
    const char *slash = strrchr(path, '/');
    for (const struct dirent *entry; (entry = readdir(listing));) {
        if (!is_beside(entry->d_name, slash ? slash + 1 : path)) continue;
        int file = openat(folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) continue;
        if (kn_file_lock(file) == KN_LOCK_TAKEN) unlinkat(folder, entry->d_name, 0);
        close(file);
    }
    closedir(listing);
}

/* Where the system can, the file has no name until it is complete; from then on until it has its place a lock
 * says that somebody is at it. */
static KnStatus replace(const char *path, mode_t mode, bool keep_mode, KnFileFill *fill, void *user,
                        KnError *error)
{
    KnText temporary = KN_TEXT_EMPTY;
    mode_t first_mode = keep_mode ? 0600 : mode;
    remove_leftovers(path);
    int file = open_folder_of(path, O_WRONLY | O_TMPFILE, first_mode);
    bool named = file < 0;
    if (named) file = name_beside(-1, path, first_mode, &temporary);
    if (file < 0) {
        KnStatus status = kn_fail_errno(error, "%s: cannot create (is its folder there, and writable?)",
                                        path);
        kn_text_free(&temporary);
        return status;
    }
    kn_file_lock(file);
    KnStatus status = fill(user, file, path, error);
    if (status == KN_OK && keep_mode && fchmod(file, mode) != 0)
        status = kn_fail_errno(error, "%s: cannot set its mode", path);
    if (status == KN_OK && fsync(file) != 0) status = kn_fail_errno(error, "%s: cannot write to disk", path);
    if (status == KN_OK && !named) {
        named = name_beside(file, path, 0, &temporary) >= 0;
        if (!named) status = kn_fail_errno(error, "%s: cannot create (is its folder writable?)", path);
    }
    if (status == KN_OK && rename(temporary.data, path) != 0)
        status = kn_fail_errno(error, "%s: cannot put the new contents in place", path);
    close(file); /* and with it the lock; the contents were synced */
    if (status == KN_OK)
        sync_folder(path);
    else if (named)
        unlink(temporary.data);
    kn_text_free(&temporary);
    return status;
}

KnStatus kn_file_fill_atomic(const char *path, KnFileFill *fill, void *user, KnError *error)
{
    struct stat old;
    if (stat(path, &old) != 0) return replace(path, 0666, false, fill, user, error);
    if (S_ISDIR(old.st_mode)) return kn_fail(error, KN_USAGE, "%s: is a folder; name a file in it", path);
    if (!S_ISREG(old.st_mode)) return write_through(path, fill, user, error);
    if (access(path, W_OK) != 0) return kn_fail_errno(error, "%s: cannot write", path);
    char *target = realpath(path, NULL); /* a link stays a link */
    if (!target) return kn_fail_errno(error, "%s: cannot resolve", path);
    KnStatus status = replace(target, old.st_mode & 07777, true, fill, user, error);
    free(target);
    return status;
}

typedef struct Bytes {
    const void *bytes;
    size_t size;
} Bytes;

static KnStatus put_bytes(void *user, int file, const char *path, KnError *error)
{
    const Bytes *all = user;
    return kn_file_put(file, path, all->bytes, all->size, error);
}

KnStatus kn_file_write_atomic(const char *path, const void *bytes, size_t size, KnError *error)
{
    return kn_file_fill_atomic(path, put_bytes, &(Bytes){bytes, size}, error);
}

/* ---- Paths ---- */

void kn_path_join(KnText *path, const char *folder, const char *name)
{
    KnText joined = KN_TEXT_EMPTY; /* folder or name may point into path */
    if (name[0] != '/' && folder[0]) {
        kn_text_add(&joined, folder);
        if (joined.length && joined.data[joined.length - 1] != '/') kn_text_add_char(&joined, '/');
    }
    kn_text_add(&joined, name);
    kn_text_free(path);
    *path = joined;
}

char *kn_path_real(const char *path)
{
    char *real = realpath(path, NULL);
    if (real || errno != ENOENT) return real;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *above = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *folder = above && name[0] ? realpath(above, NULL) : NULL;
    if (folder && asprintf(&real, "%s%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/", name) < 0)
        real = NULL;
    free(above);
    free(folder);
    return real;
}

static KnStatus make_one(const char *path, KnError *error)
{
    struct stat stat_;
    if (mkdir(path, 0777) == 0) return KN_OK;
    int code = errno;
    if (stat(path, &stat_) == 0) {
        if (S_ISDIR(stat_.st_mode)) return KN_OK;
        return kn_fail(error, KN_SYSTEM,
                       "%s: a file is in the way of the folder; move it or choose another place", path);
    }
    errno = code;
    return kn_fail_errno(error, "%s: cannot make this folder", path);
}

KnStatus kn_mkdirs(const char *path, KnError *error)
{
    if (!path[0]) return kn_fail(error, KN_USAGE, "a folder with an empty name was asked for");
    char *copy = strdup(path);
    if (!copy) return kn_fail_memory(error, "making a folder");
    KnStatus status = KN_OK;
    for (char *slash = copy + 1; status == KN_OK; slash++) {
        slash = strchrnul(slash, '/');
        char after = *slash;
        *slash = '\0';
        status = make_one(copy, error);
        if (!after) break;
        *slash = after;
        if (!slash[1]) break;
    }
    free(copy);
    return status;
}

/* $HOME, or what the user database says where there is none (services, containers). */
static KnStatus home(KnText *path, KnError *error)
{
    const char *set = getenv("HOME");
    if (set && set[0]) {
        kn_text_add(path, set);
        return KN_OK;
    }
    struct passwd entry, *found = NULL;
    char buffer[4096];
    if (getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) != 0 || !found || !found->pw_dir[0])
        return kn_fail(error, KN_SYSTEM,
                       "no home folder is known; say where data lives with --data DIR or KNACK_DATA");
    kn_text_add(path, found->pw_dir);
    return KN_OK;
}

KnStatus kn_data_dir(const char *override, KnText *path, KnError *error)
{
    kn_text_clear(path);
    const char *set = override && override[0] ? override : getenv("KNACK_DATA");
    if (set && set[0]) {
        kn_text_add(path, set);
    } else {
        const char *xdg = getenv("XDG_DATA_HOME");
        if (xdg && xdg[0] == '/') { /* the XDG specification: relative paths are ignored */
            kn_path_join(path, xdg, "knack");
        } else {
            KnText base = KN_TEXT_EMPTY;
            KnStatus status = home(&base, error);
            if (status == KN_OK) kn_path_join(path, base.data, ".local/share/knack");
            bool ok = kn_text_ok(&base);
            kn_text_free(&base);
            if (status != KN_OK) return status;
            if (!ok) return kn_fail_memory(error, "finding the data folder");
        }
    }
    return kn_text_ok(path) ? KN_OK : kn_fail_memory(error, "finding the data folder");
}
