#include "support/check.h"
#include <knack/base.h>
#include <knack/stats.h>

#include <math.h>
#include <string.h>

/* Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29. */
static void test_wilson(void **state)
{
    (void)state;
    const double rows[][4] = {{81, 263, 0.2553, 0.3662},
                              {15, 148, 0.0624, 0.1605},
                              {0, 20, 0.0000, 0.1611},
                              {1, 29, 0.0061, 0.1718}};
    for (int i = 0; i < 4; i++) {
        KnInterval interval = kn_wilson(rows[i][0], rows[i][1], KN_Z95);
        check_near(interval.low, rows[i][2], 5e-5);
        check_near(interval.high, rows[i][3], 5e-5);
        KnInterval mirror = kn_wilson(rows[i][1] - rows[i][0], rows[i][1], KN_Z95);
        check_near(mirror.low, 1 - interval.high, 1e-15);
    }
    assert_true(kn_wilson(0, 20, KN_Z95).low == 0);
    assert_true(kn_wilson(20, 20, KN_Z95).high == 1);
    KnInterval nothing = kn_wilson(0, 0, KN_Z95);
    assert_true(nothing.low == 0 && nothing.high == 1);
}

static void test_moments(void **state)
{
    (void)state;
    const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}; /* the sum of squares would lose these */
    KnMoments all = {0}, left = {0}, right = {0};
    for (int i = 0; i < 4; i++) {
        kn_moments_add(&all, values[i]);
        kn_moments_add(i < 1 ? &left : &right, values[i]);
    }
    check_near(kn_moments_mean(&all), 1e9 + 10, 0);
    check_near(kn_moments_variance(&all), 30, 1e-12);
    check_near(kn_moments_stderr(&all), sqrt(30.0 / 4), 1e-12);
    KnInterval interval = kn_moments_interval(&all, 0.95);
    check_near(interval.high - 1e9, 10 + 3.182446305284263 * sqrt(7.5), 1e-6); /* t with 3 degrees */
    check_near(interval.low - 1e9, 10 - 3.182446305284263 * sqrt(7.5), 1e-6);

    KnMoments none = {0};
    kn_moments_merge(&left, &none);
    assert_int_equal(left.count, 1);
    kn_moments_merge(&left, &right);
    assert_int_equal(left.count, 4);
    check_near(left.mean, all.mean, 1e-6);
    check_near(kn_moments_variance(&left), 30, 1e-6);
    kn_moments_merge(&none, &all);
    check_near(kn_moments_variance(&none), 30, 1e-12);

    KnMoments one = {0};
    kn_moments_add(&one, 5);
    assert_true(kn_moments_variance(&one) == 0 && isinf(kn_moments_interval(&one, 0.95).low));
}

/* Means of what lies between bounds stay there, and equal values are no certainty. */
static void test_bounded_moments(void **state)
{
    (void)state;
    KnMoments equal = {0}, spread = {0}, none = {0};
    for (int i = 0; i < 5; i++) kn_moments_add(&equal, 3);
    KnInterval interval = kn_moments_interval_within(&equal, 0, 5);
    double unseen = 1 - pow(0.05, 0.2); /* the rule of three, for five */
    check_near(interval.low, 3 - unseen * 3, 1e-12);
    check_near(interval.high, 3 + unseen * 2, 1e-12);
    for (int i = 0; i < 5; i++) kn_moments_add(&spread, i ? 100 : 90);
    interval = kn_moments_interval_within(&spread, 0, 100);
    check_near(interval.low, kn_moments_interval(&spread, 0.95).low, 0);
    assert_true(kn_moments_interval(&spread, 0.95).high > 100 && interval.high == 100);
    interval = kn_moments_interval_within(&none, -1, 1);
    assert_true(interval.low == -1 && interval.high == 1);
    kn_moments_add(&none, 0.5);
    interval = kn_moments_interval_within(&none, -1, 1);
    assert_true(interval.low == -1 && interval.high == 1);
}

/* Values to 20 digits by mpmath. */
static void test_distributions(void **state)
{
    (void)state;
    check_near(kn_normal_quantile(0.975), KN_Z95, 1e-15);
    check_near(kn_normal_quantile(0.99), 2.3263478740408411009, 1e-15);
    check_near(kn_normal_quantile(0.6), 0.2533471031357997988, 5e-16);
    check_near(kn_normal_quantile(1e-10), -6.3613409024040562047, 2e-15);
    check_near(kn_normal_quantile(1e-300), -37.047096299361199237, 2e-14);
    assert_true(kn_normal_quantile(0.5) == 0 && isinf(kn_normal_quantile(0)) && isinf(kn_normal_quantile(1)));
    assert_true(isnan(kn_normal_quantile(NAN)));
    check_near(kn_normal_cdf(KN_Z95), 0.975, 1e-15);

    check_near(kn_student_t_quantile(0.975, 1), 12.706204736174704646, 1e-12);
    check_near(kn_student_t_quantile(0.025, 2), -4.3026527297494638523, 1e-13);
    check_near(kn_student_t_quantile(0.975, 10), 2.2281388519862747484, 1e-14);
    check_near(kn_student_t_quantile(0.995, 3), 5.8409093097333572607, 1e-13);
    check_near(kn_student_t_quantile(0.9, 2.5), 1.7302509288071765896, 1e-14);
    check_near(kn_student_t_quantile(0.975, 39999), 1.9600232945677080662, 1e-10);
    check_near(kn_student_t_quantile(0.975, 1e12), KN_Z95, 1e-10);
    check_near(kn_student_t_cdf(-1, 1), 0.25, 1e-15);
    check_near(kn_student_t_cdf(2.2281388519862747484, 10), 0.975, 1e-14);
    assert_true(isnan(kn_student_t_quantile(0.9, 0)) && isnan(kn_student_t_cdf(1, -1)));

    check_near(kn_incomplete_beta(2, 3, 0.4), 0.5248, 1e-15);
    check_near(kn_incomplete_beta(0.5, 20000, 1e-4), 0.95450378554845464985, 1e-11);
    assert_true(kn_incomplete_beta(1, 1, 0) == 0 && kn_incomplete_beta(1, 1, 1) == 1);
}

static void test_two_proportions(void **state)
{
    (void)state;
    check_near(kn_two_proportions(45, 100, 60, 100), 0.03367206885634585, 1e-14);
    check_near(kn_two_proportions(60, 100, 45, 100), 0.03367206885634585, 1e-14);
    assert_true(kn_two_proportions(10, 10, 20, 20) == 1);
    assert_true(kn_two_proportions(1, 0, 1, 2) == 1);
}

static void test_holm(void **state)
{
    (void)state;
    KnError error;
    double p[] = {0.01, 0.04, 0.03, 0.005};
    check_ok(error, kn_holm(p, 4, &error));
    const double wanted[] = {0.03, 0.06, 0.06, 0.02};
    for (int i = 0; i < 4; i++) check_near(p[i], wanted[i], 1e-16);
    double large[] = {0.6, 0.5, 0.5};
    check_ok(error, kn_holm(large, 3, &error));
    for (int i = 0; i < 3; i++) assert_true(large[i] == 1);
    check_ok(error, kn_holm(NULL, 0, &error));
    double wrong[] = {0.1, NAN};
    check_fails(error, KN_USAGE, "p-value 1", kn_holm(wrong, 2, &error));
    assert_true(wrong[0] == 0.1);
}

static void test_elo(void **state)
{
    (void)state;
    check_near(kn_elo_from_score(0.5), 0, 0);
    check_near(kn_elo_from_score(10.0 / 11), 400, 1e-12);
    check_near(kn_score_from_elo(400), 10.0 / 11, 1e-15);
    for (double elo = -1000; elo <= 1000; elo += 50)
        check_near(kn_elo_from_score(kn_score_from_elo(elo)), elo, 1e-9);
    assert_true(kn_elo_from_score(1) == KN_ELO_LIMIT && kn_elo_from_score(0) == -KN_ELO_LIMIT);
    assert_true(kn_elo_from_score(1 - 1e-12) == KN_ELO_LIMIT);
    assert_true(isnan(kn_elo_from_score(NAN)));
}

/* Score and Elo are one interval on two scales: they can never disagree about who is better. */
static void test_score_and_elo_agree(void **state)
{
    (void)state;
    const uint64_t cases[][5] = {{0, 0, 0, 0, 2}, {0, 0, 0, 0, 20}, {3, 1, 7, 0, 9}, {0, 0, 4, 0, 0}, {0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnInterval score = kn_score_interval_pairs(cases[i]);
        KnElo elo = kn_elo_from_pairs(cases[i]);
        assert_true(elo.low == kn_elo_from_score(score.low) && elo.high == kn_elo_from_score(score.high));
        assert_int_equal(score.low > 0.5, elo.low > 0);
        score = kn_score_interval_wdl(cases[i][4], cases[i][2], cases[i][0]);
        elo = kn_elo_from_wdl(cases[i][4], cases[i][2], cases[i][0]);
        assert_true(elo.low == kn_elo_from_score(score.low) && elo.high == kn_elo_from_score(score.high));
    }
    assert_true(kn_score_interval_pairs(cases[0]).low < 0.5); /* two pairs, won 4-0, decide nothing */
    assert_true(kn_score_interval_pairs(cases[1]).low > 0.5);
}

static void test_elo_intervals(void **state)
{
    (void)state;
    /* Without draws: Wilson's interval, translated. */
    KnInterval wilson = kn_wilson(60, 100, KN_Z95);
    KnElo elo = kn_elo_from_wdl(60, 0, 40);
    check_near(elo.elo, kn_elo_from_score(0.6), 1e-12);
    check_near(elo.low, kn_elo_from_score(wilson.low), 1e-9);
    check_near(elo.high, kn_elo_from_score(wilson.high), 1e-9);

    /* Many games with draws: the normal interval from the variance of a game. */
    elo = kn_elo_from_wdl(2600, 5000, 2400);
    double s = 0.51, half = KN_Z95 * sqrt((0.26 + 0.25 * 0.5 - s * s) / 10000);
    check_near(elo.low, kn_elo_from_score(s - half), 0.01);
    check_near(elo.high, kn_elo_from_score(s + half), 0.01);

    /* Pairs that balance out say more than as many single games. */
    const uint64_t balanced[5] = {10, 200, 600, 200, 10};
    KnElo pairs = kn_elo_from_pairs(balanced), games = kn_elo_from_wdl(820, 400, 820);
    check_near(pairs.elo, 0, 1e-12);
    assert_true(pairs.high < games.high * 0.75);
    check_near(pairs.high, -pairs.low, 1e-9);

    /* Lopsided and uniform results keep an honest width. */
    elo = kn_elo_from_wdl(10, 0, 0);
    assert_true(elo.elo == KN_ELO_LIMIT && elo.high == KN_ELO_LIMIT);
    check_near(elo.low, kn_elo_from_score(kn_wilson(10, 10, KN_Z95).low), 1e-9);
    elo = kn_elo_from_wdl(0, 20, 0);
    assert_true(elo.elo == 0 && elo.low < -10 && elo.high > 10 && elo.high < 60);
    elo = kn_elo_from_wdl(0, 0, 0);
    assert_true(elo.low == -KN_ELO_LIMIT && elo.high == KN_ELO_LIMIT);
}

/* Reference values that fastchess's own tests hold for its logistic pentanomial model (two decimals). */
static void test_sprt_reference(void **state)
{
    (void)state;
    const uint64_t one[5] = {223, 9863, 21279, 10037, 246}, two[5] = {871, 26175, 55983, 26678, 821};
    KnSprt test = kn_sprt(one, &(KnSprtPlan){0.5, 2.5, 0.05, 0.05, KN_SPRT_LOGISTIC});
    check_near(test.llr, -3.07, 0.005);
    check_near(test.lower, -2.9444389791664403, 1e-14);
    check_near(test.upper, 2.9444389791664403, 1e-14);
    assert_int_equal(test.state, KN_SPRT_ACCEPT_H0);
    test = kn_sprt(two, &(KnSprtPlan){0, 2, 0.05, 0.05, KN_SPRT_LOGISTIC});
    check_near(test.llr, -4.98, 0.005);
}

static void test_sprt_behaviour(void **state)
{
    (void)state;
    const uint64_t none[5] = {0}, wins[5] = {0, 0, 0, 0, 400}, losses[5] = {400, 0, 0, 0, 0},
                   one_win[5] = {0, 0, 0, 0, 1};
    KnSprt test = kn_sprt(none, &(KnSprtPlan){0, 5, 0.05, 0.05, KN_SPRT_LOGISTIC});
    assert_true(test.llr == 0 && test.state == KN_SPRT_CONTINUE);
    KnSprt good = kn_sprt(wins, &(KnSprtPlan){-5, 5, 0.05, 0.05, KN_SPRT_LOGISTIC}),
           bad = kn_sprt(losses, &(KnSprtPlan){-5, 5, 0.05, 0.05, KN_SPRT_LOGISTIC});
    assert_int_equal(good.state, KN_SPRT_ACCEPT_H1);
    assert_int_equal(bad.state, KN_SPRT_ACCEPT_H0);
    check_near(good.llr, -bad.llr, 1e-9);
    assert_int_equal(kn_sprt(one_win, &(KnSprtPlan){0, 50, 0.05, 0.05, KN_SPRT_LOGISTIC}).state,
                     KN_SPRT_CONTINUE);
    assert_string_equal(kn_sprt_state_name(good.state), "accept H1");

    KnError error;
    check_ok(error, kn_sprt_check(&(KnSprtPlan){0, 5, 0.05, 0.05, KN_SPRT_LOGISTIC}, &error));
    check_fails(error, KN_USAGE, "below the second",
                kn_sprt_check(&(KnSprtPlan){5, 0, 0.05, 0.05, KN_SPRT_LOGISTIC}, &error));
    check_fails(error, KN_USAGE, "below the second",
                kn_sprt_check(&(KnSprtPlan){0, NAN, 0.05, 0.05, KN_SPRT_LOGISTIC}, &error));
    check_fails(error, KN_USAGE, "error rates",
                kn_sprt_check(&(KnSprtPlan){0, 5, 0.6, 0.6, KN_SPRT_LOGISTIC}, &error));
    check_fails(error, KN_USAGE, "within 200",
                kn_sprt_check(&(KnSprtPlan){0, 500, 0.05, 0.05, KN_SPRT_NORMALIZED}, &error));
}

/* Plays simulated matches of a known strength until the test ends; how often it accepts H1. `s` is the
 * expected score of a game. */
static double acceptance(double s, const KnSprtPlan *plan, int matches, uint64_t seed)
{
    int accepted = 0;
    for (int match = 0; match < matches; match++) {
        KnRng rng = kn_rng_stream(seed, (uint64_t)match);
        uint64_t pairs[5] = {0};
        KnSprt test;
        do {
            int halves = 0; /* a game: draw half the time */
            for (int game = 0; game < 2; game++) {
                double u = kn_rng_real(&rng), draw = 0.5, win = s - draw / 2;
                halves += u < win ? 2 : u < win + draw ? 1 : 0;
            }
            pairs[halves]++;
            test = kn_sprt(pairs, plan);
        } while (test.state == KN_SPRT_CONTINUE);
        accepted += test.state == KN_SPRT_ACCEPT_H1;
    }
    return (double)accepted / matches;
}

/* The promised error rates hold in both models, with room for chance in 400 matches (three standard errors:
 * 3.3% where 5% are promised). */
static void test_sprt_error_rates(void **state)
{
    (void)state;
    int matches = (int)check_scaled(400);
    double room = 3.1 * sqrt(0.05 * 0.95 / matches), wide = 3.1 * sqrt(0.2 * 0.8 / matches);
    KnSprtPlan plan = {0, 60, 0.05, 0.05, KN_SPRT_LOGISTIC};
    assert_true(acceptance(0.5, &plan, matches, 1) < 0.05 + room);
    assert_true(acceptance(kn_score_from_elo(60), &plan, matches, 2) > 0.95 - room);
    plan = (KnSprtPlan){0, 60, 0.05, 0.2, KN_SPRT_NORMALIZED};
    /* half of the games are drawn: sigma^2 = 1/8 - (s - 1/2)^2, and (s - 1/2) / sigma = 60 ln 10 / 800 */
    double t = 60 * log(10) / 800, s = 0.5 + t * sqrt(0.125 / (1 + t * t));
    assert_true(acceptance(0.5, &plan, matches, 3) < 0.05 + room);
    double power = acceptance(s, &plan, matches, 4);
    assert_true(power > 0.8 - wide && power < 0.95);
}

/* Normalized Elo: close to n/2 ((t - t0)^2 - (t - t1)^2) for many pairs and small t. */
static void test_sprt_normalized(void **state)
{
    (void)state;
    const uint64_t pairs[5] = {223, 9863, 21279, 10037, 246};
    double n = 0, mean = 0, square = 0, root2 = sqrt(2);
    for (int i = 0; i < 5; i++) n += (double)pairs[i], mean += (double)pairs[i] * i / 4;
    mean /= n;
    for (int i = 0; i < 5; i++) square += (double)pairs[i] * (i / 4.0 - mean) * (i / 4.0 - mean) / n;
    double t = (mean - 0.5) / sqrt(square), t0 = root2 * 1 * log(10) / 800, t1 = root2 * 5 * log(10) / 800;
    double llr = kn_sprt(pairs, &(KnSprtPlan){1, 5, 0.05, 0.05, KN_SPRT_NORMALIZED}).llr;
    check_near(llr, n / 2 * ((t - t0) * (t - t0) - (t - t1) * (t - t1)), 0.02);
    assert_true(fabs(llr) > 1);
    /* few draws or many: with the same t the verdict is the same */
    const uint64_t few[5] = {400, 0, 0, 0, 500}, many[5] = {0, 400, 0, 500, 0};
    KnSprtPlan plan = {0, 20, 0.05, 0.05, KN_SPRT_NORMALIZED};
    check_near(kn_sprt(few, &plan).llr, kn_sprt(many, &plan).llr, 0.05);
    plan.model = KN_SPRT_LOGISTIC;
    assert_true(fabs(kn_sprt(few, &plan).llr - kn_sprt(many, &plan).llr) > 1);
}

/* From the definition: the results one by one, and one more that is half a win and half a loss. */
static double slow_los(const uint64_t *count, int kinds)
{
    double n = 0, sum = 0, squares = 0;
    for (int k = 0; k <= kinds; k++) /* the last is the one more */
        for (uint64_t i = 0; i < (k < kinds ? count[k] : 2); i++) {
            double score = k < kinds ? (double)k / (kinds - 1) : (double)i, weight = k < kinds ? 1 : 0.5;
            n += weight, sum += weight * score, squares += weight * score * score;
        }
    double mean = sum / n, error = sqrt((squares / n - mean * mean) / n);
    return erfc((0.5 - mean) / error / sqrt(2)) / 2;
}

static void test_likelihood_of_superiority(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(3);
    for (int trial = 0; trial < 500; trial++) {
        uint64_t c[5], most = 1 + kn_rng_below(&rng, 60);
        for (int i = 0; i < 5; i++) c[i] = kn_rng_below(&rng, (uint32_t)most);
        const uint64_t mirror[5] = {c[4], c[3], c[2], c[1], c[0]};
        check_near(kn_los_pairs(c), slow_los(c, 5), 1e-9);
        check_near(kn_los_pairs(c) + kn_los_pairs(mirror), 1, 1e-9);
        check_near(kn_los_wdl(c[2], c[1], c[0]), slow_los(c, 3), 1e-9);
    }
    const uint64_t none[5] = {0};
    check_near(kn_los_pairs(none), 0.5, 1e-15);
    check_near(kn_los_wdl(60, 100, 40), 0.9772, 0.002); /* cutechess: 20 of 100 decided, two deviations */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wilson),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_bounded_moments),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_two_proportions),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_elo),
        cmocka_unit_test(test_score_and_elo_agree),
        cmocka_unit_test(test_elo_intervals),
        cmocka_unit_test(test_sprt_reference),
        cmocka_unit_test(test_sprt_behaviour),
        cmocka_unit_test(test_sprt_error_rates),
        cmocka_unit_test(test_sprt_normalized),
        cmocka_unit_test(test_likelihood_of_superiority),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
