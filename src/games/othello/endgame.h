/* The end of an Othello game, solved: the margin that both can hold to, with best play. */
#ifndef KNACK_GAMES_OTHELLO_ENDGAME_H
#define KNACK_GAMES_OTHELLO_ENDGAME_H

#include <stdatomic.h>

#include "games/game.h"

typedef struct KnOthelloSolving {
    const KnMove *moves; /* to choose from; legal */
    int count;
    int *margins;              /* of each of them for the mover, if wanted (else NULL); costs more */
    uint64_t node_limit;       /* 0: none */
    const atomic_bool *cancel; /* may be NULL */
    /* Filled: */
    KnMove best;
    int margin; /* for the mover, in points as the game counts them */
    uint64_t nodes;
} KnOthelloSolving;

/* Whether a game is Othello. */
bool kn_othello_is(const KnGame *game);
int kn_othello_empties(const KnGame *game, const void *position);

/* KN_OK; KN_STOPPED when cancelled, KN_NO when the nodes did not suffice. Up to 16 empty squares take less
 * than a second or so. */
KnStatus kn_othello_solve(const KnGame *game, const void *position, KnOthelloSolving *solving);

#endif
