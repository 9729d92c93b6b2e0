/* Comparing two sets of results: a table of pairs of cells, each with the p-value that a textbook gives, and
 * what Holm's method makes of all of them. */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lab/compare.h"

enum { LEFT_OUT = -2, EXACT = -1 };

/* The reach of a 95 % interval of a mean of n samples with this standard error, by Student's t. */
#define REACH_10(error) (2.262157162798189 * (error))
#define REACH_20(error) (2.093024054408331 * (error))

static const struct {
    const char *kind, *unit;
    double measured[2], reach[2], n[2];
    double p; /* or LEFT_OUT, EXACT */
    bool timed;
} pairs[] = {
    {"mean", "points", {10, 13}, {REACH_10(1), REACH_20(1.5)}, {10, 20}, 0.10725556, false},
    {"mean", "points", {13, 10}, {REACH_20(1.5), REACH_10(1)}, {20, 10}, 0.10725556, false},
    {"mean", "points", {10, 10.5}, {REACH_10(1), REACH_20(1.5)}, {10, 20}, 0.78355052, false},
    {"mean", "points", {10, 13}, {REACH_10(0.1), REACH_20(0.2)}, {10, 20}, 4.8e-13, false},
    {"mean", "points", {10, 10.5}, {REACH_10(0.3), REACH_20(0.4)}, {10, 20}, 0.32593259, false},
    {"exact", "", {7, NAN}, {0, 0}, {1, 1}, LEFT_OUT, false},
    {"mean", "points", {10, 10}, {0, 0}, {10, 20}, 1, false},
    {"mean", "points", {10, 11}, {0, 0}, {10, 20}, 0, false},
    {"share", "%", {50, 65}, {10, 10}, {100, 100}, 0.03190526, false},
    {"share", "%", {50, 90}, {10, 10}, {100, 100}, 6.7e-10, false},
    {"share", "", {0.25, 0.5}, {0.1, 0.1}, {40, 60}, 0.01241933, false},
    {"exact", "", {7, 7}, {0, 0}, {1, 1}, EXACT, false},
    {"exact", "", {7, 8}, {0, 0}, {1, 1}, EXACT, false},
    {"mean", "points", {10, 13}, {1, 1}, {10, 20}, LEFT_OUT, true},
    {"mean", "points", {10, 13}, {NAN, 1}, {10, 20}, LEFT_OUT, false},
    {"mean", "points", {10, 13}, {1, NAN}, {10, 20}, LEFT_OUT, false},
    {"mean", "points", {NAN, 13}, {1, 1}, {10, 20}, LEFT_OUT, false},
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* A result with a table for each pair, since units belong to tables. */
static json_t *result_of(int side, bool with_others)
{
    json_t *tables = json_array();
    for (int i = 0; i < PAIRS; i++) {
        double x = pairs[i].measured[side], reach = pairs[i].reach[side];
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        json_t *cell = json_pack("{ss ss ss so so so so sb}", "row", "r", "column", "c", "kind",
                                 pairs[i].kind, "measured", number(x), "low", number(x - reach), "high",
                                 number(x + reach), "n", number(pairs[i].n[side]), "timed", pairs[i].timed);
        json_t *alone = json_pack("{ss ss ss sf}", "row", side ? "b" : "a", "column", "c", "kind", "exact",
                                  "measured", 1.0);
        json_array_append_new(tables, json_pack("{ss ss si s[oo]}", "id", id, "unit", pairs[i].unit,
                                                "decimals", 1, "cells", cell, alone));
    }
    json_t *results = json_array();
    if (with_others) /* an experiment that the other set lacks */
        json_array_append_new(results, json_pack("{ss ss s[]}", "experiment", side ? "only-b" : "only-a",
                                                 "scale", "quick", "tables"));
    json_array_append_new(results, json_pack("{ss ss so}", "experiment", "both", "scale",
                                             side ? "full" : "quick", "tables", tables));
    return results;
}

static double real(const json_t *cell, const char *key)
{
    const json_t *value = json_object_get(cell, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Two sets without a common experiment are no two that agree. */
static void test_nothing_in_common(void **state)
{
    (void)state;
    KnError error;
    json_t *a = result_of(0, false), *empty = json_array(), *comparison;
    assert_int_equal(kn_lab_compare(a, empty, &comparison, &error), KN_INPUT);
    assert_non_null(strstr(error.text, "no cell in common"));
    assert_null(comparison);
    json_decref(a);
    json_decref(empty);
}

static void test_pairs(void **state)
{
    (void)state;
    KnError error;
    json_t *a = result_of(0, true), *b = result_of(1, true), *comparison, *cell;
    check_ok(error, kn_lab_compare(a, b, &comparison, &error));
    json_t *cells = json_object_get(comparison, "cells");
    int left_out = 0, tested = 0, exact = 0, changed = 0;
    for (int i = 0; i < PAIRS; i++) {
        const json_t *found = NULL;
        size_t c;
        json_array_foreach(cells, c, cell)
        {
            if (atoi(json_string_value(json_object_get(cell, "table"))) == i) found = cell;
        }
        left_out += pairs[i].p == LEFT_OUT;
        tested += pairs[i].p >= 0;
        if (pairs[i].p == LEFT_OUT) {
            assert_null(found);
            continue;
        }
        assert_non_null(found);
        assert_string_equal(json_string_value(json_object_get(found, "row")), "r");
        assert_string_equal(json_string_value(json_array_get(json_object_get(found, "scales"), 1)), "full");
        assert_true(real(json_object_get(found, "a"), "measured") == pairs[i].measured[0]);
        assert_true(real(json_object_get(found, "b"), "measured") == pairs[i].measured[1]);
        if (pairs[i].p == EXACT)
            assert_true(json_is_null(json_object_get(found, "p")));
        else if (fabs(real(found, "p") - pairs[i].p) > 1e-7)
            fail_msg("pair %d: p = %.10g", i, real(found, "p"));
    }
    /* Holm: the k-th smallest of m counts m - k + 1 times, and none less than one before it. */
    size_t c;
    bool before = true;
    json_array_foreach(cells, c, cell)
    {
        bool is = json_is_true(json_object_get(cell, "changed"));
        double p = real(cell, "p"), adjusted = 0;
        assert_true(before || !is); /* those that changed come first */
        before = is;
        changed += is;
        if (isnan(p)) {
            exact += is;
            assert_true(json_is_null(json_object_get(cell, "adjusted")));
            assert_int_equal(is, real(json_object_get(cell, "a"), "measured") !=
                                     real(json_object_get(cell, "b"), "measured"));
            continue;
        }
        for (int i = 0; i < PAIRS; i++) { /* every one that is no larger has its own factor */
            int above = 0;
            for (int k = 0; k < PAIRS; k++) above += pairs[k].p >= 0 && pairs[k].p >= pairs[i].p - 1e-12;
            if (pairs[i].p >= 0 && pairs[i].p <= p + 1e-7)
                adjusted = fmax(adjusted, fmin(1, above * pairs[i].p));
        }
        assert_true(fabs(real(cell, "adjusted") - adjusted) < 1e-5);
        assert_int_equal(is, adjusted < 0.05);
    }
    assert_int_equal(exact, 1);
    assert_true(changed >= 4);
    assert_int_equal(json_integer_value(json_object_get(comparison, "changed")), changed);
    assert_int_equal(json_integer_value(json_object_get(comparison, "exact")), exact);
    assert_int_equal(json_integer_value(json_object_get(comparison, "left_out")), left_out);
    assert_int_equal(json_integer_value(json_object_get(comparison, "compared")), tested + 2);
    json_decref(comparison);
    json_decref(a);
    json_decref(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_nothing_in_common)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
