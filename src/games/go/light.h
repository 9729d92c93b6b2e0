/* A Go board for playing games to their ends quickly: chains with pseudo-liberties, no undo, copied by
 * assignment.
 *
 * A pseudo-liberty is a pair of a stone and an empty point beside it; a chain keeps how many it has, and the
 * sum of their points and of the squares of these. If the sum of squares times the number equals the square
 * of the sum, they are all the same point: the chain is in atari, and the point is known, without looking
 * around. games/go/strings.h, which keeps true liberties and takes moves back, is for reading. */
#ifndef KNACK_GAMES_GO_LIGHT_H
#define KNACK_GAMES_GO_LIGHT_H

#include "base/rng.h"
#include "games/go/go.h"

enum { KN_LIGHT_POINTS = 21 * 21, KN_LIGHT_PASS = 0 };

typedef struct KnLight {
    int size, stride, empties, ko, last, passes; /* last: the point played last */
    uint8_t colour[KN_LIGHT_POINTS];             /* 0 empty, 1 black, 2 white, 3 border */
    uint16_t head[KN_LIGHT_POINTS], next[KN_LIGHT_POINTS], free[KN_LIGHT_POINTS], stones[KN_LIGHT_POINTS];
    uint32_t sum[KN_LIGHT_POINTS], squares[KN_LIGHT_POINTS];
    uint16_t empty[KN_GO_CELLS_MAX], where[KN_LIGHT_POINTS];
} KnLight;

void kn_light_set(KnLight *board, const KnGame *game, const void *position);

static inline int kn_light_point(const KnLight *b, int x, int y) { return (y + 1) * b->stride + x + 1; }
KnMove kn_light_move(const KnLight *board, const KnGame *game, int point);
int kn_light_from_move(const KnLight *board, const KnGame *game, KnMove move);

/* No suicide, no retaking of the ko. Colours are 1 and 2. */
bool kn_light_legal(const KnLight *board, int point, int colour);
bool kn_light_eye(const KnLight *board, int point, int colour); /* filling it would be foolish */
void kn_light_play(KnLight *board, int point, int colour);      /* a legal move or KN_LIGHT_PASS */

static inline bool kn_light_atari(const KnLight *b, int head)
{
    return (uint64_t)b->free[head] * b->squares[head] == (uint64_t)b->sum[head] * b->sum[head];
}

/* A move for a playout: takes or saves what the last move put in danger, else at random; KN_LIGHT_PASS if
 * only eyes are left. */
int kn_light_choose(const KnLight *board, int colour, KnRng *rng);

/* Plays on to the end. Returns how many moves it took; `first` gets the colour that played first on each
 * point where that is still 0. */
int kn_light_playout(KnLight *board, int colour, KnRng *rng, uint8_t *first);

/* Black's area less White's, as the board stands. */
int kn_light_margin(const KnLight *board);

#endif
