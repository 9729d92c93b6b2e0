#include "learn/temporal/record.h"

#include <stdlib.h>

void kn_record_free(KnRecord *record)
{
    free(record->cells);
    free(record->actions);
    free(record->movers);
    free(record->legal);
    free(record->legal_from);
    *record = (KnRecord){0};
}

static KnStatus make_room(KnRecord *r, size_t plies, size_t width, KnError *error)
{
    if (plies < r->room && width == r->width) return KN_OK;
    kn_record_free(r);
    r->room = plies + 64;
    r->width = width;
    r->cells = malloc((r->room + 1) * width);
    r->actions = malloc(r->room * sizeof *r->actions);
    r->movers = malloc(r->room);
    r->legal_from = calloc(r->room + 1, sizeof *r->legal_from);
    if (!r->cells || !r->actions || !r->movers || !r->legal_from)
        return kn_fail_memory(error, "recording a contest");
    return KN_OK;
}

static KnStatus list_legal(KnRecord *r, const KnTemporalBoard *board, const void *position, size_t ply,
                           KnMove *moves, KnError *error)
{
    size_t at = r->legal_from[ply];
    int count = board->scene->game->type->moves(board->scene->game, position, moves);
    if (at + (size_t)count > r->legal_room) {
        size_t room = 2 * r->legal_room + (size_t)count + 1024;
        KnAction *legal = realloc(r->legal, room * sizeof *legal);
        if (!legal) return kn_fail_memory(error, "recording a contest");
        r->legal = legal;
        r->legal_room = room;
    }
    for (int i = 0; i < count; i++) r->legal[at++] = kn_temporal_action(board, position, moves[i]);
    r->legal_from[ply + 1] = at;
    return KN_OK;
}

KnStatus kn_record_fill(KnRecord *r, const KnTemporalBoard *board, const KnWatched *contest, KnError *error)
{
    size_t plies = contest->plies;
    KnStatus status = make_room(r, plies, (size_t)board->cells, error);
    KnMove *moves = malloc((size_t)contest->game->max_moves * sizeof *moves);
    if (!moves) return kn_fail_memory(error, "recording a contest");
    r->plies = plies;
    for (size_t i = 0; i < plies && status == KN_OK; i++) {
        const void *position = kn_watched_position(contest, i);
        kn_scene_cells(board->scene, position, r->cells + i * r->width);
        r->movers[i] = (uint8_t)kn_watched_mover(contest, i);
        r->actions[i] = kn_temporal_action(board, position, contest->moves[i]);
        status = list_legal(r, board, position, i, moves, error);
    }
    free(moves);
    if (status != KN_OK) return status;
    kn_scene_cells(board->scene, kn_watched_position(contest, plies), r->cells + plies * r->width);
    for (int role = 0; role < 2; role++) {
        r->outcome[role] = kn_watched_outcome(contest, role);
        r->expert[role] = contest->experts >> role & 1;
    }
    return KN_OK;
}
