/* The experiments on Hoyle at quick scale: the same for any number of threads, with what must hold whatever the seed. */
#include "support/check.h"
#include "support/laboratory.h"

#include <stdio.h>
#include <stdlib.h>

/* Trees are smaller than the table made of them, and every published cell of Tables 2 to 4 has a measured one beside it. */
static void test_rote(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run("temporal.rote", 7, 2, true);
    static const char *const games[] = {"Lose tic-tac-toe", "Five men's morris"};
    for (int g = 0; g < 2; g++) {
        char rote[60], imitate[60], plain[60];
        snprintf(rote, sizeof rote, "%s: TP-Rote", games[g]);
        snprintf(imitate, sizeof imitate, "%s: Imitate", games[g]);
        snprintf(plain, sizeof plain, "%s: standard Hoyle", games[g]);
        double trees = test_lab_measured(result, "table2", games[g], "trees"), sequences = test_lab_measured(result, "table2", games[g], "sequences");
        assert_true(trees >= 1 && sequences >= trees);
        assert_true(test_lab_measured(result, "table3", rote, "states") == trees);
        assert_true(test_lab_measured(result, "table3", imitate, "states") >= trees);
        double random = test_lab_measured(result, "table4", plain, "Random reliability");
        assert_true(random > 50 && random <= 100);
        assert_true(test_lab_measured(result, "table4", plain, "Perfect reliability") <= random + 10);
        assert_true(test_lab_measured(result, "figure8", games[g], "Perfect") > 0);
    }
    assert_true(test_lab_measured(result, "table4", "Lose tic-tac-toe: with TP-Rote", "Perfect reliability") > 80);
    assert_true(test_lab_measured(result, "savings", "Lose tic-tac-toe", "1 unit a move") < 100);
    json_decref(result);
}

/* Runs are compared as sets: more contests, more alike; and what was kept is found again. */
static void test_patterns(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = test_lab_run("temporal.patterns", 7, 1, true), *two = test_lab_run("temporal.patterns", 7, 2, false);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    double few = test_lab_measured(one, "overlap", "Lose tic-tac-toe, 40 watched", "cached, shared, %");
    double many = test_lab_measured(one, "overlap", "Lose tic-tac-toe, 240 watched", "cached, shared, %");
    assert_true(few > 0 && many > few && many <= 100);
    assert_true(test_lab_measured(one, "overlap", "Lose tic-tac-toe, 120 watched", "shared by two runs, %") ==
                test_lab_measured(one, "concepts", "Lose tic-tac-toe", "shared by two runs"));
    assert_true(test_lab_measured(one, "overlap", "Lose tic-tac-toe, 120 watched", "concepts a run") >=
                test_lab_measured(one, "overlap", "Lose tic-tac-toe, 120 watched", "retained by PWL"));
    json_decref(one);
    json_decref(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rote), cmocka_unit_test(test_patterns)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
