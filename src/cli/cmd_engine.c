/* knack pipe, knack gtp, knack nboard: serve as an engine for other programs on standard input and output. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "protocols/gtp_engine.h"
#include "protocols/nboard_engine.h"
#include "protocols/pipe_engine.h"

typedef struct Arguments {
    CliCommon common;
    const char *game, *player;
    bool one_game; /* the protocol has one game, so GAME is not an argument */
    uint64_t seed;
} Arguments;

enum { KEY_SEED = 0x100 };

static const struct argp_option options[] = {
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 1}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_SEED:
        arguments->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->game && !arguments->one_game)
            arguments->game = arg;
        else if (!arguments->player)
            arguments->player = arg;
        else
            argp_error(state, "one argument too many: \"%s\"", arg);
        return 0;
    case ARGP_KEY_END:
        if (arguments->common.json) argp_error(state, "an engine speaks its protocol: leave out --json");
        if (!arguments->player)
            argp_error(state, arguments->one_game ? "give a player" : "give a game and a player");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

typedef KnStatus (*Serve)(const KnContext *context, const Arguments *arguments, KnError *error);

static int serve(int argc, char **argv, const char *doc, bool one_game, Serve how)
{
    Arguments arguments = {.one_game = one_game, .seed = 1};
    const struct argp argp = {options, parse, one_game ? "PLAYER" : "GAME PLAYER", doc, cli_common,
                              NULL,    NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    signal(SIGPIPE, SIG_DFL); /* the other side has closed the connection */
    KnStatus status = how(context, &arguments, &error);
    kn_close(context);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}

static KnStatus serve_pipe(const KnContext *context, const Arguments *a, KnError *error)
{
    return kn_pipe_serve(context, a->game, a->player, a->seed, STDIN_FILENO, stdout, error);
}

static KnStatus serve_gtp(const KnContext *context, const Arguments *a, KnError *error)
{
    return kn_gtp_serve(context, a->game, a->player, a->seed, stdin, stdout, error);
}

static KnStatus serve_nboard(const KnContext *context, const Arguments *a, KnError *error)
{
    return kn_nboard_serve(context, a->player, a->seed, STDIN_FILENO, stdout, error);
}

int command_pipe(int argc, char **argv)
{
    return serve(argc, argv,
                 "Play as an engine over standard input and output, in the manner of UCI (docs/pipe.md).\v"
                 "The player pipe(\"COMMAND\") is the counterpart: it plays with any engine that speaks this "
                 "protocol.\n"
                 "Examples:\n"
                 "  printf 'position start\\ngo depth 4\\nquit\\n' | knack pipe checkers alphabeta\n"
                 "  knack match checkers 'pipe(\"knack pipe checkers alphabeta\", depth=3)' random -n 10",
                 false, serve_pipe);
}

int command_gtp(int argc, char **argv)
{
    return serve(argc, argv,
                 "Play Go or Othello as an engine over the Go Text Protocol, on standard input and output "
                 "(docs/gtp.md).\v"
                 "The player gtp(\"COMMAND\") is the counterpart: it plays with any GTP engine.\n"
                 "Examples:\n"
                 "  knack gtp 'go(9)' 'uct(playouts=2000)'\n"
                 "  knack match 'go(9)' 'gtp(\"gnugo --mode gtp\")' 'uct(playouts=500)' -n 10 --plies 300",
                 false, serve_gtp);
}

int command_nboard(int argc, char **argv)
{
    return serve(argc, argv,
                 "Play Othello as an engine over the NBoard protocol, on standard input and output "
                 "(docs/nboard.md).\v"
                 "In NBoard, add an engine whose command is `knack nboard PLAYER`. The player "
                 "nboard(\"COMMAND\") is the counterpart.\n"
                 "Examples:\n"
                 "  knack nboard 'endgame(alphabeta(depth=8), empties=14)'\n"
                 "  printf 'nboard 2\\nset depth 4\\nmove F5\\ngo\\n' | knack nboard alphabeta",
                 true, serve_nboard);
}
