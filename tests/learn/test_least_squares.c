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

/* Random columns, some of them sums of others: the gradient of squared error and ridge is zero, and the share
 * explained is what the predictions themselves explain. */
static void the_gradient_vanishes(void **state)
{
    (void)state;
    enum { ROWS = 60, WIDTH = 6 };
    KnRng rng = kn_rng_seeded(8);
    for (int trial = 0; trial < 30; trial++) {
        double x[ROWS][WIDTH], y[ROWS], mean[WIDTH] = {0}, ridge = trial % 3 * 0.1, middle = 0;
        KnSquares squares = {.columns = WIDTH};
        for (int r = 0; r < ROWS; r++) {
            double walk = 0;
            for (int c = 0; c < WIDTH; c++) x[r][c] = 3 + (walk += kn_rng_real(&rng) - 0.5);
            if (trial % 2) x[r][4] = x[r][0] - x[r][1];
            y[r] = 2 * x[r][0] - x[r][3] + 5 * kn_rng_real(&rng);
            kn_squares_add(&squares, x[r], y[r]);
            for (int c = 0; c < WIDTH; c++) mean[c] += x[r][c] / ROWS;
            middle += y[r] / ROWS;
        }
        double weights[WIDTH], bias, off[ROWS], sum = 0, left = 0, all = 0;
        double explained = kn_squares_solve(&squares, ridge, weights, &bias);
        for (int r = 0; r < ROWS; r++) {
            off[r] = y[r] - bias;
            for (int c = 0; c < WIDTH; c++) off[r] -= weights[c] * x[r][c];
            sum += off[r], left += off[r] * off[r], all += (y[r] - middle) * (y[r] - middle);
        }
        check_near(sum, 0, 1e-8);
        check_near(explained, 1 - left / all, 1e-8);
        for (int c = 0; c < WIDTH; c++) {
            double slope = 0, spread = 0;
            for (int r = 0; r < ROWS; r++) {
                slope += off[r] * (x[r][c] - mean[c]);
                spread += (x[r][c] - mean[c]) * (x[r][c] - mean[c]);
            }
            check_near(slope, ridge * spread * weights[c], 1e-7);
        }
        if (trial % 2 && ridge == 0) assert_true(weights[4] == 0); /* it adds nothing to the two */
    }
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_line_is_found), cmocka_unit_test(twins_share_their_weight),
        cmocka_unit_test(the_gradient_vanishes), cmocka_unit_test(nothing_explains_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
