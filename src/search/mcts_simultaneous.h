/* Monte-Carlo tree search for any game, also with simultaneous moves, as general game playing needs it.
 *
 * Decoupled UCT (Finnsson and Bjornsson 2008): at every node each role chooses among its own moves by UCB1,
 * without regard to the others'. Where only one role has a choice, that is ordinary UCT. Each role maximises
 * its own payoff; nature draws. Transpositions share a node, and the tree of a game's earlier moves is kept
 * for its later ones.
 *
 * Ends of the game are carried up as proven values. Where one role decides, a move to its highest payoff
 * proves a node, and so do all moves together; at a chance node all moves give their mean; where several
 * decide, all joint moves must give the same results.
 *
 * A new leaf gets one random playout. Where a propositional network plays hundreds in parallel
 * (games/gdl/playouts.h), as many leaves are in work at a time, spread by their visits. An evaluation can
 * take the place of playouts (kn_mcts_simultaneous_judge).
 *
 * Deterministic under a budget of nodes or playouts and a given generator, with one thread. Memory is fixed:
 * when it is full, nodes with few visits make room.
 *
 * Ownership: kn_mcts_simultaneous_new / kn_mcts_simultaneous_free; the game must outlive it. One caller at a
 * time. */
#ifndef KNACK_SEARCH_MCTS_SIMULTANEOUS_H
#define KNACK_SEARCH_MCTS_SIMULTANEOUS_H

#include "eval/evaluation.h"
#include "search/search.h"

typedef struct KnMctsSimultaneousOptions {
    double exploration;        /* the constant of UCB1, for results in 0..1 */
    double judged_exploration; /* the same where an evaluation takes the place of playouts */
    size_t bytes;
    uint64_t playouts; /* at most; 0: no limit besides the budget */
    int batch; /* leaves in work at a time, up to 256; 1: one; 0: many under a clock if that is faster, else
                  one */
    int playout_plies;
    bool solve;
    int threads; /* each with a tree of its own; 0 counts as 1. With more, they share bytes, nodes and
                    playouts, each has the seconds, and results are not repeatable */
    double amaf; /* on game descriptions: visits that a move's AMAF value counts for at most; 0: none */
} KnMctsSimultaneousOptions;

KnMctsSimultaneousOptions kn_mcts_simultaneous_options(void);

typedef struct KnMctsSimultaneous KnMctsSimultaneous;

/* NULL, with the error filled, if the game's rules look back (mcts.h can) or memory runs out. */
KnMctsSimultaneous *kn_mcts_simultaneous_new(const KnGame *game, const KnMctsSimultaneousOptions *options,
                                             KnError *error);
void kn_mcts_simultaneous_free(KnMctsSimultaneous *search);
void kn_mcts_simultaneous_clear(KnMctsSimultaneous *search); /* as for a new game */

/* Changes the limit of playouts for the runs that follow. */
void kn_mcts_simultaneous_limit(KnMctsSimultaneous *search, uint64_t playouts);

/* From now on a new leaf is worth what the evaluation says, and gets no playout: for a game of two opposed
 * roles, and an evaluation that estimates payoffs for any of them. NULL: playouts again. Clears the tree. The
 * evaluation must outlive the search, or the next call of this. */
void kn_mcts_simultaneous_judge(KnMctsSimultaneous *search, const KnEvaluation *evaluation);

/* As kn_mcts_run, for a role: rows are its allowed moves. The position is the game's own, not that of its
 * sequential view. */
KnStatus kn_mcts_simultaneous_run(KnMctsSimultaneous *search, const void *position, int role,
                                  const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
