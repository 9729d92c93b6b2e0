/* knack serve: the page and its API. */
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "lab/experiment.h"
#include "web/web.h"

typedef struct Arguments {
    CliCommon common;
    KnWebOptions web;
    bool verbose, open;
    const char *lab; /* scale at which to measure everything, or NULL */
} Arguments;

enum { KEY_HOST = 0x100, KEY_KEY, KEY_NAME, KEY_ENGINES, KEY_VERBOSE, KEY_LAB, KEY_OPEN, PORT = 8017 };

static const struct argp_option options[] = {
    {"port", 'p', "N", 0, "Port to listen on (default 8017; 0: any free one)", 1},
    {"host", KEY_HOST, "ADDRESS", 0,
     "Address to listen on (default 127.0.0.1: this machine only; 0.0.0.0: every network)", 1},
    {"key", KEY_KEY, "WORD", 0,
     "Answer only who has this key of 8 letters or more: for a class network (docs/classroom.md)", 1},
    {"name", KEY_NAME, "NAME", 0, "Host name of the server, besides its addresses", 1},
    {"engines", KEY_ENGINES, "N", 0, "Use N engine threads (default: all cores)", 1},
    {"lab", KEY_LAB, "quick|middle|paper", 0,
     "Measure every experiment of the lab meanwhile; the page shows the results", 1},
    {"open", KEY_OPEN, 0, 0, "Open the page in a browser, where there is one", 1},
    {"verbose", KEY_VERBOSE, 0, 0, "Print every request on stderr", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'p':
        arguments->web.port = (int)cli_parse_count(state, "--port", arg, 0, 65535);
        return 0;
    case KEY_HOST:
        arguments->web.host = arg;
        return 0;
    case KEY_KEY:
        arguments->web.key = arg;
        return 0;
    case KEY_NAME:
        arguments->web.name = arg;
        return 0;
    case KEY_ENGINES:
        arguments->web.engines = (int)cli_parse_count(state, "--engines", arg, 1, 64);
        return 0;
    case KEY_LAB:
        if (kn_scale_parse(arg, &(KnScale){0}, NULL) != KN_OK)
            argp_error(state, "--lab expects quick, middle or paper, not \"%s\"", arg);
        arguments->lab = arg;
        return 0;
    case KEY_OPEN:
        arguments->open = true;
        return 0;
    case KEY_VERBOSE:
        arguments->verbose = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Serve the page: play, watch, ask why, train, run matches and the lab.\v"
                          "Open the address that it prints in a browser. Ctrl-C stops the server; games in "
                          "progress are saved. docs/api.md describes the JSON API.\n"
                          "Examples:\n"
                          "  knack serve\n"
                          "  knack serve --port 9000 --data /tmp/workbench";

/* Opens an address in the browser of the desktop, where there is one. A courtesy: if it fails, the address is
 * on the screen. */
static void open_browser(const char *address)
{
    static const char *const programs[] = {"xdg-open", "open", NULL};
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    for (const char *const *program = programs; *program; program++) {
        const char *const words[] = {*program, address, NULL};
        pid_t child;
        if (posix_spawnp(&child, *program, NULL, NULL, (char *const *)(uintptr_t)words, environ) == 0) return;
    }
}

static void print_address(const Arguments *arguments, int port)
{
    const char *host = arguments->web.host ? arguments->web.host : "127.0.0.1";
    const char *shown = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0 ? "127.0.0.1" : host;
    bool bracket = strchr(shown, ':') != NULL;
    char address[300];
    snprintf(address, sizeof address, "http://%s%s%s:%d/%s%s", bracket ? "[" : "", shown, bracket ? "]" : "",
             port, arguments->web.key ? "?key=" : "", arguments->web.key ? arguments->web.key : "");
    printf(arguments->common.json ? "{\"url\": \"%s\"}\n" : "Knack is at %s  (Ctrl-C ends it)\n", address);
    fflush(stdout);
    if (arguments->open) open_browser(address);
}

int command_serve(int argc, char **argv)
{
    Arguments arguments = {.web = {.port = PORT}};
    const struct argp argp = {options, parse, NULL, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    /* Threads come and go with connections, and replies are briefly large: return that memory to the system.
     */
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    struct rlimit files; /* a file for each connection: as many as this user may have */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    signal(SIGPIPE, SIG_IGN);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    arguments.web.log =
        (KnLog){.out = stderr, .level = arguments.verbose ? KN_LOG_DEBUG : KN_LOG_WARNING, .name = "knack"};
    const atomic_bool *ended = cli_interrupt();
    KnError error;
    KnWeb *web;
    KnStatus status = kn_web_open(context, &arguments.web, &web, &error);
    if (status == KN_OK) status = kn_web_listen(web, &error);
    if (status == KN_OK) {
        print_address(&arguments, kn_web_port(web));
        if (arguments.lab && kn_web_measure(web, NULL, arguments.lab, &error) != KN_OK)
            cli_fail(&error); /* everything else works without it */
        cli_wait(ended);
    }
    kn_web_close(web);
    kn_close(context);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
