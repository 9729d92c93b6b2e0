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

/* The sum of trees, grown one by one on what those before leave over. */
static void test_residuals(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(5);
    for (int shared = 0; shared < 2; shared++) {
        enum { ROWS = 300, ROUNDS = 5 };
        KnDataset *data = make_data(ROWS, &rng), *left = data;
        KnBoostPlan plan = {.rounds = ROUNDS, .depth = 2, .rate = 0.3, .least = 4, .share = shared ? 0.6 : 1};
        KnRng drawn = kn_rng_seeded(8), own = drawn;
        KnBoost *boost;
        check_ok(error, kn_boost_learn(data, &plan, &drawn, &boost, &error));
        assert_int_equal(boost->count, ROUNDS);
        double mean = 0, x[ROWS][4], told[ROWS];
        for (int r = 0; r < ROWS; r++) mean += data->target[r] / ROWS;
        check_near(boost->base, mean, 1e-9);
        for (int r = 0; r < ROWS; r++) {
            for (int c = 0; c < 4; c++) x[r][c] = data->values[4 * r + c];
            told[r] = mean, left->target[r] -= mean;
        }
        for (int t = 0; t < ROUNDS; t++) {
            uint32_t rows[ROWS];
            size_t count = 0;
            for (uint32_t r = 0; r < ROWS; r++)
                if (!shared || kn_rng_real(&own) < 0.6) rows[count++] = r;
            KnTreePlan one = {.measure = KN_TREE_VARIANCE,
                              .cuts = true,
                              .depth = 2,
                              .least = 4,
                              .rows = rows,
                              .row_count = count};
            KnTree *tree;
            check_ok(error, kn_tree_grow(left, &one, &tree, &error));
            for (int r = 0; r < ROWS; r++) {
                double step = 0.3 * kn_leaf_mean(tree, kn_tree_leaf(tree, x[r]));
                told[r] += step, left->target[r] -= step;
            }
            kn_tree_free(tree);
        }
        for (int r = 0; r < ROWS; r++) check_near(kn_boost_predict(boost, x[r]), told[r], 1e-9);
        assert_true(kn_rng_next(&drawn) == kn_rng_next(&own)); /* without a share nothing is drawn */
        kn_boost_free(boost);
        kn_dataset_free(data);
    }
}

/* No examples, or no rounds: the mean alone. */
static void test_nothing_to_boost(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(1);
    double x[4] = {1, 2, 3, 4};
    for (size_t rows = 0; rows < 2; rows++) {
        KnDataset *data = make_data(rows, &rng);
        KnBoostPlan plan = {.rounds = rows ? 0 : 2, .depth = 2, .rate = 1, .least = 1, .share = 1};
        KnBoost *boost;
        check_ok(error, kn_boost_learn(data, &plan, &rng, &boost, &error));
        assert_true(kn_boost_predict(boost, x) == (rows ? data->target[0] : 0));
        kn_boost_free(boost);
        kn_dataset_free(data);
    }
}

enum { OFFERS = 60, STEPS_MOST = 5 };

typedef struct Past {
    int steps, offers, sequences;
    double value[OFFERS];
    uint16_t step[OFFERS];
} Past;

/* The value of d choices before step i, by the definition. */
static double worth_of(const Past *past, int d, int i)
{
    if (d == 0 || i == past->steps) return 0;
    double saved = worth_of(past, d, i + 1), spent = worth_of(past, d - 1, i + 1), sum = 0;
    int here = 0;
    for (int k = 0; k < past->offers; k++)
        if (past->step[k] == i) here++, sum += fmax(past->value[k] + spent, saved);
    int all = past->sequences > here ? past->sequences : here;
    return all ? (sum + (all - here) * saved) / all : saved;
}

/* All thresholds of random offers, of some beyond the last step, and of steps without any. */
static void test_thresholds_by_definition(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(6);
    for (int trial = 0; trial < 60; trial++) {
        Past past = {.steps = trial % (STEPS_MOST + 1), .offers = trial % 7 ? OFFERS - trial / 2 : trial / 7};
        past.sequences = trial % 3 ? 20 : 0;
        for (int k = 0; k < past.offers; k++) {
            past.value[k] = kn_rng_real(&rng) * 2 - (trial % 2 ? 0 : 1);
            past.step[k] = (uint16_t)kn_rng_below(&rng, (uint32_t)past.steps + 2);
        }
        KnStopping *stopping = kn_stopping_new(past.steps, &error);
        assert_non_null(stopping);
        check_ok(error, kn_stopping_plan(stopping, past.value, past.step, (size_t)past.offers,
                                         (uint64_t)past.sequences, &error));
        for (int i = 0; i < past.steps; i++)
            for (int d = 1; d <= past.steps + 1; d++) {
                int most = d > past.steps ? past.steps : d;
                check_near(kn_stopping_threshold(stopping, d, i),
                           worth_of(&past, most, i + 1) - worth_of(&past, most - 1, i + 1), 1e-9);
            }
        kn_stopping_free(stopping);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boosting_beats_one_tree), cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_nothing_to_boost), cmocka_unit_test(test_thresholds_by_definition),
        cmocka_unit_test(test_secretary_with_known_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
