#include "lab/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
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

/* ---- the script ---- */

/* In single quotes gnuplot expands nothing; a quote is doubled. Control characters would end the line. */
static void add_string(KnText *script, const char *string)
{
    kn_text_add_char(script, '\'');
    for (const char *c = string; *c; c++) {
        if (*c == '\'') kn_text_add_char(script, '\'');
        kn_text_add_char(script, (unsigned char)*c < ' ' ? ' ' : *c);
    }
    kn_text_add_char(script, '\'');
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* A coordinate; NaN, which gnuplot leaves out, where there is none. */
static void add_coordinate(KnText *script, const json_t *value, double shift)
{
    if (json_is_number(value))
        kn_text_printf(script, "%.10g ", json_number_value(value) + shift);
    else
        kn_text_add(script, "NaN ");
}

static bool has_bars(const json_t *points)
{
    size_t i;
    json_t *point;
    json_array_foreach(points, i, point)
    {
        const json_t *low = json_array_get(point, 2), *high = json_array_get(point, 3);
        if (json_is_number(low) && json_is_number(high) && json_number_value(low) < json_number_value(high))
            return true;
    }
    return false;
}

/* The lowest and highest of what is drawn: points alone, or with their bars. */
static void find_range(const json_t *figure, bool bars, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    size_t s, i;
    json_t *series, *point;
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            for (size_t k = 1; k < (bars ? 4 : 2); k++) {
                const json_t *value = json_array_get(point, k);
                if (!json_is_number(value)) continue;
                *least = fmin(*least, json_number_value(value));
                *most = fmax(*most, json_number_value(value));
            }
        }
    }
}

static void add_data(KnText *script, const json_t *figure)
{
    const json_t *all = json_object_get(figure, "series");
    bool beside = strcmp(string_of(figure, "kind"), "points") == 0;
    size_t s, i, count = json_array_size(all);
    json_t *series, *point;
    json_array_foreach(all, s, series)
    {
        double shift = beside ? 0.22 * ((double)s - (double)(count - 1) / 2) : 0;
        kn_text_printf(script, "$s%zu << END\n", s);
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            for (size_t k = 0; k < 4; k++) add_coordinate(script, json_array_get(point, k), k ? 0 : shift);
            kn_text_add(script, "\n");
        }
        kn_text_add(script, "END\n");
    }
}

/* Series differ in colour, in the shape of the mark and in the dashes of the line. */
static void add_style(KnText *script, size_t s)
{
    static const char *const colours[] = {"#D55E00", "#0072B2", "#777777", "#010203"};
    static const int marks[] = {4, 7, 8, 10, 6, 12}; /* hollow square, disc, triangle, ... */
    kn_text_printf(script, "lc rgb '%s' pt %d ps 0.8 lw 1.6 dt %zu title ", colours[s % 4], marks[s % 6],
                   1 + s / 4);
}

static void add_plots(KnText *script, const json_t *figure)
{
    const char *kind = string_of(figure, "kind");
    const json_t *all = json_object_get(figure, "series");
    size_t s;
    json_t *series;
    if (strcmp(kind, "map") == 0) {
        kn_text_add(
            script,
            "set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 "
            "'#28ae80', "
            "6 '#5ec962', 7 '#addc30', 8 '#fde725')\nset colorbox\nunset key\nset autoscale noextend\n"
            "plot $s0 using 1:2:3 with image\n");
        return;
    }
    bool joined = strcmp(kind, "lines") == 0;
    kn_text_add(script, "plot ");
    json_array_foreach(all, s, series)
    {
        bool bars = has_bars(json_object_get(series, "points"));
        kn_text_printf(script, "%s$s%zu using 1:2%s with %s ", s ? ", " : "", s, bars ? ":3:4" : "",
                       bars     ? joined ? "yerrorlines" : "yerrorbars"
                       : joined ? "linespoints"
                                : "points");
        add_style(script, s);
        add_string(script, string_of(series, "name"));
    }
    kn_text_add(script, "\n");
}

/* Axes of quantities that are never negative start at 0. Shares in percent lie within 0 and 100, even if an
 * interval for few runs reaches beyond. */
static void add_range(KnText *script, const json_t *figure)
{
    double least, most, low, high;
    find_range(figure, false, &least, &most);
    find_range(figure, true, &low, &high);
    bool shares = strchr(string_of(figure, "y"), '%') && least >= 0 && most <= 100,
         from_zero = shares || low >= 0, whole = shares && high > 80;
    kn_text_printf(script, "set offsets graph 0.03, graph 0.03, graph %s, graph %s\nset autoscale xfix\n",
                   whole ? "0" : "0.06", from_zero ? "0" : "0.04");
    if (from_zero) kn_text_add(script, whole ? "set yrange [0:100]\n" : "set yrange [0:*]\n");
}

static size_t name_length(const json_t *names, size_t index)
{
    return json_string_length(json_array_get(names, index));
}

void kn_plot_script(const json_t *figure, KnText *script)
{
    const json_t *categories = json_object_get(figure, "categories");
    size_t i, count = json_array_size(categories);
    json_t *name;
    kn_text_printf(script, "set terminal svg size 720,%d dynamic noenhanced font 'sans-serif,17'\n",
                   count ? 500 : 450);
    kn_text_add(script, "set encoding utf8\nset border 3 lc rgb '#010203' lw 1\nset tics nomirror out scale "
                        "0.5 textcolor rgb '#010203'\n"
                        "set grid ytics lc rgb '#999999' lw 0.4 dt 3\nset key tmargin left horizontal "
                        "reverse Left textcolor rgb '#010203' samplen 1.5\n"
                        "set errorbars 0.6 lw 1.6\nset pointintervalbox 0\nset title ");
    add_string(script, string_of(figure, "title"));
    kn_text_add(script, " textcolor rgb '#010203'\nset xlabel ");
    add_string(script, string_of(figure, "x"));
    kn_text_add(script, " textcolor rgb '#010203'\nset ylabel ");
    add_string(script, string_of(figure, "y"));
    kn_text_add(script, " textcolor rgb '#010203'\n");
    if (strcmp(string_of(figure, "kind"), "map") != 0) add_range(script, figure);
    if (count) {
        /* Names slope towards the side where less of a long one would be cut off. */
        bool falling = name_length(categories, 0) >= name_length(categories, count - 1);
        kn_text_printf(script, "set rmargin %d\nset xtics rotate by %s (", falling ? 9 : 3,
                       falling ? "-25" : "25 right");
        json_array_foreach(categories, i, name)
        {
            if (i) kn_text_add(script, ", ");
            add_string(script, json_string_value(name));
            kn_text_printf(script, " %zu", i);
        }
        kn_text_printf(script, ")\nset xrange [-0.5:%zu.5]\n", count - 1);
    }
    if (json_is_true(json_object_get(figure, "steps"))) {
        const json_t *first = json_object_get(json_array_get(json_object_get(figure, "series"), 0), "points");
        json_t *point;
        kn_text_add(script, "set logscale x\nunset mxtics\nset xtics (");
        json_array_foreach(first, i, point)
        {
            double x = json_number_value(json_array_get(point, 0));
            kn_text_printf(script, "%s'%g' %g", i ? ", " : "", x, x);
        }
        kn_text_add(script, ")\n");
    }
    add_data(script, figure);
    add_plots(script, figure);
}

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

KnStatus kn_plot_svg(const json_t *figure, const char *name, KnText *svg, KnError *error)
{
    static const char *const gnuplot[] = {"gnuplot", "--default-settings", "-", NULL};
    KnText script = KN_TEXT_EMPTY, output = KN_TEXT_EMPTY;
    kn_plot_script(figure, &script);
    KnStatus status = kn_plot_pipe(gnuplot, script.data, PLOT_SECONDS, &output, error);
    const char *root = strstr(output.data, "<svg"), *end = strstr(output.data, "</svg>");
    if (status == KN_OK && (!root || !end)) status = kn_fail(error, KN_SYSTEM, "gnuplot made no picture");
    if (status == KN_OK) adopt(root, name, svg);
    kn_text_free(&script);
    kn_text_free(&output);
    return status;
}
