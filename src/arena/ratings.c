#include <knack/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

enum { ITERATIONS = 10000 };

/* Minorisation-maximisation (Hunter 2004): strength_i = points_i / sum_j games_ij / (strength_i +
 * strength_j). It climbs at every step and needs no step size. */
static void climb(size_t n, const double *points, const double *games, double *strength)
{
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        double moved = 0, mean = 0;
        for (size_t i = 0; i < n; i++) {
            double won = 0, weight = 0;
            for (size_t j = 0; j < n; j++) {
                double met = games[i * n + j];
                if (j == i || met <= 0) continue;
                won += points[i * n + j] + 0.5;
                weight += (met + 1) / (strength[i] + strength[j]);
            }
            if (weight <= 0) continue;
            double next = won / weight;
            moved = fmax(moved, fabs(kn_math_log(next / strength[i])));
            strength[i] = next;
        }
        for (size_t i = 0; i < n; i++) mean += kn_math_log(strength[i]) / (double)n;
        for (size_t i = 0; i < n; i++) strength[i] /= kn_math_exp(mean);
        if (moved < 1e-12) break;
    }
}

/* Inverts a symmetric positive definite matrix in place by Gauss and Jordan; false if it is singular. */
static int invert(size_t n, double *m)
{
    for (size_t k = 0; k < n; k++) {
        double pivot = m[k * n + k];
        if (!(fabs(pivot) > 1e-12)) return 0;
        m[k * n + k] = 1;
        for (size_t j = 0; j < n; j++) m[k * n + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            if (i == k) continue;
            double factor = m[i * n + k];
            m[i * n + k] = 0;
            for (size_t j = 0; j < n; j++) m[i * n + j] -= factor * m[k * n + j];
        }
    }
    return 1;
}

/* Fisher's information in logits; adding 1/n everywhere pins the mean, so that the inverse is the covariance
 * relative to it. */
static void errors(size_t n, const double *games, const double *strength, double *information,
                   KnRating *ratings)
{
    memset(information, 0, n * n * sizeof *information);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (i == j || games[i * n + j] <= 0) continue;
            double p = strength[i] / (strength[i] + strength[j]);
            double bits = (games[i * n + j] + 1) * p * (1 - p);
            information[i * n + i] += bits;
            information[i * n + j] -= bits;
        }
    for (size_t i = 0; i < n * n; i++) information[i] += 1.0 / (double)n;
    int regular = invert(n, information);
    for (size_t i = 0; i < n; i++) {
        double variance = regular ? information[i * n + i] - 1.0 / (double)n : INFINITY;
        ratings[i].error = KN_Z95 * sqrt(fmax(variance, 0)) * 400 / kn_math_log(10);
    }
}

KnStatus kn_ratings(size_t count, const double *points, const double *games, KnRating *ratings,
                    KnError *error)
{
    double *strength = calloc(count, sizeof *strength);
    double *information = calloc(count * count, sizeof *information);
    if (!strength || !information) {
        free(strength);
        free(information);
        return kn_fail_memory(error, "rating players");
    }
    for (size_t i = 0; i < count; i++) strength[i] = 1;
    climb(count, points, games, strength);
    for (size_t i = 0; i < count; i++) ratings[i].elo = 400 * kn_math_log10(strength[i]);
    errors(count, games, strength, information, ratings);
    free(strength);
    free(information);
    return KN_OK;
}
