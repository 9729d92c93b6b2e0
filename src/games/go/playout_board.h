/* A Go board for fast playouts: chains with pseudo-liberties, no undo, copied by assignment. A pseudo-liberty
 * is a pair of a stone and an adjacent empty point; a chain stores their number, the sum of their points and
 * the sum of squares. If number times sum of squares equals the square of the sum, all are the same point:
 * the chain is in atari at that point. games/go/strings.h, with true liberties and undo, is for tactical
 * reading. */
#ifndef KNACK_GAMES_GO_PLAYOUT_BOARD_H
#define KNACK_GAMES_GO_PLAYOUT_BOARD_H

#include <knack/base.h>
#include "games/go/go.h"
#include "games/go/playout_patterns.h"

enum { KN_PLAYOUT_POINTS = 21 * 21, KN_PLAYOUT_PASS = 0 };

typedef struct KnPlayoutBoard {
    int size, stride, empties, ko, last, passes; /* last: the last move */
    uint8_t colour[KN_PLAYOUT_POINTS];           /* 0 empty, 1 black, 2 white, 3 border */
    uint16_t head[KN_PLAYOUT_POINTS], next[KN_PLAYOUT_POINTS], free[KN_PLAYOUT_POINTS],
        stones[KN_PLAYOUT_POINTS];
    uint32_t sum[KN_PLAYOUT_POINTS], squares[KN_PLAYOUT_POINTS];
    uint16_t empty[KN_GO_CELLS_MAX], where[KN_PLAYOUT_POINTS];
    const KnPlayoutPatterns *patterns; /* of moves near the last one; NULL: none */
} KnPlayoutBoard;

void kn_playout_board_set(KnPlayoutBoard *board, const KnGame *game, const void *position);

static inline int kn_playout_board_point(const KnPlayoutBoard *b, int x, int y)
{
    return (y + 1) * b->stride + x + 1;
}
KnMove kn_playout_board_move(const KnPlayoutBoard *board, const KnGame *game, int point);
int kn_playout_board_from_move(const KnPlayoutBoard *board, const KnGame *game, KnMove move);

/* Whether a move is legal: no suicide, no ko. Colours are 1 and 2. */
bool kn_playout_board_legal(const KnPlayoutBoard *board, int point, int colour);
bool kn_playout_board_eye(const KnPlayoutBoard *board, int point,
                          int colour); /* an own eye, which playouts do not fill */
void kn_playout_board_play(KnPlayoutBoard *board, int point,
                           int colour); /* a legal move or KN_PLAYOUT_PASS */

static inline bool kn_playout_board_atari(const KnPlayoutBoard *b, int head)
{
    return (uint64_t)b->free[head] * b->squares[head] == (uint64_t)b->sum[head] * b->sum[head];
}

/* Whether a move has the shape of a pattern; whether it leaves its own chain with one liberty. */
bool kn_playout_board_shape(const KnPlayoutBoard *board, int point);
bool kn_playout_board_self_atari(const KnPlayoutBoard *board, int point, int colour);

/* Stones that a move captures, and own stones that it saves from atari. */
int kn_playout_board_gain(const KnPlayoutBoard *board, int point, int colour);

/* A playout move: captures or saves what the last move put in atari, else a move with shape next to the last
 * one, else a random move; KN_PLAYOUT_PASS if only eyes are left. */
int kn_playout_board_choose(const KnPlayoutBoard *board, int colour, KnRng *rng);

/* Plays to the end. Returns the number of moves; `first` gets the colour that first played on each point that
 * is still 0 (for AMAF/RAVE). */
int kn_playout_board_run(KnPlayoutBoard *board, int colour, KnRng *rng, uint8_t *first);

/* Who has a point at the end of a playout: the colour of its stone, or the only one next to it; 0: neither.
 */
int kn_playout_board_owner(const KnPlayoutBoard *board, int point);

/* Black's area minus White's on the current board. */
int kn_playout_board_margin(const KnPlayoutBoard *board);

#endif
