/* knack solve: the exact value of a game or position by retrograde analysis. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/solve_othello.h"
#include "cli/tables.h"
#include "games/othello/endgame.h"
#include "search/solved.h"

typedef struct Arguments {
    CliCommon common;
    const char *game, *position, *tables;
    int jobs;
    size_t memory;
    bool all;
} Arguments;

enum { KEY_TABLES = 0x100, KEY_ALL };

static const struct argp_option options[] = {
    {"jobs", 'j', "N", 0, "Threads (default: all cores)", 1},
    {"memory", 'm', "MIB", 0, "Memory limit (default: chosen by the solver)", 1},
    {"tables", KEY_TABLES, "DIR", 0,
     "Folder of endgame tables for a POSITION of checkers (default: in the data folder)", 1},
    {"all", KEY_ALL, 0, 0, "Solve every move of a POSITION of Othello, not only the best", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'j':
        arguments->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_TABLES:
        arguments->tables = arg;
        return 0;
    case KEY_ALL:
        arguments->all = true;
        return 0;
    case 'm':
        arguments->memory = (size_t)cli_parse_count(state, "--memory", arg, 1, 1 << 24) << 20;
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->game)
            arguments->game = arg;
        else if (!arguments->position)
            arguments->position = arg;
        else
            argp_error(state, "too many arguments: \"%s\"", arg);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->game) argp_error(state, "give a game; `knack games` lists them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Solve a game by retrograde analysis and check every value against its successors.\v"
    "The solution is stored in the data folder; the player `perfect` uses it. With a POSITION, the value "
    "of the "
    "position and of each move is printed. A position of checkers is looked up in endgame tables (`knack "
    "tables`). An endgame of Othello is searched to the last disc: up to 20 empty squares take about a "
    "second. "
    "Examples:\n"
    "  knack solve 'tictactoe(lose)'\n"
    "  knack solve 'morris(men=5)'\n"
    "  knack solve tictactoe 'x.o/.x./... o'\n"
    "  knack solve checkers 'W:WK10,K11:BK1'\n"
    "  knack solve othello '.OOOOO../..OOOOX./.OOOOOO./XXXXXOO./.XXOOX../OOXOXX../XXOXXOX./XOOOXXO. X'";

static const char *value_name(int value) { return value > 0 ? "win" : value < 0 ? "loss" : "draw"; }

static json_t *value_json(int value, int plies)
{
    json_t *object = json_pack("{ss}", "value", value_name(value));
    if (value) json_object_set_new(object, "plies", json_integer(plies));
    return object;
}

static void print_value(const char *label, int value, int plies)
{
    printf("%-12s %s", label, value_name(value));
    if (value) printf(" in %d", plies);
    puts("");
}

/* Prints the value of a position and of each of its moves. */
static int show_position(const KnSolved *solved, const KnState *game_state, bool json, json_t *document)
{
    const KnGame *game = kn_state_game(game_state);
    const void *position = kn_state_position(game_state);
    KnError error;
    int value, plies;
    if (!kn_solved_probe(solved, game, position, &value, &plies)) {
        json_decref(document);
        kn_fail(&error, KN_NO,
                "this position cannot be reached from the start, so the solution does not hold it");
        return cli_fail(&error);
    }
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    json_t *rows = json_object();
    KnArena *arena = kn_arena_new();
    if (!json) print_value("position", value, plies);
    json_object_set_new(document, "position", value_json(value, plies));
    for (int i = 0; i < count; i++) {
        const char *name = kn_game_move_name(game, position, moves[i], arena);
        kn_solved_probe_move(solved, game, position, moves[i], &value, &plies);
        if (json)
            json_object_set_new(rows, name, value_json(value, plies));
        else
            print_value(name, value, plies);
    }
    kn_arena_free(arena);
    json_object_set_new(document, "moves", rows);
    if (json) return cli_print_json(document);
    json_decref(document);
    return cli_finish();
}

static int show(const Arguments *arguments, const KnSolved *solved, const KnState *game_state, double seconds)
{
    const KnSolvedFacts *facts = kn_solved_facts(solved);
    const KnStateCounts *total = &facts->total;
    json_t *document = json_pack("{ss so sI sI sI sI sI sI sb sf}", "game", kn_state_game(game_state)->spec,
                                 "start", value_json(facts->value, facts->plies), "states",
                                 (json_int_t)total->states, "classes", (json_int_t)total->classes, "wins",
                                 (json_int_t)total->wins, "draws", (json_int_t)total->draws, "losses",
                                 (json_int_t)total->losses, "longest", (json_int_t)total->longest, "cached",
                                 facts->from_cache, "seconds", seconds);
    if (facts->note[0]) json_object_set_new(document, "not_stored", json_string(facts->note));
    if (!arguments->common.json) {
        print_value("start", facts->value, facts->plies);
        printf("%-12s %" PRIu64 " reachable, %" PRIu64 " up to symmetry\n", "states", total->states,
               total->classes);
        printf("%-12s %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost by the side to move\n", "",
               total->wins, total->draws, total->losses);
        printf("%-12s %u plies\n", "longest", total->longest);
        printf("%-12s %.2f s%s\n", "time", seconds,
               facts->from_cache ? " (from the data folder)" : ", every value checked");
        puts("");
    }
    int code = show_position(solved, game_state, arguments->common.json, document);
    if (code || !facts->note[0]) return code;
    KnError error;
    kn_fail(&error, KN_SYSTEM, "the game is solved, but the solution is not stored: %s", facts->note);
    return cli_fail(&error);
}

/* Looks up a position in endgame tables. */
static int look_up(const Arguments *arguments, const KnState *game_state)
{
    KnError error;
    KnEndgame *tables;
    if (kn_endgame_open(kn_state_game(game_state), arguments->tables, &tables, &error) != KN_OK)
        return cli_fail(&error);
    if (kn_endgame_notes(tables)[0]) fprintf(stderr, "knack: left out:\n%s", kn_endgame_notes(tables));
    int code = cli_probe_tables(game_state, tables, arguments->common.json);
    kn_endgame_close(tables);
    return code;
}

int command_solve(int argc, char **argv)
{
    Arguments arguments = {0};
    const struct argp argp = {options, parse, "GAME [POSITION]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    KnState *game_state = NULL;
    KnSolved *solved = NULL;
    double started = kn_clock_now();
    KnProgress *progress = cli_progress(&arguments.common, "solving", 0);
    KnSolveOptions how = {
        .jobs = arguments.jobs, .memory = arguments.memory, .progress = progress, .cancel = cli_interrupt()};
    KnStatus status = kn_game_open(context, arguments.game, &game, &error);
    if (status == KN_OK)
        status = cli_state_from(game, arguments.position ? arguments.position : "start", &game_state, &error);
    bool tabled = status == KN_OK && arguments.position && kn_endgame_suits(game, NULL) == KN_OK;
    bool ending = status == KN_OK && arguments.position && kn_othello_is(game);
    if (status == KN_OK && !tabled && !ending) status = kn_solved_open(game, &how, &solved, &error);
    kn_progress_free(progress);
    if (tabled)
        code = look_up(&arguments, game_state);
    else if (ending)
        code = cli_solve_othello(game_state, arguments.memory, arguments.all, arguments.common.json);
    else
        code = status == KN_OK ? show(&arguments, solved, game_state, kn_clock_now() - started)
                               : cli_fail(&error);
    kn_solved_free(solved);
    kn_state_free(game_state);
    kn_game_close(game);
    kn_close(context);
    return code;
}
