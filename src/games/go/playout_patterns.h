/* Local patterns of playout moves: the 3x3 shapes of MoGo (Gelly, Wang, Munos and Teytaud 2006): hane, cuts,
 * and shapes on the edge. A table tells for every surrounding of an empty point whether a move there has
 * shape; it is the same for both colours, and for all rotations and reflections.
 *
 * Ownership: a plain value; kn_playout_patterns_fill computes it, and boards point to it. */
#ifndef KNACK_GAMES_GO_PLAYOUT_PATTERNS_H
#define KNACK_GAMES_GO_PLAYOUT_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

/* Bits by surrounding: two bits for each of the eight neighbours, row by row: 0 empty, 1 black, 2 white, 3
 * border. */
typedef struct KnPlayoutPatterns {
    uint64_t fits[1 << 10];
} KnPlayoutPatterns;

void kn_playout_patterns_fill(KnPlayoutPatterns *patterns);

static inline bool kn_playout_patterns_fit(const KnPlayoutPatterns *patterns, unsigned surrounding)
{
    return patterns->fits[surrounding >> 6] >> (surrounding & 63) & 1;
}

#endif
