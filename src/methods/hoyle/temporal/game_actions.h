/* A game as the temporal methods learn from it: cells and actions of each ply, and the legal alternatives.
 *
 * Ownership: kn_game_actions_free frees what kn_game_actions_fill made; one may be filled again and again.
 * Start from {0}. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_GAME_ACTIONS_H
#define KNACK_METHODS_HOYLE_TEMPORAL_GAME_ACTIONS_H

#include "methods/hoyle/played_game.h"
#include "methods/hoyle/temporal/board.h"

typedef struct KnGameActions {
    size_t plies, room;
    uint8_t *cells; /* before ply i: cells + i * width; with one more at the end */
    size_t width;
    KnAction *actions;
    uint8_t *movers;
    KnAction *legal; /* at ply i: legal[legal_from[i]] up to legal_from[i + 1] */
    size_t *legal_from;
    size_t legal_room;
    int outcome[2]; /* 1 won, 0 drawn, -1 lost, for each player */
    bool expert[2]; /* whose decisions the learner imitates */
} KnGameActions;

KnStatus kn_game_actions_fill(KnGameActions *record, const KnTemporalBoard *board, const KnPlayedGame *played,
                              KnError *error);
void kn_game_actions_free(KnGameActions *record);

static inline const uint8_t *kn_game_actions_cells(const KnGameActions *record, size_t ply)
{
    return record->cells + ply * record->width;
}

#endif
