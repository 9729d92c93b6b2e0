/* Moves and flips of Othello for processors with AVX2 and BMI.
 *
 * The four axes are the four lanes of a register, both directions side by side. Moves use the prefix fill of
 * board.h. Six methods for the flips were measured through a function table (Zen 3, gcc 12 / clang 14, best
 * of eight; perft 10 in million leaves a second with bulk counting; random play in million moves a second):
 *
 *     rays in lanes (this one)              292 / 262    29 / 30
 *     prefix fill in lanes                  281 / 263    29 / 28
 *     pext, two tables, pdep                255 / 245    29 / 31
 *     rays, scalar with blsi and lzcnt      238 / 238    28 / 31
 *     plain: rays, scalar                   196 / 215    25 / 29
 *     plain: prefix fill, scalar            197 / 157    24 / 22
 *
 * (the first four with the moves of this file, the last two with those of board.h). pext is microcoded and
 * very slow on AMD before Zen 3; rays in lanes are fast everywhere and need no table but the rays. Towards
 * higher bits, the nearest square that is not the opponent's is the lowest bit (x & -x). Towards lower bits
 * it is the highest, for which AVX2 has no instruction: smear all blockers along their axis (steps 1, 2, 4)
 * and keep the one that no smear covers. */
#ifndef KNACK_GAMES_OTHELLO_BITS_AVX2_H
#define KNACK_GAMES_OTHELLO_BITS_AVX2_H

#include <immintrin.h>

#include "games/othello/board.h"

#define TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))

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
    __m256i up = _mm256_load_si256((const __m256i *)rays->up),
            down = _mm256_load_si256((const __m256i *)rays->down);

    __m256i low = _mm256_andnot_si256(theirs, up);
    low = _mm256_and_si256(_mm256_and_si256(low, _mm256_sub_epi64(none, low)), mine);
    /* low - 1, or 0 where low is 0 */
    __m256i below = _mm256_sub_epi64(_mm256_add_epi64(low, _mm256_set1_epi64x(-1)),
                                     _mm256_cmpeq_epi64(low, none));

    __m256i high = _mm256_andnot_si256(theirs, down);
    __m256i covered = _mm256_srlv_epi64(high, step);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, step));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, _mm256_slli_epi64(step, 1)));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, _mm256_slli_epi64(step, 2)));
    high = _mm256_and_si256(_mm256_andnot_si256(covered, high), mine);
    __m256i above = _mm256_sub_epi64(none, _mm256_add_epi64(high, high));

    return or_lanes(_mm256_or_si256(_mm256_and_si256(up, below), _mm256_and_si256(down, above)));
}

#endif
