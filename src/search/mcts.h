/* Monte-Carlo tree search (MCTS) by UCT (Kocsis and Szepesvari 2006): selection by UCB1, random playouts.
 *
 * Each role maximises its own payoff; nature moves by its chances. With `solve`, ends of the game are carried
 * up the tree as proven values (MCTS-Solver: Winands, Bjornsson and Saito 2008): a role that can move to its
 * highest payoff has it, and a position is proved once all its moves are.
 *
 * Deterministic under a budget of nodes or playouts and a given generator, with one thread. Memory is fixed:
 * when the tree is full, playouts go on from its leaves.
 *
 * Ownership: kn_mcts_new / kn_mcts_free; game and evaluation must outlive it. One caller at a time. */
#ifndef KNACK_SEARCH_MCTS_H
#define KNACK_SEARCH_MCTS_H

#include "search/search.h"

typedef struct KnMctsOptions {
    double exploration; /* the constant of UCB1, for results in 0..1 */
    size_t bytes;       /* of the tree */
    uint64_t playouts;  /* at most; 0: no limit besides the budget */
    int playout_plies;  /* moves of a playout before the evaluation ends it; 0: play to the end */
    bool solve;
    int threads; /* that grow the tree together; 0 counts as 1. With more, results are not repeatable */
    /* A prior: fills how likely each move of a position is to be a good one, adding up to 1, and returns how
     * many positions it played to know. Selection is then by PUCT (Rosin 2011), with `guidance` as its
     * constant, instead of UCB1. NULL: none. Several threads call it at once. */
    uint64_t (*prior)(void *user, const void *position, const KnMove *moves, int count, double *chances);
    void *prior_user;
    double guidance;
} KnMctsOptions;

KnMctsOptions kn_mcts_options(void); /* exploration 0.7, 64 MiB, playouts to 1000 plies, solving */

typedef struct KnMcts KnMcts;

/* `evaluation` may be NULL: playouts that are cut short count as a draw. */
KnMcts *kn_mcts_new(const KnGame *game, const KnEvaluation *evaluation, const KnMctsOptions *options,
                    KnError *error);
void kn_mcts_free(KnMcts *uct);

/* budget.depth is ignored. The generator is needed (KN_USAGE without one). Root rows carry visits and, as
 * scores, mean payoffs spread over +-KN_SCORE_PAYOFF (KN_BOUND_EXACT where proved); the move is a proved win,
 * or else the one most visited. completed: the root is solved or all playouts were made. */
KnStatus kn_mcts_run(KnMcts *uct, const void *position, const KnHistory *history,
                     const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
