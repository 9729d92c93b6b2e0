/* What becomes of strategies whose numbers grow with what they earn: ecological (replicator) dynamics of
 * shares, and Moran processes of a finite population, also on graphs.
 *
 * Both take a matrix of payoffs (row against column, its own kind included) such as a tournament measures;
 * nothing is played here. Fitness is what is earned, less the least of all payoffs where that is negative.
 *
 * Ownership: arrays in results are freed by the _free call beside them. */
#ifndef KNACK_ARENA_EVOLUTION_H
#define KNACK_ARENA_EVOLUTION_H

#include "arena/graph.h"
#include <knack/stats.h>
#include <knack/base.h>
#include <stdatomic.h>

/* Ecology: every generation a kind's share is multiplied by its fitness against the whole and divided by the
 * mean fitness. `start` NULL: equal shares. `shares` has room for (generations + 1) x kinds, the start first.
 */
void kn_ecology(size_t kinds, const double *payoffs, const double *start, size_t generations, double *shares);

typedef struct KnMoranPlan {
    size_t kinds;
    const double *payoffs; /* kinds x kinds */
    const KnGraph *graph;
    uint64_t runs;
    uint64_t seed;
    uint64_t steps; /* the most that a run may take; 0: as long as it takes */
    int jobs;
    const atomic_bool *cancel; /* may be NULL */
} KnMoranPlan;

typedef struct KnMoran {
    uint64_t *fixed;    /* by kind: runs in which it took over */
    uint64_t unsettled; /* runs that reached the most steps */
    KnMoments steps;    /* of runs in which somebody took over */
} KnMoran;

/* Birth and death: a member is drawn in proportion to its fitness (its mean payoff against its neighbours)
 * and puts one of its kind in the place of a neighbour, until all are of one kind. A run begins with equal
 * numbers, as far as they go, put at random. Run r draws from (seed, r). */
KnStatus kn_moran(const KnMoranPlan *plan, KnMoran *result, KnError *error);
void kn_moran_free(KnMoran *result);

#endif
