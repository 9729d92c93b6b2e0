/* The proof of the answer to a capture problem, as a tree for display: one move of the prover after each
 * interesting reply of the opponent.
 *
 * The tree illustrates the proof and is not complete: at each turn it has only the few replies that the
 * search orders first, up to a total number of moves. A separate search proves every move of the prover in
 * it. `open` marks branches that would continue beyond the bound.
 *
 * Ownership: everything lives in the caller's arena. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_TREE_H
#define KNACK_METHODS_WIDENING_CAPTURE_TREE_H

#include "base/explanation.h"
#include "formats/sgf_tree.h"
#include "methods/widening/capture_solver.h"

typedef struct KnProofNode {
    KnMove move;
    bool prover;                                      /* a move of the prover */
    bool open;                                        /* the branch would continue */
    bool ended;                                       /* captured or safe, according to the tree's answer */
    struct KnProofNode *parent, *first, *last, *next; /* replies */
} KnProofNode;

typedef struct KnProofTree {
    KnCaptureSolution captured;
    KnProofNode root; /* has no move: its children are the first moves */
    int count;        /* moves in the tree */
} KnProofTree;

/* Solves the problem and grows the tree to about `most` moves (0: 60). If the answer is unknown, the tree is
 * empty. */
KnStatus kn_capture_tree(KnProofSearch *search, const KnCaptureProblem *problem, int most, KnArena *arena,
                         KnProofTree *tree, KnError *error);

/* The explanation for terminal, page and JSON: a sentence, the line, and the tree as nested moves. NULL if
 * memory runs out. */
KnExplanation *kn_capture_explain(const KnCaptureProblem *problem, const KnProofTree *tree, KnArena *arena);

/* The problem as an SGF tree: the target has a triangle; the listed first moves and the proof are variations,
 * with correct moves marked TE. NULL if memory runs out. */
KnSgfNode *kn_capture_sgf(const KnCaptureProblem *problem, const KnProofTree *tree, KnArena *arena);

#endif
