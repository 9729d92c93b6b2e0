/* Plain minimax: slow, simple, and what the other searches are measured against. Every line is searched to
 * its end, so that the values of all root moves come at no extra cost.
 *
 * Ownership: kn_minimax_new / kn_minimax_free; game and evaluation must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_MINIMAX_H
#define KNACK_SEARCH_MINIMAX_H

#include "search/search.h"

typedef struct KnMinimax KnMinimax;

/* NULL, with the error filled, if the game cannot be searched or memory runs out. */
KnMinimax *kn_minimax_new(const KnGame *game, const KnEvaluation *evaluation, bool quiescence,
                          KnError *error);
void kn_minimax_free(KnMinimax *minimax);

/* Iterative deepening: to depth 1, then 2, and so on, until the depth asked for, a sure win, or a tree that
 * is searched to its end; cut short, the last depth that was finished counts. Off at first. */
void kn_minimax_deepen(KnMinimax *minimax, bool deepening);

/* Searches to budget.depth (0: to the end of every line). A search cut short by its budget has completed =
 * false; its move is the best among those root moves whose search was finished, or the first allowed one. */
KnStatus kn_minimax_run(KnMinimax *minimax, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
