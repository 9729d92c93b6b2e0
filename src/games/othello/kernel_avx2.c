/* Othello's fast part for machines with AVX2 and BMI, chosen when a game is opened.
 *
 * Four axes in the four lanes of a register, both senses side by side. Moves are filled as in board.h. For the flips five ways
 * were measured through the function table (gcc 12 and clang 14, Zen 3, best of twelve, perft 9 and random play):
 *
 *     rays in lanes (this one)         129-140 M nodes/s   28-32 M moves/s
 *     prefix fill in lanes             125-132             27-30
 *     rays, scalar with blsi and lzcnt 124-143             29-35
 *     pext, two tables, pdep           135-146             30-34
 *     prefix fill, scalar               96-105             24-26
 *
 * pext is a few percent ahead where it is a fast instruction, but takes dozens of cycles on AMD before Zen 3; rays in lanes are good
 * everywhere and need no table beyond the rays. Towards higher bits, the nearest square not theirs is the lowest bit (x & -x). Towards
 * lower bits it is the highest, which AVX2 has no instruction for: smear all blockers along their axis (steps 1, 2, 4) and keep the
 * one that no smear covers. */
#include "games/othello/board.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET  __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define NAME(x) kn_othello_##x##_avx2

TARGET static inline __m256i steps(void) { return _mm256_set_epi64x(9, 8, 7, 1); }

TARGET static inline uint64_t or_lanes(__m256i v)
{
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
}

TARGET static inline uint64_t mobility(const KnOthello *o, uint64_t own, uint64_t their)
{
    const __m256i step = steps(), two = _mm256_slli_epi64(step, 1);
    const __m256i mask = _mm256_set_epi64x((int64_t)KN_OTHELLO_INNER, -1, (int64_t)KN_OTHELLO_INNER,
                                           (int64_t)KN_OTHELLO_INNER);
    __m256i mine = _mm256_set1_epi64x((int64_t)own);
    __m256i inner = _mm256_and_si256(_mm256_set1_epi64x((int64_t)their), mask);
    __m256i up = _mm256_and_si256(inner, _mm256_sllv_epi64(mine, step));
    __m256i down = _mm256_and_si256(inner, _mm256_srlv_epi64(mine, step));
    up = _mm256_or_si256(up, _mm256_and_si256(inner, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(inner, _mm256_srlv_epi64(down, step)));
    __m256i pairs_up = _mm256_and_si256(inner, _mm256_sllv_epi64(inner, step));
    __m256i pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    __m256i reached = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    return or_lanes(reached) & o->board & ~(own | their);
}

TARGET static inline uint64_t flips(const KnOthelloRays *rays, uint64_t own, uint64_t their)
{
    const __m256i step = steps(), none = _mm256_setzero_si256();
    __m256i mine = _mm256_set1_epi64x((int64_t)own), theirs = _mm256_set1_epi64x((int64_t)their);
    __m256i up = _mm256_load_si256((const __m256i *)rays->up), down = _mm256_load_si256((const __m256i *)rays->down);

    __m256i low = _mm256_andnot_si256(theirs, up);
    low = _mm256_and_si256(_mm256_and_si256(low, _mm256_sub_epi64(none, low)), mine);
    /* low - 1, or 0 where low is 0 */
    __m256i below = _mm256_sub_epi64(_mm256_add_epi64(low, _mm256_set1_epi64x(-1)), _mm256_cmpeq_epi64(low, none));

    __m256i high = _mm256_andnot_si256(theirs, down);
    __m256i covered = _mm256_srlv_epi64(high, step);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, step));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, _mm256_slli_epi64(step, 1)));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, _mm256_slli_epi64(step, 2)));
    high = _mm256_and_si256(_mm256_andnot_si256(covered, high), mine);
    __m256i above = _mm256_sub_epi64(none, _mm256_add_epi64(high, high));

    return or_lanes(_mm256_or_si256(_mm256_and_si256(up, below), _mm256_and_si256(down, above)));
}

/* Four at a time: the last ones may be beyond the set and hold 64, but never beyond the room for max_moves; the loop's branch,
 * which is the hard one to predict in random play, is taken a quarter as often. */
TARGET static inline int list_squares(uint64_t set, KnMove *moves)
{
    int n = __builtin_popcountll(set);
    do {
        for (int i = 0; i < 4; i++) {
            moves[i] = _tzcnt_u64(set);
            set = _blsr_u64(set);
        }
        moves += 4;
    } while (set);
    return n;
}

#include "games/othello/kernel.inc"

#endif
