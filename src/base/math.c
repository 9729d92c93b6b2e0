#include "base/math.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ln 2 in two parts (Cody and Waite): the first has so few digits that k times it is exact for every exponent
 * k of a double. */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

/* ---- exponential ---- */

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2: the Taylor series, from its smallest term. */
static double exp_tail(double r)
{
    static const double inverse_factorials[] = {
        1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
        1.0 / 40320,       1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6};
    double sum = 0;
    for (int i = 0; i < 12; i++) sum = sum * r + inverse_factorials[i];
    return sum * r + 0.5;
}

double kn_math_exp(double x)
{
    if (isnan(x)) return x;
    if (x > 709.782712893384) return INFINITY;
    if (x < -745.1332191019412) return 0;
    double k = floor(x * M_LOG2E + 0.5);
    double high = x - k * LN2_HIGH, low = k * LN2_LOW, r = high - low;
    double lost = (high - r) - low; /* of the reduction */
    double power = 1 + (r + (r * r * exp_tail(r) + lost));
    return ldexp(power, (int)k);
}

double kn_math_expm1(double x)
{
    if (fabs(x) < 0.34) return x + x * x * exp_tail(x);
    if (fabs(x) > 0.68) return kn_math_exp(x) - 1;
    double half = kn_math_expm1(x / 2); /* exp(x) - 1 = (exp(x / 2) - 1) (exp(x / 2) + 1) */
    return half * (half + 2);
}

double kn_math_tanh(double x)
{
    double size = fabs(x);
    if (isnan(x) || size < 0x1p-28) return x;
    if (size > 22) return copysign(1, x);
    double e = kn_math_expm1(2 * size);
    return copysign(e / (e + 2), x);
}

/* ---- logarithm ---- */

/* f - log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1], by s = f / (2 + f): log(1 + f) = 2 atanh(s). */
static double log_rest(double f)
{
    double s = f / (2 + f), z = s * s, sum = 0, half = 0.5 * f * f;
    for (int odd = 25; odd >= 3; odd -= 2) sum = sum * z + 2.0 / odd;
    return half - s * (half + z * sum);
}

/* x = 2^k (1 + f). */
static double split(double x, int *k)
{
    double mantissa = frexp(x, k);
    if (mantissa < M_SQRT1_2) mantissa *= 2, --*k;
    return mantissa - 1;
}

double kn_math_log(double x)
{
    if (isnan(x) || x < 0) return NAN;
    if (x == 0) return -INFINITY;
    if (isinf(x)) return x;
    int k;
    double f = split(x, &k);
    return k * LN2_HIGH - ((log_rest(f) - k * LN2_LOW) - f);
}

double kn_math_log1p(double x)
{
    if (x > -0.29 && x < 0.41) return x - log_rest(x);
    return kn_math_log(1 + x);
}

double kn_math_log2(double x)
{
    if (!(x > 0) || isinf(x)) return kn_math_log(x);
    int k;
    double f = split(x, &k);
    return k + (f - log_rest(f)) * M_LOG2E;
}

double kn_math_log10(double x) { return kn_math_log(x) * M_LOG10E; }

/* ---- powers and roots ---- */

static double whole_power(double x, unsigned n)
{
    double power = 1;
    for (; n; n >>= 1, x *= x)
        if (n & 1) power *= x;
    return power;
}

double kn_math_pow(double x, double y)
{
    enum { FEW = 64 };
    if (y == floor(y) && fabs(y) <= FEW) {
        double power = whole_power(x, (unsigned)fabs(y));
        return y < 0 ? 1 / power : power;
    }
    if (x == 0) return y > 0 ? 0 : INFINITY;
    return kn_math_exp(y * kn_math_log(x));
}

double kn_math_cbrt(double x)
{
    double size = fabs(x);
    if (!(size > 0) || isinf(size)) return x;
    double root = kn_math_exp(kn_math_log(size) / 3);
    root -= (root - size / (root * root)) / 3; /* Newton's step */
    return copysign(root, x);
}

double kn_math_hypot(double x, double y)
{
    double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    if (!(large > 0) || isinf(large)) return large;
    double ratio = small / large;
    return large * sqrt(1 + ratio * ratio);
}

/* ---- special functions ---- */

/* exp(-x^2): x is cut to 26 bits, whose square is exact, since an error of x^2 would grow with it. */
static double gauss(double x)
{
    double cut = ldexp(floor(ldexp(x, 20)), -20);
    return kn_math_exp(-cut * cut) * kn_math_exp((cut - x) * (cut + x));
}

double kn_math_erfc(double x)
{
    static const double INVERSE_SQRT_PI = 0.5641895835477563;
    if (isnan(x)) return x;
    if (x < 0) return 2 - kn_math_erfc(-x);
    if (x > 27.3) return 0;
    if (x < 0.5) { /* erf by its series with terms of one sign: no cancellation */
        double term = x, sum = x;
        for (int n = 1; term > sum * DBL_EPSILON / 4; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return 1 - 2 * INVERSE_SQRT_PI * gauss(x) * sum;
    }
    /* The continued fraction x + (1/2) / (x + (2/2) / (x + (3/2) / ...)), from far enough out. */
    double fraction = x;
    for (int n = 40 + (int)(400 / (x * x)); n > 0; n--) fraction = x + 0.5 * n / fraction;
    return INVERSE_SQRT_PI * gauss(x) / fraction;
}

/* log(gamma(1 + f)) for |f| <= 1/2: the Taylor series, whose coefficients are values of the zeta function
 * less 1; what the 1 would add is log(1 + f) - f. */
static double lgamma_near_1(double f)
{
    static const double EULER = 0.5772156649015329;
    static const double zeta_less_1[] = {
        0.6449340668482264,     0.2020569031595943,     0.08232323371113819,   0.03692775514336993,
        0.01734306198444914,    0.008349277381922827,   0.00407735619794434,   0.0020083928260822143,
        0.0009945751278180853,  0.0004941886041194645,  0.0002460865533080483, 0.00012271334757848915,
        6.124813505870483e-05,  3.058823630702049e-05,  1.528225940865187e-05, 7.637197637899763e-06,
        3.81729326499984e-06,   1.908212716553939e-06,  9.539620338727962e-07, 4.769329867878064e-07,
        2.38450502727733e-07,   1.1921992596531106e-07, 5.960818905125948e-08, 2.980350351465228e-08,
        1.4901554828365043e-08, 7.45071178983543e-09,   3.725334024788457e-09, 1.862659723513049e-09};
    enum { TERMS = sizeof zeta_less_1 / sizeof *zeta_less_1 };
    double sum = 0;
    for (int k = TERMS + 1; k >= 2; k--) sum = -f * sum + zeta_less_1[k - 2] / k;
    return sum * f * f + (f * (1 - EULER) - kn_math_log1p(f));
}

double kn_math_lgamma(double x)
{
    static const double HALF_LOG_2PI = 0.9189385332046728;
    if (!(x > 0)) return NAN;
    if (x < 0.5) return lgamma_near_1(x) - kn_math_log(x);
    if (x < 12) {
        double product = 1;
        for (; x > 1.5; product *= x) x -= 1;
        return lgamma_near_1(x - 1) + kn_math_log(product);
    }
    /* Stirling's series with the Bernoulli numbers. */
    double z = 1 / (x * x), series = 691.0 / 360360;
    static const double terms[] = {1.0 / 1188, 1.0 / 1680, 1.0 / 1260, 1.0 / 360, 1.0 / 12};
    for (int i = 0; i < 5; i++) series = terms[i] - z * series;
    return (x - 0.5) * kn_math_log(x) - x + HALF_LOG_2PI + series / x;
}
