/* The lesson's experiments at quick scale: the same for any number of threads, and what must come out does. */
#include "support/check.h"
#include "base/json.h"
#include "knack.h"
#include "lab/lab.h"

#include <stdlib.h>
#include <string.h>

static KnContext *context;

static json_t *run(const char *name, int jobs)
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

static void test_claims(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = run("ggp.search-claims", 1), *two = run("ggp.search-claims", 2);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    assert_true(measured(one, "claims", "shortest wins found by breadth-first search, %", "share") == 100);
    assert_true(measured(one, "claims", "shortest wins found by iterative deepening, %", "share") == 100);
    double factor = measured(one, "claims", "positions of iterative deepening over those of one search", "all games");
    assert_true(factor > 1 && factor < 2);
    assert_true(measured(one, "claims", "positions that a limit set 3 too deep costs, over the right limit", "all games") > 1);
    size_t counts[KN_VERDICTS];
    kn_lab_count(one, counts);
    assert_int_equal(counts[KN_DIFFERS], 0);
    json_decref(one);
    json_decref(two);
}

static void test_tournament(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = run("ggp.search", 2);
    double random = measured(result, "scores", "random", "all games");
    assert_true(measured(result, "scores", "blend, fitted weights", "all games") > random + 10);
    assert_true(measured(result, "scores", "alpha-beta", "all games") > random + 10);
    /* A pair's goal values add up to 100 where the game's do. */
    double there = measured(result, "cross", "random", "mobility"), back = measured(result, "cross", "mobility", "random");
    assert_true(there + back > 90 && there + back < 110);
    assert_true(measured(result, "cost", "legal", "positions") == 0);
    double nodes = measured(result, "cost", "breadth-first", "positions");
    assert_true(nodes > 10 && nodes <= 40); /* the budget */
    json_decref(result);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims), cmocka_unit_test(test_tournament)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_context_free(context);
    return failed;
}
