#include "base/child_process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

extern char **environ;

enum { TAIL = 300 /* of what it complained about */, STEP_MS = 50 /* between looks at a cancel flag */ };
static const double GRACE = 0.3; /* seconds to exit without a signal */

struct KnChild {
    char *command;
    pid_t pid; /* 0: it has ended, as `how` says */
    int how;
    int in, out, err;           /* our ends: its input, its output, its complaints; -1 when closed */
    char buffer[KN_CHILD_LINE]; /* what came and is no whole line yet, or was not asked for */
    size_t begin, filled;       /* the part of it that is in use */
    char tail[TAIL + 1];
    size_t tail_length;
    int log;          /* -1: none */
    int life;         /* our end of the guard's pipe: it closes when this process ends, however it ends */
    double cpu_ended; /* processor time of programs that have ended */
};

/* A line of the log, in one write, so that lines of several programs do not mix. */
static void note(const KnChild *child, char what, const char *text, size_t length)
{
    if (child->log < 0) return;
    struct timespec now;
    struct tm day;
    char stamp[32];
    KnText line = KN_TEXT_EMPTY;
    clock_gettime(CLOCK_REALTIME, &now);
    strftime(stamp, sizeof stamp, "%F %T", gmtime_r(&now.tv_sec, &day));
    kn_text_printf(&line, "%s.%03d [%d] %c %.*s\n", stamp, (int)(now.tv_nsec / 1000000), (int)child->pid,
                   what, (int)length, text);
    if (write(child->log, line.data, line.length) < 0) { /* a full disk costs the log, not the game */
    }
    kn_text_free(&line);
}

KnStatus kn_child_log(KnChild *child, const char *path, KnError *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return kn_fail_errno(error, "%s: cannot open the log", path);
    if (child->log >= 0) close(child->log);
    child->log = file;
    note(child, '*', child->command, strlen(child->command));
    return KN_OK;
}

/* ---- Life ---- */

/* The command runs beside a guard in its process group, which waits for the end of a pipe that only this
 * process writes to. When this process ends, by kill -9 too, the pipe ends and the guard kills the group.
 * (The kernel's PR_SET_PDEATHSIG would not do: it fires when the *thread* ends that started the program, and
 * reaches neither the programs that sh starts nor a program whose parent was already gone.) The guard keeps
 * none of the command's files open. */
enum { GUARD_FILE = 3 };
static const char guarded[] =
    "(read _ <&3; kill -9 0) </dev/null >/dev/null 2>&1 & exec 3<&-; exec /bin/sh -c \"$0\"";

static KnStatus spawn(KnChild *child, const int ends[4], KnError *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    char *words[] = {"sh", "-c", (char *)(uintptr_t)guarded, child->command, NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 4; i++) posix_spawn_file_actions_adddup2(&actions, ends[i], i);
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    int code = posix_spawn(&child->pid, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (code == 0) return KN_OK;
    child->pid = 0;
    errno = code;
    return kn_fail_errno(error, "\"%.200s\" cannot be started", child->command);
}

/* Four pipes, for input, output, errors and the guard; `ends` gets the program's sides. */
static KnStatus open_pipes(KnChild *child, int ends[4], KnError *error)
{
    int pipes[4][2];
    int *ours[4] = {&child->in, &child->out, &child->err, &child->life};
    for (int i = 0; i < 4; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return kn_fail_errno(error, "no pipe to \"%.200s\"", child->command);
        int mine = i == 0 || i == GUARD_FILE ? 1 : 0;
        *ours[i] = pipes[i][mine];
        ends[i] = pipes[i][1 - mine];
        fcntl(*ours[i], F_SETFL, fcntl(*ours[i], F_GETFL) | O_NONBLOCK);
        /* a program's side with one of the numbers 0 to 3 would be overwritten by the others */
        if (ends[i] > GUARD_FILE) continue;
        int higher = fcntl(ends[i], F_DUPFD_CLOEXEC, GUARD_FILE + 1);
        if (higher < 0) return kn_fail_errno(error, "no pipe to \"%.200s\"", child->command);
        close(ends[i]);
        ends[i] = higher;
    }
    return KN_OK;
}

KnStatus kn_child_start(const char *command, KnChild **out, KnError *error)
{
    *out = NULL;
    KnChild *child = calloc(1, sizeof *child);
    if (!child) return kn_fail_memory(error, "starting a program");
    child->in = child->out = child->err = child->log = child->life = -1;
    int ends[4] = {-1, -1, -1, -1};
    KnStatus status = (child->command = strdup(command)) ? KN_OK
                                                         : kn_fail_memory(error, "starting a program");
    if (status == KN_OK) status = open_pipes(child, ends, error);
    if (status == KN_OK) status = spawn(child, ends, error);
    for (int i = 0; i < 4; i++)
        if (ends[i] >= 0) close(ends[i]);
    if (status == KN_OK)
        *out = child;
    else
        kn_child_end(child);
    return status;
}

static void close_end(int *end)
{
    if (*end >= 0) close(*end);
    *end = -1;
}

static void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static double seconds_of(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

/* Whether it has ended, which is looked at for so long; `how` gets waitpid's status. */
static bool has_ended(KnChild *child, double seconds, int *how)
{
    for (double until = kn_clock_now() + seconds;;) {
        struct rusage used;
        pid_t got = wait4(child->pid, how, WNOHANG, &used);
        if (got == child->pid) child->cpu_ended += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
        if (got == child->pid || (got < 0 && errno == ECHILD)) return true;
        if (kn_clock_now() >= until) return false;
        nap(0.005);
    }
}

void kn_child_end(KnChild *child)
{
    if (!child) return;
    close_end(&child->in);
    close_end(&child->out);
    close_end(&child->err);
    int how;
    if (child->pid > 0) {
        bool gone = has_ended(child, GRACE, &how);
        kill(-child->pid, SIGKILL); /* also those that it has left behind */
        if (!gone) waitpid(child->pid, &how, 0);
    }
    close_end(&child->life);
    note(child, '*', "ended", 5);
    if (child->log >= 0) close(child->log);
    free(child->command);
    free(child);
}

/* ---- Processor time ---- */

/* What children of a process have used that have ended: ticks in /proc/PID/stat. */
static double ended_children(pid_t pid)
{
    char path[64], text[1024];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *after_name = strrchr(text, ')');
    if (!after_name || sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
                              &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* A process and those that it has started. */
static double cpu_of_tree(pid_t pid, int depth)
{
    enum { DEEPEST = 8 };
    clockid_t clock;
    struct timespec time;
    double sum = ended_children(pid);
    if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &time) == 0)
        sum += (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = depth < DEEPEST ? fopen(path, "re") : NULL;
    for (int next; file && fscanf(file, "%d", &next) == 1;) sum += cpu_of_tree(next, depth + 1);
    if (file) fclose(file);
    return sum;
}

double kn_child_cpu_seconds(const KnChild *child)
{
    return child->cpu_ended + (child->pid > 0 ? cpu_of_tree(child->pid, 0) : 0);
}

/* ---- Talking ---- */

/* Keeps the end of what it complains about, on one line. */
static void keep_complaints(KnChild *child)
{
    char bytes[512];
    ssize_t got;
    while (child->err >= 0 && (got = read(child->err, bytes, sizeof bytes)) != 0) {
        if (got < 0) {
            if (errno != EAGAIN && errno != EINTR) close_end(&child->err);
            return;
        }
        for (ssize_t i = 0; i < got; i++) {
            if (child->tail_length == TAIL) {
                memmove(child->tail, child->tail + 1, TAIL - 1);
                child->tail_length--;
            }
            child->tail[child->tail_length++] = isprint((unsigned char)bytes[i]) ? bytes[i] : ' ';
        }
        child->tail[child->tail_length] = '\0';
    }
    close_end(&child->err);
}

/* It is gone, or will not hear: says how. */
static KnStatus is_gone(KnChild *child, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    keep_complaints(child);
    if (child->pid && has_ended(child, GRACE, &child->how)) {
        kill(-child->pid, SIGKILL);
        child->pid = 0; /* from here on it is no number of a process: kill(0) would end us and our shell */
    }
    int how = child->how;
    if (child->pid)
        kn_text_add(&text, "has closed its output, but runs on");
    else {
        if (WIFSIGNALED(how))
            kn_text_printf(&text, "was ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
        else if (WEXITSTATUS(how) == 127)
            kn_text_add(&text, "is no command that can be found (status 127)");
        else
            kn_text_printf(&text, "has exited (status %d)", WEXITSTATUS(how));
    }
    char *said = child->tail;
    while (*said == ' ') said++;
    if (*said) kn_text_printf(&text, "; it said: %s", said);
    kn_fail(error, KN_FORFEIT, "\"%.200s\" %s", child->command, text.data);
    kn_text_free(&text);
    return KN_FORFEIT;
}

/* write() without the signal that a closed pipe sends to the whole process. */
static ssize_t write_quietly(int end, const char *bytes, size_t size)
{
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t put = write(end, bytes, size);
    int code = errno;
    if (put < 0 && code == EPIPE && !was_pending) {
        struct timespec none = {0, 0};
        while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return put;
}

/* Waits until there is something to read, or room to write; reads complaints by the way. False at the
 * deadline. */
static bool wait_for(KnChild *child, int end, short what, double until, const atomic_bool *cancel)
{
    for (;;) {
        struct pollfd ends[2] = {{end, what, 0}, {child->err, POLLIN, 0}};
        double left = until - kn_clock_now();
        if (left <= 0 || (cancel && atomic_load(cancel))) return false;
        int most = left * 1000 < STEP_MS ? (int)(left * 1000) + 1 : STEP_MS;
        int ready = poll(ends, child->err >= 0 ? 2 : 1,
                         cancel || most < STEP_MS ? most : (int)(left > 1000 ? 1000000 : left * 1000) + 1);
        if (ready > 0 && child->err >= 0 && ends[1].revents) keep_complaints(child);
        if (ready > 0 && ends[0].revents) return true;
    }
}

KnStatus kn_child_write(KnChild *child, const char *line, double seconds, KnError *error)
{
    double until = kn_clock_now() + seconds;
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s\n", line);
    note(child, '>', line, strlen(line));
    KnStatus status = kn_text_ok(&text) ? KN_OK : kn_fail_memory(error, "speaking to a program");
    for (size_t done = 0; done < text.length && status == KN_OK;) {
        ssize_t put = child->in < 0 ? -1 : write_quietly(child->in, text.data + done, text.length - done);
        if (put > 0)
            done += (size_t)put;
        else if (child->in < 0 || (errno != EAGAIN && errno != EINTR))
            status = is_gone(child, error);
        else if (errno == EAGAIN && !wait_for(child, child->in, POLLOUT, until, NULL))
            status = kn_fail(error, KN_FORFEIT, "\"%.200s\" has not read its input for %.1f s",
                             child->command, seconds);
    }
    kn_text_free(&text);
    return status;
}

/* Takes the first line off the buffer, if a whole one is there. */
static bool take_line(KnChild *child, KnText *line)
{
    const char *text = child->buffer + child->begin, *end = memchr(text, '\n', child->filled - child->begin);
    if (!end) { /* room for more */
        memmove(child->buffer, text, child->filled - child->begin);
        child->filled -= child->begin;
        child->begin = 0;
        return false;
    }
    size_t length = (size_t)(end - text);
    kn_text_clear(line);
    kn_text_add_utf8(line, text, length && text[length - 1] == '\r' ? length - 1 : length);
    child->begin += length + 1;
    return true;
}

KnStatus kn_child_read(KnChild *child, double seconds, const atomic_bool *cancel, KnText *line,
                       KnError *error)
{
    double until = kn_clock_now() + seconds;
    while (!take_line(child, line)) {
        if (child->filled == sizeof child->buffer)
            return kn_fail(error, KN_FORFEIT, "\"%.200s\" has sent a line of more than %d bytes",
                           child->command, KN_CHILD_LINE);
        if (child->out < 0) return is_gone(child, error);
        if (!wait_for(child, child->out, POLLIN, until, cancel)) {
            if (cancel && atomic_load(cancel)) return kn_fail(error, KN_STOPPED, "stopped");
            return kn_fail(error, KN_FORFEIT, "\"%.200s\" has not answered for %.1f s", child->command,
                           seconds);
        }
        ssize_t got = read(child->out, child->buffer + child->filled, sizeof child->buffer - child->filled);
        if (got > 0)
            child->filled += (size_t)got;
        else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            close_end(&child->out);
            return is_gone(child, error);
        }
    }
    note(child, '<', line->data, line->length);
    return kn_text_ok(line) ? KN_OK : kn_fail_memory(error, "listening to a program");
}
