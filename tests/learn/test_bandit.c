/* UCB1: every arm is tried, the best one is found, and poor ones are played ever more rarely. */
#include "support/check.h"

#include <math.h>

#include <knack/base.h>

#include "learn/bandit.h"

static void test_order(void **state)
{
    (void)state;
    KnBanditArm arms[3] = {{0}};
    assert_int_equal(kn_bandit_best(arms, 3), -1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kn_bandit_ucb1(arms, 3, 1), i);
        kn_bandit_reward(&arms[i], i == 1 ? 1 : 0);
    }
    assert_int_equal(kn_bandit_ucb1(arms, 3, 1), 1);
    assert_int_equal(kn_bandit_best(arms, 3), 1);
    assert_true(kn_bandit_mean(&arms[1]) == 1 && kn_bandit_mean(&arms[0]) == 0);
}

/* Regret grows with the logarithm of the plays: with gaps of .2 and more, 5000 plays waste few. */
static void test_regret(void **state)
{
    (void)state;
    static const double chances[5] = {0.3, 0.5, 0.7, 0.4, 0.45};
    KnBanditArm arms[5] = {{0}};
    KnRng rng = kn_rng_seeded(7);
    for (int i = 0; i < 5000; i++) {
        int arm = kn_bandit_ucb1(arms, 5, 1);
        kn_bandit_reward(&arms[arm], kn_rng_real(&rng) < chances[arm] ? 1 : 0);
    }
    assert_int_equal(kn_bandit_best(arms, 5), 2);
    uint64_t all = 0;
    for (int i = 0; i < 5; i++) {
        all += arms[i].plays;
        assert_true(arms[i].plays >= 10);
    }
    assert_int_equal(all, 5000);
    assert_true(arms[2].plays > 3500);
}

/* Without exploration an unlucky arm is never tried again. */
static void test_greedy(void **state)
{
    (void)state;
    KnBanditArm arms[2] = {{1, 0}, {1, 0.5}};
    for (int i = 0; i < 50; i++) {
        int arm = kn_bandit_ucb1(arms, 2, 0);
        assert_int_equal(arm, 1);
        kn_bandit_reward(&arms[arm], 0.5);
    }
}

/* Every choice against the formula of the header, with ties and arms that were never played. */
static void test_every_choice(void **state)
{
    (void)state;
    static const double explorations[] = {0, 0.3, 1, 2};
    KnRng rng = kn_rng_seeded(11);
    for (int trial = 0; trial < 2000; trial++) {
        KnBanditArm arms[4];
        double exploration = explorations[trial % 4], greatest = -1, plays = 0;
        int unplayed = -1, wanted = -1, best = -1;
        for (int i = 3; i >= 0; i--) {
            arms[i].plays = kn_rng_below(&rng, 5);
            arms[i].reward = (double)kn_rng_below(&rng, (uint32_t)arms[i].plays + 1);
            plays += (double)arms[i].plays;
            if (!arms[i].plays) unplayed = i;
        }
        for (int i = 0; i < 4; i++) {
            double mean = arms[i].plays ? arms[i].reward / (double)arms[i].plays : 0,
                   bound = mean + exploration * sqrt(2 * log(plays) / (double)arms[i].plays);
            assert_true(kn_bandit_mean(&arms[i]) == mean);
            if (bound > greatest + 1e-12) greatest = bound, wanted = i;
            if (arms[i].plays && (best < 0 || arms[i].plays > arms[best].plays ||
                                  (arms[i].plays == arms[best].plays && mean > kn_bandit_mean(&arms[best]))))
                best = i;
        }
        assert_int_equal(kn_bandit_best(arms, 4), best);
        int chosen = kn_bandit_ucb1(arms, 4, exploration);
        if (unplayed >= 0)
            assert_int_equal(chosen, unplayed);
        else
            assert_int_equal(chosen, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_regret),
                                       cmocka_unit_test(test_greedy), cmocka_unit_test(test_every_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
