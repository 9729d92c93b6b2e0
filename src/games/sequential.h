/* An alternating view of a simultaneous game, so that searches need nothing else.
 *
 * A position of the view is a position of the inner game with the moves that some roles have already chosen
 * there. One role at a time decides: at a node where several have a choice the viewpoint first, then the
 * others in role order, each knowing what was chosen before it. For a search that maximises for the viewpoint
 * this is the pessimistic reading: the others answer what they could not have seen. Roles with a single legal
 * move are filled in without costing a ply; if nobody has a choice, the node still is one ply with one move,
 * made by the viewpoint if it moves there, else by the first role that does. When the last choice is made,
 * the joint move is played in the inner game.
 *
 * Roles, payoffs, traits and nature stay those of the inner game: nature is a role of the view, whose chances
 * the view passes on; a search that knows nothing of chance treats it as one more opponent. The same role may
 * move twice running (in a game of one role it always does): read the mover from the position. Moves are the
 * inner game's own values. Text is the inner position's, after the pending choices in quotes, in the order in
 * which they were made.
 *
 * A game that is alternating already is passed through, position for position and move for move. The view has
 * no symmetries and no evaluations of its own.
 *
 * Ownership: the view is the caller's (kn_game_close); the inner game is borrowed and must outlive it. */
#ifndef KNACK_GAMES_SEQUENTIAL_H
#define KNACK_GAMES_SEQUENTIAL_H

#include "games/game.h"

KnStatus kn_game_sequential(const KnGame *inner, int viewpoint, KnGame **view, KnError *error);

/* The view closes the inner game when it is closed itself. */
void kn_sequential_own(KnGame *view, KnGame *inner);

/* A board for a view of a game that shows none by itself. The hooks are handed the view; symbols end with 0,
 * the first is nothing. */
enum { KN_SEQUENTIAL_SYMBOLS = 16 };
typedef struct KnSequentialBoard {
    int cells;
    char symbols[KN_SEQUENTIAL_SYMBOLS];
    int (*cell)(const KnGame *view, const void *position, int index);
    void (*place)(const KnGame *view, int index, double *x, double *y);
    void (*name)(const KnGame *view, int index, KnText *out);
} KnSequentialBoard;
void kn_sequential_board(KnGame *view, const KnSequentialBoard *board);

/* The inner game and position behind a view's; the game and position themselves if it is no view. */
const KnGame *kn_sequential_inner(const KnGame *view);
const void *kn_sequential_position(const KnGame *view, const void *position);

/* A view's position from one of the inner game, nothing chosen yet. */
void kn_sequential_enter(const KnGame *view, const void *inner_position, void *position);

#endif
