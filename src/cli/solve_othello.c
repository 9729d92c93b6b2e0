#include "cli/solve_othello.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "games/othello/endgame.h"

static int show_text(const KnGame *game, const void *position, const KnOthelloSolving *solved, double seconds)
{
    KnArena *arena = kn_arena_new();
    printf("%-12s %+d with best play\n", "position", solved->margin);
    printf("%-12s %s\n", "best", kn_game_move_name(game, position, solved->best, arena));
    printf("%-12s %" PRIu64 " positions, %.2f s\n", "searched", solved->nodes, seconds);
    for (int i = 0; solved->margins && i < solved->count; i++)
        printf("%-12s %+d\n", kn_game_move_name(game, position, solved->moves[i], arena), solved->margins[i]);
    kn_arena_free(arena);
    return cli_finish();
}

static int show_json(const KnGame *game, const void *position, const KnOthelloSolving *solved, double seconds)
{
    KnArena *arena = kn_arena_new();
    json_t *moves = json_object();
    for (int i = 0; solved->margins && i < solved->count; i++)
        json_object_set_new(moves, kn_game_move_name(game, position, solved->moves[i], arena),
                            json_integer(solved->margins[i]));
    json_t *document = json_pack("{ss si ss sI sf so}", "game", game->spec, "margin", solved->margin, "best",
                                 kn_game_move_name(game, position, solved->best, arena), "nodes",
                                 (json_int_t)solved->nodes, "seconds", seconds, "moves", moves);
    kn_arena_free(arena);
    return cli_print_json(document);
}

int cli_solve_othello(const KnState *state, size_t memory, bool all, bool json)
{
    const KnGame *game = kn_state_game(state);
    const void *position = kn_state_position(state);
    KnMove moves[game->max_moves];
    int margins[game->max_moves], count = game->type->moves(game, position, moves);
    KnError error;
    if (!count) {
        kn_fail(&error, KN_NO, "the game is over: %+g for the side that would move",
                game->type->points(game, position, game->type->mover(game, position)));
        return cli_fail(&error);
    }
    KnOthelloSolver *solver = kn_othello_solver_new(game, memory, &error);
    if (!solver) return cli_fail(&error);
    KnOthelloSolving solving = {
        .moves = moves, .count = count, .margins = all ? margins : NULL, .cancel = cli_interrupt()};
    double started = kn_clock_now();
    KnStatus status = kn_othello_solve(solver, position, &solving);
    kn_othello_solver_free(solver);
    if (status != KN_OK) {
        kn_fail(&error, status, "stopped before the position was solved");
        return cli_fail(&error);
    }
    double seconds = kn_clock_now() - started;
    return (json ? show_json : show_text)(game, position, &solving, seconds);
}
