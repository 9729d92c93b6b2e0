/* Exact solution of Othello endgames: the margin with best play.
 *
 * Principal variation search with null windows to the last disc, on bitboards, with a table of positions,
 * moves ordered by the number of answers (fastest first), parity and small searches, enhanced transposition
 * cut-offs and stability cut-offs. Every value is the one that minimax finds: nothing is pruned that could
 * change it.
 *
 * Ownership: kn_othello_solver_new / kn_othello_solver_free; the game must outlive it. One thread at a time
 * for each solver. The same question takes the same nodes every time: nothing is kept between two. */
#ifndef KNACK_GAMES_OTHELLO_ENDGAME_H
#define KNACK_GAMES_OTHELLO_ENDGAME_H

#include <stdatomic.h>

#include "games/game.h"

typedef struct KnOthelloSolver KnOthelloSolver;

typedef struct KnOthelloSolving {
    const KnMove *moves; /* legal moves to choose from */
    int count;
    int *margins;        /* result of each move for the mover, if wanted (else NULL); costs more */
    uint64_t node_limit; /* 0: none */
    double deadline;     /* of kn_clock_now, or kn_clock_cpu with `processor`; 0: none */
    bool processor;
    const atomic_bool *cancel; /* may be NULL */
    /* Results: */
    KnMove best;
    int margin; /* for the mover, in the game's points */
    uint64_t nodes;
} KnOthelloSolving;

/* Whether a game is Othello. */
bool kn_othello_is(const KnGame *game);
int kn_othello_empties(const KnGame *game, const void *position);

/* The score of a margin for its side, at an end that is `plies` away. */
KnScore kn_othello_score(const KnGame *game, int margin, int plies);

/* A solver with a table of `bytes`; 0: enough for about 20 empty squares. NULL, with the error filled, if
 * memory runs out. */
KnOthelloSolver *kn_othello_solver_new(const KnGame *game, size_t bytes, KnError *error);
void kn_othello_solver_free(KnOthelloSolver *solver);

/* KN_OK; KN_STOPPED if cancelled; KN_NO if the node limit or the deadline was reached. The best move does not
 * depend on whether all margins are wanted. */
KnStatus kn_othello_solve(KnOthelloSolver *solver, const void *position, KnOthelloSolving *solving);

#endif
