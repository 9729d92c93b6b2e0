/* The realistic model of Markovitch and Sella's section 7: t units for m moves, of which any part that is
 * left may be spent on a move.
 *
 * Units are positions played (exact, so that runs can be repeated) or milliseconds. A player gets a limit for
 * each search, by iterative deepening; what it does not use stays. How much a move gets is for a pacing to
 * say: see players/clock.c.
 *
 * What is learned are classes of budgets: t/m + i * step for i from -below to above. An example is tagged by
 * as many searches, one with each budget. Its class is the least budget from which on every larger one
 * chooses a move that the largest budget's search holds to be best; so a position where thinking changes
 * nothing has the lowest class.
 *
 * Ownership: nothing is owned here. */
#ifndef KNACK_PLAYERS_ALLOCATION_CLOCK_H
#define KNACK_PLAYERS_ALLOCATION_CLOCK_H

#include "players/player.h"

typedef struct KnClasses {
    uint64_t units; /* t/m: what every move would get alike; 0: no such classes */
    uint64_t step;
    int below, above; /* below * step < units */
} KnClasses;

enum {
    KN_CLASSES_MAX = 16, /* in all */
    KN_CLOCK_DEPTH = 200 /* no limit for players under a clock */
};

static inline int kn_classes_count(const KnClasses *c) { return c->below + c->above + 1; }
static inline uint64_t kn_class_units(const KnClasses *c, int i)
{
    return c->units - (uint64_t)c->below * c->step + (uint64_t)i * c->step;
}

/* Fails unless 0 <= below, 0 <= above, not too many, and the lowest is at least 1. */
KnStatus kn_classes_check(const KnClasses *classes, KnError *error);

/* Tags a position by searches with each budget: *found is the class, from 0; *move what the search at t/m
 * chose. The player must look ahead by deepening, and tell the values of all moves. */
KnStatus kn_classes_tag(const KnClasses *classes, KnPlayer *player, const KnRequest *request, int *found,
                        KnMove *move, KnError *error);

#endif
