/* Sets of openings made by a stated rule, as lines for openings files.
 *
 * Balanced: all sequences of so many moves from the start, one a position (the first in the order of
 * generation), searched to a depth; the `count` whose score is nearest to 0, in the order of generation.
 *
 * Varied: positions so many plies into games of players that change from game to game, where each move in
 * four is a random one; positions that occurred before, or that a search gives more than `margin` to either
 * side, are left out. Game i draws from (seed, i). */
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
 * not so many. */
KnStatus kn_openings_make(const KnContext *context, const KnGame *game, const KnOpeningPlan *plan,
                          KnProgress *progress, KnText *out, KnError *error);

#endif
