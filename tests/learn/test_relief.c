/* RELIEF separates relevant features from irrelevant ones. */
#include "support/check.h"

#include <math.h>

#include "learn/relief.h"

static const char *const names[] = {"plain", "first of two", "second of two", "noise", "constant"};

/* The class is positive by one feature, or if two others agree; each of those two alone is independent of the
 * class. The noise feature never repeats a value: with equal examples in both classes RELIEF could not
 * separate them. */
static KnDataset *make(size_t rows, KnRng *rng)
{
    KnError error;
    KnDataset *data = kn_dataset_new(5, names, rows, &error);
    for (size_t i = 0; i < rows; i++) {
        double x[5] = {kn_rng_below(rng, 2), kn_rng_below(rng, 2), kn_rng_below(rng, 2),
                       kn_rng_real(rng) * 1000, 3};
        bool agree = (int)x[1] == (int)x[2];
        kn_dataset_add(data, x, x[0] > 0 || agree, 0);
    }
    return data;
}

static void test_weights(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(3);
    KnDataset *data = make(1500, &rng);
    for (size_t samples = 0; samples <= 400; samples += 400) {
        double weights[5];
        check_ok(error, kn_relief(data, samples, &rng, weights, &error));
        assert_true(weights[4] == 0); /* a constant feature has the weight 0 */
        for (int i = 0; i < 3; i++)
            assert_true(weights[i] > 0.02 && weights[i] > 3 * weights[3]); /* whatever its scale */
    }
    kn_dataset_free(data);
}

/* Worked by hand: two features, of which the second is ten times as wide, scaled to 0..1.
 *
 *      a   b/10  class        nearest of its class    nearest of the other
 *     0.0  0.0   +            the second              the fourth
 *     0.2  0.1   +            the first               the fourth (0.36 + 0.01 against 0.64 + 0.81)
 *     1.0  1.0   -            the fourth              the second
 *     0.8  0.0   -            the third               the second
 *
 * Each example adds (miss - hit) of the squared differences, divided by four. */
static void test_by_hand(void **state)
{
    (void)state;
    KnError error;
    static const char *const two[] = {"a", "b"};
    static const double rows[4][2] = {{0, 0}, {0.2, 1}, {1, 10}, {0.8, 0}};
    static const bool positive[4] = {true, true, false, false};
    KnDataset *data = kn_dataset_new(2, two, 4, &error);
    for (int i = 0; i < 4; i++) kn_dataset_add(data, rows[i], positive[i], 0);
    double weights[2];
    KnRng rng = kn_rng_seeded(1);
    check_ok(error, kn_relief(data, 0, &rng, weights, &error));
    double a = (0.64 - 0.04) + (0.36 - 0.04) + (0.64 - 0.04) + (0.36 - 0.04);
    double b = (0.0 - 0.01) + (0.01 - 0.01) + (0.81 - 1.0) + (0.01 - 1.0);
    check_near(weights[0], a / 4, 1e-6);
    check_near(weights[1], b / 4, 1e-6);
    kn_dataset_free(data);
}

/* All weights by the definition, of each example once and of a drawn sample. Columns have other units, some
 * the same value everywhere, some values below 0. */
static void test_by_definition(void **state)
{
    (void)state;
    enum { ROWS = 40, WIDTH = 5 };
    KnError error;
    KnRng rng = kn_rng_seeded(21);
    for (int trial = 0; trial < 20; trial++) {
        KnDataset *data = kn_dataset_new(WIDTH, names, ROWS, &error);
        double x[ROWS][WIDTH], weights[WIDTH], expected[WIDTH] = {0};
        for (int r = 0; r < ROWS; r++) {
            for (int c = 0; c < WIDTH; c++) x[r][c] = (kn_rng_real(&rng) - 0.7) * pow(10, c - 1);
            x[r][2] = trial % 2 ? 7 : -3;
            kn_dataset_add(data, x[r], r < 2 || (r > 3 && kn_rng_below(&rng, 2)), 0);
        }
        for (int c = 0; c < WIDTH; c++) {
            double low = INFINITY, high = -INFINITY;
            for (int r = 0; r < ROWS; r++) low = fmin(low, x[r][c]), high = fmax(high, x[r][c]);
            for (int r = 0; r < ROWS; r++) x[r][c] = high > low ? (x[r][c] - low) / (high - low) : 0;
        }
        size_t samples = trial % 3 ? 0 : 15, taken = samples ? samples : ROWS;
        KnRng drawn = rng;
        check_ok(error, kn_relief(data, samples, &drawn, weights, &error));
        for (size_t s = 0; s < taken; s++) {
            size_t at = samples ? kn_rng_below(&rng, ROWS) : s, near[2] = {0};
            double least[2] = {INFINITY, INFINITY};
            for (size_t r = 0; r < ROWS; r++) {
                double far = 0;
                bool other = data->positive[r] != data->positive[at];
                for (int c = 0; c < WIDTH; c++) far += pow(x[r][c] - x[at][c], 2);
                if (r != at && far < least[other]) least[other] = far, near[other] = r;
            }
            for (int c = 0; c < WIDTH; c++)
                expected[c] += (pow(x[at][c] - x[near[1]][c], 2) - pow(x[at][c] - x[near[0]][c], 2)) /
                               (double)taken;
        }
        for (int c = 0; c < WIDTH; c++) check_near(weights[c], expected[c], 1e-5);
        kn_dataset_free(data);
    }
}

/* Two of each class are enough, and one is not. */
static void test_fewest(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(1);
    static const char *const one[] = {"a"};
    for (int positives = 0; positives <= 4; positives++) {
        KnDataset *data = kn_dataset_new(1, one, 4, &error);
        double weight;
        for (int i = 0; i < 4; i++) kn_dataset_add(data, (double[]){i}, i < positives, 0);
        assert_int_equal(kn_relief(data, 0, &rng, &weight, &error), positives == 2 ? KN_OK : KN_INPUT);
        kn_dataset_free(data);
    }
}

static void test_one_class(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(1);
    KnDataset *data = kn_dataset_new(5, names, 3, &error);
    double x[5] = {0}, weights[5];
    for (int i = 0; i < 3; i++) kn_dataset_add(data, x, true, 0);
    check_fails(error, KN_INPUT, "two examples of each class, and has 3 positive and 0 negative",
                kn_relief(data, 0, &rng, weights, &error));
    kn_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights), cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_by_definition), cmocka_unit_test(test_fewest),
                                       cmocka_unit_test(test_one_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
