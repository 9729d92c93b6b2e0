/* Sets of openings made by a stated rule, as lines for openings files.
 *
 * Balanced: all sequences of `plies` moves from the start, one for each position (the first in the order of
 * generation). A search to `depth` judges them; the `count` with scores nearest to 0 stay, in the order of
 * generation.
 *
 * Varied: positions after `plies` plies of games between players that change from game to game; one move in
 * four is random. Positions that occurred before, or that a search scores above `margin` for either side, are
 * left out. Game i draws from (seed, i). */
#ifndef KNACK_ARENA_OPENING_SETS_H
#define KNACK_ARENA_OPENING_SETS_H

#include <stdatomic.h>

#include "base/progress.h"
#include "games/game.h"

typedef struct KnOpeningPlan {
    bool varied;
    int plies, depth; /* of the openings; of the search that judges them */
    size_t count;     /* wanted */
    KnScore margin;
    const char *eval; /* of that search; NULL: the game's default */
    uint64_t seed;
    const atomic_bool *cancel;
} KnOpeningPlan;

/* Adds a line for each opening to `out`: moves for the balanced, positions for the varied. Fails if there are
 * fewer than `count`. */
KnStatus kn_openings_make(const KnContext *context, const KnGame *game, const KnOpeningPlan *plan,
                          KnProgress *progress, KnText *out, KnError *error);

#endif
