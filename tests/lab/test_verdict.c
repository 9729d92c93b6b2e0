/* The rule of verdicts, at its edges. */
#include "support/check.h"
#include "lab/verdict.h"

#include <math.h>
#include <string.h>

/* A number that a paper prints, and a mean of a hundred values beside it. */
static KnJudgement judge(double published, double error, double precision, double value, double low,
                         double high)
{
    return kn_judge((KnPublished){'=', published, error, 0, precision, false},
                    (KnMeasure){value, low, high, 100, KN_MEASURE_MEAN});
}

/* Errors of both sides are squared and added; nothing else makes room between two numbers. */
static void test_sampling_error(void **state)
{
    (void)state;
    double error = 4 / KN_Z95; /* our interval: 3 down, 4 up */
    const struct {
        double published, error;
        KnVerdict verdict;
    } cases[] = {
        {54, 0, KN_AGREES},        {51, 0, KN_AGREES},    {50.9, 0, KN_DIFFERS},
        {57.5, 0, KN_AGREES},      {58.1, 0, KN_DIFFERS}, {49, error, KN_AGREES}, /* hypot(3, 4) = 5 */
        {48.9, error, KN_DIFFERS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(judge(cases[i].published, cases[i].error, 2, 54, 51, 58).verdict, cases[i].verdict);
    assert_true(fabs(judge(49, error, 2, 54, 51, 58).margin - 5) < 1e-9);
    /* However little precision an experiment asks for: 91.2 [88.2, 94.2] does not agree with 96.2. */
    assert_int_equal(judge(96.2, 0, 20, 91.2, 88.2, 94.2).verdict, KN_DIFFERS);
}

static void test_rounding(void **state)
{
    (void)state;
    KnPublished printed = {.relation = '=', .value = 62.7, .rounding = 0.05, .precision = 1};
    KnMeasure m = kn_measure_exact(62.74);
    assert_int_equal(kn_judge(printed, m).verdict, KN_AGREES);
    m = kn_measure_exact(62.76);
    assert_int_equal(kn_judge(printed, m).verdict, KN_DIFFERS);
    printed = (KnPublished){.relation = '=', .value = 0.3, .rounding = 0.1};
    assert_int_equal(kn_judge(printed, kn_measure_exact(0.2)).verdict,
                     KN_AGREES); /* 0.3 - 0.2 > 0.1 in binary */
    printed = (KnPublished){.relation = '=', .value = 5478};
    assert_int_equal(kn_judge(printed, kn_measure_exact(5478)).verdict, KN_AGREES);
    assert_int_equal(kn_judge(printed, kn_measure_exact(5477)).verdict, KN_DIFFERS);
}

static void test_wide_intervals_do_not_agree(void **state)
{
    (void)state;
    KnJudgement judgement = judge(50, 0, 1, 50, 47, 52);
    assert_int_equal(judgement.verdict, KN_NOT_COMPARABLE);
    assert_non_null(strstr(judgement.why, "too small"));
    assert_int_equal(judge(50, 0, 1, 40, 37, 42).verdict, KN_DIFFERS); /* a large difference shows */
    assert_int_equal(judge(50, 0, 1, 50, 48, 52).verdict, KN_AGREES);  /* twice the precision is enough */
}

/* Where nothing can be said, nothing is said, however far apart the numbers are. */
static void test_no_verdict(void **state)
{
    (void)state;
    const KnPublished number = {.relation = '=', .value = 50, .precision = 100},
                      claim = {.relation = '>', .value = 50},
                      timed = {.relation = '=', .value = 50, .precision = 100, .timed = true};
    const KnMeasure mean4 = {14, 13, 15, 4, KN_MEASURE_MEAN}, mean5 = {14, 13, 15, 5, KN_MEASURE_MEAN},
                    equal = {14, 14, 14, 10, KN_MEASURE_MEAN}, share19 = kn_measure_share(3, 19, 100),
                    share20 = kn_measure_share(3, 20, 100);
    const struct {
        KnPublished published;
        KnMeasure measure;
        const char *why;
    } cases[] = {
        {number, mean4, "fewer than 5"},
        {claim, mean4, "fewer than 5"},
        {number, mean5, NULL},
        {claim, mean5, NULL},
        {number, equal, "equal"},
        {claim, equal, "equal"},
        {number, share19, "fewer than 20"},
        {number, share20, NULL},
        {timed, mean5, "timed"},
        {number, kn_measure_single(14), "one measurement"},
        {number, kn_measure_single(NAN), "no number"},
        {number, kn_measure_share(0, 0, 100), "no number"},
        {number, kn_measure_mean(&(KnMoments){0}), "no number"},
        {(KnPublished){.relation = '=', .value = NAN}, mean5, "no number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnJudgement judgement = kn_judge(cases[i].published, cases[i].measure);
        assert_int_equal(judgement.verdict, cases[i].why ? KN_NOT_COMPARABLE : KN_DIFFERS);
        if (cases[i].why) assert_non_null(strstr(judgement.why, cases[i].why));
    }
}

/* A claim has no margin; what is undecided says why, and only that may be decided by a larger sample. */
static KnVerdict claim(char relation, double boundary, double low, double high)
{
    KnJudgement judgement = kn_judge((KnPublished){.relation = relation, .value = boundary},
                                     kn_measure_estimate((low + high) / 2, low, high, 100));
    assert_true(judgement.margin == 0);
    bool decided = judgement.verdict != KN_NOT_COMPARABLE;
    assert_int_equal(decided, *judgement.why == '\0');
    if (decided) assert_false(judgement.small);
    return judgement.verdict;
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
    assert_true(share.value == 25 && share.n == 1000 && share.kind == KN_MEASURE_SHARE);
    assert_true(share.low == 100 * wilson.low && share.high == 100 * wilson.high);
    KnMoments moments = {0};
    for (int i = 0; i < KN_LEAST_RUNS; i++) {
        assert_true(isinf(kn_measure_mean(&moments).high)); /* a few runs say little about the next */
        kn_moments_add(&moments, i);
    }
    KnMeasure mean = kn_measure_mean(&moments);
    assert_true(mean.value == 2 && mean.n == KN_LEAST_RUNS && mean.low < 1 && mean.high > 3);
    KnMeasure exact = kn_measure_exact(7);
    assert_true(exact.low == 7 && exact.high == 7 && exact.kind == KN_MEASURE_EXACT);
    assert_int_equal(kn_measure_exact(NAN).kind, KN_MEASURE_NONE);
    assert_true(isinf(kn_measure_estimate(2, 0, 4e16, 2).high)); /* two samples carry no interval */
}

/* A share never leaves its bounds, and equal runs are no certainty. */
static void test_bounds(void **state)
{
    (void)state;
    KnMeasure wide = kn_measure_within((KnMeasure){45, -18, 108, 10, KN_MEASURE_MEAN}, 0, 100);
    assert_true(wide.low == 0 && wide.high == 100);
    KnMeasure equal = kn_measure_within((KnMeasure){14, 14, 14, 10, KN_MEASURE_MEAN}, 0, 100);
    double unseen = 1 - pow(0.05, 0.1);
    assert_true(fabs(equal.low - 14 * (1 - unseen)) < 1e-9 && fabs(equal.high - (14 + unseen * 86)) < 1e-9);
    KnMeasure all = kn_measure_within((KnMeasure){100, 100, 100, 10, KN_MEASURE_MEAN}, 0, 100);
    assert_true(all.high == 100 && all.low < 80);
    KnMeasure outside = kn_measure_within((KnMeasure){-2, -3, -1, 10, KN_MEASURE_MEAN}, 0, 100);
    assert_true(outside.low == -3); /* a difference is no share */
    KnMeasure exact = kn_measure_within(kn_measure_exact(100), 0, 100);
    assert_true(exact.low == 100);
}

/* Shares stay between 0 and their whole, times and counts do not go below 0, differences go anywhere. */
static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double low, high;
    } cases[] = {{"%", 0, 100},
                 {"reliability (%)", 0, 100},
                 {"share, %", 0, 100},
                 {"share", 0, 1},
                 {"share of points", 0, 1},
                 {"microseconds a game", 0, INFINITY},
                 {"positions", 0, INFINITY},
                 {"% points", -INFINITY, INFINITY},
                 {"% of Imitate's", -INFINITY, INFINITY},
                 {"points", -INFINITY, INFINITY},
                 {"", -INFINITY, INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnInterval bounds = kn_unit_bounds(cases[i].unit);
        if (bounds.low != cases[i].low || bounds.high != cases[i].high)
            fail_msg("\"%s\": %g to %g", cases[i].unit, bounds.low, bounds.high);
    }
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
        cmocka_unit_test(test_sampling_error),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_wide_intervals_do_not_agree),
        cmocka_unit_test(test_no_verdict),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
