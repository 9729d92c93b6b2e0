/* Elementary functions: how far from the truth, and whether the bits are those of every other machine. */
#include "support/check.h"
#include "base/hash.h"
#include "base/math.h"
#include <knack/base.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct Function {
    const char *name;
    double (*ours)(double);
    long double (*reference)(long double);
    double low, high;
    bool logarithmic; /* arguments are spread evenly over their exponents */
    double most;      /* units in the last place */
} Function;

static const Function functions[] = {
    {"exp", kn_math_exp, expl, -700, 700, false, 1.5},
    {"exp near 0", kn_math_exp, expl, -1, 1, false, 1.5},
    {"expm1", kn_math_expm1, expm1l, -2, 2, false, 3},
    {"expm1 near 0", kn_math_expm1, expm1l, 1e-12, 0.3, true, 1.5},
    {"log", kn_math_log, logl, 1e-300, 1e300, true, 1.5},
    {"log near 1", kn_math_log, logl, 0.7, 1.4, false, 1.5},
    {"log1p", kn_math_log1p, log1pl, 1e-12, 10, true, 2.5},
    {"log1p below 0", kn_math_log1p, log1pl, -0.9, 0, false, 2.5},
    {"log2", kn_math_log2, log2l, 1e-300, 1e300, true, 2.5},
    {"log10", kn_math_log10, log10l, 1e-300, 1e300, true, 2.5},
    {"tanh", kn_math_tanh, tanhl, 1e-9, 25, true, 2.5},
    {"cbrt", kn_math_cbrt, cbrtl, 1e-300, 1e300, true, 2},
    {"erfc", kn_math_erfc, erfcl, -3, 26, false, 12},
    {"erfc tail", kn_math_erfc, erfcl, 1, 3, false, 12},
};

static double argument(const Function *f, KnRng *rng)
{
    double u = kn_rng_real(rng);
    return f->logarithmic ? exp(log(f->low) + u * (log(f->high) - log(f->low)))
                          : f->low + u * (f->high - f->low);
}

static void test_precision(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const Function *f = &functions[i];
        KnRng rng = kn_rng_seeded(i + 1);
        double worst = 0, at = 0;
        for (long k = check_scaled(20000); k > 0; k--) {
            double x = argument(f, &rng);
            long double truth = f->reference((long double)x);
            double unit = nextafter(fabs((double)truth), INFINITY) - fabs((double)truth);
            double off = (double)fabsl((long double)f->ours(x) - truth) / fmax(unit, DBL_MIN);
            if (off > worst) worst = off, at = x;
        }
        if (worst > f->most) fail_msg("%s: %.2f units in the last place at %.17g", f->name, worst, at);
    }
}

static void test_lgamma(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(7);
    for (long k = check_scaled(20000); k > 0; k--) {
        double x = exp(-6 + 20 * kn_rng_real(&rng)), truth = (double)lgammal((long double)x);
        double allowed = 1e-14 * fmax(1, fabs(truth));
        if (fabs(kn_math_lgamma(x) - truth) > allowed)
            fail_msg("lgamma(%.17g) = %.17g, not %.17g", x, kn_math_lgamma(x), truth);
    }
}

static void test_special_values(void **state)
{
    (void)state;
    assert_true(kn_math_exp(0) == 1 && kn_math_exp(-INFINITY) == 0 && isinf(kn_math_exp(INFINITY)) &&
                isinf(kn_math_exp(710)));
    assert_true(kn_math_exp(-744) > 0 && isnan(kn_math_exp(NAN)));
    assert_true(kn_math_log(1) == 0 && isinf(kn_math_log(0)) && isnan(kn_math_log(-1)) &&
                isinf(kn_math_log(INFINITY)));
    assert_true(kn_math_log(5e-324) < -744 && kn_math_log2(5e-324) == -1074);
    for (int k = -1000; k <= 1000; k++) assert_true(kn_math_log2(ldexp(1, k)) == k);
    assert_true(kn_math_log10(10) == 1 && kn_math_log10(100) == 2 && kn_math_log10(1e-3) == -3);
    assert_true(kn_math_pow(2, 10) == 1024 && kn_math_pow(2, -2) == 0.25 && kn_math_pow(0, 0.5) == 0 &&
                kn_math_pow(3, 0) == 1);
    assert_true(kn_math_pow(-2, 3) == -8 && fabs(kn_math_pow(10, 0.5) - sqrt(10)) < 1e-14);
    assert_true(kn_math_tanh(0) == 0 && kn_math_tanh(-100) == -1 && kn_math_tanh(1e-300) == 1e-300);
    assert_true(kn_math_cbrt(27) == 3 && kn_math_cbrt(-8) == -2 && kn_math_cbrt(0) == 0);
    assert_true(kn_math_hypot(3, 4) == 5 && kn_math_hypot(0, 0) == 0 &&
                kn_math_hypot(1e200, 1e200) < INFINITY);
    assert_true(kn_math_erfc(0) == 1 && kn_math_erfc(-30) == 2 && kn_math_erfc(30) == 0);
    assert_true(fabs(kn_math_lgamma(1)) < 1e-14 && isnan(kn_math_lgamma(-1)));
}

/* The same bits with any compiler, optimisation and processor: a digest of results, made once. */
static void test_same_bits_everywhere(void **state)
{
    (void)state;
    KnDigest digest;
    kn_digest_start(&digest);
    KnRng rng = kn_rng_seeded(2026);
    for (int k = 0; k < 20000; k++) {
        double x = (kn_rng_real(&rng) - 0.5) * ldexp(1, (int)kn_rng_below(&rng, 12) - 6), y = fabs(x);
        double results[] = {kn_math_exp(x),      kn_math_expm1(x),     kn_math_log(y),  kn_math_log1p(y),
                            kn_math_log2(y),     kn_math_log10(y),     kn_math_tanh(x), kn_math_cbrt(x),
                            kn_math_hypot(x, 1), kn_math_pow(y, 0.37), kn_math_erfc(x), kn_math_lgamma(y)};
        kn_digest_add(&digest, results, sizeof results);
    }
    char hex[KN_HEX128];
    kn_digest_hex(&digest, hex);
    assert_string_equal(hex, "8897da79afd439b5967947cde3631836");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_precision), cmocka_unit_test(test_lgamma),
                                       cmocka_unit_test(test_special_values),
                                       cmocka_unit_test(test_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
