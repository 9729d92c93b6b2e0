/* The lesson's experiments at quick scale: the same for any number of threads, and what must come out does.
 */
#include "support/check.h"
#include "support/laboratory.h"

#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"

static void test_claims(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const KnParameter sizes[] = {
        {.name = "positions", .quick = 4}, {.name = "tree", .quick = 4000}, {0}};
    json_t *one = test_lab_run_sized("ggp.search-claims", 7, 1, true, sizes),
           *two = test_lab_run_sized("ggp.search-claims", 7, 2, true, sizes);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    assert_true(test_lab_measured(one, "claims", "shortest wins found by breadth-first search, %", "share") ==
                100);
    assert_true(test_lab_measured(one, "claims", "shortest wins found by iterative deepening, %", "share") ==
                100);
    double factor = test_lab_measured(
        one, "claims", "positions of iterative deepening over those of one search", "all games");
    assert_true(factor > 1 && factor < 2);
    assert_true(test_lab_measured(one, "claims",
                                  "positions that a limit set 3 too deep costs, over the right limit",
                                  "all games") > 1);
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
    json_t *result = test_lab_run_sized("ggp.search", 7, 2, true,
                                        (const KnParameter[]){{.name = "games", .quick = 4}, {0}});
    double random = test_lab_measured(result, "scores", "random", "all games");
    assert_true(test_lab_measured(result, "scores", "blend, fitted weights", "all games") > random + 10);
    assert_true(test_lab_measured(result, "scores", "alpha-beta", "all games") > random + 10);
    /* A pair's goal values add up to 100 where the game's do. */
    double there = test_lab_measured(result, "cross", "random", "mobility"),
           back = test_lab_measured(result, "cross", "mobility", "random");
    assert_true(there + back > 90 && there + back < 110);
    /* Everybody meets everybody else, as often as the others. */
    const double met =
        json_number_value(json_object_get(test_lab_cell(result, "cross", "random", "mobility"), "n"));
    size_t t, c, pairs = 0;
    json_t *table, *cell;
    json_array_foreach(json_object_get(result, "tables"), t, table)
    {
        if (strcmp(json_string_value(json_object_get(table, "id")), "cross") != 0) continue;
        json_array_foreach(json_object_get(table, "cells"), c, cell)
        {
            assert_true(json_number_value(json_object_get(cell, "n")) == met);
            pairs++;
        }
    }
    assert_true(met > 0 && pairs >= 6 * 5);
    assert_true(test_lab_measured(result, "cost", "legal", "positions") == 0);
    double nodes = test_lab_measured(result, "cost", "breadth-first", "positions");
    assert_true(nodes > 10 && nodes <= 40); /* the budget */
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims), cmocka_unit_test(test_tournament)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
