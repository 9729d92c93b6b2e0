/* Capture problems, solved and judged. */
#ifndef KNACK_SEARCH_CAPTURING_H
#define KNACK_SEARCH_CAPTURING_H

#include "formats/problems.h"
#include "search/proof.h"

typedef struct KnCaptured {
    int answer;  /* 1: the side to move succeeds, -1: it does not, 0: unknown */
    KnMove move; /* by which it does; KN_GO_PASS: none is known, or none is needed */
    KnMove line[KN_PROOF_LINE];
    int length;
    int limit;         /* with more liberties than this it counts as saved, where the answer is that it is */
    bool ko;           /* the answer would be another if one side could retake kos at once */
    bool right, wrong; /* by what the problem says; neither: unknown, or nothing is said */
    KnProofAnswer proof; /* with what it took; its moves are points of the tactical board */
} KnCaptured;

/* The move counts as right if the problem accepts it, or accepts any, or if another strategy proves it. */
KnStatus kn_capturing_solve(KnProofSearch *search, const KnProblem *problem, KnCaptured *captured,
                            KnError *error);

/* The two searches of the paper: the attacker first; if that is proved, the defender first, for the moves
 * that save (else the second answer is empty). *solved: a capture was proved. */
KnStatus kn_capturing_both(KnProofSearch *search, const KnProblem *problem, KnProofAnswer answers[2],
                           bool *solved, KnError *error);

#endif
