/* RELIEF separates relevant features from irrelevant ones. */
#include "support/check.h"

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
    assert_float_equal(weights[0], a / 4, 1e-6);
    assert_float_equal(weights[1], b / 4, 1e-6);
    kn_dataset_free(data);
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
                                       cmocka_unit_test(test_one_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
