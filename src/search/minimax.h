/* Plain minimax, the reference that the tests compare the other searches with. It prunes nothing, so it knows
 * the exact values of all root moves.
 *
 * Ownership: kn_minimax_new / kn_minimax_free; game and evaluation must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_MINIMAX_H
#define KNACK_SEARCH_MINIMAX_H

#include "search/search.h"

typedef struct KnMinimax KnMinimax;

/* Returns NULL and fills the error if the game cannot be searched or memory runs out. */
KnMinimax *kn_minimax_new(const KnGame *game, const KnEvaluation *evaluation, bool quiescence,
                          KnError *error);
void kn_minimax_free(KnMinimax *minimax);

/* Switches iterative deepening on or off (off at first). It searches to depth 1, 2, ... until the requested
 * depth, a proven win, or a tree without a horizon. If the budget ends first, the last completed depth
 * counts. */
void kn_minimax_deepen(KnMinimax *minimax, bool deepening);

/* Searches to budget.depth (0: to the end of every line). If the budget ends the search, `completed` is
 * false; the move is the best of the root moves whose search was finished, or the first allowed one. */
KnStatus kn_minimax_run(KnMinimax *minimax, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
