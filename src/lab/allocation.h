/* What the experiments on resource allocation (Markovitch and Sella 1996) share. */
#ifndef KNACK_LAB_ALLOCATION_H
#define KNACK_LAB_ALLOCATION_H

#include "lab/experiment.h"

/* A setting in which allocation is measured: the strategy, a player that allocates, against the same player at depth k. */
typedef struct KnAllocationField {
    const char *game;
    const char *inner; /* "alphabeta(...": without a depth and without the closing parenthesis */
    int k, n, deep, moves;
    size_t ply_limit;
    double judge; /* material lead that wins at the limit */
} KnAllocationField;

/* The paper's: checkers with k = 4, n = 2, d = 8, m = 40. */
extern const KnAllocationField kn_allocation_checkers;

/* A match of allocate(..., policy=POLICY) against the shallow player; games alternate who begins. `key` names it in the run. */
KnStatus kn_allocation_match(KnLabRun *run, const KnAllocationField *field, const char *key, const char *policy, uint64_t games,
                             KnMatchResult *result, KnError *error);

/* The share of points, a tie counting half, with Wilson's interval. */
KnMeasure kn_allocation_points(const KnStanding *standing);

#endif
