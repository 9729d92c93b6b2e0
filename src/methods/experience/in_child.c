/* A look at something in a child process: LMDB follows what the pages of a file say, and a bad page can make
 * it read where nothing is. The child sends back a status, a message and a result through a pipe; if it dies
 * instead, that is the answer. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "methods/experience/internal.h"

static void send_all(int fd, const void *bytes, size_t size)
{
    for (const char *at = bytes; size;) {
        ssize_t sent = write(fd, at, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return;
        at += sent;
        size -= (size_t)sent;
    }
}

static bool receive_all(int fd, void *bytes, size_t size)
{
    for (char *at = bytes; size;) {
        ssize_t got = read(fd, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* A crash of the child is an answer, not an event: it dies by the signal itself, without a core and without
 * anybody's handler. */
static void prepare_to_crash(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); /* LMDB prints its failed assertions */
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

KnStatus kn_base_in_child(const char *path, KnStatus (*look)(void *user, void *result, KnError *error),
                          void *user, void *result, size_t size, KnError *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return kn_fail_errno(error, "looking at %s", path);
    fflush(NULL); /* what is buffered must not be written by both: the thread sanitizer's _exit does */
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return kn_fail_errno(error, "looking at %s", path);
    }
    if (child == 0) {
        prepare_to_crash();
        KnError found = {KN_OK, ""};
        KnStatus status = look(user, result, &found);
        found.status = status;
        send_all(ends[1], &found, sizeof found);
        if (size) send_all(ends[1], result, size);
        _exit(0);
    }
    close(ends[1]);
    KnError found;
    bool heard = receive_all(ends[0], &found, sizeof found) && (!size || receive_all(ends[0], result, size));
    close(ends[0]);
    int ended;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    if (!heard)
        return kn_fail(error, KN_INPUT,
                       "%s is damaged: reading it crashed; restore it from a copy, or import its games again",
                       path);
    if (found.status != KN_OK && error) *error = found;
    return found.status;
}
