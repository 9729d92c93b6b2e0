#include "learn/neural_inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static bool is_permutation(const uint16_t *cells, int count)
{
    bool hit[KN_NEURAL_CELLS] = {false};
    for (int i = 0; i < count; i++) {
        if (cells[i] >= count || hit[cells[i]]) return false;
        hit[cells[i]] = true;
    }
    return true;
}

static bool take_exchange(KnNeural *net, const uint16_t *cells, const uint8_t *symbols)
{
    for (int c = 0; c < net->size.cells; c++) net->seen[c] = cells ? cells[c] : (uint16_t)c;
    uint16_t wide[KN_NEURAL_SYMBOLS];
    for (int s = 0; s < net->size.symbols; s++) wide[s] = net->symbol[s] = symbols ? symbols[s] : (uint8_t)s;
    net->sets = cells ? 1 : 2;
    return is_permutation(net->seen, net->size.cells) && is_permutation(wide, net->size.symbols) && !wide[0];
}

static void lay_out(KnNeural *net)
{
    size_t units = (size_t)net->size.units, outputs = (size_t)net->sets * (size_t)net->size.phases;
    KnNeuralLayout *at = &net->at;
    at->bias = (size_t)net->size.cells * (size_t)net->size.symbols * units;
    at->output = at->bias + (size_t)net->sets * units;
    at->last = at->output + outputs * units;
    at->count = at->last + outputs;
}

KnStatus kn_neural_new(KnNeuralSize size, const uint16_t *cells, const uint8_t *symbols, KnNeural **out,
                       KnError *error)
{
    *out = NULL;
    if (size.cells < 1 || size.cells > KN_NEURAL_CELLS || size.symbols < 2 ||
        size.symbols > KN_NEURAL_SYMBOLS || size.phases < 1 || size.phases > KN_NEURAL_PHASES ||
        size.units < 1 || size.units > KN_NEURAL_UNITS || size.units % KN_NEURAL_STEP)
        return kn_fail(error, KN_INPUT,
                       "a neural network of an impossible size: at most %d cells, %d symbols, %d phases, and "
                       "up to %d units, a multiple of %d, are possible",
                       KN_NEURAL_CELLS, KN_NEURAL_SYMBOLS, KN_NEURAL_PHASES, KN_NEURAL_UNITS, KN_NEURAL_STEP);
    KnNeural *net = calloc(1, sizeof *net);
    if (!net) return kn_fail_memory(error, "making a network");
    net->size = size;
    KnStatus status = take_exchange(net, cells, symbols)
                          ? KN_OK
                          : kn_fail(error, KN_INPUT, "an exchange of sides that is no permutation");
    lay_out(net);
    if (status == KN_OK && net->at.count > KN_NEURAL_WEIGHTS)
        status = kn_fail(error, KN_INPUT,
                         "a network with %zu weights: at most %d are possible; take fewer units",
                         net->at.count, KN_NEURAL_WEIGHTS);
    size_t room = (net->at.count * sizeof *net->weights + 31) & ~(size_t)31;
    if (status == KN_OK && !(net->weights = aligned_alloc(32, room)))
        status = kn_fail_memory(error, "making a network");
    if (status == KN_OK) {
        memset(net->weights, 0, room);
        status = kn_neural_renew(net, error);
    }
    if (status == KN_OK)
        *out = net;
    else
        kn_neural_free(net);
    return status;
}

void kn_neural_free(KnNeural *net)
{
    if (!net) return;
    kn_board_rows_free(&net->rows);
    free(net->weights);
    free(net);
}

KnNeuralSize kn_neural_size(const KnNeural *net) { return net->size; }

/* ---- values ---- */

/* The sum of squared units times their weights, as a value. */
static int32_t finish(const KnNeural *net, int64_t sum, size_t output)
{
    const int64_t one = (int64_t)KN_NEURAL_FULL * KN_NEURAL_FULL * KN_NEURAL_PART;
    return (int32_t)(sum * KN_NEURAL_ONE / one) + net->weights[net->at.last + output];
}

static size_t output_of(const KnNeural *net, int side, int phase)
{
    KN_ASSERT(phase >= 0 && phase < net->size.phases);
    return (size_t)(kn_neural_set(net, side) * net->size.phases + phase);
}

/* The units of a board, bounded and squared. */
static void square_units(const KnNeural *net, const uint8_t *board, int side, int32_t *squares)
{
    uint16_t units[KN_NEURAL_UNITS];
    size_t count = (size_t)net->size.units;
    const int16_t *bias = net->weights + net->at.bias + (size_t)kn_neural_set(net, side) * count;
    kn_board_rows_add(&net->rows, board, side, units);
    for (size_t u = 0; u < count; u++) {
        int unit = (int16_t)(uint16_t)(units[u] + (uint16_t)bias[u]);
        if (unit < 0) unit = 0;
        if (unit > KN_NEURAL_FULL) unit = KN_NEURAL_FULL;
        squares[u] = unit * unit;
    }
}

int32_t kn_neural_value_plain(const KnNeural *net, const uint8_t *board, int side, int phase)
{
    int32_t squares[KN_NEURAL_UNITS];
    size_t output = output_of(net, side, phase), count = (size_t)net->size.units;
    const int16_t *weights = net->weights + net->at.output + output * count;
    int64_t sum = 0;
    square_units(net, board, side, squares);
    for (size_t u = 0; u < count; u++) sum += squares[u] * weights[u];
    return finish(net, sum, output);
}

void kn_neural_contributions(const KnNeural *net, const uint8_t *board, int side, int phase, double *added)
{
    int32_t squares[KN_NEURAL_UNITS];
    size_t count = (size_t)net->size.units;
    const int16_t *weights = net->weights + net->at.output + output_of(net, side, phase) * count;
    const double one = (double)KN_NEURAL_FULL * KN_NEURAL_FULL * KN_NEURAL_PART;
    square_units(net, board, side, squares);
    for (size_t u = 0; u < count; u++) added[u] = (double)squares[u] * weights[u] * KN_NEURAL_ONE / one;
}

double kn_neural_weight(const KnNeural *net, int cell, int symbol, int unit)
{
    KN_ASSERT(cell >= 0 && cell < net->size.cells && symbol >= 0 && symbol < net->size.symbols);
    size_t row = (size_t)(cell * net->size.symbols + symbol);
    return (double)net->weights[net->at.first + row * (size_t)net->size.units + (size_t)unit] /
           KN_NEURAL_FULL;
}

#if defined(__x86_64__)

enum { AT_ONCE = 4 }; /* vectors of units in registers */

/* The sum over the units from u on, as many as fill `vectors`, a constant in each call. The sum of all units
 * fits 32 bits. */
__attribute__((target("avx2"), always_inline)) static inline __m256i
add_units(__m256i sum, const KnNeural *net, const uint32_t *rows, const int16_t *bias, const int16_t *weights,
          int u, const int vectors)
{
    const __m256i zero = _mm256_setzero_si256(), full = _mm256_set1_epi16(KN_NEURAL_FULL);
    __m256i unit[AT_ONCE];
    for (int v = 0; v < vectors; v++)
        unit[v] = _mm256_load_si256((const __m256i *)(const void *)(bias + u + v * KN_ROW_LANES));
    for (int r = 0; r < net->rows.chunks; r++) {
        const __m256i *row = (const __m256i *)(const void *)(net->rows.rows + rows[r] + u);
        for (int v = 0; v < vectors; v++) unit[v] = _mm256_add_epi16(unit[v], row[v]);
    }
    for (int v = 0; v < vectors; v++) {
        __m256i bounded = _mm256_min_epi16(_mm256_max_epi16(unit[v], zero), full);
        __m256i weight = _mm256_load_si256((const __m256i *)(const void *)(weights + u + v * KN_ROW_LANES));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(bounded, _mm256_mullo_epi16(bounded, weight)));
    }
    return sum;
}

__attribute__((target("avx2"))) static int32_t value_avx2(const KnNeural *net, const uint8_t *board, int side,
                                                          int phase)
{
    uint32_t rows[KN_ROW_CELLS];
    size_t output = output_of(net, side, phase), count = (size_t)net->size.units;
    const int16_t *bias = net->weights + net->at.bias + (size_t)kn_neural_set(net, side) * count,
                  *weights = net->weights + net->at.output + output * count;
    kn_board_rows_find_avx2(&net->rows, board, side, rows);
    __m256i sum = _mm256_setzero_si256();
    int u = 0, left = net->size.units / KN_ROW_LANES;
    for (; left >= AT_ONCE; left -= AT_ONCE, u += AT_ONCE * KN_ROW_LANES)
        sum = add_units(sum, net, rows, bias, weights, u, AT_ONCE);
    for (; left; left--, u += KN_ROW_LANES) sum = add_units(sum, net, rows, bias, weights, u, 1);
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return finish(net, _mm_cvtsi128_si32(half), output);
}

#endif

int32_t kn_neural_value(const KnNeural *net, const uint8_t *board, int side, int phase)
{
    return net->value(net, board, side, phase);
}

KnStatus kn_neural_renew(KnNeural *net, KnError *error)
{
    KnBoardRows rows;
    KnStatus status = kn_board_rows_make(&rows, net->size.cells, net->size.symbols, net->size.units,
                                         (const uint16_t *)net->weights + net->at.first,
                                         (KnBoardExchange){net->seen, net->symbol}, error);
    if (status != KN_OK) {
        kn_board_rows_free(&rows);
        return status;
    }
    kn_board_rows_free(&net->rows);
    net->rows = rows;
    net->value = kn_neural_value_plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) net->value = value_avx2;
#endif
    return KN_OK;
}
