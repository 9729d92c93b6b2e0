/* Statistics of matches: intervals, means, tests, Elo and the sequential probability ratio test.
 *
 *     KnInterval interval = kn_wilson(60, 100, KN_Z95);              60 wins of 100: [0.502, 0.691]
 *
 * Everything is a plain value or a pure function. Nothing keeps state.
 *
 * Scores of games count a draw as half a win. A *pair* is two games from one opening with colours exchanged.
 * Its score is 0, 1/2, 1, 3/2 or 2, and `pairs[5]` counts how often each occurred (the pentanomial). Games of
 * a pair are not independent, so errors are estimated from pairs where there are pairs. */
#ifndef KNACK_PUBLIC_STATS_H
#define KNACK_PUBLIC_STATS_H

#include <knack/base.h>

KN_BEGIN

#define KN_Z95 1.959963984540054 /* kn_normal_quantile(0.975) */

typedef struct KnInterval {
    double low, high;
} KnInterval;

/* The score interval of a proportion (Wilson 1927). `successes` may be fractional, a draw counting half; the
 * interval is then conservative. n = 0 gives [0,1]. */
KN_API KnInterval kn_wilson(double successes, double n, double z);

/* ---- Streaming mean and variance (Welford 1962; merging by Chan et al. 1979). Start from {0}. ---- */

typedef struct KnMoments {
    uint64_t count;
    double mean;
    double m2; /* sum of squared deviations from the mean */
} KnMoments;

KN_API void kn_moments_add(KnMoments *moments, double value);
KN_API void kn_moments_merge(KnMoments *moments,
                             const KnMoments *other);        /* as if other's values had been added */
KN_API double kn_moments_mean(const KnMoments *moments);     /* 0 of nothing */
KN_API double kn_moments_variance(const KnMoments *moments); /* unbiased (n - 1); 0 below two values */
KN_API double kn_moments_stderr(const KnMoments *moments);   /* of the mean; 0 below two values */

/* The interval of the mean by Student's t, for instance with confidence 0.95. Below two values: (-inf, inf).
 */
KN_API KnInterval kn_moments_interval(const KnMoments *moments, double confidence);

/* The interval of the mean of `n` values that all lie in [least, most], given Student's interval of them. The
 * result never leaves the bounds. Equal values have no sample variance, which is no certainty: the interval
 * then allows for the share of other values that n equal ones cannot exclude at 95% (the rule of three, 1 -
 * 0.05^(1/n)). */
KN_API KnInterval kn_interval_within(KnInterval interval, double mean, uint64_t n, double least, double most);

/* Both in one: Student's interval of the mean of values that all lie in [least, most], at 95%. */
KN_API KnInterval kn_moments_interval_within(const KnMoments *moments, double least, double most);

/* ---- Distributions. Quantiles of p <= 0 and p >= 1 are -inf and inf; invalid arguments give NaN. ---- */

KN_API double kn_normal_cdf(double x);
KN_API double kn_normal_quantile(double p);
KN_API double kn_student_t_cdf(double t, double degrees);
KN_API double kn_student_t_quantile(double p, double degrees);

/* The regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0,1]. */
KN_API double kn_incomplete_beta(double a, double b, double x);

/* ---- Tests ---- */

/* The two-sided p-value that two proportions are equal (pooled z test); 1 for an empty sample. */
KN_API double kn_two_proportions(double successes_a, double n_a, double successes_b, double n_b);

/* Replaces p-values by Holm's adjusted ones (Holm 1979). Reject those <= alpha: the chance of any false
 * rejection is then at most alpha. */
KN_API KnStatus kn_holm(double *p, size_t count, KnError *error);

/* ---- Elo: logistic, 400 points for a factor of ten ---- */

#define KN_ELO_LIMIT 2400.0 /* scores of 0 and 1, and all beyond, are reported as this difference */

KN_API double kn_elo_from_score(double score); /* score in [0,1]; saturates at -+KN_ELO_LIMIT */
KN_API double kn_score_from_elo(double elo);

typedef struct KnElo {
    double elo, low, high; /* low and high: 95% interval */
} KnElo;

/* The 95% interval of a match's score, from pairs or from single games. Elo's interval is the same one on the
 * other scale, so that the two agree on whether 1/2 is inside. */
KN_API KnInterval kn_score_interval_pairs(const uint64_t pairs[5]);
KN_API KnInterval kn_score_interval_wdl(uint64_t wins, uint64_t draws, uint64_t losses);
KN_API KnElo kn_elo_from_pairs(const uint64_t pairs[5]);
KN_API KnElo kn_elo_from_wdl(uint64_t wins, uint64_t draws, uint64_t losses);

/* The likelihood of superiority: how probable it is that the first player is the better one, given the scores
 * and a normal approximation. 0.5 without evidence. */
KN_API double kn_los_pairs(const uint64_t pairs[5]);
KN_API double kn_los_wdl(uint64_t wins, uint64_t draws, uint64_t losses);

/* ---- Sequential probability ratio test on pairs (Wald 1945) ---- */

typedef enum KnSprtState { KN_SPRT_CONTINUE, KN_SPRT_ACCEPT_H0, KN_SPRT_ACCEPT_H1 } KnSprtState;

typedef struct KnSprt {
    double llr;          /* log-likelihood ratio of H1 against H0 */
    double lower, upper; /* H0 is accepted at lower, H1 at upper */
    KnSprtState state;
} KnSprt;

/* The scale of elo0 and elo1. Logistic: the usual Elo difference, a function of the mean score. Normalized:
 * the mean score less 1/2 over the standard deviation of a game, times 800 / ln 10 (Van den Bergh), which
 * does not depend on how many games are drawn. */
typedef enum KnSprtModel { KN_SPRT_LOGISTIC, KN_SPRT_NORMALIZED } KnSprtModel;

/* H0: the difference is elo0 or less. H1: it is elo1 or more, elo0 < elo1. alpha is the chance to accept H1
 * under H0, beta the chance to accept H0 under H1. */
typedef struct KnSprtPlan {
    double elo0, elo1, alpha, beta;
    KnSprtModel model;
} KnSprtPlan;

/* Call it after every pair, in index order, and stop at the first verdict. */
KN_API KnSprt kn_sprt(const uint64_t pairs[5], const KnSprtPlan *plan);

/* Checks the parameters; KN_USAGE with a message if they make no sense. */
KN_API KnStatus kn_sprt_check(const KnSprtPlan *plan, KnError *error);
KN_API const char *kn_sprt_state_name(KnSprtState state); /* "continue", "accept H0", "accept H1" */
KN_API const char *kn_sprt_model_name(KnSprtModel model); /* "logistic", "normalized" */

/* ---- Ratings from a cross table ---- */

typedef struct KnRating {
    double elo;
    double error; /* 95%: elo -+ error */
} KnRating;

/* Elo ratings by maximum likelihood (Bradley and Terry 1952; a draw is half a win for each). points[i * count
 * + j] is what i scored against j; games likewise, symmetric. Each pair that met gets one drawn game added in
 * halves, so that a player who won or lost everything has a finite rating. Ratings are centred on 0. The
 * error comes from the curvature of the likelihood, relative to the mean of all players. Players that no
 * games connect keep 0 within their group. */
KN_API KnStatus kn_ratings(size_t count, const double *points, const double *games, KnRating *ratings,
                           KnError *error);

KN_END

#endif
