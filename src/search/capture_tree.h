/* The proof of a capture problem's answer, as a tree to step through: the prover's one move after each reply
 * worth looking at.
 *
 * It shows the proof and is not the proof: of the replies it has those that the search looks at first, a few
 * at each turn, up to a bound in all. Every move of the prover in it is proved by a search of its own. Where
 * a branch goes on beyond the bound, `open` says so.
 *
 * Ownership: everything lives in the caller's arena. */
#ifndef KNACK_SEARCH_CAPTURE_TREE_H
#define KNACK_SEARCH_CAPTURE_TREE_H

#include "base/reason.h"
#include "formats/sgf_tree.h"
#include "search/capturing.h"

typedef struct KnProofNode {
    KnMove move;
    bool prover;                                      /* plays it */
    bool open;                                        /* more would follow */
    bool ended;                                       /* taken, or safe: see the tree's answer */
    struct KnProofNode *parent, *first, *last, *next; /* replies */
} KnProofNode;

typedef struct KnProofTree {
    KnCaptured captured;
    KnProofNode root; /* its move is none: its children are the first moves */
    int count;        /* of moves in the tree */
} KnProofTree;

/* Solves the problem and grows the tree to at most so many moves (0: 60). An answer that is unknown has a
 * tree without moves. */
KnStatus kn_capture_tree(KnProofSearch *search, const KnProblem *problem, int most, KnArena *arena,
                         KnProofTree *tree, KnError *error);

/* The tree in words for terminal, page and JSON: a sentence, the line, the tree as nested moves. NULL without
 * memory. */
KnReason *kn_capture_reason(const KnProblem *problem, const KnProofTree *tree, KnArena *arena);

/* The problem as an SGF tree: the target has a triangle; accepted first moves and the proof are variations,
 * right ones marked TE. NULL without memory. */
KnSgfNode *kn_capture_sgf(const KnProblem *problem, const KnProofTree *tree, KnArena *arena);

#endif
