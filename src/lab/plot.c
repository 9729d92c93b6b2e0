#include "lab/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

extern char **environ;

enum { MOST_OUTPUT = 16 << 20 };
static const double PLOT_SECONDS = 20;

/* ---- the process ---- */

typedef struct Child {
    pid_t id;
    int in, out; /* our ends of its pipes; -1 when closed */
} Child;

static void shut(int *file)
{
    if (*file >= 0) close(*file);
    *file = -1;
}

static KnStatus start(const char *const *arguments, Child *child, KnError *error)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0) return kn_fail_errno(error, "starting %s", arguments[0]);
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]), close(to[1]);
        return kn_fail_errno(error, "starting %s", arguments[0]);
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int code = posix_spawnp(&child->id, arguments[0], &actions, &attributes, (char *const *)arguments,
                            environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(to[0]), close(from[1]);
    child->in = to[1], child->out = from[0];
    if (code == 0) {
        fcntl(child->in, F_SETFL, O_NONBLOCK);
        fcntl(child->out, F_SETFL, O_NONBLOCK);
        return KN_OK;
    }
    shut(&child->in), shut(&child->out);
    errno = code;
    if (code == ENOENT) return kn_fail(error, KN_NO, "%s is not installed", arguments[0]);
    return kn_fail_errno(error, "starting %s", arguments[0]);
}

/* Writes what the pipe takes. It is no error if the program stops reading. */
static void feed(Child *child, const char **input)
{
    size_t left = strlen(*input);
    ssize_t put = left ? write(child->in, *input, left) : 0;
    if (put > 0) *input += put;
    if (!**input || (put < 0 && errno != EAGAIN && errno != EINTR)) shut(&child->in);
}

static KnStatus talk(const char *program, Child *child, const char *input, double end, KnText *output,
                     KnError *error)
{
    if (!*input) shut(&child->in);
    while (child->out >= 0) {
        double left = end - kn_clock_now();
        if (left <= 0) return kn_fail(error, KN_SYSTEM, "%s took too long", program);
        struct pollfd polls[2] = {{.fd = child->out, .events = POLLIN}, {.fd = child->in, .events = POLLOUT}};
        if (poll(polls, 2, (int)(left * 1000) + 1) < 0 && errno != EINTR)
            return kn_fail_errno(error, "talking to %s", program);
        if (polls[1].revents && child->in >= 0) feed(child, &input);
        if (!polls[0].revents) continue;
        char piece[1 << 14];
        ssize_t got = read(child->out, piece, sizeof piece);
        if (got == 0)
            shut(&child->out);
        else if (got > 0)
            kn_text_add_bytes(output, piece, (size_t)got);
        else if (errno != EAGAIN && errno != EINTR)
            return kn_fail_errno(error, "reading from %s", program);
        if (output->length > MOST_OUTPUT)
            return kn_fail(error, KN_SYSTEM, "%s printed more than %d bytes", program, MOST_OUTPUT);
    }
    return KN_OK;
}

/* Waits for the child until `end`, then kills it. Returns whether it finished without error before. */
static bool finish(pid_t id, double end)
{
    int code = 0;
    for (;;) {
        pid_t got = waitpid(id, &code, WNOHANG);
        if (got == id) return WIFEXITED(code) && WEXITSTATUS(code) == 0;
        if (got < 0 && errno != EINTR) return false;
        if (kn_clock_now() >= end) break;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    kill(id, SIGKILL);
    while (waitpid(id, &code, 0) < 0 && errno == EINTR) {
    }
    return false;
}

KnStatus kn_plot_pipe(const char *const *arguments, const char *input, double seconds, KnText *output,
                      KnError *error)
{
    Child child;
    double end = kn_clock_now() + seconds;
    KnStatus status = start(arguments, &child, error);
    if (status != KN_OK) return status;
    /* The child may close its end while we write: that must not end us. */
    sigset_t pipes, before, pending;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, &before);
    status = talk(arguments[0], &child, input, end, output, error);
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
        sigtimedwait(&pipes, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    shut(&child.in), shut(&child.out);
    bool well = finish(child.id, status == KN_OK ? end : 0);
    if (status == KN_OK && !well) status = kn_fail(error, KN_SYSTEM, "%s failed", arguments[0]);
    return status == KN_OK && !kn_text_ok(output) ? kn_fail_memory(error, "drawing a figure") : status;
}

/* ---- the picture ---- */

/* What is replaced in gnuplot's output; %s stands for the name. '#010203' of the script is the page's own
 * colour. */
static const char *const changes[][2] = {
    {"rgb(  1,   2,   3)", "currentColor"},
    {"rgb(1,2,3)", "currentColor"},
    {"color=\"black\"", "color=\"inherit\""},
    {" id='", " id='%s-"},
    {" id=\"", " id=\"%s-"},
    {"href='#", "href='#%s-"},
    {"url(#", "url(#%s-"},
    {"<title>Gnuplot</title>", ""},
    {"color='white'", "style='color:var(--paper,white)'"},
    {"color=\"white\"", "style=\"color:var(--paper,white)\""},
    {"]]>", "]]&gt;"},
};

static void adopt(const char *svg, const char *name, KnText *out)
{
    for (const char *at = svg; *at;) {
        size_t i = 0, count = sizeof changes / sizeof *changes;
        while (i < count && strncmp(at, changes[i][0], strlen(changes[i][0])) != 0) i++;
        if (i == count) {
            kn_text_add_char(out, *at++);
            continue;
        }
        at += strlen(changes[i][0]);
        for (const char *c = changes[i][1]; *c; c++) {
            if (c[0] == '%' && c[1] == 's')
                kn_text_add(out, name), c++;
            else
                kn_text_add_char(out, *c);
        }
    }
}

/* Lets gnuplot draw. */
static KnStatus draw(const json_t *figure, KnPlotFormat format, KnText *output, KnError *error)
{
    static const char *const gnuplot[] = {"gnuplot", "--default-settings", "-", NULL};
    KnText script = KN_TEXT_EMPTY;
    kn_plot_script(figure, format, &script);
    KnStatus status = kn_text_ok(&script) ? kn_plot_pipe(gnuplot, script.data, PLOT_SECONDS, output, error)
                                          : kn_fail_memory(error, "drawing a figure");
    kn_text_free(&script);
    return status;
}

KnStatus kn_plot_png(const json_t *figure, KnText *png, KnError *error)
{
    KnStatus status = draw(figure, KN_PLOT_PNG, png, error);
    if (status == KN_OK && (png->length < 8 || memcmp(png->data, "\x89PNG", 4) != 0))
        status = kn_fail(error, KN_SYSTEM, "gnuplot made no picture");
    return status;
}

KnStatus kn_plot_svg(const json_t *figure, const char *name, KnText *svg, KnError *error)
{
    KnText output = KN_TEXT_EMPTY;
    KnStatus status = draw(figure, KN_PLOT_SVG, &output, error);
    const char *root = strstr(output.data, "<svg"), *end = strstr(output.data, "</svg>");
    if (status == KN_OK && (!root || !end)) status = kn_fail(error, KN_SYSTEM, "gnuplot made no picture");
    if (status == KN_OK) adopt(root, name, svg);
    kn_text_free(&output);
    return status;
}
