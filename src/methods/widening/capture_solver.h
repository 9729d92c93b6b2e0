/* Solves capture problems and compares the answers with those of the problems. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_SOLVER_H
#define KNACK_METHODS_WIDENING_CAPTURE_SOLVER_H

#include "formats/problems.h"
#include "methods/widening/proof.h"

typedef struct KnCaptureSolution {
    int answer;  /* 1: the side to move succeeds, -1: it fails, 0: unknown */
    KnMove move; /* the move that succeeds; KN_GO_PASS: none is known, or none is needed */
    KnMove line[KN_PROOF_LINE];
    int length;
    int limit; /* if the string is saved: with more liberties than this it counts as saved */
    bool ko;   /* the answer would differ if one side could retake kos immediately */
    bool right,
        wrong; /* compared with the problem; neither: the answer is unknown, or the problem has none */
    KnProofAnswer proof; /* with its statistics; its moves are points of the tactical board */
} KnCaptureSolution;

/* A move is right if the problem lists it, if the problem lists none, or if another strategy proves it. */
KnStatus kn_capture_solve(KnProofSearch *search, const KnCaptureProblem *problem, KnCaptureSolution *captured,
                          KnError *error);

/* The two searches of the paper: the attacker moves first; if the capture is proved, the defender moves
 * first, to find the saving moves (otherwise the second answer is empty). *solved: the capture was proved. */
KnStatus kn_capture_solve_both(KnProofSearch *search, const KnCaptureProblem *problem,
                               KnProofAnswer answers[2], bool *solved, KnError *error);

#endif
