#include "learn/ntuple_inside.h"

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* ---- life ---- */

KnNtuple *kn_ntuple_new(int cells, int symbols, int phases)
{
    KN_ASSERT(cells > 0 && cells <= KN_NTUPLE_CELLS && symbols > 1 && symbols <= KN_NTUPLE_SYMBOLS);
    KN_ASSERT(phases > 0 && phases <= KN_NTUPLE_PHASES);
    KnNtuple *net = calloc(1, sizeof *net);
    if (!net) return NULL;
    net->cells = cells;
    net->symbols = symbols;
    net->phases = phases;
    net->sets = 2;
    net->tuple = calloc(KN_NTUPLE_PLACEMENTS, sizeof *net->tuple);
    net->place = calloc((size_t)KN_NTUPLE_PLACEMENTS * KN_NTUPLE_LENGTH, sizeof *net->place);
    net->owner = calloc(KN_NTUPLE_PLACEMENTS, sizeof *net->owner);
    bool enough = net->tuple && net->place && net->owner;
    for (int side = 0; side < 2; side++) {
        net->seen[side] = calloc((size_t)cells, sizeof *net->seen[side]);
        net->symbol[side] = calloc((size_t)symbols, sizeof *net->symbol[side]);
        net->row_of[side] = calloc((size_t)cells * (size_t)symbols, sizeof *net->row_of[side]);
        enough = enough && net->seen[side] && net->symbol[side] && net->row_of[side];
        for (int c = 0; enough && c < cells; c++) net->seen[side][c] = (uint16_t)c;
        for (int s = 0; enough && s < symbols; s++) net->symbol[side][s] = (uint8_t)s;
    }
    if (enough) return net;
    kn_ntuple_free(net);
    return NULL;
}

void kn_ntuple_free(KnNtuple *net)
{
    if (!net) return;
    for (int side = 0; side < 2; side++) {
        free(net->seen[side]);
        free(net->symbol[side]);
        free(net->row_of[side]);
    }
    free(net->tuple);
    free(net->place);
    free(net->owner);
    free(net->rows);
    free(net->base);
    free(net->weights);
    free(net);
}

static bool distinct(const KnNtuple *net, int length, const uint16_t *cells)
{
    for (int i = 0; i < length; i++) {
        if (cells[i] >= net->cells) return false;
        for (int j = 0; j < i; j++)
            if (cells[i] == cells[j]) return false;
    }
    return true;
}

KnStatus kn_ntuple_add(KnNtuple *net, int length, int count, const uint16_t *cells, KnError *error)
{
    KN_ASSERT(!net->weights);
    uint32_t entries = 1;
    if (length < 1 || length > KN_NTUPLE_LENGTH || count < 1 ||
        count > KN_NTUPLE_PLACEMENTS - net->placements)
        return kn_fail(error, KN_INPUT,
                       "a tuple of %d cells in %d placements: at most %d cells and %d "
                       "placements in all are possible",
                       length, count, KN_NTUPLE_LENGTH, KN_NTUPLE_PLACEMENTS);
    for (int i = 0; i < length; i++) {
        entries *= (uint32_t)net->symbols;
        if (entries > KN_NTUPLE_TABLE)
            return kn_fail(error, KN_INPUT, "a tuple of %d cells with %d symbols needs more than %d weights",
                           length, net->symbols, KN_NTUPLE_TABLE);
    }
    if (net->entries > KN_NTUPLE_WEIGHTS - entries)
        return kn_fail(error, KN_INPUT, "the tuples need more than %d weights", KN_NTUPLE_WEIGHTS);
    for (int p = 0; p < count; p++)
        if (!distinct(net, length, cells + (size_t)p * (size_t)length))
            return kn_fail(error, KN_INPUT, "a tuple has a cell twice, or one beyond the board's %d cells",
                           net->cells);
    net->tuple[net->tuples] = (KnTuple){length, net->placements, count, net->entries, entries};
    for (int p = 0; p < count; p++) {
        memcpy(net->place + (size_t)net->placements * KN_NTUPLE_LENGTH, cells + (size_t)p * (size_t)length,
               (size_t)length * sizeof *cells);
        net->owner[net->placements++] = net->tuples;
    }
    net->entries += entries;
    net->tuples++;
    return KN_OK;
}

KnStatus kn_ntuple_exchange(KnNtuple *net, const uint16_t *cells, const uint8_t *symbols, KnError *error)
{
    KN_ASSERT(!net->weights);
    bool cell_hit[KN_NTUPLE_CELLS] = {false}, symbol_hit[KN_NTUPLE_SYMBOLS] = {false};
    bool good = symbols[0] == 0;
    for (int c = 0; c < net->cells && good; c++) {
        good = cells[c] < net->cells && !cell_hit[cells[c]];
        if (good) cell_hit[cells[c]] = true;
    }
    for (int s = 0; s < net->symbols && good; s++) {
        good = symbols[s] < net->symbols && !symbol_hit[symbols[s]];
        if (good) symbol_hit[symbols[s]] = true;
    }
    if (!good) return kn_fail(error, KN_INPUT, "an exchange of sides that is no permutation");
    memcpy(net->seen[1], cells, (size_t)net->cells * sizeof *cells);
    memcpy(net->symbol[1], symbols, (size_t)net->symbols);
    net->sets = 1;
    return KN_OK;
}

/* ---- tables ---- */

static void fill_rows(KnNtuple *net)
{
    for (int p = 0; p < net->placements; p++) {
        const KnTuple *tuple = &net->tuple[net->owner[p]];
        uint32_t power = 1;
        net->base[p] = tuple->offset;
        for (int i = 0; i < tuple->length; i++, power *= (uint32_t)net->symbols) {
            size_t cell = net->place[(size_t)p * KN_NTUPLE_LENGTH + (size_t)i];
            for (int s = 1; s < net->symbols; s++)
                net->rows[(cell * (size_t)(net->symbols - 1) + (size_t)(s - 1)) * (size_t)net->padded +
                          (size_t)p] = (uint16_t)(power * (uint32_t)s);
        }
    }
    for (int p = net->placements; p < net->padded; p++) net->base[p] = net->entries; /* a weight of zero */
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < net->cells; c++)
            for (int s = 1; s < net->symbols; s++)
                net->row_of[side][c * net->symbols + s] =
                    ((uint32_t)net->seen[side][c] * (uint32_t)(net->symbols - 1) + net->symbol[side][s] - 1) *
                    (uint32_t)net->padded;
}

static int32_t sum_avx2(const KnNtuple *net, const uint8_t *board, int side, int phase);

KnStatus kn_ntuple_finish(KnNtuple *net, KnError *error)
{
    KN_ASSERT(!net->weights);
    if (!net->tuples) return kn_fail(error, KN_INPUT, "a network without tuples");
    net->padded = (net->placements + KN_NTUPLE_LANES - 1) / KN_NTUPLE_LANES * KN_NTUPLE_LANES;
    net->stride = ((size_t)net->entries + 16) & ~(size_t)15; /* leaves at least one zero at the end */
    size_t rows = (size_t)net->cells * (size_t)(net->symbols - 1) * (size_t)net->padded,
           size = kn_ntuple_size(net);
    if (size > KN_NTUPLE_WEIGHTS || rows > (size_t)1 << 26)
        return kn_fail(error, KN_INPUT, "a network with %zu weights: at most %d are possible", size,
                       KN_NTUPLE_WEIGHTS);
    net->rows = aligned_alloc(32, rows * sizeof *net->rows);
    net->base = aligned_alloc(32, (size_t)net->padded * sizeof *net->base);
    net->weights = calloc(size + 2, sizeof *net->weights); /* the vector code reads two weights at a time */
    if (!net->rows || !net->base || !net->weights) return kn_fail_memory(error, "making a network");
    memset(net->rows, 0, rows * sizeof *net->rows);
    fill_rows(net);
    net->sum = __builtin_cpu_supports("avx2") ? sum_avx2 : kn_ntuple_sum_plain;
    return KN_OK;
}

/* ---- summing ---- */

/* Where the rows of the occupied cells begin. */
static inline int occupied_rows(const KnNtuple *net, const uint8_t *board, int side, uint32_t *rows)
{
    const uint32_t *row_of = net->row_of[side];
    int count = 0;
    for (int c = 0; c < net->cells; c++, row_of += net->symbols) {
        KN_ASSERT(board[c] < net->symbols);
        rows[count] = row_of[board[c]];
        count += board[c] != 0;
    }
    return count;
}

static void add_rows(const KnNtuple *net, const uint8_t *board, int side, uint16_t *indices)
{
    uint32_t rows[KN_NTUPLE_CELLS + 1];
    int count = occupied_rows(net, board, side, rows);
    memset(indices, 0, (size_t)net->padded * sizeof *indices);
    for (int r = 0; r < count; r++) {
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

/* The weights of eight placements, added to `sum`. Each lane fetches two weights and keeps the lower one. */
__attribute__((target("avx2"))) static inline __m256i fetch(__m256i sum, const int16_t *weights,
                                                            const uint32_t *base, __m128i indices)
{
    __m256i at = _mm256_add_epi32(_mm256_cvtepu16_epi32(indices),
                                  _mm256_load_si256((const __m256i *)(const void *)base));
    __m256i pair = _mm256_i32gather_epi32((const int *)(const void *)weights, at, 2);
    return _mm256_add_epi32(sum, _mm256_srai_epi32(_mm256_slli_epi32(pair, 16), 16));
}

__attribute__((target("avx2"))) static int32_t sum_avx2(const KnNtuple *net, const uint8_t *board, int side,
                                                        int phase)
{
    enum { AT_ONCE = 4 }; /* vectors of indices in registers */
    uint32_t rows[KN_NTUPLE_CELLS + 1];
    const int16_t *weights = net->weights + kn_ntuple_tables(net, side, phase);
    KN_ASSERT(phase >= 0 && phase < net->phases);
    int count = occupied_rows(net, board, side, rows);
    __m256i sum = _mm256_setzero_si256();
    for (int p = 0; p < net->padded; p += AT_ONCE * KN_NTUPLE_LANES) {
        int vectors = (net->padded - p) / KN_NTUPLE_LANES;
        __m256i index[AT_ONCE] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                                  _mm256_setzero_si256()};
        if (vectors >= AT_ONCE) {
            vectors = AT_ONCE;
            for (int r = 0; r < count; r++) {
                const __m256i *row = (const __m256i *)(const void *)(net->rows + rows[r] + p);
                for (int v = 0; v < AT_ONCE; v++) index[v] = _mm256_add_epi16(index[v], row[v]);
            }
        } else
            for (int r = 0; r < count; r++) {
                const __m256i *row = (const __m256i *)(const void *)(net->rows + rows[r] + p);
                for (int v = 0; v < vectors; v++) index[v] = _mm256_add_epi16(index[v], row[v]);
            }
        for (int v = 0; v < vectors; v++) {
            const uint32_t *base = net->base + p + v * KN_NTUPLE_LANES;
            sum = fetch(sum, weights, base, _mm256_castsi256_si128(index[v]));
            sum = fetch(sum, weights, base + 8, _mm256_extracti128_si256(index[v], 1));
        }
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

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

/* ---- what it consists of ---- */

int kn_ntuple_cells(const KnNtuple *net) { return net->cells; }
int kn_ntuple_symbols(const KnNtuple *net) { return net->symbols; }
int kn_ntuple_phases(const KnNtuple *net) { return net->phases; }
int kn_ntuple_tuples(const KnNtuple *net) { return net->tuples; }
int kn_ntuple_placements(const KnNtuple *net) { return net->placements; }
bool kn_ntuple_exchanges(const KnNtuple *net) { return net->sets == 1; }
int16_t *kn_ntuple_weights(const KnNtuple *net) { return net->weights; }
int kn_ntuple_seen(const KnNtuple *net, int side, int cell) { return net->seen[side][cell]; }

const uint16_t *kn_ntuple_placement(const KnNtuple *net, int placement, int *length, int *tuple)
{
    KN_ASSERT(placement >= 0 && placement < net->placements);
    *tuple = net->owner[placement];
    *length = net->tuple[*tuple].length;
    return net->place + (size_t)placement * KN_NTUPLE_LENGTH;
}

size_t kn_ntuple_size(const KnNtuple *net) { return (size_t)net->sets * (size_t)net->phases * net->stride; }

bool kn_ntuple_used(const KnNtuple *net, size_t weight) { return weight % net->stride < net->entries; }
