/* Moves and flips of Othello for any processor.
 *
 * Moves: a parallel prefix fill for the four axes (board.h). Flips: along each of the eight rays, the nearest
 * square without an opponent's disc decides. Towards higher bits it is the lowest bit of ray & ~their,
 * towards lower bits the highest one; if it holds an own disc, everything before it is flipped. That is two
 * loads and about six operations a ray, without a chain of shifts. bits_avx2.h has measurements. */
#ifndef KNACK_GAMES_OTHELLO_BITS_PLAIN_H
#define KNACK_GAMES_OTHELLO_BITS_PLAIN_H

#include "games/othello/board.h"

#define TARGET
#define mobility kn_othello_mobility

static inline uint64_t flips(const KnOthelloRays *rays, uint64_t own, uint64_t their)
{
    uint64_t turned = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t nearest = rays->up[i] & ~their;
        nearest &= -nearest & own;
        turned |= rays->up[i] & (nearest - (nearest != 0));
        nearest = rays->down[i] &
                  ~their; /* bit 0 stands in for "none": it is on no ray, or not beyond another blocker */
        nearest = (UINT64_C(1) << (63 - __builtin_clzll(nearest | 1))) & own & rays->down[i];
        turned |= rays->down[i] & -(nearest << 1);
    }
    return turned;
}

#endif
