/* Learning the weights of an n-tuple network, with temporal-coherence step sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "learn/ntuple_inside.h"

/* What a weight has been through. */
typedef struct Past {
    float weight;   /* in units of 1; the network has it rounded */
    float sum;      /* of its errors */
    float absolute; /* of their sizes */
} Past;

struct KnNtupleLearner {
    KnNtuple *net;
    Past *past;
    uint16_t *reads; /* by weight: placements that read it in the board at hand; zero between boards. NULL:
                        every placement takes its own step */
};

KnNtupleLearner *kn_ntuple_learner_new(KnNtuple *net, bool shared)
{
    KnNtupleLearner *learner = calloc(1, sizeof *learner);
    if (!learner) return NULL;
    size_t size = kn_ntuple_size(net);
    learner->net = net;
    learner->past = calloc(size, sizeof *learner->past);
    if (shared) learner->reads = calloc(size, sizeof *learner->reads);
    if (!learner->past || (shared && !learner->reads)) {
        kn_ntuple_learner_free(learner);
        return NULL;
    }
    for (size_t i = 0; i < size; i++) learner->past[i].weight = (float)net->weights[i] / KN_NTUPLE_ONE;
    return learner;
}

void kn_ntuple_learner_free(KnNtupleLearner *learner)
{
    if (!learner) return;
    free(learner->past);
    free(learner->reads);
    free(learner);
}

static int16_t rounded(float weight)
{
    float scaled = weight * KN_NTUPLE_ONE;
    return (int16_t)(scaled > 32767 ? 32767 : scaled < -32767 ? -32767 : lrintf(scaled));
}

static void move(KnNtupleLearner *learner, uint32_t index, float step, float error)
{
    Past *past = &learner->past[index];
    past->weight += past->absolute > 0 ? step * fabsf(past->sum) / past->absolute : step;
    past->sum += error;
    past->absolute += fabsf(error);
    learner->net->weights[index] = rounded(past->weight);
}

/* Normalised least mean squares. A weight that n placements read counts n-fold in the sum and in the
 * gradient, so a step of error / (sum of all n squared) for each reading takes away exactly the error. */
static void move_shared(KnNtupleLearner *learner, const uint32_t *indices, double change, float error)
{
    uint32_t squares = 0;
    const int placements = learner->net->placements;
    for (int p = 0; p < placements; p++) squares += 2u * learner->reads[indices[p]]++ + 1;
    for (int p = 0; p < placements; p++) {
        uint16_t *reads = &learner->reads[indices[p]];
        if (*reads) move(learner, indices[p], (float)(change / squares) * *reads, error);
        *reads = 0;
    }
}

double kn_ntuple_learn(KnNtupleLearner *learner, const uint8_t *board, int side, int phase, double target,
                       double rate)
{
    KnNtuple *net = learner->net;
    uint32_t indices[KN_NTUPLE_PLACEMENTS];
    KN_ASSERT(target >= -1 && target <= 1);
    kn_ntuple_indices(net, board, side, phase, indices);
    int32_t sum = 0;
    for (int p = 0; p < net->placements; p++) sum += net->weights[indices[p]];
    double off = target - kn_math_tanh((double)sum / KN_NTUPLE_ONE);
    float error = (float)off, share = (float)(rate * off / net->placements);
    if (learner->reads)
        move_shared(learner, indices, rate * off, error);
    else
        for (int p = 0; p < net->placements; p++) move(learner, indices[p], share, error);
    return off;
}

void kn_ntuple_learner_trim(const KnNtupleLearner *learner, double least, int step, int16_t *weights)
{
    size_t size = kn_ntuple_size(learner->net);
    KN_ASSERT(step > 0);
    for (size_t i = 0; i < size; i++) {
        int weight = learner->net->weights[i];
        int nearest = (weight < 0 ? weight - step / 2 : weight + step / 2) / step * step;
        weights[i] = (int16_t)(learner->past[i].absolute < (float)least || abs(nearest) > 32767 ? 0
                                                                                                : nearest);
    }
}

/* ---- the state as bytes ---- */

static const KnPackedKind STATE = {"kntuplec", "a training of an n-tuple network"};

KnStatus kn_ntuple_learner_pack(const KnNtupleLearner *learner, const char *header, KnText *out,
                                KnError *error)
{
    KnText plain = KN_TEXT_EMPTY;
    uint32_t length = (uint32_t)strlen(header);
    kn_text_add_bytes(&plain, &length, sizeof length);
    kn_text_add_bytes(&plain, header, length);
    kn_text_add_bytes(&plain, learner->past, kn_ntuple_size(learner->net) * sizeof *learner->past);
    KnStatus status = kn_packed_compress(&STATE, &plain, 1, out, error);
    kn_text_free(&plain);
    return status;
}

static bool take_past(KnNtupleLearner *learner, const char *bytes)
{
    size_t size = kn_ntuple_size(learner->net);
    memcpy(learner->past, bytes, size * sizeof *learner->past);
    for (size_t i = 0; i < size; i++) {
        const Past *past = &learner->past[i];
        bool zero = past->weight == 0 && past->sum == 0 && past->absolute == 0;
        if (!zero && !(kn_ntuple_used(learner->net, i) && isfinite(past->weight) && isfinite(past->sum) &&
                       isfinite(past->absolute) && past->absolute >= 0))
            return false;
        learner->net->weights[i] = rounded(past->weight);
    }
    return true;
}

KnStatus kn_ntuple_learner_unpack(KnNtupleLearner *learner, const void *bytes, size_t size, const char *name,
                                  char **header, KnError *error)
{
    KnText plain = KN_TEXT_EMPTY;
    size_t pasts = kn_ntuple_size(learner->net) * sizeof(Past);
    uint32_t length = 0;
    *header = NULL;
    KnStatus status = kn_packed_decompress(&STATE, bytes, size, pasts + ((size_t)1 << 20), name, &plain,
                                           error);
    if (status == KN_OK && plain.length >= sizeof length) memcpy(&length, plain.data, sizeof length);
    if (status == KN_OK && (plain.length < sizeof length || plain.length - sizeof length < pasts ||
                            length != plain.length - sizeof length - pasts ||
                            !take_past(learner, plain.data + sizeof length + length)))
        status = kn_fail(error, KN_INPUT, "%s: this is no state of a training of this network", name);
    if (status == KN_OK && !(*header = strndup(plain.data + sizeof length, length)))
        status = kn_fail_memory(error, "reading a training");
    kn_text_free(&plain);
    return status;
}
