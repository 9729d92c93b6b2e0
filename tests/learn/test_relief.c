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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights), cmocka_unit_test(test_one_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
