/* Tree sampling by UCT (Kocsis & Szepesvari): grows a tree by random playouts, going down by the mean result
 * and an allowance for what is little tried.
 *
 * Each role seeks its own payoff (in a two-player zero-sum game that is the ordinary game); nature moves by
 * its chances. With `solve`, ends that are met are carried up the tree as proofs: a role that can move to its
 * highest payoff has it, and a position all of whose moves are known is known.
 *
 * Deterministic under a budget of nodes or playouts and a given generator. Memory is fixed: when the tree is
 * full, playouts go on from its leaves.
 *
 * Ownership: kn_uct_new / kn_uct_free; game and evaluation must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_UCT_H
#define KNACK_SEARCH_UCT_H

#include "search/search.h"

typedef struct KnUctOptions {
    double exploration; /* weight of the allowance, for results in 0..1 */
    size_t bytes;       /* of the tree */
    uint64_t playouts;  /* at most; 0: no limit besides the budget */
    int playout_plies; /* moves of a playout before it is judged by the evaluation; 0: to the end, however far
                        */
    bool solve;
} KnUctOptions;

KnUctOptions kn_uct_options(void); /* exploration 0.7, 64 MiB, playouts to 1000 plies, solving */

typedef struct KnUct KnUct;

/* `evaluation` may be NULL: playouts that are cut short count as a draw. */
KnUct *kn_uct_new(const KnGame *game, const KnEvaluation *evaluation, const KnUctOptions *options,
                  KnError *error);
void kn_uct_free(KnUct *uct);

/* budget.depth is ignored. The generator is needed (KN_USAGE without one). Root rows carry visits and, as
 * scores, mean payoffs spread over +-KN_SCORE_PAYOFF (KN_BOUND_EXACT where proved); the move is a proved win,
 * or else the one most visited. completed: the root is solved or all playouts were made. */
KnStatus kn_uct_run(KnUct *uct, const void *position, const KnHistory *history,
                    const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
