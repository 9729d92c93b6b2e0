/* A Go board for fast playouts: chains with pseudo-liberties, no undo, copied by assignment. A pseudo-liberty
 * is a pair of a stone and an adjacent empty point; a chain stores their number, the sum of their points and
 * the sum of squares. If number times sum of squares equals the square of the sum, all are the same point:
 * the chain is in atari at that point. What moves playouts choose is in playout_policy.h; games/go/strings.h,
 * with true liberties and undo, is for tactical reading. */
#ifndef KNACK_GAMES_GO_PLAYOUT_BOARD_H
#define KNACK_GAMES_GO_PLAYOUT_BOARD_H

#include <knack/base.h>
#include "games/go/go.h"

enum { KN_PLAYOUT_POINTS = 21 * 21, KN_PLAYOUT_PASS = 0, KN_PLAYOUT_LIBERTIES = 4 };

typedef struct KnPlayoutBoard {
    int size, stride, empties, ko, passes;
    int last;                          /* the last move */
    uint8_t colour[KN_PLAYOUT_POINTS]; /* 0 empty, 1 black, 2 white, 3 border */
    uint16_t head[KN_PLAYOUT_POINTS], next[KN_PLAYOUT_POINTS], free[KN_PLAYOUT_POINTS],
        stones[KN_PLAYOUT_POINTS];
    uint32_t sum[KN_PLAYOUT_POINTS], squares[KN_PLAYOUT_POINTS];
    uint16_t empty[KN_GO_CELLS_MAX], where[KN_PLAYOUT_POINTS];
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

#define KN_PLAYOUT_NEXT(b, p)                                                                                \
    {                                                                                                        \
        (p) - (b)->stride, (p)-1, (p) + 1, (p) + (b)->stride                                                 \
    }

/* The liberties of a chain, at most `most` of them, into `points`. Returns how many. */
int kn_playout_board_liberties(const KnPlayoutBoard *board, int head, int most, int *points);

/* The number of liberties that the chain of a legal move would have, counted up to `most`, which is at most
 * KN_PLAYOUT_LIBERTIES; and the number of its stones. */
int kn_playout_board_liberties_after(const KnPlayoutBoard *board, int point, int colour, int most);
int kn_playout_board_joined(const KnPlayoutBoard *board, int point, int colour);

/* Whether a move leaves its own chain with one liberty or none. */
bool kn_playout_board_self_atari(const KnPlayoutBoard *board, int point, int colour);

/* The number of stones that a move captures. */
int kn_playout_board_taken(const KnPlayoutBoard *board, int point, int colour);

/* Who has a point at the end of a playout: the colour of its stone, or the only one next to it; 0: neither.
 */
int kn_playout_board_owner(const KnPlayoutBoard *board, int point);

/* Black's area minus White's at the end of a playout, by the owners of points. */
int kn_playout_board_margin(const KnPlayoutBoard *board);

/* The same on any board, as the rules count it: an empty region belongs to the only colour that it touches.
 */
int kn_playout_board_area(const KnPlayoutBoard *board);

#endif
