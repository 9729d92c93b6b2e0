#include "methods/hoyle/temporal/game_actions.h"

#include <stdlib.h>

void kn_game_actions_free(KnGameActions *record)
{
    free(record->cells);
    free(record->actions);
    free(record->movers);
    free(record->legal);
    free(record->legal_from);
    *record = (KnGameActions){0};
}

static KnStatus make_room(KnGameActions *r, size_t plies, size_t width, KnError *error)
{
    if (plies < r->room && width == r->width) return KN_OK;
    kn_game_actions_free(r);
    r->room = plies + 64;
    r->width = width;
    r->cells = malloc((r->room + 1) * width);
    r->actions = malloc(r->room * sizeof *r->actions);
    r->movers = malloc(r->room);
    r->legal_from = calloc(r->room + 1, sizeof *r->legal_from);
    if (!r->cells || !r->actions || !r->movers || !r->legal_from)
        return kn_fail_memory(error, "recording a game");
    return KN_OK;
}

static KnStatus list_legal(KnGameActions *r, const KnTemporalBoard *board, const void *position, size_t ply,
                           KnMove *moves, KnError *error)
{
    size_t at = r->legal_from[ply];
    int count = board->view->game->type->moves(board->view->game, position, moves);
    if (at + (size_t)count > r->legal_room) {
        size_t room = 2 * r->legal_room + (size_t)count + 1024;
        KnAction *legal = realloc(r->legal, room * sizeof *legal);
        if (!legal) return kn_fail_memory(error, "recording a game");
        r->legal = legal;
        r->legal_room = room;
    }
    for (int i = 0; i < count; i++) r->legal[at++] = kn_temporal_action(board, position, moves[i]);
    r->legal_from[ply + 1] = at;
    return KN_OK;
}

KnStatus kn_game_actions_fill(KnGameActions *r, const KnTemporalBoard *board, const KnPlayedGame *played,
                              KnError *error)
{
    size_t plies = played->plies;
    KnStatus status = make_room(r, plies, (size_t)board->cells, error);
    KnMove *moves = malloc((size_t)played->game->max_moves * sizeof *moves);
    if (!moves) return kn_fail_memory(error, "recording a game");
    r->plies = plies;
    for (size_t i = 0; i < plies && status == KN_OK; i++) {
        const void *position = kn_played_game_position(played, i);
        kn_board_view_cells(board->view, position, r->cells + i * r->width);
        r->movers[i] = (uint8_t)kn_played_game_mover(played, i);
        r->actions[i] = kn_temporal_action(board, position, played->moves[i]);
        status = list_legal(r, board, position, i, moves, error);
    }
    free(moves);
    if (status != KN_OK) return status;
    kn_board_view_cells(board->view, kn_played_game_position(played, plies), r->cells + plies * r->width);
    for (int role = 0; role < 2; role++) {
        r->outcome[role] = kn_played_game_outcome(played, role);
        r->expert[role] = played->experts >> role & 1;
    }
    return KN_OK;
}
