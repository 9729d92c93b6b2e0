/* The rule of verdicts, at its edges. */
#include "support/check.h"
#include "lab/verdict.h"

#include <math.h>
#include <string.h>

static KnVerdict judge(double published, double error, double tolerance, double value, double low,
                       double high)
{
    return kn_judge('=', published, error, tolerance, (KnMeasure){value, low, high, 100}).verdict;
}

static void test_tolerance(void **state)
{
    (void)state;
    assert_int_equal(judge(50, 0, 1, 51, 50.9, 51.1), KN_AGREES); /* the edge agrees */
    assert_int_equal(judge(50, 0, 1, 49, 48.9, 49.1), KN_AGREES);
    assert_int_equal(judge(50, 0, 1, 51.01, 50.9, 51.1), KN_DIFFERS);
    assert_int_equal(judge(50, 0, 1, 48.99, 48.9, 49.1), KN_DIFFERS);
    assert_int_equal(judge(0.3, 0, 0.1, 0.2, 0.2, 0.2), KN_AGREES); /* 0.3 - 0.2 > 0.1 in binary */
}

/* Errors of both sides are squared and added, and count only where they exceed the tolerance. */
static void test_sampling_error(void **state)
{
    (void)state;
    KnMeasure m = {54, 51, 58, 100};                                    /* reaches 3 down, 4 up */
    assert_int_equal(kn_judge('=', 50.5, 0, 2, m).verdict, KN_DIFFERS); /* 3.5 away, reach 3 */
    assert_int_equal(kn_judge('=', 57.5, 0, 2, m).verdict, KN_AGREES);  /* 3.5 away, reach 4 */
    double error = 4 / KN_Z95;
    KnJudgement judgement = kn_judge('=', 49, error, 2, m);
    assert_int_equal(judgement.verdict, KN_AGREES); /* hypot(3, 4) = 5 = the difference */
    assert_true(fabs(judgement.margin - 5) < 1e-9);
    assert_int_equal(kn_judge('=', 48.9, error, 2, m).verdict, KN_DIFFERS);
}

static void test_small_samples_do_not_agree(void **state)
{
    (void)state;
    KnJudgement judgement = kn_judge('=', 50, 0, 1, (KnMeasure){50, 47, 52, 10});
    assert_int_equal(judgement.verdict, KN_NOT_COMPARABLE);
    assert_non_null(strstr(judgement.why, "too small"));
    assert_int_equal(judge(50, 0, 1, 40, 37, 42),
                     KN_DIFFERS); /* but a small one can tell a large difference */
    assert_int_equal(judge(50, 0, 1, 50, 48, 52), KN_AGREES); /* twice the tolerance is still enough */
    assert_int_equal(judge(50, 0, 1, 50, -INFINITY, INFINITY), KN_NOT_COMPARABLE);
    assert_int_equal(judge(50, 0, 1, NAN, 1, 2), KN_NOT_COMPARABLE);
    assert_int_equal(judge(5478, 0, 0, 5478, 5478, 5478), KN_AGREES); /* exact numbers need no tolerance */
    assert_int_equal(judge(5478, 0, 0, 5477, 5477, 5477), KN_DIFFERS);
}

static KnVerdict claim(char relation, double boundary, double low, double high)
{
    return kn_judge(relation, boundary, 0, 0, (KnMeasure){(low + high) / 2, low, high, 100}).verdict;
}

static void test_claims(void **state)
{
    (void)state;
    assert_int_equal(claim('>', 0, 0.1, 0.4), KN_AGREES);
    assert_int_equal(claim('>', 0, -0.4, -0.1), KN_DIFFERS);
    assert_int_equal(claim('>', 0, -0.1, 0.4), KN_NOT_COMPARABLE);
    assert_int_equal(claim('>', 0, 0, 0.4), KN_NOT_COMPARABLE); /* touching the boundary decides nothing */
    assert_int_equal(claim('<', 1, 0.5, 0.9), KN_AGREES);
    assert_int_equal(claim('<', 1, 1.1, 1.9), KN_DIFFERS);
    assert_int_equal(claim('<', 1, -INFINITY, INFINITY), KN_NOT_COMPARABLE);
}

static void test_measures(void **state)
{
    (void)state;
    KnMeasure share = kn_measure_share(250, 1000, 100);
    KnInterval wilson = kn_wilson(250, 1000, KN_Z95);
    assert_true(share.value == 25 && share.n == 1000);
    assert_true(share.low == 100 * wilson.low && share.high == 100 * wilson.high);
    KnMoments moments = {0};
    kn_moments_add(&moments, 1);
    assert_true(isinf(kn_measure_mean(&moments).high)); /* one run says nothing about the next */
    kn_moments_add(&moments, 3);
    KnMeasure mean = kn_measure_mean(&moments);
    assert_true(mean.value == 2 && mean.n == 2 && mean.low < 1 && mean.high > 3);
    KnMeasure exact = kn_measure_exact(7);
    assert_true(exact.low == 7 && exact.high == 7 && exact.n == 0);
}

static void test_names(void **state)
{
    (void)state;
    for (int v = 0; v < KN_VERDICTS; v++) {
        KnVerdict parsed;
        KnError error;
        check_ok(error, kn_verdict_parse(kn_verdict_name((KnVerdict)v), &parsed, &error));
        assert_int_equal(parsed, v);
    }
    KnVerdict parsed;
    KnError error;
    check_fails(error, KN_INPUT, "not comparable", kn_verdict_parse("Agrees", &parsed, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_sampling_error),
        cmocka_unit_test(test_small_samples_do_not_agree),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
