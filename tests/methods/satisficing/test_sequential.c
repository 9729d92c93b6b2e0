/* Satisficing in sequence: returns, first visits, and the corridor that only joint effort gets through. */
#include "support/check.h"
#include "methods/satisficing/sequential.h"

static void test_returns_are_discounted_from_the_first_visit(void **state)
{
    (void)state;
    /* 0 -> 1 -> 0 -> 1 ... paying 1 and 10, for four steps, discounted by a half */
    KnDecisionChain problem = {
        .states = 2, .actions = 1, .next = {{1}, {0}}, .rewards = {{1}, {10}}, .discount = .5, .steps = 4};
    KnSatisficer agents[2] = {kn_satisficer(0, 0, 0, 1), kn_satisficer(0, 100, 0, 1)};
    bool settled;
    assert_true(kn_problem_episode(&problem, agents, NULL, &settled) == 1 + 5 + .25 + 1.25);
    assert_false(settled);
    assert_true(agents[0].last == 7.5 && agents[0].satisfied);
    assert_true(agents[1].last == 10 + .5 + 2.5 && !agents[1].satisfied);
    assert_true(kn_problem_best(&problem) == 7.5);
}

static void test_corridor(void **state)
{
    (void)state;
    KnDecisionChain chain = kn_problem_chain(3, .3, 1);
    assert_true(kn_problem_best(&chain) == 1);
    KnDecisionChain modest = kn_problem_chain(3, 2, 1);
    assert_true(kn_problem_best(&modest) == 2);
    KnRng rng = kn_rng_seeded(5);
    for (int trial = 0; trial < 500; trial++) {
        KnSatisficer agents[3];
        double lowest = 2;
        for (int s = 0; s < 3; s++) {
            agents[s] = kn_satisficer(.9, 2 * kn_rng_real(&rng), (int)kn_rng_below(&rng, 2), 2);
            lowest = agents[s].aspiration < lowest ? agents[s].aspiration : lowest;
        }
        bool settled = false;
        double got = 0;
        for (int episode = 0; episode < 2000 && !settled; episode++)
            got = kn_problem_episode(&chain, agents, &rng, &settled);
        /* who aspires to more than stopping pays never settles for it */
        if (lowest > .3) assert_true(settled && got == 1);
        if (!settled) continue;
        for (int episode = 0; episode < 50; episode++) { /* and then nothing changes */
            bool still;
            assert_true(kn_problem_episode(&chain, agents, &rng, &still) == got && still);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_returns_are_discounted_from_the_first_visit),
                                       cmocka_unit_test(test_corridor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
