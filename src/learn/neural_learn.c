/* Learning the weights of a neural network by Adam, in floats that the network has rounded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "jobs/pack.h"
#include "learn/neural_inside.h"
#include "learn/packed.h"

enum { SYMMETRIES = 64, LANES = 4 };

/* A board to learn from; its cells are those that the weights know. */
typedef struct Sample {
    float target;
    uint8_t set, phase;
} Sample;

struct KnNeuralLearner {
    KnNeural *net;
    KnNeuralPlan plan;
    uint64_t updates, steps;
    double decay[2];                /* Adam's beta to the power of steps */
    float *weights, *gradient;      /* by KnNeuralLayout */
    float *mean, *square;           /* Adam's moments */
    uint16_t *symmetry[SYMMETRIES]; /* permutations of the cells */
    int symmetries;
    Sample *samples;
    uint8_t *cells;
    size_t count, capacity;
    bool lost; /* a board found no room */
};

/* Bounds of weights, so that rounded ones fit: a sum over the board stays within 16 bits. */
static float first_bound(const KnNeural *net)
{
    float bound = 32767.0f / (float)(KN_NEURAL_FULL * (net->size.cells + 1)), most = 2;
    return bound < most ? bound : most;
}

static const float OUTPUT_BOUND = (float)KN_NEURAL_MOST / KN_NEURAL_PART, LAST_BOUND = 7;

static float bounded(float weight, float bound)
{
    return weight > bound ? bound : weight < -bound ? -bound : weight;
}

/* ---- life ---- */

static void draw_weights(KnNeuralLearner *l)
{
    const KnNeuralLayout *at = &l->net->at;
    const float spread = 0.15f, first = bounded(spread, first_bound(l->net));
    KnRng rng = kn_rng_seeded(l->plan.seed);
    for (size_t i = 0; i < at->count; i++) {
        float real = (float)(2 * kn_rng_real(&rng) - 1);
        if (i < at->bias)
            l->weights[i] = i / (size_t)l->net->size.units % (size_t)l->net->size.symbols ? first * real : 0;
        else if (i < at->output)
            l->weights[i] = bounded(0.25f + spread * real, first_bound(l->net));
        else if (i < at->last)
            l->weights[i] = spread * real;
        else
            l->weights[i] = 0;
    }
}

/* Writes the rounded weights into the network. */
static KnStatus renew(KnNeuralLearner *l, KnError *error)
{
    const KnNeuralLayout *at = &l->net->at;
    for (size_t i = 0; i < at->count; i++) {
        float one = i < at->output ? KN_NEURAL_FULL : i < at->last ? KN_NEURAL_PART : KN_NEURAL_ONE;
        l->net->weights[i] = (int16_t)lrintf(l->weights[i] * one);
    }
    return kn_neural_renew(l->net, error);
}

KnNeuralLearner *kn_neural_learner_new(KnNeural *net, const KnNeuralPlan *plan)
{
    KnNeuralLearner *l = calloc(1, sizeof *l);
    KnError error;
    if (!l) return NULL;
    KN_ASSERT(plan->passes > 0 && plan->minibatch > 0);
    l->net = net;
    l->plan = *plan;
    l->decay[0] = l->decay[1] = 1;
    float **arrays[] = {&l->weights, &l->gradient, &l->mean, &l->square};
    bool enough = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = calloc(net->at.count, sizeof **arrays[i]);
        enough = enough && *arrays[i];
    }
    if (enough) draw_weights(l);
    if (enough && renew(l, &error) == KN_OK) return l;
    kn_neural_learner_free(l);
    return NULL;
}

void kn_neural_learner_free(KnNeuralLearner *l)
{
    if (!l) return;
    for (int i = 0; i < l->symmetries; i++) free(l->symmetry[i]);
    free(l->weights);
    free(l->gradient);
    free(l->mean);
    free(l->square);
    free(l->samples);
    free(l->cells);
    free(l);
}

bool kn_neural_learner_symmetry(KnNeuralLearner *l, const uint16_t *cells)
{
    size_t size = (size_t)l->net->size.cells * sizeof *cells;
    if (l->symmetries == SYMMETRIES) return true;
    uint16_t *copy = malloc(size);
    if (!copy) return false;
    l->symmetry[l->symmetries++] = memcpy(copy, cells, size);
    return true;
}

/* ---- boards ---- */

static bool make_room(KnNeuralLearner *l)
{
    if (l->count < l->capacity) return true;
    size_t capacity = l->capacity ? 2 * l->capacity : 1024;
    Sample *samples = realloc(l->samples, capacity * sizeof *samples);
    if (samples) l->samples = samples;
    uint8_t *cells = realloc(l->cells, capacity * (size_t)l->net->size.cells);
    if (cells) l->cells = cells;
    if (!samples || !cells) return false;
    l->capacity = capacity;
    return true;
}

double kn_neural_learner_add(KnNeuralLearner *l, const uint8_t *board, int side, int phase, double target)
{
    const KnNeural *net = l->net;
    double off = target - kn_math_tanh((double)kn_neural_value(net, board, side, phase) / KN_NEURAL_ONE);
    KN_ASSERT(target >= -1 && target <= 1);
    l->lost = l->lost || !make_room(l);
    if (l->lost) return off; /* the update will fail */
    uint8_t *cells = l->cells + l->count * (size_t)net->size.cells;
    for (int c = 0; c < net->size.cells; c++)
        cells[side ? net->seen[c] : c] = side ? net->symbol[board[c]] : board[c];
    l->samples[l->count++] = (Sample){(float)target, (uint8_t)kn_neural_set(net, side), (uint8_t)phase};
    return off;
}

/* ---- gradients ---- */

static void add_row(float *restrict to, const float *restrict row, size_t count)
{
    for (size_t u = 0; u < count; u++) to[u] += row[u];
}

/* The weighted sum of the squares of the units, in a fixed order. */
static float output_sum(const float *units, const float *weights, size_t count)
{
    float sum[LANES] = {0};
    for (size_t u = 0; u < count; u += LANES)
        for (size_t k = 0; k < LANES; k++) sum[k] += units[u + k] * units[u + k] * weights[u + k];
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* Adds the gradient of one board. */
static void add_gradient(KnNeuralLearner *l, const Sample *sample, const uint8_t *cells,
                         const uint16_t *symmetry)
{
    const KnNeural *net = l->net;
    const size_t count = (size_t)net->size.units, symbols = (size_t)net->size.symbols,
                 output = (size_t)(sample->set * net->size.phases + sample->phase),
                 bias = net->at.bias + sample->set * count, outputs = net->at.output + output * count;
    float units[KN_NEURAL_UNITS], back[KN_NEURAL_UNITS];
    size_t rows[KN_NEURAL_CELLS], active = 0;
    memcpy(units, l->weights + bias, count * sizeof *units);
    for (size_t c = 0; c < (size_t)net->size.cells; c++)
        if (cells[c]) rows[active++] = ((symmetry ? symmetry[c] : c) * symbols + cells[c]) * count;
    for (size_t r = 0; r < active; r++) add_row(units, l->weights + rows[r], count);
    for (size_t u = 0; u < count; u++) { /* bounded, and whether the bounds let it learn */
        back[u] = units[u] > 0 && units[u] < 1 ? 2 : 0;
        units[u] = units[u] < 0 ? 0 : units[u] > 1 ? 1 : units[u];
    }
    const float *weights = l->weights + outputs;
    float value = l->weights[net->at.last + output] + output_sum(units, weights, count),
          slope = (float)kn_math_tanh(value) - sample->target;
    float *gradient = l->gradient + outputs;
    for (size_t u = 0; u < count; u++) {
        back[u] *= slope * units[u] * weights[u];
        gradient[u] += slope * units[u] * units[u];
    }
    l->gradient[net->at.last + output] += slope;
    add_row(l->gradient + bias, back, count);
    for (size_t r = 0; r < active; r++) add_row(l->gradient + rows[r], back, count);
}

/* Adam (Kingma & Ba 2015), with weights kept in their bounds. */
static void step(KnNeuralLearner *l, size_t boards, double rate)
{
    enum { KINDS = 3 };
    static const double beta[2] = {0.9, 0.999};
    const KnNeuralLayout *at = &l->net->at;
    for (int i = 0; i < 2; i++) l->decay[i] *= beta[i];
    l->steps++;
    const float b0 = (float)beta[0], b1 = (float)beta[1], share = 1.0f / (float)boards, tiny = 1e-8f,
                first = (float)(rate / (1 - l->decay[0])), second = (float)(1 / (1 - l->decay[1])),
                bounds[KINDS] = {first_bound(l->net), OUTPUT_BOUND, LAST_BOUND};
    const size_t ends[KINDS] = {at->output, at->last, at->count};
    float *restrict w = l->weights, *restrict m = l->mean, *restrict v = l->square, *restrict g = l->gradient;
    for (size_t kind = 0, i = 0; kind < KINDS; kind++)
        for (; i < ends[kind]; i++) {
            float slope = g[i] * share;
            m[i] = b0 * m[i] + (1 - b0) * slope;
            v[i] = b1 * v[i] + (1 - b1) * slope * slope;
            w[i] = bounded(w[i] - first * m[i] / (sqrtf(v[i] * second) + tiny), bounds[kind]);
            g[i] = 0;
        }
}

static void learn_pass(KnNeuralLearner *l, uint32_t *order, double rate, KnRng *rng)
{
    size_t cells = (size_t)l->net->size.cells, minibatch = (size_t)l->plan.minibatch, taken = 0;
    for (size_t i = l->count; i > 1; i--) {
        size_t j = kn_rng_below(rng, (uint32_t)i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < l->count; i++) {
        uint32_t drawn = kn_rng_below(rng, (uint32_t)l->symmetries + 1);
        add_gradient(l, &l->samples[order[i]], l->cells + order[i] * cells,
                     drawn ? l->symmetry[drawn - 1] : NULL);
        if (++taken < minibatch && i + 1 < l->count) continue;
        step(l, taken, rate);
        taken = 0;
    }
}

KnStatus kn_neural_learner_update(KnNeuralLearner *l, double rate, KnError *error)
{
    KnRng rng = kn_rng_stream(l->plan.seed, l->updates++);
    uint32_t *order = malloc((l->count + 1) * sizeof *order);
    if (!order || l->lost) {
        free(order);
        return kn_fail_memory(error, "learning from games");
    }
    for (size_t i = 0; i < l->count; i++) order[i] = (uint32_t)i;
    for (int pass = 0; pass < l->plan.passes; pass++) learn_pass(l, order, rate, &rng);
    free(order);
    l->count = 0;
    return renew(l, error);
}

/* ---- the state as bytes ---- */

static const KnPackedKind STATE = {"kneuralc", "a training of a neural network"};

KnStatus kn_neural_learner_pack(const KnNeuralLearner *l, const char *header, KnText *out, KnError *error)
{
    KnText plain = KN_TEXT_EMPTY;
    size_t size = l->net->at.count * sizeof *l->weights;
    KN_ASSERT(!l->count);
    kn_pack_string(&plain, header);
    kn_pack_u64(&plain, l->updates);
    kn_pack_u64(&plain, l->steps);
    for (int i = 0; i < 2; i++) kn_pack_real(&plain, l->decay[i]);
    kn_pack_bytes(&plain, l->weights, size);
    kn_pack_bytes(&plain, l->mean, size);
    kn_pack_bytes(&plain, l->square, size);
    KnStatus status = kn_packed_compress(&STATE, &plain, 1, out, error);
    kn_text_free(&plain);
    return status;
}

static bool take_floats(KnUnpack *in, float *to, size_t count, float low, float high)
{
    const void *bytes = kn_unpack_bytes(in, count * sizeof *to);
    if (!bytes) return false;
    memcpy(to, bytes, count * sizeof *to);
    for (size_t i = 0; i < count; i++)
        if (!(to[i] >= low && to[i] <= high)) return false;
    return true;
}

static bool take_state(KnNeuralLearner *l, KnUnpack *in, const char **header)
{
    const KnNeuralLayout *at = &l->net->at;
    const float huge = 1e30f, first = first_bound(l->net);
    *header = kn_unpack_string(in);
    l->updates = kn_unpack_u64(in);
    l->steps = kn_unpack_u64(in);
    for (int i = 0; i < 2; i++) l->decay[i] = kn_unpack_real(in);
    if (!*header || !(l->decay[0] >= 0 && l->decay[0] <= 1 && l->decay[1] >= 0 && l->decay[1] <= 1))
        return false;
    return take_floats(in, l->weights, at->output, -first, first) &&
           take_floats(in, l->weights + at->output, at->last - at->output, -OUTPUT_BOUND, OUTPUT_BOUND) &&
           take_floats(in, l->weights + at->last, at->count - at->last, -LAST_BOUND, LAST_BOUND) &&
           take_floats(in, l->mean, at->count, -huge, huge) &&
           take_floats(in, l->square, at->count, 0, huge) && !in->left;
}

KnStatus kn_neural_learner_unpack(KnNeuralLearner *l, const void *bytes, size_t size, const char *name,
                                  char **header, KnError *error)
{
    KnText plain = KN_TEXT_EMPTY;
    size_t most = 3 * l->net->at.count * sizeof *l->weights + ((size_t)1 << 20);
    const char *text = NULL;
    *header = NULL;
    KnStatus status = kn_packed_decompress(&STATE, bytes, size, most, name, &plain, error);
    if (status == KN_OK) {
        KnUnpack in = kn_unpack(plain.data, plain.length);
        if (!take_state(l, &in, &text))
            status = kn_fail(error, KN_INPUT, "%s: this is no state of a training of this network", name);
        else if (!(*header = strdup(text)))
            status = kn_fail_memory(error, "reading a training");
    }
    kn_text_free(&plain);
    return status == KN_OK ? renew(l, error) : status;
}
