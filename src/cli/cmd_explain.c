/* knack explain: a move and its explanation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/picture.h"
#include "games/game.h"
#include "players/player.h"
#include "players/search_explanation.h"

typedef struct Arguments {
    CliCommon common;
    const char *words[3]; /* game, position, player */
    int given;
    uint64_t seed;
    int role;
    KnBudget budget;
    const char *svg;
} Arguments;

enum { KEY_SEED = 0x100, KEY_DEPTH, KEY_NODES, KEY_TIME, KEY_ROLE, KEY_SVG };

static const struct argp_option options[] = {
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 1},
    {"role", KEY_ROLE, "N", 0,
     "In games with simultaneous moves: ask role N, from 0 (default: the first with a move)", 1},
    {"depth", KEY_DEPTH, "N", 0, "Depth limit", 1},
    {"nodes", KEY_NODES, "N", 0, "Node limit", 1},
    {"time", KEY_TIME, "SECONDS", 0, "Time limit", 1},
    {"svg", KEY_SVG, "FILE", 0, "Also draw the explanation, with its boards and bars, to FILE", 1},
    {0}};

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
    case KEY_ROLE:
        arguments->role = (int)cli_parse_count(state, "--role", arg, 0, KN_ROLES_MAX - 1);
        return 0;
    case KEY_DEPTH:
        arguments->budget.depth = (int)cli_parse_count(state, "--depth", arg, 1, 200);
        return 0;
    case KEY_NODES:
        arguments->budget.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX);
        return 0;
    case KEY_TIME:
        arguments->budget.seconds = cli_parse_real(state, "--time", arg, 1e-4, 1e6);
        return 0;
    case KEY_SVG:
        arguments->svg = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->given == 3) argp_error(state, "one argument too many: \"%s\"", arg);
        arguments->words[arguments->given++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (arguments->given < 3) argp_error(state, "give a game, a position (or \"start\") and a player");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Ask a player for a move in a position and print its explanation.\v"
                          "POSITION is \"start\" or a position in the game's notation.\n"
                          "Examples:\n"
                          "  knack explain tictactoe start 'alphabeta(depth=9)'\n"
                          "  knack explain 'tictactoe(lose)' 'x../.o./... x' perfect\n"
                          "  knack explain checkers start 'alphabeta(depth=8)' --json\n"
                          "  knack explain othello start 'alphabeta(depth=4)' --svg why.svg";

static json_t *answer_json(const KnGame *game, const void *position, const KnMove *moves, int count,
                           const KnAnswer *answer, KnArena *arena)
{
    json_t *object = json_pack("{ss si sI}", "move", kn_game_move_name(game, position, answer->move, arena),
                               "depth", answer->depth, "nodes", (json_int_t)answer->cost.nodes);
    if (answer->has_score) json_object_set_new(object, "score", json_integer(answer->score));
    if (answer->has_values) {
        json_t *values = json_object();
        for (int i = 0; i < count; i++)
            json_object_set_new(values, kn_game_move_name(game, position, moves[i], arena),
                                json_integer(answer->values[i]));
        json_object_set_new(object, "values", values);
    }
    if (answer->explanation) json_object_set_new(object, "reason", kn_explanation_json(answer->explanation));
    return object;
}

static int print_answer(const Arguments *arguments, const KnState *game_state, const KnMove *moves, int count,
                        const KnAnswer *answer, KnArena *arena)
{
    const KnGame *game = kn_state_game(game_state);
    const void *position = kn_state_position(game_state);
    KnError error;
    if (arguments->svg && answer->explanation &&
        cli_write_explanation(answer->explanation, game, arguments->svg, &error) != KN_OK)
        return cli_fail(&error);
    if (arguments->common.json)
        return cli_print_json(answer_json(game, position, moves, count, answer, arena));
    KnText text = KN_TEXT_EMPTY;
    game->type->draw(game, position, cli_colour(), &text);
    if (answer->explanation)
        kn_explanation_print(answer->explanation, &text);
    else
        kn_text_printf(&text, "%s\n", kn_game_move_name(game, position, answer->move, arena));
    cli_say(text.data);
    kn_text_free(&text);
    return cli_finish();
}

/* Asks the player at the state's position. */
static int explain(const Arguments *arguments, KnState *game_state, KnPlayer *player)
{
    const KnGame *game = kn_state_game(game_state);
    KnError error;
    KnMove moves[game->max_moves];
    KnScore values[game->max_moves];
    int role = arguments->role, count = 0;
    if (role >= game->roles) {
        kn_fail(&error, KN_USAGE, "--role %d: %s has %d roles, numbered from 0", role, game->spec,
                game->roles);
        return cli_fail(&error);
    }
    for (int r = role < 0 ? 0 : role; r < game->roles && !count && (role < 0 || r == role); r++) {
        count = kn_state_moves(game_state, r, moves);
        if (count) role = r;
    }
    if (!count) {
        kn_fail(&error, KN_NO, "there is no move to make in this position: %s",
                kn_state_over(game_state, NULL) ? "the game is over" : "this role does not have the move");
        return cli_fail(&error);
    }
    KnArena *arena = kn_arena_new();
    KnRng rng = kn_rng_seeded(arguments->seed);
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .history = kn_state_history(game_state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget = arguments->budget,
                         .rng = &rng,
                         .cancel = cli_interrupt(),
                         .wants = KN_WANT_EXPLANATION | KN_WANT_VALUES,
                         .arena = arena};
    KnAnswer answer = {.values = values};
    int code = 0;
    if (kn_player_begin(player, role, request.position, &error) != KN_OK ||
        kn_player_choose(player, &request, &answer, &error) != KN_OK)
        code = cli_fail(&error);
    else
        code = print_answer(arguments, game_state, moves, count, &answer, arena);
    kn_arena_free(arena);
    return code;
}

int command_explain(int argc, char **argv)
{
    Arguments arguments = {.seed = 1, .role = -1};
    const struct argp argp = {options, parse, "GAME POSITION PLAYER", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    KnPlayer *player = NULL;
    KnState *game_state = NULL;
    KnStatus status = kn_game_open(context, arguments.words[0], &game, &error);
    if (status == KN_OK) status = cli_state_from(game, arguments.words[1], &game_state, &error);
    if (status == KN_OK) status = kn_player_open(context, game, arguments.words[2], &player, &error);
    code = status == KN_OK ? explain(&arguments, game_state, player) : cli_fail(&error);
    kn_player_close(player);
    kn_state_free(game_state);
    code = cli_trouble(game, code);
    kn_game_close(game);
    kn_close(context);
    return code;
}
