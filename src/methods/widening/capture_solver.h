/* Solves capture problems and compares the answers with those of the problems. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_SOLVER_H
#define KNACK_METHODS_WIDENING_CAPTURE_SOLVER_H

#include "formats/problems.h"
#include "games/go/capture.h"
#include "methods/widening/proof.h"
#include "methods/widening/reader.h"

/* What an answer owes to a ko. */
typedef enum KnKoAnswer {
    KN_KO_NONE,    /* proved: it stays the same whatever is retaken; or there is no answer */
    KN_KO_DEPENDS, /* proved: ko threats change it */
    KN_KO_UNKNOWN  /* it holds if nobody has ko threats; whether they change it is not known */
} KnKoAnswer;

/* The fast tier: what the reader believes (methods/widening/reader.h). Nothing of it is proved. */
typedef struct KnCaptureBelief {
    int answer;   /* 1: the side to move is believed to succeed, -1: to fail */
    bool settled; /* the moves that were looked at were read to the end */
    KnMove move;  /* KN_GO_PASS: none is needed, or the side fails */
    KnMove line[KN_READER_LINE];
    int length;
    bool right, wrong; /* compared with the problem, by kn_capture_believe */
    uint64_t nodes;
    double seconds;
} KnCaptureBelief;

typedef struct KnCaptureSolution {
    int answer;  /* 1: the side to move succeeds, -1: it fails, 0: unknown */
    KnMove move; /* the move that succeeds; KN_GO_PASS: none is known, or none is needed */
    KnMove line[KN_PROOF_LINE];
    int length;
    int limit; /* if the string is saved: with more liberties than this it counts as saved */
    KnKoAnswer ko;
    int ko_role;    /* KN_KO_DEPENDS: who changes the answer with ko threats, 0 Black or 1 White */
    int ko_threats; /* how many he needs; 0: not known */
    bool right,
        wrong; /* compared with the problem; neither: the answer is unknown, or the problem has none */
    KnCaptureBelief belief; /* where nothing is proved; its answer is 0 if the reader was not asked */
    KnProofAnswer proof;    /* its moves are points of the tactical board; nodes and seconds are those of all
                               searches together, also of those for kos and for the line */
} KnCaptureSolution;

/* Opens the question of a problem (games/go/capture.h). */
KnStatus kn_capture_open_problem(const KnCaptureProblem *problem, KnCapture **capture, KnError *error);

/* The bounds of the search are those of all searches together. A move is right if the problem lists it, if
 * the problem lists none, or if another strategy proves it. */
KnStatus kn_capture_solve(KnProofSearch *search, const KnCaptureProblem *problem, KnCaptureSolution *captured,
                          KnError *error);

KnStatus kn_capture_believe(KnReader *reader, const KnCaptureProblem *problem, uint64_t nodes,
                            KnCaptureBelief *belief, KnError *error);

/* The answer about the ko in words; nothing for KN_KO_NONE. */
void kn_capture_ko_text(const KnCaptureSolution *captured, KnText *out);

/* The two searches of the paper: the attacker moves first; if the capture is proved, the defender moves
 * first, to find the saving moves (otherwise the second answer is empty). *solved: the capture was proved. */
KnStatus kn_capture_solve_both(KnProofSearch *search, const KnCaptureProblem *problem,
                               KnProofAnswer answers[2], bool *solved, KnError *error);

#endif
