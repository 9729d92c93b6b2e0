/* Breadth-first search of the game tree within a memory bound (Genesereth's lesson on incomplete search).
 *
 * Level by level, checking each new position for the end. It stops as soon as the role at the root can force
 * an end of sufficient value, which is then the shortest way there, or when memory or budget is used up; then
 * it plays the best found: minimax over the expanded tree, with the evaluation (`lowest` is the lesson's 0)
 * at its fringe. In games of one role without a look back, positions met before are not expanded again.
 *
 * Ownership: kn_breadth_new / kn_breadth_free; game and evaluation must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_BREADTH_H
#define KNACK_SEARCH_BREADTH_H

#include "search/search.h"

typedef struct KnBreadthOptions {
    size_t bytes; /* the memory bound */
    double
        sufficient; /* a payoff that is good enough to stop at; the best there is: the game's payoff_high */
} KnBreadthOptions;

KnBreadthOptions kn_breadth_options(const KnGame *game); /* 64 MiB, the highest payoff */

typedef struct KnBreadth KnBreadth;

KnBreadth *kn_breadth_new(const KnGame *game, const KnEvaluation *evaluation, const KnBreadthOptions *options,
                          KnError *error);
void kn_breadth_free(KnBreadth *breadth);

/* What a stored position takes. */
size_t kn_breadth_bytes(const KnGame *game);

/* result->depth is the last level that was fully expanded. */
KnStatus kn_breadth_run(KnBreadth *breadth, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
