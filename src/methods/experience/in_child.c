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

/* The thread sanitizer of gcc 12 does not let go of all its own locks in a child of a process with threads,
 * which then waits for ever: there it ends after some time, and another one is asked. 0: it has all the time
 * it needs. */
#if defined __SANITIZE_THREAD__
enum { PATIENCE = 30 };
#else
enum { PATIENCE = 0 };
#endif

typedef struct Look {
    KnStatus (*look)(void *user, void *result, KnError *error);
    void *user, *result;
    size_t size;
} Look;

static void answer(const Look *look, int pipe)
{
    prepare_to_crash();
    signal(SIGALRM, SIG_DFL);
    alarm(PATIENCE);
    KnError found = {KN_OK, ""};
    found.status = look->look(look->user, look->result, &found);
    send_all(pipe, &found, sizeof found);
    if (look->size) send_all(pipe, look->result, look->size);
    _exit(0);
}

/* False with errno if there is no child. `ended`: as waitpid tells it. */
static bool ask_child(const Look *look, KnError *found, bool *heard, int *ended)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fflush(NULL); /* what is buffered must not be written by both: the thread sanitizer's _exit does */
    pid_t child = fork();
    if (child == 0) answer(look, ends[1]);
    int why = errno;
    close(ends[1]);
    if (child > 0)
        *heard = receive_all(ends[0], found, sizeof *found) &&
                 (!look->size || receive_all(ends[0], look->result, look->size));
    close(ends[0]);
    while (child > 0 && waitpid(child, ended, 0) < 0 && errno == EINTR) continue;
    errno = why;
    return child > 0;
}

KnStatus kn_base_in_child(const char *path, KnStatus (*look)(void *user, void *result, KnError *error),
                          void *user, void *result, size_t size, KnError *error)
{
    const Look what = {look, user, result, size};
    KnError found;
    bool heard = false;
    int ended = 0;
    do {
        if (!ask_child(&what, &found, &heard, &ended)) return kn_fail_errno(error, "looking at %s", path);
    } while (PATIENCE && !heard && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGALRM);
    if (!heard)
        return kn_fail(error, KN_INPUT,
                       "%s is damaged: reading it crashed; restore it from a copy, or import its games again",
                       path);
    if (found.status != KN_OK && error) *error = found;
    return found.status;
}
