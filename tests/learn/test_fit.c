/* Fitting weights: the weights that generated the targets are recovered; fixed weights and phases without
 * samples stay; hard equations are solved to the end. */
#include "support/check.h"

#include <math.h>

#include <knack/base.h>
#include "learn/fit.h"

enum { FEATURES = 4, PHASES = 3 };

static void test_finds_weights_again(void **state)
{
    (void)state;
    static const double truth[PHASES][FEATURES] = {{100, 12, -7, 30}, {0}, {100, -3, 25, 8}};
    KnFit *fit = kn_fit_open(FEATURES, PHASES);
    KnRng rng = kn_rng_seeded(4);
    for (int k = 0; k < 3000; k++) {
        int phase = k % 2 ? 0 : 2;
        double values[FEATURES], sum = 0;
        for (int i = 0; i < FEATURES; i++) {
            values[i] = (double)kn_rng_below(&rng, 7) - 3;
            if (i == 0) values[i] /= 3;
            sum += values[i] * truth[phase][i];
        }
        assert_true(kn_fit_add(fit, phase, values, tanh(sum / 100)));
    }
    double weights[PHASES * FEATURES] = {100, 0, 0, 0, 1, 2, 3, 4, 100, 0, 0, 0}, before, after;
    KnError error;
    check_ok(error, kn_fit_solve(fit, 100, 1e-9, 1, weights, &before, &after, &error));
    assert_true(after < 1e-9 && before > 0.01);
    for (int i = 0; i < FEATURES; i++) {
        assert_true(fabs(weights[i] - truth[0][i]) < 0.01);
        assert_true(weights[FEATURES + i] == i + 1); /* that phase has no samples */
        assert_true(fabs(weights[2 * FEATURES + i] - truth[2][i]) < 0.01);
    }
    /* A strong ridge draws everything to 0. */
    check_ok(error, kn_fit_solve(fit, 100, 1e9, 1, weights, NULL, NULL, &error));
    for (int i = 1; i < FEATURES; i++) assert_true(fabs(weights[i]) < 0.01);
    assert_true(weights[0] == 100);
    kn_fit_close(fit);
}

/* Features that are steps of a random walk make every entry of the factor as large as the diagonal: only the
 * right steps go all the way. With a ridge, the found weights are where the gradient of error and penalty is
 * 0. */
static void test_correlated_features(void **state)
{
    (void)state;
    enum { COUNT = 24, ROWS = 400 };
    KnRng rng = kn_rng_seeded(9);
    for (int trial = 0; trial < 6; trial++) {
        double ridge = trial % 2 ? 0.01 : 1e-12, scale = 100, truth[COUNT], values[ROWS][COUNT],
               targets[ROWS];
        KnFit *fit = kn_fit_open(COUNT, 1);
        for (int i = 0; i < COUNT; i++) truth[i] = 10 * kn_rng_real(&rng) - 5;
        for (int k = 0; k < ROWS; k++) {
            double walk = 0, sum = 0;
            for (int i = 0; i < COUNT; i++) {
                values[k][i] = walk += 2 * kn_rng_real(&rng) - 1;
                sum += values[k][i] * truth[i];
            }
            targets[k] = tanh(sum / scale);
            assert_true(kn_fit_add(fit, 0, values[k], targets[k]));
        }
        double weights[COUNT] = {0};
        KnError error;
        check_ok(error, kn_fit_solve(fit, scale, ridge, 0, weights, NULL, NULL, &error));
        for (int i = 0; i < COUNT; i++) {
            double gradient = ridge * weights[i], size = 0;
            for (int k = 0; k < ROWS; k++) {
                double sum = 0;
                for (int j = 0; j < COUNT; j++) sum += values[k][j] * weights[j];
                double p = tanh(sum / scale), part = (1 - p * p) / scale * values[k][i];
                gradient += part * (p - targets[k]);
                size += fabs(part);
            }
            assert_true(fabs(gradient) < 1e-7 * size);
            if (trial % 2 == 0) assert_true(fabs(weights[i] - truth[i]) < 1e-3);
        }
        kn_fit_close(fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds_weights_again),
                                       cmocka_unit_test(test_correlated_features)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
