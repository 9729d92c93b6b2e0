/* The sum of an n-tuple network: rows of index contributions, and the weights that the indices select. */
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "learn/ntuple_inside.h"

enum {
    ROWS_GOOD = 1 << 19, /* numbers in all rows that still stay in a processor's cache */
    ROWS_MOST = 1 << 26,
    BLOCK = 32, /* cells whose codes the vector code makes at a time */
    CHUNKS = KN_NTUPLE_CELLS
};

/* ---- rows ---- */

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

/* The largest chunk whose rows stay small. */
static void choose_chunk(KnNtuple *net)
{
    for (net->chunk = 4;; net->chunk /= 2) {
        net->chunks = (net->cells + net->chunk - 1) / net->chunk;
        net->codes = net->chunk == 1 ? net->symbols : power(net->symbols, net->chunk);
        if (net->chunk == 1 || (double)net->chunks * net->codes * net->padded <= ROWS_GOOD) return;
    }
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

/* The row of a chunk and a code as a side sees them. */
static void fill_row(const KnNtuple *net, const uint16_t *contributions, int side, int chunk, int code,
                     uint16_t *row)
{
    memset(row, 0, (size_t)net->padded * sizeof *row);
    for (int i = 0; i < net->chunk && chunk * net->chunk + i < net->cells; i++, code /= net->symbols) {
        int cell = net->seen[side][chunk * net->chunk + i], symbol = net->symbol[side][code % net->symbols];
        const uint16_t *part = contributions + (size_t)(cell * net->symbols + symbol) * (size_t)net->padded;
        for (int p = 0; p < net->padded; p++) row[p] = (uint16_t)(row[p] + part[p]);
    }
}

/* The chunk that the second side sees in the place of a chunk; -1 if its cells are not together. */
static int seen_chunk(const KnNtuple *net, int chunk)
{
    int first = chunk * net->chunk, found = net->seen[1][first] / net->chunk, count = 0;
    for (int i = 0; i < net->chunk && first + i < net->cells; i++, count++)
        if (net->seen[1][first + i] / net->chunk != found) return -1;
    return count == net->chunk || found == net->chunks - 1 ? found : -1;
}

/* The code of chunk `chunk` in the eyes of the second side, which sees chunk `seen` there. */
static int seen_code(const KnNtuple *net, int chunk, int seen, int code)
{
    int result = 0;
    for (int i = 0; i < net->chunk && chunk * net->chunk + i < net->cells; i++, code /= net->symbols)
        result += power(net->symbols, net->seen[1][chunk * net->chunk + i] - seen * net->chunk) *
                  net->symbol[1][code % net->symbols];
    return result;
}

static void fill_rows(KnNtuple *net, const uint16_t *contributions)
{
    size_t padded = (size_t)net->padded;
    uint32_t own = (uint32_t)(net->chunks * net->codes); /* the second side's, where it has own rows */
    for (int chunk = 0; chunk < net->chunks; chunk++) {
        int seen = seen_chunk(net, chunk);
        for (int code = 0; code < net->codes; code++) {
            uint32_t at = (uint32_t)(chunk * net->codes + code), other = own;
            fill_row(net, contributions, 0, chunk, code, net->rows + at * padded);
            if (seen >= 0)
                other = (uint32_t)(seen * net->codes + seen_code(net, chunk, seen, code));
            else
                fill_row(net, contributions, 1, chunk, code, net->rows + own++ * padded);
            net->row_of[0][at] = at * (uint32_t)padded;
            net->row_of[1][at] = other * (uint32_t)padded;
        }
    }
    for (int p = 0; p < net->placements; p++) net->base[p] = net->tuple[net->owner[p]].offset;
    for (int p = net->placements; p < net->padded; p++) net->base[p] = net->entries; /* a weight of zero */
}

#if defined(__x86_64__)
static int32_t sum_avx2(const KnNtuple *net, const uint8_t *board, int side, int phase);
#endif

KnStatus kn_ntuple_make_rows(KnNtuple *net, KnError *error)
{
    choose_chunk(net);
    size_t count = (size_t)net->chunks * (size_t)net->codes, rows = count * (size_t)net->padded;
    for (int chunk = 0; chunk < net->chunks; chunk++)
        if (seen_chunk(net, chunk) < 0) rows += (size_t)net->codes * (size_t)net->padded;
    if (rows > ROWS_MOST) return kn_fail(error, KN_INPUT, "the network has too many tuples for its board");
    uint16_t *contributions = list_contributions(net);
    net->rows = aligned_alloc(32, rows * sizeof *net->rows);
    net->base = aligned_alloc(32, (size_t)net->padded * sizeof *net->base);
    for (int side = 0; side < 2; side++) net->row_of[side] = calloc(count, sizeof *net->row_of[side]);
    bool enough = contributions && net->rows && net->base && net->row_of[0] && net->row_of[1];
    if (enough) fill_rows(net, contributions);
    free(contributions);
    net->sum = kn_ntuple_sum_plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) net->sum = sum_avx2;
#endif
    return enough ? KN_OK : kn_fail_memory(error, "making a network");
}

/* ---- summing ---- */

/* Where the rows of the chunks begin, from chunk `first` on. */
static inline void find_rows(const KnNtuple *net, const uint8_t *board, int side, int first, uint32_t *rows)
{
    for (int chunk = first; chunk < net->chunks; chunk++) {
        int code = 0, begin = chunk * net->chunk, end = begin + net->chunk;
        if (end > net->cells) end = net->cells;
        for (int c = end - 1; c >= begin; c--) {
            KN_ASSERT(board[c] < net->symbols);
            code = code * net->symbols + board[c];
        }
        rows[chunk] = net->row_of[side][chunk * net->codes + code];
    }
}

static void add_rows(const KnNtuple *net, const uint8_t *board, int side, uint16_t *indices)
{
    uint32_t rows[CHUNKS];
    find_rows(net, board, side, 0, rows);
    memset(indices, 0, (size_t)net->padded * sizeof *indices);
    for (int r = 0; r < net->chunks; r++) {
        const uint16_t *row = net->rows + rows[r];
        for (int p = 0; p < net->padded; p++) indices[p] = (uint16_t)(indices[p] + row[p]);
    }
}

int32_t kn_ntuple_sum_plain(const KnNtuple *net, const uint8_t *board, int side, int phase)
{
    uint16_t indices[KN_NTUPLE_PLACEMENTS];
    const int16_t *weights = net->weights + kn_ntuple_tables(net, side, phase);
    int32_t sum = 0;
    KN_ASSERT(phase >= 0 && phase < net->phases);
    add_rows(net, board, side, indices);
    for (int p = 0; p < net->placements; p++) sum += weights[net->base[p] + indices[p]];
    return sum;
}

#if defined(__x86_64__)

/* The codes of chunks of four cells, eight at a time: each pair of bytes, then each pair of pairs becomes one
 * number. */
__attribute__((target("avx2"))) static inline int find_rows_avx2(const KnNtuple *net, const uint8_t *board,
                                                                 int side, uint32_t *rows)
{
    const int symbols = net->symbols, blocks = net->chunk == 4 ? net->cells / BLOCK : 0;
    const __m256i pairs = _mm256_set1_epi16((short)(1 | symbols << 8)),
                  fours = _mm256_set1_epi32(1 | symbols * symbols << 16),
                  step = _mm256_set1_epi32(8 * net->codes);
    __m256i chunk = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                       _mm256_set1_epi32(net->codes));
    for (int b = 0; b < blocks; b++, chunk = _mm256_add_epi32(chunk, step)) {
        __m256i cells = _mm256_loadu_si256((const __m256i *)(const void *)(board + b * BLOCK));
        __m256i codes = _mm256_madd_epi16(_mm256_maddubs_epi16(cells, pairs), fours);
        __m256i at = _mm256_i32gather_epi32((const int *)(const void *)net->row_of[side],
                                            _mm256_add_epi32(codes, chunk), 4);
        _mm256_storeu_si256((__m256i *)(void *)(rows + b * (BLOCK / 4)), at);
    }
    return blocks * (BLOCK / 4);
}

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
    for (int r = 0; r < net->chunks; r++) {
        const __m256i *row = (const __m256i *)(const void *)(net->rows + rows[r] + p);
        for (int v = 0; v < vectors; v++) index[v] = _mm256_add_epi16(index[v], row[v]);
    }
    for (int v = 0; v < vectors; v++) {
        const uint32_t *base = net->base + p + v * KN_NTUPLE_LANES;
        sum = fetch(sum, weights, base, _mm256_castsi256_si128(index[v]));
        sum = fetch(sum, weights, base + 8, _mm256_extracti128_si256(index[v], 1));
    }
    return sum;
}

__attribute__((target("avx2"))) static int32_t sum_avx2(const KnNtuple *net, const uint8_t *board, int side,
                                                        int phase)
{
    uint32_t rows[CHUNKS];
    const int16_t *weights = net->weights + kn_ntuple_tables(net, side, phase);
    KN_ASSERT(phase >= 0 && phase < net->phases);
    find_rows(net, board, side, find_rows_avx2(net, board, side, rows), rows);
    __m256i sum = _mm256_setzero_si256();
    int p = 0, left = net->padded / KN_NTUPLE_LANES;
    for (; left >= AT_ONCE; left -= AT_ONCE, p += AT_ONCE * KN_NTUPLE_LANES)
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
    add_rows(net, board, side, local);
    for (int p = 0; p < net->placements; p++) indices[p] = tables + net->base[p] + local[p];
}
