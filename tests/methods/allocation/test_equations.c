/* Classes of positions by equations 1 to 4, on the two examples that the paper works out, and on what it says
 * in words. */
#include "support/check.h"

#include <math.h>

#include "methods/allocation/equations.h"

/* Figure 1: depth 1 chooses f, depth 2 chooses e; V2(e) = 8, V2(f) = 6. Moves in the order e, f, g, h. */
static void test_figure_1(void **state)
{
    (void)state;
    static const int32_t depth1[] = {5, 9, 4, 3}, depth2[] = {8, 6, 2, 1};
    KnExampleClass value = kn_assign_class(depth1, depth2, 4, 1, 0);
    assert_true(value.single_positive);
    assert_true(value.single_utility == 2);
    assert_true(value.positive);
    assert_true(value.utility == 2);
}

/* Figure 2: depth 1 may choose e or h, depth 2 g or h; V2(h) = 6, V2(e) = 2: 6 less the mean of 2 and 6. */
static void test_figure_2(void **state)
{
    (void)state;
    static const int32_t depth1[] = {7, 3, 5, 7}, depth2[] = {2, 1, 6, 6};
    KnExampleClass value = kn_assign_class(depth1, depth2, 4, 0, 3);
    assert_true(value.positive);
    assert_true(value.utility == 2);
    assert_true(value.single_positive);
    assert_true(value.single_utility == 4); /* this time e was drawn */
    value = kn_assign_class(depth1, depth2, 4, 3, 2);
    assert_true(value.single_positive);     /* h and g are different moves, */
    assert_true(value.single_utility == 0); /* and equally good */
}

/* "moves_k is a proper subset of moves_k+n": the shallow search has less to choose from, and nothing wrong.
 */
static void test_a_subset_is_negative(void **state)
{
    (void)state;
    static const int32_t depth1[] = {4, 9, 1}, depth2[] = {7, 7, 3};
    KnExampleClass value = kn_assign_class(depth1, depth2, 3, 1, 0);
    assert_false(value.positive);
    assert_true(value.utility == 0);
    assert_true(value.single_positive); /* where (1) is wrong, and (3) is right */
}

/* Wins and losses are far out; differences of them do not overflow. */
static void test_sure_scores(void **state)
{
    (void)state;
    static const int32_t depth1[] = {10, 20}, depth2[] = {999999995, -999999990};
    KnExampleClass value = kn_assign_class(depth1, depth2, 2, 1, 0);
    assert_true(value.positive);
    assert_true(value.utility == 1999999985.0);
    assert_true(value.single_utility == 1999999985.0);
}

static void test_one_move(void **state)
{
    (void)state;
    static const int32_t depth1[] = {-3}, depth2[] = {4};
    KnExampleClass value = kn_assign_class(depth1, depth2, 1, 0, 0);
    assert_false(value.positive);
    assert_false(value.single_positive);
    assert_true(value.utility == 0);
}

/* Leaves of weights .1, .2, .3, .4 and probabilities .9, .8, .5, .2: the threshold lets at least the share
 * pass, and no leaf more than is needed. */
static void test_equation_5(void **state)
{
    (void)state;
    static const double weights[] = {0.3, 0.1, 0.4, 0.2}, probabilities[] = {0.5, 0.9, 0.2, 0.8};
    KnThresholds thresholds;
    KnError error;
    check_ok(error, kn_thresholds_make(weights, probabilities, 4, &thresholds, &error));
    assert_true(kn_threshold(&thresholds, 4, 40) == 0.9);  /* a tenth: the best leaf alone */
    assert_true(kn_threshold(&thresholds, 5, 40) == 0.8);  /* more than a tenth needs the next */
    assert_true(kn_threshold(&thresholds, 12, 40) == 0.8); /* 0.3 is met exactly */
    assert_true(kn_threshold(&thresholds, 13, 40) == 0.5);
    assert_true(kn_threshold(&thresholds, 24, 40) == 0.5);
    assert_true(kn_threshold(&thresholds, 39, 40) == 0.2);
    assert_true(kn_threshold(&thresholds, 40, 40) == -INFINITY);
    assert_true(kn_threshold(&thresholds, 0, 40) == INFINITY);
    /* The fewer deep searches are left, the more selective. */
    for (int d = 1; d < 40; d++)
        assert_true(kn_threshold(&thresholds, d, 40) >= kn_threshold(&thresholds, d + 1, 40));
    /* Weights that do not add up to 1 (forced moves are the rest): then everything passes at the end. */
    static const double half[] = {0.25, 0.25};
    check_ok(error, kn_thresholds_make(half, probabilities, 2, &thresholds, &error));
    assert_true(kn_threshold(&thresholds, 10, 40) == 0.9);
    assert_true(kn_threshold(&thresholds, 30, 40) == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_figure_2),
        cmocka_unit_test(test_a_subset_is_negative),
        cmocka_unit_test(test_sure_scores),
        cmocka_unit_test(test_one_move),
        cmocka_unit_test(test_equation_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
