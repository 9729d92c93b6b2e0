/* Monte Carlo tree search for Go with rapid action value estimation (RAVE: Gelly and Silver 2007): the value
 * of a move also counts the playouts in which the same player made that move later (all moves as first), so a
 * few hundred playouts give a sensible move. Playouts do not fill eyes, answer ataris and prefer moves with
 * shape (games/go/playout_board.h).
 *
 * Prior knowledge enters as virtual visits: at every node for captures, saves, shape and closeness to the
 * last move, at the root also for hints of the caller, such as captures that were read. The same random
 * numbers and node budget give the same answer.
 *
 * Ownership: kn_go_tree_new / kn_go_tree_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_METHODS_WIDENING_TACTICAL_TREE_H
#define KNACK_METHODS_WIDENING_TACTICAL_TREE_H

#include "search/meter.h"
#include "games/go/playout_policy.h"

typedef struct KnGoHint {
    KnMove move;
    double visits, result; /* result: 0 is a loss, 1 a win */
} KnGoHint;

typedef struct KnGoTreeRequest {
    const void *position;
    const KnMove *allowed;
    int allowed_count;
    const KnGoHint *hints;
    int hint_count;
    KnMove last;       /* the opponent's last move; KN_GO_PASS if it is not known */
    uint64_t playouts; /* 0: as many as the budget allows */
    KnBudget budget;   /* nodes count moves in the tree and in playouts */
    KnRng *rng;
    const atomic_bool *cancel; /* may be NULL */
} KnGoTreeRequest;

typedef struct KnGoRow {
    KnMove move;
    double visits, result; /* playouts that began with the move, and the share of them that was won */
} KnGoRow;

typedef struct KnGoTreeResult {
    KnMove move;
    double result;     /* the value of the move: the share of its playouts won */
    double won, tried; /* of the playouts that began with the move; no hints */
    uint64_t playouts, nodes;
    KnGoRow rows[8]; /* the most visited moves, in order */
    int row_count;
    KnMove line[8];
    int length;
} KnGoTreeResult;

typedef struct KnGoTree KnGoTree;

typedef struct KnGoTreeOptions {
    size_t bytes; /* of the tree */
    KnPlayoutKind playout;
    double rave; /* RAVE's equivalence parameter: visits at which own and AMAF values weigh about the same;
                    0: no RAVE */
    double exploration; /* the constant of UCB1's term */
    double expand;      /* visits before a leaf is expanded */
} KnGoTreeOptions;

/* NULL if memory runs out. */
KnGoTree *kn_go_tree_new(const KnGame *game, const KnGoTreeOptions *options);
void kn_go_tree_free(KnGoTree *tree);

void kn_go_tree_run(KnGoTree *tree, const KnGoTreeRequest *request, KnGoTreeResult *result);

#endif
