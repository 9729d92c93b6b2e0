/* The bits of a set as bytes, by AVX2: a board of cells is made of sets without a loop over pieces. Functions
 * that use it are compiled for AVX2 and called where the processor has it. */
#ifndef KNACK_GAMES_BIT_CELLS_H
#define KNACK_GAMES_BIT_CELLS_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

/* Which bit becomes which of 32 bytes. */
typedef struct KnBitOrder {
    uint8_t byte[32]; /* of the set: 0 to 3 */
    uint8_t mask[32]; /* the bit in that byte */
} KnBitOrder;

/* 255 where the bit is set, else 0. */
__attribute__((target("avx2"), always_inline)) static inline __m256i kn_bit_cells(uint32_t set,
                                                                                  const KnBitOrder *order)
{
    const __m256i mask = _mm256_loadu_si256((const __m256i *)(const void *)order->mask),
                  byte = _mm256_loadu_si256((const __m256i *)(const void *)order->byte);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)set), byte);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, mask), mask);
}

#endif
#endif
