/* Statistics: intervals, means, tests, Elo and the sequential test of matches.
 *
 * Everything is a plain value or a pure function; nothing allocates except kn_holm, nothing keeps state.
 *
 * Scores of games count a draw as half a win. A *pair* is two games from one opening with colours swapped;
 * its score is 0, 1/2, 1, 3/2 or 2, and `pairs[5]` counts how often each occurred (the pentanomial). Games of
 * a pair are not independent, so errors are estimated from pairs where there are pairs. */
#ifndef KNACK_BASE_STATS_H
#define KNACK_BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define KN_Z95 1.959963984540054 /* kn_normal_quantile(0.975) */

typedef struct KnInterval {
    double low, high;
} KnInterval;

/* Wilson's score interval for a proportion. `successes` may be fractional (a draw counts half): the interval
 * is then on the safe side, since a half varies less than a whole. n = 0 gives [0,1]. */
KnInterval kn_wilson(double successes, double n, double z);

/* ---- Streaming mean and variance (Welford; merging by Chan). Start from {0}. ---- */
typedef struct KnMoments {
    uint64_t count;
    double mean;
    double m2; /* sum of squared deviations from the mean */
} KnMoments;

void kn_moments_add(KnMoments *moments, double value);
void kn_moments_merge(KnMoments *moments, const KnMoments *other); /* as if other's values had been added */
double kn_moments_mean(const KnMoments *moments);                  /* 0 of nothing */
double kn_moments_variance(const KnMoments *moments);              /* unbiased (n - 1); 0 below two values */
double kn_moments_stderr(const KnMoments *moments);                /* of the mean; 0 below two values */

/* Of the mean, by Student's t, e.g. confidence 0.95. Below two values nothing is known: (-inf, inf). */
KnInterval kn_moments_interval(const KnMoments *moments, double confidence);

/* ---- Distributions. Quantiles of p <= 0 and p >= 1 are -inf and inf; NaN where an argument makes no sense.
 * ---- */
double kn_normal_cdf(double x);
double kn_normal_quantile(double p);
double kn_student_t_cdf(double t, double degrees);
double kn_student_t_quantile(double p, double degrees);

/* The regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0,1]. */
double kn_incomplete_beta(double a, double b, double x);

/* ---- Tests ---- */

/* Two-sided p-value that two proportions are equal: pooled z test. 1 where nothing can be said (an empty
 * sample). */
double kn_two_proportions(double successes_a, double n_a, double successes_b, double n_b);

/* Replaces p-values by Holm's adjusted ones, in place: reject those <= alpha, and the chance of any false
 * rejection is
 * <= alpha. */
KnStatus kn_holm(double *p, size_t count, KnError *error);

/* ---- Elo (logistic, 400 points a factor of ten) ---- */
#define KN_ELO_LIMIT 2400.0 /* scores of 0 and 1, and whatever lies beyond, are reported as this far off */

double kn_elo_from_score(double score); /* score in [0,1]; saturates at -+KN_ELO_LIMIT */
double kn_score_from_elo(double elo);

typedef struct KnElo {
    double elo, low, high; /* low and high: 95% interval */
} KnElo;

KnElo kn_elo_from_pairs(const uint64_t pairs[5]);
KnElo kn_elo_from_wdl(uint64_t wins, uint64_t draws, uint64_t losses);

/* ---- Sequential probability ratio test on pairs ---- */
typedef enum KnSprtState { KN_SPRT_CONTINUE, KN_SPRT_ACCEPT_H0, KN_SPRT_ACCEPT_H1 } KnSprtState;

typedef struct KnSprt {
    double llr;          /* log-likelihood ratio of H1 against H0 */
    double lower, upper; /* H0 is accepted at lower, H1 at upper */
    KnSprtState state;
} KnSprt;

/* H0: the difference is elo0 (or less), H1: it is elo1 (or more), elo0 < elo1; alpha is the chance to accept
 * H1 under H0, beta that to accept H0 under H1. Ask after every pair, in index order, and stop at the first
 * verdict. */
KnSprt kn_sprt(const uint64_t pairs[5], double elo0, double elo1, double alpha, double beta);

/* Whether the parameters make sense; KN_USAGE with a message if not. */
KnStatus kn_sprt_check(double elo0, double elo1, double alpha, double beta, KnError *error);

const char *kn_sprt_state_name(KnSprtState state); /* "continue", "accept H0", "accept H1" */

#endif
