#include "methods/allocation/equations.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"

static int32_t greatest(const int32_t *values, int count)
{
    KN_ASSERT(count > 0);
    int32_t best = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > best) best = values[i];
    return best;
}

/* Section 3.2, equations 1 to 4. */
KnExampleClass kn_assign_class(const int32_t *shallow, const int32_t *deep, int count, int shallow_move,
                               int deep_move)
{
    KN_ASSERT(count > 0 && shallow_move >= 0 && shallow_move < count && deep_move >= 0 && deep_move < count);
    int32_t shallow_best = greatest(shallow, count), deep_best = greatest(deep, count);
    int choices = 0, wrong = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        if (shallow[i] != shallow_best) continue;
        choices++;
        wrong += deep[i] != deep_best;
        sum += deep[i];
    }
    KN_ASSERT(choices > 0 && wrong <= choices);
    return (KnExampleClass){.single_positive = shallow_move != deep_move,
                            .single_utility = (double)deep[deep_move] - deep[shallow_move],
                            .positive = wrong > 0,
                            .utility = deep_best - sum / choices};
}

typedef struct Ranked {
    double weight, score;
} Ranked;

static int higher_first(const void *a, const void *b)
{
    double x = ((const Ranked *)a)->score, y = ((const Ranked *)b)->score;
    return (x < y) - (x > y);
}

/* Section 3.4, equation 5. */
KnStatus kn_thresholds_make(const double *weights, const double *scores, int leaves, KnThresholds *out,
                            KnError *error)
{
    KN_ASSERT(leaves >= 0);
    Ranked *ranked = malloc(((size_t)leaves + 1) * sizeof *ranked);
    if (!ranked) return kn_fail_memory(error, "making thresholds");
    for (int i = 0; i < leaves; i++) ranked[i] = (Ranked){weights[i], scores[i]};
    qsort(ranked, (size_t)leaves, sizeof *ranked, higher_first);
    out->b[0] = INFINITY;
    double passed = 0;
    int next = 0;
    for (int step = 1; step <= KN_THRESHOLD_STEPS; step++) {
        /* Weights are sums of many shares: a share that is met but for rounding is met. */
        while (next < leaves && passed + 1e-12 < (double)step / KN_THRESHOLD_STEPS)
            passed += ranked[next++].weight;
        out->b[step] = next ? ranked[next - 1].score : INFINITY;
    }
    free(ranked);
    return KN_OK;
}

/* Section 3.4, equation 5. */
double kn_threshold(const KnThresholds *thresholds, int deep, int moves)
{
    KN_ASSERT(deep >= 0 && moves > 0);
    if (deep >= moves) return -INFINITY;
    long step = ((long)deep * KN_THRESHOLD_STEPS + moves - 1) /
                moves; /* rounded up: rather spend than save */
    KN_ASSERT(step >= 0 && step <= KN_THRESHOLD_STEPS);
    return thresholds->b[step];
}
