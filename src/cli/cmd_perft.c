/* knack perft: counts the nodes of a game tree (perft), depth by depth, with the rate. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "games/perft.h"

typedef struct Arguments {
    CliCommon common;
    const char *game, *from;
    int depth;
    bool games;
    KnPerft how;
} Arguments;

enum { KEY_FROM = 0x100, KEY_DISTINCT, KEY_HISTORY, KEY_GAMES, KEY_EXACT };

static const struct argp_option options[] = {
    {"from", KEY_FROM, "POSITION", 0, "Count from a position in the game's notation", 1},
    {"jobs", 'j', "N", 0, "Threads (default 1); the counts do not depend on it", 1},
    {"distinct", KEY_DISTINCT, 0, 0,
     "Count moves that differ only in their path (captures in draughts) as one", 1},
    {"history", KEY_HISTORY, 0, 0, "Apply rules about earlier positions (superko, repetition), too", 1},
    {"exact", KEY_EXACT, 0, 0, "Count only sequences of exactly DEPTH moves, not games that end before", 1},
    {"games", KEY_GAMES, 0, 0, "Count complete games of at most DEPTH moves instead", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_FROM:
        arguments->from = arg;
        return 0;
    case 'j':
        arguments->how.jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_DISTINCT:
        arguments->how.flags &= ~(unsigned)KN_PERFT_PATHS;
        return 0;
    case KEY_HISTORY:
        arguments->how.flags |= KN_PERFT_HISTORY;
        return 0;
    case KEY_EXACT:
        arguments->how.flags &= ~(unsigned)KN_PERFT_LEAVES;
        return 0;
    case KEY_GAMES:
        arguments->games = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->game)
            arguments->game = arg;
        else if (!arguments->depth)
            arguments->depth = (int)cli_parse_count(state, "DEPTH", arg, 1, KN_PERFT_DEPTH_MAX);
        else
            argp_error(state, "too many arguments: \"%s\"", arg);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->depth) argp_error(state, "give a game and a depth");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Count the leaves of the game tree at each depth (perft).\v"
                          "A game that ends before the depth counts as a leaf, unless you give --exact. A "
                          "pass is a move; a joint move "
                          "is one move.\nExamples:\n"
                          "  knack perft checkers 10\n"
                          "  knack perft othello 9 --jobs 2\n"
                          "  knack perft tictactoe 9 --games";

static int count_games(const Arguments *arguments, const KnState *game_state)
{
    KnError error;
    KnPerftGames count;
    if (kn_perft_games(kn_state_game(game_state), kn_state_position(game_state), arguments->depth,
                       &arguments->how, &count, &error) != KN_OK)
        return cli_fail(&error);
    if (arguments->common.json)
        return cli_print_json(json_pack("{ss sI sI si}", "game", kn_state_game(game_state)->spec, "complete",
                                        (json_int_t)count.complete, "unfinished",
                                        (json_int_t)count.unfinished, "longest", count.longest));
    printf("%" PRIu64 " complete game%s, %" PRIu64 " unfinished, the longest has %d move%s\n", count.complete,
           kn_s(count.complete), count.unfinished, count.longest, kn_s((uint64_t)count.longest));
    return cli_finish();
}

static int count_depths(const Arguments *arguments, const KnState *game_state)
{
    const KnGame *game = kn_state_game(game_state);
    KnError error;
    json_t *rows = json_array();
    for (int depth = 1; depth <= arguments->depth; depth++) {
        uint64_t count;
        double started = kn_clock_now();
        if (kn_perft(game, kn_state_position(game_state), depth, &arguments->how, &count, &error) != KN_OK) {
            json_decref(rows);
            return cli_fail(&error);
        }
        double seconds = kn_clock_now() - started;
        if (arguments->common.json) {
            json_array_append_new(rows, json_pack("{si so sf}", "depth", depth, "count",
                                                  kn_json_from_uint64(count), "seconds", seconds));
            continue;
        }
        printf("%3d %20" PRIu64 "  %8.3f s", depth, count, seconds);
        if (seconds > 0.01) printf("  %7.1f million/s", (double)count / seconds / 1e6);
        puts("");
        fflush(stdout);
    }
    if (arguments->common.json)
        return cli_print_json(json_pack("{ss so}", "game", game->spec, "depths", rows));
    json_decref(rows);
    return cli_finish();
}

int command_perft(int argc, char **argv)
{
    Arguments arguments = {.from = "start", .how = {.flags = KN_PERFT_PATHS | KN_PERFT_LEAVES, .jobs = 1}};
    const struct argp argp = {options, parse, "GAME DEPTH", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    arguments.how.cancel = cli_interrupt();
    KnError error;
    KnGame *game = NULL;
    KnState *game_state = NULL;
    KnStatus status = kn_game_open(context, arguments.game, &game, &error);
    if (status == KN_OK) status = cli_state_from(game, arguments.from, &game_state, &error);
    if (status != KN_OK)
        code = cli_fail(&error);
    else
        code = arguments.games ? count_games(&arguments, game_state) : count_depths(&arguments, game_state);
    kn_state_free(game_state);
    code = cli_trouble(game, code);
    kn_game_close(game);
    kn_close(context);
    return code;
}
