/* Go for other rooms: SGF, GTP and the capture search read and build positions through these calls. Points
 * are given by column x (0 = A) and row y (0 = the top row); a move is the code of its point or KN_GO_PASS.
 * Cells hold 0 (empty), 1 (black) or 2 (white), row by row from the top left. All calls need a game for which
 * kn_go_is is true. */
#ifndef KNACK_GAMES_GO_GO_H
#define KNACK_GAMES_GO_GO_H

#include "games/game.h"

enum { KN_GO_SIZE_MIN = 2, KN_GO_SIZE_MAX = 19, KN_GO_CELLS_MAX = KN_GO_SIZE_MAX * KN_GO_SIZE_MAX };
enum { KN_GO_BLACK = 0, KN_GO_WHITE = 1 }; /* roles */

#define KN_GO_PASS ((KnMove)511)

bool kn_go_is(const KnGame *game);
int kn_go_size(const KnGame *game);
double kn_go_komi(const KnGame *game);

KnMove kn_go_move(const KnGame *game, int x, int y);
bool kn_go_point(const KnGame *game, KnMove move, int *x, int *y); /* false for a pass */

/* Whether a move is legal by the position: an empty point, no suicide, no ko. */
bool kn_go_legal(const KnGame *game, const void *position, KnMove move);

/* Builds a position from its cells; `ko` is the move that the ko forbids, or KN_GO_PASS. Fails on strings
 * without liberties and on an impossible ko. */
KnStatus kn_go_set_up(const KnGame *game, const uint8_t *cells, int mover, KnMove ko, void *position,
                      KnError *error);

KnMove kn_go_ko(const KnGame *game, const void *position);  /* the move that the ko forbids, or KN_GO_PASS */
int kn_go_passes(const KnGame *game, const void *position); /* consecutive; at 2 the game is over */

/* Area: stones, and empty regions that touch only one colour. */
void kn_go_area(const KnGame *game, const void *position, int area[2]);

#endif
