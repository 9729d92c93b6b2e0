#include "learn/td.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"

typedef struct Step {
    double sum; /* where the outcome is known: the prediction */
    int phase;  /* -1: the outcome is known */
} Step;

struct KnTd {
    int count, phases;
    size_t steps, room;
    Step *step;
    double *values; /* a row a step */
    double *trace;  /* eligibility traces of the backward view */
};

/* ---- Episodes ---- */

KnTd *kn_td_open(int count, int phases)
{
    KN_ASSERT(count > 0 && phases > 0);
    KnTd *td = calloc(1, sizeof *td);
    if (!td) return NULL;
    td->count = count;
    td->phases = phases;
    td->trace = calloc((size_t)count * (size_t)phases, sizeof *td->trace);
    if (td->trace) return td;
    free(td);
    return NULL;
}

void kn_td_close(KnTd *td)
{
    if (!td) return;
    free(td->step);
    free(td->values);
    free(td->trace);
    free(td);
}

void kn_td_clear(KnTd *td) { td->steps = 0; }
size_t kn_td_steps(const KnTd *td) { return td->steps; }

static bool grow(KnTd *td)
{
    if (td->steps < td->room) return true;
    size_t room = td->room ? 2 * td->room : 128;
    Step *step = realloc(td->step, room * sizeof *step);
    if (step) td->step = step;
    double *values = step ? realloc(td->values, room * (size_t)td->count * sizeof *values) : NULL;
    if (!values) return false;
    td->values = values;
    td->room = room;
    return true;
}

bool kn_td_add(KnTd *td, double sum, int phase, const double *values)
{
    KN_ASSERT(phase >= 0 && phase < td->phases);
    if (!grow(td)) return false;
    memcpy(td->values + td->steps * (size_t)td->count, values, (size_t)td->count * sizeof *values);
    td->step[td->steps++] = (Step){sum, phase};
    return true;
}

bool kn_td_add_known(KnTd *td, double prediction)
{
    if (!grow(td)) return false;
    td->step[td->steps++] = (Step){prediction, -1};
    return true;
}

const double *kn_td_features(const KnTd *td, size_t step, int *phase)
{
    KN_ASSERT(step < td->steps);
    *phase = td->step[step].phase;
    return *phase < 0 ? NULL : td->values + step * (size_t)td->count;
}

void kn_td_pack(const KnTd *td, KnText *out)
{
    kn_pack_u64(out, td->steps);
    for (size_t i = 0; i < td->steps; i++) {
        kn_pack_real(out, td->step[i].sum);
        kn_pack_int(out, td->step[i].phase);
        if (td->step[i].phase >= 0)
            kn_pack_bytes(out, td->values + i * (size_t)td->count, (size_t)td->count * sizeof(double));
    }
}

bool kn_td_unpack(KnTd *td, KnUnpack *in)
{
    kn_td_clear(td);
    size_t steps = kn_unpack_u64(in);
    for (size_t i = 0; i < steps && !in->truncated; i++) {
        if (!grow(td)) return false;
        Step step = {.sum = kn_unpack_real(in)};
        step.phase = kn_unpack_int(in);
        if (step.phase >= td->phases) return false;
        if (step.phase >= 0)
            kn_unpack_into(in, td->values + td->steps * (size_t)td->count,
                           (size_t)td->count * sizeof(double));
        td->step[td->steps++] = step;
    }
    return !in->truncated;
}

/* ---- Backward view ---- */

KnTdRule kn_td_rule(void) { return (KnTdRule){.alpha = 0.01, .lambda = 0.95, .scale = 100}; }

double kn_td_squash(const KnTdRule *rule, double sum) { return kn_math_tanh(sum / rule->scale); }

static double prediction(const KnTd *td, const KnTdRule *rule, size_t t)
{
    return td->step[t].phase < 0 ? td->step[t].sum : kn_td_squash(rule, td->step[t].sum);
}

/* Decays the traces and adds the gradient of this prediction: d tanh(x) = 1 - tanh(x)^2, in units. */
static void add_gradient(const KnTd *td, const KnTdRule *rule, size_t t, double p, int fixed,
                         uint64_t *updates)
{
    size_t size = (size_t)td->count * (size_t)td->phases;
    for (size_t i = 0; i < size; i++) td->trace[i] *= rule->lambda;
    if (td->step[t].phase < 0) return;
    size_t row = (size_t)td->step[t].phase * (size_t)td->count;
    const double *values = td->values + t * (size_t)td->count;
    double slope = (1 - p * p) * KN_TD_UNIT / rule->scale;
    for (int i = fixed; i < td->count; i++) {
        td->trace[row + (size_t)i] += slope * values[i];
        if (updates && values[i] != 0) updates[row + (size_t)i]++;
    }
}

void kn_td_learn(const KnTd *td, const KnTdRule *rule, double outcome, int fixed, double *change,
                 uint64_t *updates, double *surprise)
{
    size_t size = (size_t)td->count * (size_t)td->phases;
    double total = 0;
    KN_ASSERT(fixed >= 0 && fixed <= td->count);
    memset(td->trace, 0, size * sizeof *td->trace);
    for (size_t t = 0; t < td->steps; t++) {
        double p = prediction(td, rule, t), next = t + 1 < td->steps ? prediction(td, rule, t + 1) : outcome;
        add_gradient(td, rule, t, p, fixed, updates);
        double step = KN_TD_UNIT * rule->alpha * (next - p);
        for (size_t i = 0; i < size; i++) change[i] += step * td->trace[i];
        total += fabs(next - p);
    }
    if (surprise) *surprise = td->steps ? total / (double)td->steps : 0;
}

/* ---- Forward view ---- */

bool kn_td_learner_init(KnTdLearner *l, int count, int phases, size_t capacity)
{
    size_t size = (size_t)count * (size_t)phases;
    *l = (KnTdLearner){.count = count, .phases = phases, .capacity = capacity};
    l->episode = kn_td_open(count, phases);
    l->weights = calloc(size, sizeof *l->weights);
    l->squares = calloc(size, sizeof *l->squares);
    return l->episode && l->weights && l->squares;
}

void kn_td_learner_free(KnTdLearner *l)
{
    kn_td_close(l->episode);
    free(l->weights);
    free(l->squares);
    *l = (KnTdLearner){0};
}

double kn_td_learner_predict(const KnTdLearner *l, int phase, const double *values)
{
    KN_ASSERT(phase >= 0 && phase < l->phases);
    const double *weights = l->weights + (size_t)phase * (size_t)l->count;
    double sum = 0;
    for (int i = 0; i < l->count; i++) sum += weights[i] * values[i];
    return l->squash ? kn_math_tanh(sum) : sum;
}

bool kn_td_learner_add(KnTdLearner *l, int phase, const double *values)
{
    return l->episode->steps < l->capacity && kn_td_add(l->episode, 0, phase, values);
}

/* The gradient is that of the cross entropy where the sum is squashed, of the squared error where it is not:
 * in both cases the error times the feature. All predictions are made before any weight moves. */
void kn_td_learner_end(KnTdLearner *l, double outcome)
{
    KnTd *td = l->episode;
    for (size_t t = 0; t < td->steps; t++)
        td->step[t].sum = kn_td_learner_predict(l, td->step[t].phase, td->values + t * (size_t)l->count);
    double lambda_return = outcome;
    for (size_t t = td->steps; t-- > 0;) {
        if (t + 1 < td->steps)
            lambda_return = (1 - l->lambda) * td->step[t + 1].sum + l->lambda * lambda_return;
        double error = lambda_return - td->step[t].sum;
        const double *values = td->values + t * (size_t)l->count;
        size_t row = (size_t)td->step[t].phase * (size_t)l->count;
        double *weights = l->weights + row, *squares = l->squares + row;
        for (int i = 0; i < l->count; i++) {
            double slope = error * values[i];
            if (slope == 0) continue;
            squares[i] += slope * slope;
            weights[i] += l->step * slope / sqrt(squares[i]);
        }
    }
    kn_td_clear(td);
}
