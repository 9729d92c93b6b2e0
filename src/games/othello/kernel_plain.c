/* The portable kernel. */
#include "base/assert.h"
#include "games/othello/bits_plain.h"

#define NAME(x) kn_othello_##x##_plain

static inline int list_squares(uint64_t set, KnMove *moves)
{
    int n = 0;
    for (; set; set &= set - 1) moves[n++] = (KnMove)__builtin_ctzll(set);
    return n;
}

#include "games/othello/kernel.inc"
