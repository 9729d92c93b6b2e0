/* Exact solution of Othello endgames: the margin with best play. */
#ifndef KNACK_GAMES_OTHELLO_ENDGAME_H
#define KNACK_GAMES_OTHELLO_ENDGAME_H

#include <stdatomic.h>

#include "games/game.h"

typedef struct KnOthelloSolving {
    const KnMove *moves; /* legal moves to choose from */
    int count;
    int *margins;              /* result of each move for the mover, if wanted (else NULL); costs more */
    uint64_t node_limit;       /* 0: none */
    const atomic_bool *cancel; /* may be NULL */
    /* Results: */
    KnMove best;
    int margin; /* for the mover, in the game's points */
    uint64_t nodes;
} KnOthelloSolving;

/* Whether a game is Othello. */
bool kn_othello_is(const KnGame *game);
int kn_othello_empties(const KnGame *game, const void *position);

/* KN_OK; KN_STOPPED if cancelled; KN_NO if the node limit was reached. Up to 16 empty squares take about a
 * second or less. */
KnStatus kn_othello_solve(const KnGame *game, const void *position, KnOthelloSolving *solving);

#endif
