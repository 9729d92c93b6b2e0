/* The TDLeaf experiments at quick scale: training is the same for any number of threads and found again, rare features are
 * rare. */
#include "support/check.h"
#include "knack.h"
#include "lab/lab.h"

#include <stdlib.h>
#include <string.h>

static KnContext *context;

static json_t *run(const char *name, int jobs, bool fresh)
{
    KnError error;
    const KnThing *thing = kn_find(context, KN_KIND_EXPERIMENT, name);
    assert_non_null(thing);
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 7, .jobs = jobs, .fresh = fresh};
    json_t *result;
    check_ok(error, kn_lab_run(context, (const KnExperiment *)thing, &plan, NULL, &result, &error));
    check_ok(error, kn_lab_check_result(result, name, &error));
    return result;
}

static double measured(const json_t *result, const char *table, const char *row, const char *column)
{
    size_t t, c;
    json_t *at, *cell;
    json_array_foreach(json_object_get(result, "tables"), t, at) {
        if (strcmp(json_string_value(json_object_get(at, "id")), table) != 0) continue;
        json_array_foreach(json_object_get(at, "cells"), c, cell)
            if (strcmp(json_string_value(json_object_get(cell, "row")), row) == 0 &&
                strcmp(json_string_value(json_object_get(cell, "column")), column) == 0)
                return json_number_value(json_object_get(cell, "measured"));
    }
    fail_msg("no cell (%s, %s, %s)", table, row, column);
    return 0;
}

static void test_weights_and_updates(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = run("tdleaf.table1", 1, true), *two = run("tdleaf.table1", 2, false);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    double move = measured(one, "updates", "value of move", "updates 1");
    assert_true(move > 50);
    assert_true(measured(one, "updates", "king center", "updates 1") < move / 20);
    assert_true(measured(one, "updates", "king center", "original 1") == 3);
    assert_true(measured(one, "updates", "king center", "updates 4") > measured(one, "updates", "king center", "updates 1"));
    json_decref(one);
    json_decref(two);
}

/* Three pieces, looked at deeper, are played better; and the number of threads does not matter. */
static void test_endings(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = run("tdleaf.endings", 1, true), *two = run("tdleaf.endings", 2, true);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    double shallow = measured(one, "endings", "3 pieces", "5 plies"), deep = measured(one, "endings", "3 pieces", "9 plies");
    assert_true(shallow > 50 && deep >= shallow);
    json_decref(one);
    json_decref(two);
}

static void test_hard_positions(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = run("tdleaf.testset", 2, true);
    assert_true(measured(result, "solved", "original", "5 plies") == 0); /* that is how they were chosen */
    assert_true(measured(result, "solved", "original", "7 plies") == 0);
    json_decref(result);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights_and_updates), cmocka_unit_test(test_hard_positions), cmocka_unit_test(test_endings)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_context_free(context);
    return failed;
}
