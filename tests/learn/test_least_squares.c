/* Least squares: exact lines are recovered, irrelevant columns get the weight 0, equal columns share their
 * weight. */
#include "support/check.h"
#include "learn/least_squares.h"
#include <knack/base.h>

#include <math.h>

static void an_exact_line_is_found(void **state)
{
    (void)state;
    KnSquares squares = {.columns = 3};
    KnRng rng = kn_rng_seeded(3);
    for (int i = 0; i < 200; i++) {
        double x[3] = {1e6 + 10 * kn_rng_real(&rng), kn_rng_real(&rng), 7};
        kn_squares_add(&squares, x, 3 * x[0] - 2 * x[1] + 5);
    }
    double weights[3], bias;
    double explained = kn_squares_solve(&squares, 0, weights, &bias);
    assert_true(fabs(weights[0] - 3) < 1e-5 && fabs(weights[1] + 2) < 1e-4);
    assert_true(weights[2] == 0); /* never varies */
    assert_true(fabs(3e6 + 5 + weights[0] * 0 - (bias + weights[0] * 1e6)) < 1e-2);
    assert_true(fabs(explained - 1) < 1e-9);
}

static void twins_share_their_weight(void **state)
{
    (void)state;
    KnSquares squares = {.columns = 2};
    KnRng rng = kn_rng_seeded(4);
    for (int i = 0; i < 500; i++) {
        double x = kn_rng_real(&rng), both[2] = {x, x};
        kn_squares_add(&squares, both, 4 * x + kn_rng_real(&rng));
    }
    double weights[2], bias;
    double explained = kn_squares_solve(&squares, 0.01, weights, &bias);
    assert_true(fabs(weights[0] - weights[1]) < 1e-6 && fabs(weights[0] - 2) < 0.2);
    /* 16/12 of the variance 17/12 is the line's. */
    assert_true(fabs(explained - 16.0 / 17) < 0.03);
}

static void nothing_explains_nothing(void **state)
{
    (void)state;
    KnSquares squares = {.columns = 1};
    double weight, bias;
    assert_true(kn_squares_solve(&squares, 0.01, &weight, &bias) == 0 && weight == 0 && bias == 0);
    for (int i = 0; i < 5; i++) kn_squares_add(&squares, &(double){i}, 2);
    assert_true(kn_squares_solve(&squares, 0.01, &weight, &bias) == 0);
    assert_true(weight == 0 && bias == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_exact_line_is_found),
                                       cmocka_unit_test(twins_share_their_weight),
                                       cmocka_unit_test(nothing_explains_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
