/* Breadth-first search of the game tree within a memory bound (Genesereth and Thielscher, General Game
 * Playing, 2014: incomplete search).
 *
 * The search expands the tree level by level and tests each new position for the end of the game. It stops as
 * soon as the role at the root can force an end with a sufficient payoff, which is then a shortest win, or
 * when memory or budget is used up. It chooses by minimax over the expanded tree with the evaluation at the
 * leaves (the evaluation `lowest` is the 0 of the book). In games of one role whose rules do not look back, a
 * position that occurs again is not expanded again.
 *
 * Ownership: kn_breadth_new / kn_breadth_free; game and evaluation must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_BREADTH_H
#define KNACK_SEARCH_BREADTH_H

#include "search/search.h"

typedef struct KnBreadthOptions {
    size_t bytes;      /* the memory bound */
    double sufficient; /* the payoff that ends the search; at most the game's payoff_high */
} KnBreadthOptions;

KnBreadthOptions kn_breadth_options(const KnGame *game); /* 64 MiB, the highest payoff */

typedef struct KnBreadth KnBreadth;

KnBreadth *kn_breadth_new(const KnGame *game, const KnEvaluation *evaluation, const KnBreadthOptions *options,
                          KnError *error);
void kn_breadth_free(KnBreadth *breadth);

/* The bytes of one stored position. */
size_t kn_breadth_bytes(const KnGame *game);

/* result->depth is the last level that was completely expanded. */
KnStatus kn_breadth_run(KnBreadth *breadth, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
