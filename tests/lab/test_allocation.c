/* The experiments on resource allocation, at quick scale: what must come out whatever the seed. */
#include "support/check.h"
#include "base/json.h"
#include "knack.h"
#include "lab/allocation.h"
#include "lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *run(const KnContext *context, const char *name, int jobs)
{
    KnError error;
    const KnThing *thing = kn_find(context, KN_KIND_EXPERIMENT, name);
    assert_non_null(thing);
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 7, .jobs = jobs, .fresh = true};
    json_t *result;
    check_ok(error, kn_lab_run(context, (const KnExperiment *)thing, &plan, NULL, &result, &error));
    check_ok(error, kn_lab_check_result(result, name, &error));
    return result;
}

static double measured(const json_t *result, size_t table, const char *row, const char *column)
{
    size_t c;
    json_t *cell;
    json_array_foreach(json_object_get(json_array_get(json_object_get(result, "tables"), table), "cells"), c, cell)
        if (strcmp(json_string_value(json_object_get(cell, "row")), row) == 0 &&
            strcmp(json_string_value(json_object_get(cell, "column")), column) == 0)
            return json_number_value(json_object_get(cell, "measured"));
    fail_msg("no cell (%s, %s) in table %zu", row, column, table);
    return NAN;
}

/* The share and its interval, by hand. */
static void test_share(void **state)
{
    (void)state;
    KnStanding never = {.games = 1000, .wins = 200, .draws = 600, .losses = 200}, always = {.games = 1000, .wins = 450, .draws = 500, .losses = 50};
    KnStanding half = {.games = 1000, .wins = 325, .draws = 550, .losses = 125};
    KnMeasure share = kn_allocation_share(&half, &never, &always);
    assert_true(fabs(share.value - 0.5) < 1e-12);
    double var_half = ((325 + 550 / 4.0) / 1000 - 0.6 * 0.6) / 1000, var_never = ((200 + 600 / 4.0) / 1000 - 0.25) / 1000;
    double var_always = ((450 + 500 / 4.0) / 1000 - 0.49) / 1000;
    double reach = 1.959964 * sqrt(var_half + var_never / 4 + var_always / 4) / 0.2;
    assert_true(fabs(share.high - share.value - reach) < 1e-5);
    assert_true(kn_allocation_share(&always, &never, &always).value == 1);
    assert_true(kn_allocation_share(&never, &never, &always).high == 0);
}

static void test_table2(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    KnError error;
    KnContext *context;
    check_ok(error, kn_open("data", &context, &error));
    json_t *result = run(context, "allocation.table2", 2);
    static const char *const rows[] = {"never", "random", "Basic ID3", "ID3+RELIEF", "Context-sensitive classifier",
                                       "DC + self-generated features", "oracle", "always"};
    for (size_t i = 0; i < 8; i++) {
        double sum = measured(result, 0, rows[i], "wins") + measured(result, 0, rows[i], "losses") + measured(result, 0, rows[i], "ties");
        assert_true(fabs(sum - 1) < 1e-9);
    }
    assert_true(fabs(measured(result, 0, "never", "probability") - 0.5) < 0.12);
    assert_true(measured(result, 0, "always", "probability") > measured(result, 0, "never", "probability") + 0.05);
    json_decref(result);
    /* What the same run has learned serves the next experiment: no example is made again, and the features are Table 1's. */
    result = run(context, "allocation.table1", 1);
    double kept = 0;
    size_t c;
    json_t *cell;
    json_array_foreach(json_object_get(json_array_get(json_object_get(result, "tables"), 0), "cells"), c, cell)
        kept += json_number_value(json_object_get(cell, "measured"));
    assert_true(kept >= 5 && kept <= 23);
    assert_int_equal(json_array_size(json_object_get(json_array_get(json_object_get(result, "tables"), 0), "cells")), 23);
    json_decref(result);
    kn_context_free(context);
}

static void test_clock(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    KnError error;
    KnContext *context;
    check_ok(error, kn_open("data", &context, &error));
    json_t *result = run(context, "allocation.clock", 2);
    static const char *const rows[] = {"even", "random", "learned", "dynamic"};
    for (size_t i = 0; i < 4; i++) { /* nobody spends more than there is */
        double spent = measured(result, 0, rows[i], "positions a move / even share");
        assert_true(spent > 0.2 && spent <= 1.01);
    }
    json_decref(result);
    kn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_share), cmocka_unit_test(test_table2), cmocka_unit_test(test_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
