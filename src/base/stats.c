#include <knack/stats.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/math.h"

/* ---- Proportions and means ---- */

KnInterval kn_wilson(double successes, double n, double z)
{
    if (!(n > 0)) return (KnInterval){0, 1};
    double p = fmin(fmax(successes / n, 0), 1);
    double z2 = z * z;
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    /* At p = 0 and 1 the interval ends there exactly; rounding must not push the estimate out of its own
     * interval. */
    return (KnInterval){p <= 0 ? 0 : fmin(fmax(centre - half, 0), p),
                        p >= 1 ? 1 : fmax(fmin(centre + half, 1), p)};
}

void kn_moments_add(KnMoments *moments, double value)
{
    double delta = value - moments->mean;
    moments->count++;
    moments->mean += delta / (double)moments->count;
    moments->m2 += delta * (value - moments->mean);
}

void kn_moments_merge(KnMoments *moments, const KnMoments *other)
{
    if (!other->count) return;
    double n = (double)moments->count, m = (double)other->count, delta = other->mean - moments->mean;
    moments->m2 += other->m2 + delta * delta * (n * m / (n + m));
    moments->mean += delta * (m / (n + m));
    moments->count += other->count;
}

double kn_moments_mean(const KnMoments *moments) { return moments->mean; }

double kn_moments_variance(const KnMoments *moments)
{
    return moments->count < 2 ? 0 : moments->m2 / (double)(moments->count - 1);
}

double kn_moments_stderr(const KnMoments *moments)
{
    return moments->count < 2 ? 0 : sqrt(kn_moments_variance(moments) / (double)moments->count);
}

KnInterval kn_moments_interval(const KnMoments *moments, double confidence)
{
    if (moments->count < 2) return (KnInterval){-INFINITY, INFINITY};
    double t = kn_student_t_quantile(0.5 + confidence / 2, (double)(moments->count - 1));
    double half = t * kn_moments_stderr(moments);
    return (KnInterval){moments->mean - half, moments->mean + half};
}

KnInterval kn_interval_within(KnInterval interval, double mean, uint64_t n, double least, double most)
{
    KN_ASSERT(least < most && mean >= least && mean <= most);
    if (!n) return (KnInterval){least, most};
    if (!(interval.low < interval.high)) {
        double unseen = 1 - kn_math_pow(0.05, 1 / (double)n);
        interval = (KnInterval){mean - unseen * (mean - least), mean + unseen * (most - mean)};
    }
    return (KnInterval){fmax(interval.low, least), fmin(interval.high, most)};
}

KnInterval kn_moments_interval_within(const KnMoments *moments, double least, double most)
{
    double mean = fmin(fmax(kn_moments_mean(moments), least), most); /* but for rounding it is there */
    return kn_interval_within(kn_moments_interval(moments, 0.95), mean, moments->count, least, most);
}

/* ---- Distributions ---- */

double kn_normal_cdf(double x) { return 0.5 * kn_math_erfc(-x * M_SQRT1_2); }

/* A rough rational start (Abramowitz and Stegun 26.2.23), then Halley's iteration on the lower tail, where
 * erfc keeps its relative precision: exact to the last few bits from 1e-300 to 1 - 1e-16. */
double kn_normal_quantile(double p)
{
    if (isnan(p)) return NAN;
    if (p <= 0) return -INFINITY;
    if (p >= 1) return INFINITY;
    if (p == 0.5) return 0;
    double tail = p < 0.5 ? p : 1 - p;
    double t = sqrt(-2 * kn_math_log(tail));
    double x =
        (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int i = 0; i < 4; i++) {
        double density = kn_math_exp(-x * x / 2) / sqrt(2 * M_PI);
        if (!(density > DBL_MIN)) break;
        double u = (kn_normal_cdf(x) - tail) / density;
        x -= u / (1 + x * u / 2);
    }
    return p < 0.5 ? x : -x;
}

/* Lentz's evaluation of the continued fraction of the incomplete beta function; converges fast for
 * x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m <= 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-15) break;
    }
    return h;
}

double kn_incomplete_beta(double a, double b, double x)
{
    if (!(a > 0) || !(b > 0) || isnan(x)) return NAN;
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    double front = kn_math_exp(kn_math_lgamma(a + b) - kn_math_lgamma(a) - kn_math_lgamma(b) +
                               a * kn_math_log(x) + b * kn_math_log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* With more degrees than this, t is the normal distribution to all digits that the beta function would give.
 */
static const double MANY_DEGREES = 1e8;

/* P(T > t) for t >= 0, precise also when small. */
static double student_tail(double t, double degrees)
{
    if (degrees > MANY_DEGREES) return kn_normal_cdf(-t);
    return 0.5 * kn_incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

double kn_student_t_cdf(double t, double degrees)
{
    if (isnan(t) || !(degrees > 0)) return NAN;
    return t < 0 ? student_tail(-t, degrees) : 1 - student_tail(t, degrees);
}

/* Bisection: slow (a microsecond a step) and sure; asked once an interval, never in a loop that matters. */
double kn_student_t_quantile(double p, double degrees)
{
    if (isnan(p) || !(degrees > 0)) return NAN;
    if (p <= 0) return -INFINITY;
    if (p >= 1) return INFINITY;
    if (p == 0.5) return 0;
    if (degrees > MANY_DEGREES) return kn_normal_quantile(p);
    double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;
    while (high < DBL_MAX / 4 && student_tail(high, degrees) > tail) {
        low = high;
        high *= 2;
    }
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (student_tail(middle, degrees) > tail)
            low = middle;
        else
            high = middle;
    }
    return p < 0.5 ? -high : high;
}

/* ---- Tests ---- */

double kn_two_proportions(double successes_a, double n_a, double successes_b, double n_b)
{
    if (!(n_a > 0) || !(n_b > 0)) return 1;
    double pooled = (successes_a + successes_b) / (n_a + n_b);
    double variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b);
    if (!(variance > 0)) return 1;
    double z = (successes_a / n_a - successes_b / n_b) / sqrt(variance);
    return 2 * kn_normal_cdf(-fabs(z));
}

static int compare_pointed(const void *a, const void *b)
{
    const double *x = *(double *const *)a, *y = *(double *const *)b;
    if (*x != *y) return *x < *y ? -1 : 1;
    return x < y ? -1 : x > y; /* ties in order, so that the result does not hang on the sort */
}

KnStatus kn_holm(double *p, size_t count, KnError *error)
{
    for (size_t i = 0; i < count; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return kn_fail(error, KN_USAGE, "Holm's correction: p-value %zu is %g, not within 0 and 1", i,
                           p[i]);
    if (!count) return KN_OK;
    double **order = calloc(count, sizeof *order);
    if (!order) return kn_fail_memory(error, "correcting p-values");
    for (size_t i = 0; i < count; i++) order[i] = p + i;
    qsort(order, count, sizeof *order, compare_pointed);
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmax(least, fmin(1, *order[i] * (double)(count - i)));
        *order[i] = least;
    }
    free(order);
    return KN_OK;
}

/* ---- Elo ---- */

double kn_score_from_elo(double elo) { return 1 / (1 + kn_math_pow(10, -elo / 400)); }

double kn_elo_from_score(double score)
{
    if (isnan(score)) return NAN;
    if (score <= 0) return -KN_ELO_LIMIT;
    if (score >= 1) return KN_ELO_LIMIT;
    return fmin(fmax(400 * kn_math_log10(score / (1 - score)), -KN_ELO_LIMIT), KN_ELO_LIMIT);
}

/* The interval is Wilson's, for as many win-or-lose games as would give the variance that was seen. A normal
 * interval on the score would leave [0,1] at lopsided results and shrink to nothing when all results are
 * equal; this one does neither, is exactly Wilson's where there are no draws, and meets the normal one as n
 * grows. To that end the variance is taken with one more result added, half of it a loss and half a win.
 * Results have scores 0 .. 1 in equal steps. */
static KnInterval score_interval(const double *counts, int cells, double *score)
{
    double n = 0, sum = 0, squares = 0;
    for (int i = 0; i < cells; i++) {
        double value = (double)i / (cells - 1);
        n += counts[i];
        sum += counts[i] * value;
        squares += counts[i] * value * value;
    }
    *score = n > 0 ? sum / n : 0.5;
    if (!(n > 0)) return (KnInterval){0, 1};
    double mean = (sum + 0.5) / (n + 1), variance = (squares + 0.5) / (n + 1) - mean * mean;
    double equivalent = n * (mean * (1 - mean)) / variance; /* win-or-lose games */
    return kn_wilson(*score * equivalent, equivalent, KN_Z95);
}

static KnInterval interval_of_pairs(const uint64_t pairs[5], double *score)
{
    double counts[5];
    for (int i = 0; i < 5; i++) counts[i] = (double)pairs[i];
    return score_interval(counts, 5, score);
}

static KnInterval interval_of_games(uint64_t wins, uint64_t draws, uint64_t losses, double *score)
{
    return score_interval((double[]){(double)losses, (double)draws, (double)wins}, 3, score);
}

KnInterval kn_score_interval_pairs(const uint64_t pairs[5])
{
    double score;
    return interval_of_pairs(pairs, &score);
}

KnInterval kn_score_interval_wdl(uint64_t wins, uint64_t draws, uint64_t losses)
{
    double score;
    return interval_of_games(wins, draws, losses, &score);
}

static KnElo elo_of(double score, KnInterval interval)
{
    return (KnElo){kn_elo_from_score(score), kn_elo_from_score(interval.low),
                   kn_elo_from_score(interval.high)};
}

KnElo kn_elo_from_pairs(const uint64_t pairs[5])
{
    double score;
    KnInterval interval = interval_of_pairs(pairs, &score);
    return elo_of(score, interval);
}

KnElo kn_elo_from_wdl(uint64_t wins, uint64_t draws, uint64_t losses)
{
    double score;
    KnInterval interval = interval_of_games(wins, draws, losses, &score);
    return elo_of(score, interval);
}

/* One more observation, half a win and half a loss, keeps a few equal results from looking certain.
 * `count[i]` results have the score i / (kinds - 1). */
static double los_of(const uint64_t *count, int kinds)
{
    double n = 1, mean = 0.5, variance = 0, top = kinds - 1;
    for (int i = 0; i < kinds; i++) {
        n += (double)count[i];
        mean += (double)count[i] * i / top;
    }
    mean /= n;
    variance = (mean * mean + (1 - mean) * (1 - mean)) / 2;
    for (int i = 0; i < kinds; i++) variance += (double)count[i] * (i / top - mean) * (i / top - mean);
    return kn_normal_cdf((mean - 0.5) / sqrt(variance / n / n));
}

double kn_los_pairs(const uint64_t pairs[5]) { return los_of(pairs, 5); }

double kn_los_wdl(uint64_t wins, uint64_t draws, uint64_t losses)
{
    return los_of((const uint64_t[]){losses, draws, wins}, 3);
}

/* ---- The sequential test ---- */

/* Here the linearised constraint below has a solution from every start. */
static const double SPRT_NORMALIZED_LIMIT = 200;

/* The root x of sum p_i a_i / (1 + x a_i), where some a_i are below 0 and some above. The sum falls steadily
 * in x between its poles, so bisection finds it. q_i = p_i / (1 + x a_i) is then the likeliest distribution
 * with sum q_i a_i = 0. */
static double secular_root(const double p[5], const double a[5])
{
    double least = 0, most = 0, x;
    for (int i = 0; i < 5; i++) {
        if (a[i] < least) least = a[i];
        if (a[i] > most) most = a[i];
    }
    for (double low = -1 / most, high = -1 / least;;) {
        x = low + (high - low) / 2;
        if (x <= low || x >= high) return x;
        double slope = 0;
        for (int i = 0; i < 5; i++) slope += p[i] * a[i] / (1 + x * a[i]);
        if (slope > 0)
            low = x;
        else
            high = x;
    }
}

/* The log-likelihood of the counts (n * p) under the likeliest distribution of pair scores whose mean is s,
 * less that under p itself. */
static double likelihood_of_mean(const double p[5], double n, double s)
{
    double a[5], sum = 0;
    for (int i = 0; i < 5; i++) a[i] = i / 4.0 - s;
    double x = secular_root(p, a);
    for (int i = 0; i < 5; i++) sum -= p[i] * kn_math_log1p(x * a[i]);
    return n * sum;
}

/* The same under the likeliest distribution whose mean is t standard deviations above 1/2. Its constraint is
 * not linear; each round solves it linearised at the distribution found before (Van den Bergh). */
static double likelihood_of_t(const double p[5], double n, double t)
{
    enum { ROUNDS = 20 };
    double q[5] = {0.2, 0.2, 0.2, 0.2, 0.2}, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double mean = 0, variance = 0, a[5];
        for (int i = 0; i < 5; i++) mean += q[i] * i / 4.0;
        for (int i = 0; i < 5; i++) variance += q[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
        double sigma = sqrt(variance);
        for (int i = 0; i < 5; i++) {
            double z = (mean - i / 4.0) / sigma;
            a[i] = i / 4.0 - 0.5 - t * sigma * (1 + z * z) / 2;
        }
        double x = secular_root(p, a);
        sum = 0;
        for (int i = 0; i < 5; i++) {
            q[i] = p[i] / (1 + x * a[i]);
            sum -= p[i] * kn_math_log1p(x * a[i]);
        }
    }
    return n * sum;
}

/* The standard deviation of a pair's mean score is that of a game over the root of 2, and so t the other way
 * round. */
static double likelihood_of_elo(const double p[5], double n, double elo, KnSprtModel model)
{
    static const double SCALE = 800 / 2.302585092994046, ROOT2 = 1.4142135623730951;
    return model == KN_SPRT_NORMALIZED ? likelihood_of_t(p, n, ROOT2 * elo / SCALE)
                                       : likelihood_of_mean(p, n, kn_score_from_elo(elo));
}

/* The generalised SPRT on the pentanomial, as the chess programs' testing sites run it: likelihoods are
 * maximised over all distributions that the hypothesis allows, and cells that never occurred count as 1/1000.
 */
KnSprt kn_sprt(const uint64_t pairs[5], const KnSprtPlan *plan)
{
    KnSprt test = {0, kn_math_log(plan->beta / (1 - plan->alpha)),
                   kn_math_log((1 - plan->beta) / plan->alpha), KN_SPRT_CONTINUE};
    double p[5], n = 0;
    uint64_t seen = 0;
    for (int i = 0; i < 5; i++) {
        seen += pairs[i];
        p[i] = pairs[i] ? (double)pairs[i] : 1e-3;
        n += p[i];
    }
    if (!seen) return test;
    for (int i = 0; i < 5; i++) p[i] /= n;
    test.llr = likelihood_of_elo(p, n, plan->elo1, plan->model) -
               likelihood_of_elo(p, n, plan->elo0, plan->model);
    if (test.llr >= test.upper)
        test.state = KN_SPRT_ACCEPT_H1;
    else if (test.llr <= test.lower)
        test.state = KN_SPRT_ACCEPT_H0;
    return test;
}

KnStatus kn_sprt_check(const KnSprtPlan *plan, KnError *error)
{
    double limit = plan->model == KN_SPRT_NORMALIZED ? SPRT_NORMALIZED_LIMIT : KN_ELO_LIMIT;
    if (!(plan->elo0 < plan->elo1 && plan->elo0 >= -limit && plan->elo1 <= limit))
        return kn_fail(
            error, KN_USAGE,
            "SPRT: the first Elo difference must be below the second and both within %g (got %g and %g)",
            limit, plan->elo0, plan->elo1);
    if (!(plan->alpha > 0 && plan->beta > 0 && plan->alpha + plan->beta < 1))
        return kn_fail(
            error, KN_USAGE,
            "SPRT: error rates must be above 0 and together below 1 (got %g and %g); 0.05 is usual",
            plan->alpha, plan->beta);
    return KN_OK;
}

const char *kn_sprt_model_name(KnSprtModel model)
{
    return model == KN_SPRT_NORMALIZED ? "normalized" : "logistic";
}

const char *kn_sprt_state_name(KnSprtState state)
{
    return state == KN_SPRT_ACCEPT_H0 ? "accept H0" : state == KN_SPRT_ACCEPT_H1 ? "accept H1" : "continue";
}
