/* Classes of budgets, for the realistic model of section 7 (Markovitch and Sella 1996): t units for m
 * moves, of which any part that is left may be spent on a move. Units are positions searched (exact, so
 * that runs can be repeated) or milliseconds; clock_player.c spends them.
 *
 * The classes are the budgets t/m + i * step for i from -below to above. An example is searched once with
 * each budget. Its class is the least budget from which on every larger one chooses a move that the
 * largest budget's search holds to be best. A position where thinking changes nothing has the lowest
 * class.
 *
 * Ownership: nothing is owned here. */
#ifndef KNACK_METHODS_ALLOCATION_BUDGET_CLASSES_H
#define KNACK_METHODS_ALLOCATION_BUDGET_CLASSES_H

#include "players/player.h"

typedef struct KnBudgetClasses {
    uint64_t units; /* t/m: what every move would get alike; 0: no such classes */
    uint64_t step;
    int below, above; /* below * step < units */
} KnBudgetClasses;

enum {
    KN_BUDGET_CLASSES_MAX = 16, /* in all */
    KN_CLOCK_DEPTH = 200        /* no limit for players under a clock */
};

static inline int kn_budget_classes_count(const KnBudgetClasses *c) { return c->below + c->above + 1; }
static inline uint64_t kn_budget_class_units(const KnBudgetClasses *c, int i)
{
    return c->units - (uint64_t)c->below * c->step + (uint64_t)i * c->step;
}

/* Fails unless 0 <= below, 0 <= above, not too many, and the lowest is at least 1. */
KnStatus kn_budget_classes_check(const KnBudgetClasses *classes, KnError *error);

/* Tags a position by searches with each budget: *found is the class, from 0; *move what the search at t/m
 * chose. The player must search by iterative deepening and give the values of all moves. */
KnStatus kn_budget_classes_assign(const KnBudgetClasses *classes, KnPlayer *player, const KnRequest *request,
                                  int *found, KnMove *move, KnError *error);

#endif
