/* Boosted trees on a function that no small tree can represent, and optimal stopping against known solutions.
 */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

#include "learn/boost.h"
#include "learn/stopping.h"

static double truth(const double *x) { return x[0] * x[1] / 10 + (x[2] > 4 ? 3 : 0); }

static KnDataset *make_data(size_t rows, KnRng *rng)
{
    static const char *const names[] = {"a", "b", "c", "noise"};
    KnError error;
    KnDataset *data = kn_dataset_new(4, names, rows, &error);
    assert_non_null(data);
    for (size_t r = 0; r < rows; r++) {
        double x[4];
        for (int c = 0; c < 4; c++) x[c] = (double)kn_rng_below(rng, 10);
        kn_dataset_add(data, x, truth(x) > 4, truth(x) + kn_rng_real(rng) - 0.5);
    }
    check_ok(error, kn_dataset_code(data, &error));
    return data;
}

static double error_of(const KnBoost *boost, const KnTree *tree, uint64_t seed)
{
    KnRng rng = kn_rng_seeded(seed);
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
        double x[4];
        for (int c = 0; c < 4; c++) x[c] = (double)kn_rng_below(&rng, 10);
        double told = boost ? kn_boost_predict(boost, x) : kn_leaf_mean(tree, kn_tree_leaf(tree, x));
        sum += (told - truth(x)) * (told - truth(x));
    }
    return sqrt(sum / 2000);
}

static void test_boosting_beats_one_tree(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(1);
    KnDataset *data = make_data(4000, &rng);
    double first = data->target[0];
    KnBoostPlan plan = {.rounds = 150, .depth = 4, .rate = 0.1, .least = 10, .share = 0.5};
    KnBoost *boost, *again;
    KnRng a = kn_rng_seeded(2), b = kn_rng_seeded(2);
    check_ok(error, kn_boost_learn(data, &plan, &a, &boost, &error));
    assert_true(data->target[0] == first); /* restored */
    check_ok(error, kn_boost_learn(data, &plan, &b, &again, &error));
    KnTree *tree;
    KnTreePlan one = {.measure = KN_TREE_VARIANCE, .cuts = true, .depth = 4, .least = 10};
    check_ok(error, kn_tree_grow(data, &one, &tree, &error));
    double boosted = error_of(boost, NULL, 9), single = error_of(NULL, tree, 9);
    assert_true(boosted < 0.2);
    assert_true(boosted < single / 3);
    assert_true(boosted == error_of(again, NULL, 9)); /* the same random numbers give the same trees */
    kn_tree_free(tree);
    kn_boost_free(boost);
    kn_boost_free(again);
    kn_dataset_free(data);
}

/* One of three offers, each uniform on 0 to 1, may be taken: the known thresholds are 0.625, 0.5 and 0. */
static void test_secretary_with_known_values(void **state)
{
    (void)state;
    enum { SEQUENCES = 20000, STEPS = 3 };
    KnError error;
    KnRng rng = kn_rng_seeded(3);
    double *worth = malloc(SEQUENCES * STEPS * sizeof *worth);
    uint16_t *step = malloc(SEQUENCES * STEPS * sizeof *step);
    for (int i = 0; i < SEQUENCES * STEPS; i++) worth[i] = kn_rng_real(&rng), step[i] = (uint16_t)(i % STEPS);
    KnStopping *stopping = kn_stopping_new(STEPS, &error);
    assert_non_null(stopping);
    check_ok(error, kn_stopping_plan(stopping, worth, step, SEQUENCES * STEPS, SEQUENCES, &error));
    assert_true(fabs(kn_stopping_threshold(stopping, 1, 0) - 0.625) < 0.01);
    assert_true(fabs(kn_stopping_threshold(stopping, 1, 1) - 0.5) < 0.01);
    assert_true(kn_stopping_threshold(stopping, 1, 2) == 0);
    for (int i = 0; i < STEPS; i++)
        assert_true(kn_stopping_threshold(stopping, 3, i) < 1e-9); /* enough for all */
    assert_true(kn_stopping_threshold(stopping, 2, 0) <
                kn_stopping_threshold(stopping, 1, 0)); /* with more choices left the threshold is lower */
    /* Early ends lower the thresholds: every second sequence stops after its first offer.
     */
    size_t offers = 0;
    for (int i = 0; i < SEQUENCES; i++)
        for (int k = 0; k < (i % 2 ? STEPS : 1); k++)
            worth[offers] = kn_rng_real(&rng), step[offers++] = (uint16_t)k;
    check_ok(error, kn_stopping_plan(stopping, worth, step, offers, SEQUENCES, &error));
    assert_true(kn_stopping_threshold(stopping, 1, 0) < 0.4);
    kn_stopping_free(stopping);
    free(worth);
    free(step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boosting_beats_one_tree),
                                       cmocka_unit_test(test_secretary_with_known_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
