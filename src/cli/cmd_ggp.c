/* knack ggp: a player of general game playing on the network. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "protocols/ggp_listen.h"

typedef struct Arguments {
    CliCommon common;
    KnGgpOptions ggp;
    const char *host;
    int port;
    bool verbose;
} Arguments;

enum { KEY_HOST = 0x100, KEY_NAME, KEY_MARGIN, KEY_SEED, KEY_VERBOSE, PORT = 9147 };

static const struct argp_option options[] = {
    {"port", 'p', "N", 0, "Port to listen on (default 9147; 0: any free one)", 1},
    {"host", KEY_HOST, "ADDRESS", 0,
     "Address to listen on (default 127.0.0.1: this machine only; 0.0.0.0: every network)", 1},
    {"name", KEY_NAME, "NAME", 0, "Name of the player (default Knack)", 1},
    {"margin", KEY_MARGIN, "SECONDS", 0,
     "Answer SECONDS before the end of a clock (default: a fifth of it, from 0.3 to 2 s; never more than two "
     "fifths)",
     1},
    {"seed", KEY_SEED, "N", 0, "Seed of all random numbers (default 1)", 1},
    {"verbose", KEY_VERBOSE, 0, 0, "Print every message on stderr", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'p':
        arguments->port = (int)cli_parse_count(state, "--port", arg, 0, 65535);
        return 0;
    case KEY_HOST:
        arguments->host = arg;
        return 0;
    case KEY_NAME:
        arguments->ggp.name = arg;
        return 0;
    case KEY_MARGIN:
        arguments->ggp.seat.margin = cli_parse_real(state, "--margin", arg, 0.001, 1000);
        return 0;
    case KEY_SEED:
        arguments->ggp.seat.seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_VERBOSE:
        arguments->verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) argp_error(state, "give one player");
        arguments->ggp.seat.spec = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Play any game whose description a game manager sends, over the protocol of general game playing.\v"
    "PLAYER is a spec (`knack players`). It gets the time of the clocks; the default uses all of it: "
    "general(time=3600, memory=512, threads=0, keep).\n"
    "The player plays one match at a time. docs/ggp-network.md describes the messages.\n"
    "Examples:\n"
    "  knack ggp\n"
    "  knack ggp --port 9148 --name Kalaha 'uct(playouts=0, exploration=0.5)'\n"
    "  knack ggp-server tictactoe 127.0.0.1:9147 127.0.0.1:9148      # a match between the two";

static void print_address(const Arguments *arguments, int port)
{
    const char *host = arguments->host ? arguments->host : "127.0.0.1";
    if (arguments->common.json)
        printf("{\"host\": \"%s\", \"port\": %d}\n", host, port);
    else
        printf("%s plays at %s:%d  (Ctrl-C ends it)\n", arguments->ggp.name, host, port);
    fflush(stdout);
}

int command_ggp(int argc, char **argv)
{
    Arguments arguments = {.port = PORT,
                           .ggp = {.name = "Knack", .seat = {.spec = kn_ggp_default_spec, .seed = 1}}};
    const struct argp argp = {options, parse, "[PLAYER]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    signal(SIGPIPE, SIG_IGN);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnLogLevel level = arguments.verbose ? KN_LOG_DEBUG : arguments.common.quiet ? KN_LOG_ERROR : KN_LOG_INFO;
    arguments.ggp.seat.log = (KnLog){.out = stderr, .level = level, .name = "knack"};
    arguments.ggp.seat.context = context;
    const atomic_bool *ended = cli_interrupt();
    KnError error;
    KnGgp *ggp = NULL;
    KnGgpListener *listener = NULL;
    KnStatus status = kn_ggp_new(&arguments.ggp, &ggp, &error);
    if (status == KN_OK)
        status = kn_ggp_listen(ggp, arguments.host, arguments.port, &arguments.ggp.seat.log, &listener,
                               &error);
    if (status == KN_OK) {
        print_address(&arguments, kn_ggp_port(listener));
        cli_wait(ended);
        kn_ggp_give_up(ggp);
    }
    kn_ggp_unlisten(listener);
    kn_ggp_free(ggp);
    kn_close(context);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
