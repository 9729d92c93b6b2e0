#include "learn/stopping.h"

#include <stdlib.h>

#include "base/assert.h"

KnStopping *kn_stopping_new(int steps, KnError *error)
{
    KN_ASSERT(steps >= 0);
    KnStopping *stopping = calloc(1, sizeof *stopping);
    if (stopping) stopping->b = calloc((size_t)steps * (size_t)steps + 1, sizeof *stopping->b);
    if (stopping && stopping->b) {
        stopping->steps = steps;
        return stopping;
    }
    kn_stopping_free(stopping);
    kn_fail_memory(error, "planning");
    return NULL;
}

void kn_stopping_free(KnStopping *stopping)
{
    if (!stopping) return;
    free(stopping->b);
    free(stopping);
}

/* Offers sorted by step (counting sort); those of step i begin at first[i]. */
static double *by_step(int steps, const double *value, const uint16_t *step, size_t offers, size_t *first)
{
    double *sorted = malloc((offers + 1) * sizeof *sorted);
    size_t *next = malloc(((size_t)steps + 1) * sizeof *next);
    for (size_t k = 0; k < offers && sorted && next; k++)
        if (step[k] < steps) first[step[k] + 1]++;
    for (int i = 0; i < steps && sorted && next; i++) {
        first[i + 1] += first[i];
        next[i] = first[i];
    }
    for (size_t k = 0; k < offers && sorted && next; k++)
        if (step[k] < steps) sorted[next[step[k]]++] = value[k];
    if (!next) {
        free(sorted);
        sorted = NULL;
    }
    free(next);
    return sorted;
}

KnStatus kn_stopping_plan(KnStopping *stopping, const double *value, const uint16_t *step, size_t offers,
                          uint64_t sequences, KnError *error)
{
    int steps = stopping->steps;
    size_t *first = calloc((size_t)steps + 1, sizeof *first);
    double *later = calloc((size_t)steps + 1, sizeof *later); /* V(d, i + 1) by d */
    double *sorted = first ? by_step(steps, value, step, offers, first) : NULL;
    KnStatus status = first && later && sorted ? KN_OK : kn_fail_memory(error, "planning");
    for (int i = steps - 1; i >= 0 && status == KN_OK; i--) {
        KN_ASSERT(first[i] <= first[i + 1] && first[i + 1] <= offers);
        size_t count = first[i + 1] - first[i];
        double total = (double)(sequences > count ? sequences : count), before = later[0];
        for (int d = 1; d <= steps; d++) {
            double b = later[d] - before, gained = 0;
            stopping->b[(size_t)(d - 1) * (size_t)steps + (size_t)i] = b;
            before = later[d];
            for (size_t k = first[i]; k < first[i + 1]; k++)
                if (sorted[k] > b) gained += sorted[k] - b;
            if (total > 0) later[d] += gained / total;
        }
    }
    free(sorted);
    free(first);
    free(later);
    return status;
}

double kn_stopping_threshold(const KnStopping *stopping, int d, int i)
{
    if (d > stopping->steps) d = stopping->steps;
    KN_ASSERT(d >= 1 && i >= 0 && i < stopping->steps);
    return stopping->b[(size_t)(d - 1) * (size_t)stopping->steps + (size_t)i];
}
