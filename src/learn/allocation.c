#include "learn/allocation.h"

#include <math.h>
#include <stdlib.h>

static int32_t greatest(const int32_t *values, int count)
{
    int32_t best = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > best) best = values[i];
    return best;
}

KnDeepWorth kn_deep_worth(const int32_t *shallow, const int32_t *deep, int count, int shallow_move,
                          int deep_move)
{
    int32_t shallow_best = greatest(shallow, count), deep_best = greatest(deep, count);
    int choices = 0, wrong = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        if (shallow[i] != shallow_best) continue;
        choices++;
        wrong += deep[i] != deep_best;
        sum += deep[i];
    }
    return (KnDeepWorth){.single_positive = shallow_move != deep_move,
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

KnStatus kn_thresholds_make(const double *weights, const double *scores, int leaves, KnThresholds *out,
                            KnError *error)
{
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

double kn_threshold(const KnThresholds *thresholds, int deep, int moves)
{
    if (deep >= moves) return -INFINITY;
    long step = ((long)deep * KN_THRESHOLD_STEPS + moves - 1) /
                moves; /* rounded up: rather spend than save */
    return thresholds->b[step];
}
