/* The experiments on iterative widening at quick scale: results with node limits are repeatable, the
 * contradiction in the printed tables is shown, and sanity checks hold. */
#include "support/check.h"
#include <knack/base.h>
#include "lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static KnContext *context;

static json_t *run_sized(const char *name, bool fresh, const KnParameter *sizes)
{
    KnError error;
    const KnThing *thing = kn_find(context, KN_KIND_EXPERIMENT, name);
    assert_non_null(thing);
    KnExperiment experiment = *(const KnExperiment *)thing;
    if (sizes) experiment.parameters = sizes;
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 7, .jobs = 1, .fresh = fresh};
    json_t *result;
    check_ok(error, kn_lab_run(context, &experiment, &plan, NULL, &result, &error));
    check_ok(error, kn_lab_check_result(result, name, &error));
    assert_true(json_is_true(json_object_get(result, "nondeterministic"))); /* it measures times */
    return result;
}

static json_t *run(const char *name, bool fresh) { return run_sized(name, fresh, NULL); }

static double measured(const json_t *result, const char *table, const char *row, const char *column)
{
    size_t t, c;
    json_t *at, *cell;
    json_array_foreach(json_object_get(result, "tables"), t, at)
    {
        if (strcmp(json_string_value(json_object_get(at, "id")), table) != 0) continue;
        json_array_foreach(json_object_get(at, "cells"), c,
                           cell) if (strcmp(json_string_value(json_object_get(cell, "row")), row) == 0 &&
                                     strcmp(json_string_value(json_object_get(cell, "column")), column) ==
                                         0) return json_number_value(json_object_get(cell, "measured"));
    }
    fail_msg("no cell (%s, %s, %s)", table, row, column);
    return 0;
}

static void test_kept_table(void **state)
{
    (void)state;
    json_t *one = run("widening.table6", true), *again = run("widening.table6", false),
           *fresh = run("widening.table6", true);
    static const char *const columns[] = {"nodes", "minimum", "solved"};
    for (int i = 0; i < 3; i++) {
        double value = measured(one, "table6", "ggv2 0.1 s", columns[i]);
        assert_true(value > 0);
        assert_true(value == measured(again, "table6", "ggv2 0.1 s", columns[i])); /* from the stored units */
        assert_true(value == measured(fresh, "table6", "ggv2 0.1 s", columns[i])); /* and computed again */
    }
    assert_true(measured(one, "table6", "ggv2 1 s", "minimum") <=
                measured(one, "table6", "ggv2 1 s", "nodes"));
    assert_true(fabs(measured(one, "printed", "ggv2 1 s", "time kept / cleared, as printed") - 1.005) <
                0.001);
    assert_true(measured(one, "printed", "ggv2 1 s", "solved kept less cleared, as printed") < 0);
    json_decref(one);
    json_decref(again);
    json_decref(fresh);
}

/* The nodes of strategies 1 to 8 are all fewer than those of brute force where it is hard, and the easy
 * volume is solved. */
static void test_tables(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = run("widening.tables1-5", true);
    assert_true(measured(result, "table1", "3 OR2-2AND1-2", "solved") == 100);
    assert_true(measured(result, "table5", "3 OR2-2AND1-2", "solved") >=
                measured(result, "table5", "9 brute force", "solved"));
    assert_true(measured(result, "table3", "1 OR2-2AND2-2", "solved") >=
                measured(result, "table5", "1 OR2-2AND2-2", "solved"));
    json_decref(result);
}

static void test_other_games(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *fives = run("widening.fives", true), *phutball = run("widening.phutball", true),
           *ip3 = run("widening.ip3", true);
    assert_true(measured(fives, "fives", "3 OR2-2AND1-2", "solved") > 0);
    assert_true(measured(phutball, "phutball", "OR2-2AND1-2", "speed-up") > 0);
    assert_true(measured(ip3, "ip3", "with ip3", "solved") >= measured(ip3, "ip3", "without ip3", "solved"));
    json_decref(fives);
    json_decref(phutball);
    json_decref(ip3);
}

/* The more time, the more is solved, and within a second what the table says; the strategy that reads both
 * sides answers all of these. GNU Go has a row and a curve where it is installed. */
static void test_times(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const KnParameter sizes[] = {{"problems", 6, 6, ""}, {0}};
    json_t *result = run_sized("widening.times", true, sizes), *series, *point;
    json_t *figure = json_array_get(json_object_get(result, "figures"), 0);
    bool installed = access("/usr/games/gnugo", X_OK) == 0;
    assert_int_equal(json_array_size(json_object_get(figure, "series")), 10 + installed);
    assert_true(measured(result, "times", "10 both sides", "% right within 1 s") == 100);
    size_t s, i;
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        const char *name = json_string_value(json_object_get(series, "name"));
        double before = 0, right = measured(result, "times", name, "% right within 1 s"),
               quick = measured(result, "times", name, "% right within 2 ms");
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            double time = json_number_value(json_array_get(point, 0)),
                   share = json_number_value(json_array_get(point, 1));
            assert_true(time == -2 + (double)i / 2 && share >= before);
            if (time == 0) assert_true(share <= quick + 0.001); /* in a millisecond no more than in two */
            if (time == 0.5) assert_true(share >= quick - 0.001);
            before = share;
        }
        assert_true(i == 13 && fabs(before - right) < 0.001);
        assert_true(fabs(right * 6 / 100 - nearbyint(right * 6 / 100)) < 1e-9);
        double ms = measured(result, "times", name, "ms a problem");
        assert_true(ms > 0 && ms < 1500);
    }
    if (installed) assert_true(measured(result, "times", "GNU Go 3.8, level 10", "% right within 1 s") > 50);
    json_decref(result);
}

/* Drops what the clock decides: the record, and cells marked as timed. Returns how many those were. */
static size_t without_times(json_t *result)
{
    size_t i, k, dropped = 0;
    json_t *table, *cell;
    json_object_del(result, "record");
    json_array_foreach(json_object_get(result, "tables"), i, table)
    {
        json_t *kept = json_array();
        json_array_foreach(json_object_get(table, "cells"), k, cell)
        {
            if (json_is_true(json_object_get(cell, "timed")))
                dropped++;
            else
                json_array_append(kept, cell);
        }
        json_object_set_new(table, "cells", kept);
    }
    return dropped;
}

/* Times and ratios of times are marked, and all the rest is the same in a second run. */
static void test_times_are_marked(void **state)
{
    (void)state;
    json_t *one = run("widening.ip3", true), *two = run("widening.ip3", true);
    assert_int_equal(without_times(one), 3);
    assert_int_equal(without_times(two), 3);
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_table), cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_other_games), cmocka_unit_test(test_times),
                                       cmocka_unit_test(test_times_are_marked)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_close(context);
    return failed;
}
