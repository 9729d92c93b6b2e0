/* Decision trees: Quinlan's own example, regression, cuts, enrichment, and files that are damaged. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "learn/tree.h"

static const char *const weather_names[] = {"outlook", "temperature", "humidity", "windy"};

/* Quinlan 1986, Table 1: outlook sunny 0, overcast 1, rain 2; temperature hot 0, mild 1, cool 2; humidity
 * high 1; windy 1; class. */
static const double weather[14][5] = {
    {0, 0, 1, 0, 0}, {0, 0, 1, 1, 0}, {1, 0, 1, 0, 1}, {2, 1, 1, 0, 1}, {2, 2, 0, 0, 1},
    {2, 2, 0, 1, 0}, {1, 2, 0, 1, 1}, {0, 1, 1, 0, 0}, {0, 2, 0, 0, 1}, {2, 1, 0, 0, 1},
    {0, 1, 0, 1, 1}, {1, 1, 1, 1, 1}, {1, 0, 0, 0, 1}, {2, 1, 1, 1, 0},
};

static KnDataset *weather_data(void)
{
    KnError error;
    KnDataset *data = kn_dataset_new(4, weather_names, 14, &error);
    assert_non_null(data);
    for (int i = 0; i < 14; i++) kn_dataset_add(data, weather[i], weather[i][4] > 0, weather[i][4]);
    check_ok(error, kn_dataset_code(data, &error));
    return data;
}

static void test_information(void **state)
{
    (void)state;
    assert_true(fabs(kn_information(9, 5) - 0.940286) < 1e-6); /* Quinlan's 0.940 bits */
    assert_true(kn_information(7, 7) == 1);
    assert_true(kn_information(3, 0) == 0);
    assert_true(kn_information(0, 3) == 0);
}

/* Outlook at the root; humidity below sunny, windy below rain; overcast is always positive. */
static void test_quinlans_tree(void **state)
{
    (void)state;
    KnError error;
    KnDataset *data = weather_data();
    KnTree *tree;
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){.measure = KN_TREE_INFORMATION}, &tree, &error));
    assert_int_equal(tree->nodes[0].feature, 0);
    assert_int_equal(tree->leaf_count, 5);
    /* sunny and dry, sunny and humid, overcast, rain and calm, rain and wind */
    static const int examples[] = {2, 3, 4, 3, 2};
    for (int leaf = 0; leaf < 5; leaf++)
        assert_true(fabs(kn_leaf_weight(tree, leaf) - examples[leaf] / 14.0) < 1e-12);
    for (int i = 0; i < 14; i++)
        assert_true(kn_leaf_probability(tree, kn_tree_leaf(tree, weather[i])) == weather[i][4]);
    double weights = 0;
    for (int l = 0; l < tree->leaf_count; l++) weights += kn_leaf_weight(tree, l);
    assert_true(fabs(weights - 1) < 1e-12);
    kn_tree_free(tree);
    kn_dataset_free(data);
}

/* Without outlook the tree uses the other features; with a depth of 1 it stops. */
static void test_limits(void **state)
{
    (void)state;
    KnError error;
    KnDataset *data = weather_data();
    KnTree *tree;
    bool use[4] = {false, true, true, true};
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){.use = use}, &tree, &error));
    assert_int_equal(tree->nodes[0].feature,
                     2); /* humidity gains 0.151, windy 0.048, temperature 0.029 bits */
    for (int i = 0; i < tree->node_count; i++) assert_int_not_equal(tree->nodes[i].feature, 0);
    kn_tree_free(tree);
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){.depth = 1}, &tree, &error));
    assert_int_equal(tree->leaf_count, 3);
    assert_true(fabs(kn_leaf_probability(tree, 0) - 0.4) < 1e-12);
    kn_tree_free(tree);
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){.least = 15}, &tree, &error));
    assert_int_equal(tree->leaf_count, 1);
    kn_tree_free(tree);
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){.confidence = 0.9999}, &tree, &error));
    assert_int_equal(tree->leaf_count, 1); /* 14 examples are too few for significance */
    kn_tree_free(tree);
    kn_dataset_free(data);
}

/* A step function of one of three numbers, with noise: the tree finds its cut and no other. */
static void test_cuts_and_regression(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    KnError error;
    KnDataset *data = kn_dataset_new(3, names, 5000, &error);
    KnRng rng = kn_rng_seeded(1);
    for (int i = 0; i < 5000; i++) {
        double x[3] = {kn_rng_real(&rng), kn_rng_real(&rng) * 100, kn_rng_real(&rng)};
        kn_dataset_add(data, x, x[1] > 37, (x[1] > 37 ? 5 : 2) + kn_rng_real(&rng) - 0.5);
    }
    check_ok(error, kn_dataset_code(data, &error));
    KnTree *tree;
    check_ok(error,
             kn_tree_grow(data,
                          &(KnTreePlan){.measure = KN_TREE_VARIANCE, .cuts = true, .depth = 1, .least = 20},
                          &tree, &error));
    assert_int_equal(tree->nodes[0].feature, 1);
    assert_int_equal(tree->leaf_count, 2);
    assert_true(fabs(tree->cases[0].upper - 37) < 2.5); /* ranges hold 1/64 of the examples each */
    assert_true(fabs(kn_leaf_mean(tree, 1) - 5) < 0.1);
    kn_tree_free(tree);
    /* The class, by cuts too. */
    check_ok(error,
             kn_tree_grow(
                 data, &(KnTreePlan){.measure = KN_TREE_INFORMATION, .cuts = true, .depth = 1, .least = 20},
                 &tree, &error));
    assert_int_equal(tree->nodes[0].feature, 1);
    assert_true(kn_leaf_probability(tree, 1) > 0.95);
    kn_tree_free(tree);
    kn_dataset_free(data);
}

/* No leaf of binary splits is smaller than the plan allows, however much a smaller one would explain. */
static void test_leaves_are_large_enough(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    KnError error;
    KnDataset *data = kn_dataset_new(2, names, 400, &error);
    KnRng rng = kn_rng_seeded(4);
    for (int i = 0; i < 400; i++) {
        double x[2] = {i, kn_rng_real(&rng)};
        kn_dataset_add(data, x, i < 5 || i >= 395, i < 5 ? 100 : i >= 395 ? -100 : kn_rng_real(&rng));
    }
    check_ok(error, kn_dataset_code(data, &error));
    for (size_t least = 1; least <= 200; least = least * 3 + 1) {
        KnTree *tree;
        KnTreePlan plan = {.measure = KN_TREE_VARIANCE, .cuts = true, .depth = 6, .least = least};
        check_ok(error, kn_tree_grow(data, &plan, &tree, &error));
        assert_true(tree->leaf_count > 1);
        for (int l = 0; l < tree->leaf_count; l++) assert_true(tree->leaves[l].examples >= (double)least);
        kn_tree_free(tree);
    }
    kn_dataset_free(data);
}

/* The chi-squared test of ID3 keeps an irrelevant feature out of the tree. */
static void test_chance_is_seen_through(void **state)
{
    (void)state;
    static const char *const names[] = {"signal", "noise"};
    KnError error;
    KnDataset *data = kn_dataset_new(2, names, 2000, &error);
    KnRng rng = kn_rng_seeded(2);
    for (int i = 0; i < 2000; i++) {
        double x[2] = {kn_rng_below(&rng, 2), kn_rng_below(&rng, 10)};
        kn_dataset_add(data, x, kn_rng_real(&rng) < (x[0] > 0 ? 0.7 : 0.3), 0);
    }
    check_ok(error, kn_dataset_code(data, &error));
    KnTree *plain, *tested;
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){0}, &plain, &error));
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){.confidence = 0.999}, &tested, &error));
    assert_int_equal(plain->leaf_count, 20);
    assert_int_equal(tested->leaf_count, 2);
    kn_tree_free(plain);
    kn_tree_free(tested);
    kn_dataset_free(data);
}

/* Further examples change the statistics of the leaves, not the tree; an unseen value goes to the case of the
 * next one. */
static void test_enrichment(void **state)
{
    (void)state;
    KnError error;
    KnDataset *data = weather_data();
    KnTree *tree;
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){0}, &tree, &error));
    double overcast[4] = {1, 0, 0, 0}, between[4] = {0.5, 0, 0, 0}, beyond[4] = {7, 0, 0, 0};
    int leaf = kn_tree_leaf(tree, overcast);
    assert_int_equal(kn_tree_leaf(tree, between), leaf);
    assert_int_equal(kn_tree_leaf(tree, beyond), 3);
    for (int i = 0; i < 6; i++) kn_tree_count(tree, overcast, i < 2, 0.5);
    assert_true(fabs(kn_leaf_weight(tree, leaf) - 10.0 / 20) < 1e-12);
    assert_true(fabs(kn_leaf_probability(tree, leaf) - 6.0 / 10) < 1e-12);
    assert_true(fabs(kn_leaf_mean(tree, leaf) - 7.0 / 10) < 1e-12);
    kn_tree_free(tree);
    kn_dataset_free(data);
}

static KnStatus reread(const char *text, KnTree **tree, KnError *error)
{
    json_t *document;
    KnStatus status = kn_json_load_bytes(text, strlen(text), "tree.json", &document, error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(document, "tree.json");
    status = kn_tree_from_json(&root, "tree", 4, weather_names, tree, error);
    json_decref(document);
    return status;
}

static void test_json(void **state)
{
    (void)state;
    KnError error;
    KnDataset *data = weather_data();
    KnTree *tree, *again;
    check_ok(error, kn_tree_grow(data, &(KnTreePlan){0}, &tree, &error));
    json_t *document = json_pack("{so}", "tree", kn_tree_json(tree, weather_names));
    KnText text = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    kn_json_canonical(document, &text);
    json_decref(document);
    check_ok(error, reread(text.data, &again, &error));
    document = json_pack("{so}", "tree", kn_tree_json(again, weather_names));
    kn_json_canonical(document, &second);
    json_decref(document);
    assert_string_equal(text.data, second.data);
    for (size_t cut = 1; cut < text.length; cut += 7) { /* a truncated file is always an error */
        KnTree *none = NULL;
        char *part = strndup(text.data, cut);
        assert_int_equal(reread(part, &none, &error), KN_INPUT);
        assert_null(none);
        free(part);
    }
    kn_tree_free(tree);
    kn_tree_free(again);
    kn_dataset_free(data);
    kn_text_free(&text);
    kn_text_free(&second);
}

static void test_damaged_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } damaged[] = {
        {"{\"tree\": {\"feature\": \"snow\", \"cases\": [{\"then\": {}}]}}",
         "\"snow\" is not among the file's features"},
        {"{\"tree\": {\"feature\": \"windy\", \"cases\": []}}", "between 1 and"},
        {"{\"tree\": {\"feature\": \"windy\", \"cases\": [{\"upto\": 1, \"then\": {\"leaf\": 1, "
         "\"examples\": 1, \"positives\": 1, \"sum\": 0}}, "
         "{\"upto\": 1, \"then\": {\"leaf\": 2, \"examples\": 1, \"positives\": 1, \"sum\": 0}}, {\"then\": "
         "{}}]}}",
         "the cases must rise"},
        {"{\"tree\": {\"leaf\": 2, \"examples\": 1, \"positives\": 1, \"sum\": 0}}", "this is leaf 1"},
        {"{\"tree\": {\"leaf\": 1, \"examples\": 1, \"positives\": 2, \"sum\": 0}}",
         "more positive examples than examples"},
        {"{\"tree\": {\"leaf\": 1, \"examples\": 0, \"positives\": 0, \"sum\": 0}}",
         "no leaf holds any example"},
        {"{\"tree\": {\"leaf\": 1, \"examples\": -4, \"positives\": 0, \"sum\": 0}}", "a count is wanted"},
        {"{\"tree\": {\"leaf\": 1, \"positives\": 0, \"sum\": 0}}", "examples"},
        {"{\"tree\": 5}", "tree"},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        KnError error;
        KnTree *tree;
        check_fails(error, KN_INPUT, damaged[i].part, reread(damaged[i].text, &tree, &error));
        assert_null(tree);
    }
}

typedef struct Telling {
    const double *values;
    int times[4];
} Telling;

static double tell(void *context, int column)
{
    Telling *telling = context;
    telling->times[column]++;
    return telling->values[column];
}

/* The fast layouts find the same leaves, also between and beyond the training values, and compute no value
 * twice. The last column has wide gaps; if its values are not integers (`part`), the tree has no layout. */
static void check_laid_out(bool cuts, double part)
{
    KnError error;
    static const char *const names[] = {"a", "b", "c", "d"};
    enum { COLUMNS = 4 };
    KnRng rng = kn_rng_seeded(11);
    KnTree *tree;
    KnDataset *data = kn_dataset_new(COLUMNS, names, 3000, &error);
    assert_non_null(data);
    for (int i = 0; i < 3000; i++) {
        double values[COLUMNS] = {kn_rng_below(&rng, 9), kn_rng_below(&rng, 5), kn_rng_below(&rng, 30),
                                  700.0 * kn_rng_below(&rng, 7) - 2000 + part};
        bool positive = (int)(values[0] * values[1] + values[2] + (values[3] > 0)) % 3 == 0;
        kn_dataset_add(data, values, positive, positive + values[0]);
    }
    check_ok(error, kn_dataset_code(data, &error));
    check_ok(error, kn_tree_grow(data,
                                 &(KnTreePlan){.measure = cuts ? KN_TREE_VARIANCE : KN_TREE_INFORMATION,
                                               .cuts = cuts,
                                               .least = 2},
                                 &tree, &error));
    assert_true(tree->leaf_count > 50);
    int leaves[2000];
    static double asked[2000][COLUMNS];
    for (int i = 0; i < 2000; i++) {
        for (int c = 0; c < COLUMNS; c++)
            asked[i][c] = (c < 3 ? 32 * kn_rng_real(&rng) : 7000 * kn_rng_real(&rng) - 3500) - 1;
        if (i % 2)
            for (int c = 0; c < COLUMNS; c++) asked[i][c] = floor(asked[i][c]);
        if (i % 50 == 0) asked[i][i / 50 % COLUMNS] = i % 100 ? 1e300 : -INFINITY;
        if (i % 50 == 1) asked[i][i / 50 % COLUMNS] = NAN;
        leaves[i] = kn_tree_leaf(tree, asked[i]);
    }
    check_ok(error, kn_tree_make_walk(tree, &error));
    assert_int_equal(tree->walk != NULL, part == 0);
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(kn_tree_leaf(tree, asked[i]), leaves[i]);
        Telling telling = {.values = asked[i]};
        double values[COLUMNS] = {i % 3 ? asked[i][0] : NAN, i % 2 ? asked[i][1] : NAN, NAN,
                                  i % 5 ? NAN : asked[i][3]};
        assert_int_equal(kn_tree_leaf_lazy(tree, values, tell, &telling), leaves[i]);
        for (int c = 0; c < COLUMNS && i % 50 != 1; c++) {
            assert_true(telling.times[c] <= 1);
            if (!telling.times[c])
                assert_true(isnan(values[c]) || values[c] == asked[i][c]);
            else
                assert_true(values[c] == asked[i][c]);
        }
    }
    kn_tree_free(tree);
    kn_dataset_free(data);
}

static void test_laid_out(void **state)
{
    (void)state;
    for (int cuts = 0; cuts < 2; cuts++) {
        check_laid_out(cuts, 0);
        check_laid_out(cuts, 0.25);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_information),
        cmocka_unit_test(test_quinlans_tree),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_cuts_and_regression),
        cmocka_unit_test(test_chance_is_seen_through),
        cmocka_unit_test(test_enrichment),
        cmocka_unit_test(test_leaves_are_large_enough),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_damaged_json),
        cmocka_unit_test(test_laid_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
