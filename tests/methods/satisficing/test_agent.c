/* The satisficing agent itself: the paper's worked example, the rounding that its update avoids, searches,
 * trembles. */
#include "support/check.h"
#include "methods/satisficing/agent.h"

#include <math.h>

/* Figure 2: lambda .5, aspiration 4, beginning with C, against tit for tat in the game of figure 1. */
static void test_figure_2(void **state)
{
    (void)state;
    static const double pay[2][2] = {{3, 1}, {4, 2}};
    static const int actions[] = {0, 1, 1, 0}, answers[] = {0, 0, 1, 1};
    static const double payoffs[] = {3, 4, 2, 1}, aspirations[] = {4, 3.5, 3.75, 2.875};
    KnSatisficer agent = kn_satisficer(.5, 4, 0, 2);
    int titfortat = 0;
    for (int t = 0; t < 4; t++) {
        assert_true(agent.aspiration == aspirations[t]);
        int action = kn_satisficer_choose(&agent, NULL); /* no chance is asked for */
        assert_int_equal(action, actions[t]);
        assert_int_equal(titfortat, answers[t]);
        double payoff = pay[action][titfortat];
        assert_true(payoff == payoffs[t]);
        kn_satisficer_earn(&agent, action, payoff);
        titfortat = action;
    }
    assert_true(agent.aspiration == 1.9375 && !agent.satisfied && agent.last == 1);
}

/* An aspiration that is met is never carried beyond the payoff: satisfied agents stay satisfied. The weighted
 * mean as the paper writes it fails this. */
static void test_update_never_passes_the_payoff(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(1);
    long beyond = 0;
    for (long i = 0; i < check_scaled(20000); i++) {
        double lambda = .1 + .8 * kn_rng_real(&rng), payoff = .5 + .5 * kn_rng_real(&rng),
               a = payoff - .4 * kn_rng_real(&rng), b = a;
        for (int t = 0; t < 400; t++) {
            a = kn_update_aspiration(a, lambda, payoff);
            b = lambda * b + (1 - lambda) * payoff;
            assert_true(a <= payoff);
            if (b > payoff) {
                beyond++;
                break;
            }
        }
        double high = payoff + kn_rng_real(&rng);
        for (int t = 0; t < 400; t++) high = kn_update_aspiration(high, lambda, payoff);
        assert_true(high >= payoff);
    }
    assert_true(beyond > 0);
    assert_true(kn_update_aspiration(.1, 0, .7) == .7 &&
                kn_update_aspiration(1e9, 0, .3) == .3); /* lambda = 0 is the last payoff to the bit */
    assert_true(kn_update_aspiration(.1, 1, .7) == .1);
}

static void test_searches(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(2);
    KnSatisficer agent = kn_satisficer(.9, 10, 1, 4);
    for (int t = 0, wanted = 1; t < 9; t++, wanted = (wanted + 1) % 4) {
        assert_int_equal(kn_satisficer_choose(&agent, NULL), wanted);
        kn_satisficer_earn(&agent, agent.action, 0);
        agent.aspiration = 10;
    }
    agent = kn_satisficer(.9, 10, 0, 4);
    agent.search = KN_SEARCH_RANDOM;
    int seen[4] = {0};
    for (int t = 0, before = -1; t < 3000; t++) {
        int action = kn_satisficer_choose(&agent, &rng);
        assert_int_not_equal(action, before);
        before = action;
        seen[action]++;
        kn_satisficer_earn(&agent, action, 0);
        agent.aspiration = 10;
    }
    for (int a = 0; a < 4; a++) assert_in_range(seen[a], 650, 850);
}

/* Tries everything once, then goes back to the best that is good enough. */
static void test_search_remembers(void **state)
{
    (void)state;
    static const double pay[] = {1, 5, 3, 2};
    KnSatisficer agent = kn_satisficer(.5, 16, 0, 4);
    agent.search = KN_SEARCH_REMEMBER;
    int taken[7];
    for (int t = 0; t < 7; t++) {
        taken[t] = kn_satisficer_choose(&agent, NULL);
        kn_satisficer_earn(&agent, taken[t], pay[taken[t]]);
    }
    /* aspirations 16, 8.5, 6.75, 4.875, 3.4375: then 5 is remembered, and kept */
    static const int wanted[] = {0, 1, 2, 3, 1, 1, 1};
    for (int t = 0; t < 7; t++) assert_int_equal(taken[t], wanted[t]);
    agent.aspiration = 100; /* nothing would do: the next in order */
    kn_satisficer_earn(&agent, 1, 5);
    agent.aspiration = 100;
    assert_int_equal(kn_satisficer_choose(&agent, NULL), 2);
}

static void test_trembles(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(3);
    KnSatisficer agent = kn_satisficer(1, 5, 0, 2);
    agent.tremble = .25;
    agent.shift = .5;
    int trembles = 0;
    for (int t = 0; t < 4000; t++) {
        double before = agent.aspiration;
        kn_satisficer_choose(&agent, &rng);
        trembles += agent.trembled;
        assert_true(fabs(agent.aspiration - before) <= .5);
        assert_int_equal(agent.trembled, agent.aspiration != before);
    }
    assert_in_range(trembles, 900, 1100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_2), cmocka_unit_test(test_update_never_passes_the_payoff),
        cmocka_unit_test(test_searches), cmocka_unit_test(test_search_remembers),
        cmocka_unit_test(test_trembles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
