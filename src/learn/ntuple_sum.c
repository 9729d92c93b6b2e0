/* The sum of an n-tuple network: rows of index contributions, and the weights that the indices select. */
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <stdlib.h>

#include "base/assert.h"
#include "learn/ntuple_inside.h"

/* ---- rows ---- */

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

/* What symbol s on cell c, both as the tables know them, adds to each placement's index. */
static void add_contribution(const KnNtuple *net, int c, int s, uint16_t *row)
{
    for (int p = 0; p < net->placements; p++) {
        const KnTuple *tuple = &net->tuple[net->owner[p]];
        const uint16_t *cells = net->place + (size_t)p * KN_NTUPLE_LENGTH;
        for (int i = 0; i < tuple->length; i++)
            if (cells[i] == c) row[p] = (uint16_t)(row[p] + power(net->symbols, i) * s);
    }
}

/* The contributions of every cell and symbol, `padded` numbers each. */
static uint16_t *list_contributions(const KnNtuple *net)
{
    size_t padded = (size_t)net->padded;
    uint16_t *all = calloc((size_t)(net->cells * net->symbols) * padded, sizeof *all);
    for (int c = 0; all && c < net->cells; c++)
        for (int s = 1; s < net->symbols; s++)
            add_contribution(net, c, s, all + (size_t)(c * net->symbols + s) * padded);
    return all;
}

#if defined(__x86_64__)
static int32_t sum_avx2(const KnNtuple *net, const uint8_t *board, int side, int phase);
#endif

KnStatus kn_ntuple_make_rows(KnNtuple *net, KnError *error)
{
    uint16_t *contributions = list_contributions(net);
    net->base = aligned_alloc(32, (size_t)net->padded * sizeof *net->base);
    KnStatus status = contributions && net->base ? KN_OK : kn_fail_memory(error, "making a network");
    if (status == KN_OK)
        status = kn_board_rows_make(&net->rows, net->cells, net->symbols, net->padded, contributions,
                                    (KnBoardExchange){net->seen[1], net->symbol[1]}, error);
    free(contributions);
    if (status != KN_OK) return status;
    for (int p = 0; p < net->placements; p++) net->base[p] = net->tuple[net->owner[p]].offset;
    for (int p = net->placements; p < net->padded; p++) net->base[p] = net->entries; /* a weight of zero */
    net->sum = kn_ntuple_sum_plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) net->sum = sum_avx2;
#endif
    return KN_OK;
}

/* ---- summing ---- */

int32_t kn_ntuple_sum_plain(const KnNtuple *net, const uint8_t *board, int side, int phase)
{
    uint16_t indices[KN_NTUPLE_PLACEMENTS];
    const int16_t *weights = net->weights + kn_ntuple_tables(net, side, phase);
    int32_t sum = 0;
    KN_ASSERT(phase >= 0 && phase < net->phases);
    kn_board_rows_add(&net->rows, board, side, indices);
    for (int p = 0; p < net->placements; p++) sum += weights[net->base[p] + indices[p]];
    return sum;
}

#if defined(__x86_64__)

/* The weights of eight placements, added to `sum`. Each lane fetches two weights and keeps the lower one. */
__attribute__((target("avx2"))) static inline __m256i fetch(__m256i sum, const int16_t *weights,
                                                            const uint32_t *base, __m128i indices)
{
    __m256i at = _mm256_add_epi32(_mm256_cvtepu16_epi32(indices),
                                  _mm256_load_si256((const __m256i *)(const void *)base));
    __m256i pair = _mm256_i32gather_epi32((const int *)(const void *)weights, at, 2);
    return _mm256_add_epi32(sum, _mm256_srai_epi32(_mm256_slli_epi32(pair, 16), 16));
}

enum { AT_ONCE = 4 }; /* vectors of indices in registers */

/* Adds the weights of placements from p on, as many as fill `vectors`, a constant in each call. */
__attribute__((target("avx2"), always_inline)) static inline __m256i
add_vectors(__m256i sum, const KnNtuple *net, const uint32_t *rows, const int16_t *weights, int p,
            const int vectors)
{
    __m256i index[AT_ONCE];
    for (int v = 0; v < vectors; v++) index[v] = _mm256_setzero_si256();
    for (int r = 0; r < net->rows.chunks; r++) {
        const __m256i *row = (const __m256i *)(const void *)(net->rows.rows + rows[r] + p);
        for (int v = 0; v < vectors; v++) index[v] = _mm256_add_epi16(index[v], row[v]);
    }
    for (int v = 0; v < vectors; v++) {
        const uint32_t *base = net->base + p + v * KN_ROW_LANES;
        sum = fetch(sum, weights, base, _mm256_castsi256_si128(index[v]));
        sum = fetch(sum, weights, base + 8, _mm256_extracti128_si256(index[v], 1));
    }
    return sum;
}

__attribute__((target("avx2"))) static int32_t sum_avx2(const KnNtuple *net, const uint8_t *board, int side,
                                                        int phase)
{
    uint32_t rows[KN_ROW_CELLS];
    const int16_t *weights = net->weights + kn_ntuple_tables(net, side, phase);
    KN_ASSERT(phase >= 0 && phase < net->phases);
    kn_board_rows_find_avx2(&net->rows, board, side, rows);
    __m256i sum = _mm256_setzero_si256();
    int p = 0, left = net->padded / KN_ROW_LANES;
    for (; left >= AT_ONCE; left -= AT_ONCE, p += AT_ONCE * KN_ROW_LANES)
        sum = add_vectors(sum, net, rows, weights, p, AT_ONCE);
    if (left == 3) sum = add_vectors(sum, net, rows, weights, p, 3);
    if (left == 2) sum = add_vectors(sum, net, rows, weights, p, 2);
    if (left == 1) sum = add_vectors(sum, net, rows, weights, p, 1);
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

#endif

int32_t kn_ntuple_sum(const KnNtuple *net, const uint8_t *board, int side, int phase)
{
    return net->sum(net, board, side, phase);
}

void kn_ntuple_indices(const KnNtuple *net, const uint8_t *board, int side, int phase, uint32_t *indices)
{
    uint16_t local[KN_NTUPLE_PLACEMENTS];
    uint32_t tables = (uint32_t)kn_ntuple_tables(net, side, phase);
    kn_board_rows_add(&net->rows, board, side, local);
    for (int p = 0; p < net->placements; p++) indices[p] = tables + net->base[p] + local[p];
}
