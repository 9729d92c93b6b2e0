/* The sequential view of a simultaneous game: an alternating game, which any search can handle.
 *
 * A position of the view is a position of the inner game and the moves already chosen there. Roles decide one
 * after the other: the viewpoint first, then the others in role order, each seeing the choices before it. For
 * a search that maximises for the viewpoint this is pessimistic: opponents answer what they could not have
 * seen. Roles with a single legal move cost no ply; if no role has a choice, the node is one ply with one
 * move, made by the viewpoint if it moves there, else by the first role that does. After the last choice, the
 * joint move is played in the inner game.
 *
 * Roles, payoffs, traits and nature are those of the inner game. Nature is a role of the view, with the inner
 * game's chances; a search without chance nodes treats it as an opponent. A role may move twice in a row:
 * read the mover from the position. Moves are the inner game's values. The text of a position is the pending
 * choices in quotes, in order, then the inner position.
 *
 * An alternating game is passed through unchanged. The view has no symmetries and no evaluations of its own.
 *
 * Ownership: the caller owns the view (kn_game_close); the inner game is borrowed and must outlive it. */
#ifndef KNACK_GAMES_SEQUENTIAL_H
#define KNACK_GAMES_SEQUENTIAL_H

#include "games/game.h"

KnStatus kn_game_sequential(const KnGame *inner, int viewpoint, KnGame **view, KnError *error);

/* Makes the view own the inner game: closing the view closes it. */
void kn_sequential_own(KnGame *view, KnGame *inner);

/* A board for the view of a game that has none. The hooks get the view; symbols end with 0, the first one
 * means empty. */
enum { KN_SEQUENTIAL_SYMBOLS = 16 };
typedef struct KnSequentialBoard {
    int cells;
    char symbols[KN_SEQUENTIAL_SYMBOLS];
    int (*cell)(const KnGame *view, const void *position, int index);
    void (*board)(const KnGame *view, const void *position, uint8_t *cells); /* all cells; may be NULL */
    void (*place)(const KnGame *view, int index, double *x, double *y);
    void (*name)(const KnGame *view, int index, KnText *out);
} KnSequentialBoard;
void kn_sequential_board(KnGame *view, const KnSequentialBoard *board);

/* The inner game of a view, whose positions begin the view's; the game itself if it is not a view. */
const KnGame *kn_sequential_inner(const KnGame *view);

/* The view's position for an inner position, without choices. */
void kn_sequential_enter(const KnGame *view, const void *inner_position, void *position);

#endif
