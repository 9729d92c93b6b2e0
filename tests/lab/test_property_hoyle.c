/* The experiments on Hoyle at quick scale: the same for any number of threads, with what must hold whatever
 * the seed. */
#include "support/check.h"
#include "support/laboratory.h"

#include <stdio.h>
#include <stdlib.h>

/* Trees are smaller than the table made of them, and every published cell of Tables 2 to 4 has a measured one
 * beside it. */
static void test_rote(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run_sized(
        "temporal.rote", 7, 2, true,
        (const KnParameter[]){{.name = "runs", .quick = 1}, {.name = "test", .quick = 5}, {0}});
    static const char *const games[] = {"Lose tic-tac-toe", "Five men's morris"};
    for (int g = 0; g < 2; g++) {
        char rote[60], imitate[60], plain[60];
        snprintf(rote, sizeof rote, "%s: TP-Rote", games[g]);
        snprintf(imitate, sizeof imitate, "%s: Imitate", games[g]);
        snprintf(plain, sizeof plain, "%s: standard Hoyle", games[g]);
        double trees = test_lab_measured(result, "table2", games[g], "trees"),
               sequences = test_lab_measured(result, "table2", games[g], "sequences");
        assert_true(trees >= 1 && sequences >= trees);
        assert_true(test_lab_measured(result, "table3", rote, "states") == trees);
        assert_true(test_lab_measured(result, "table3", imitate, "states") >= trees);
        double random = test_lab_measured(result, "table4", plain, "Random reliability");
        assert_true(random > 50 && random <= 100);
        assert_true(test_lab_measured(result, "table4", plain, "Perfect reliability") <= random + 10);
        assert_true(test_lab_measured(result, "figure8", games[g], "Perfect") > 0);
    }
    assert_true(test_lab_measured(result, "table4", "Lose tic-tac-toe: with TP-Rote", "Perfect reliability") >
                80);
    double saved = test_lab_measured(result, "savings", "Lose tic-tac-toe", "1 unit a move");
    assert_true(saved > test_lab_measured(result, "savings", "Lose tic-tac-toe, ends of segments only",
                                          "1 unit a move") &&
                saved < 100);
    assert_true(test_lab_measured(result, "table2", "Five men's morris", "trees") <
                test_lab_measured(result, "savings", "Five men's morris, ends of segments only", "trees"));
    assert_int_equal(json_array_size(json_object_get(result, "figures")), 6); /* 8 to 10, on either game */
    json_decref(result);
}

/* Runs are compared as sets: more games, more alike; and what was kept is found again. */
static void test_patterns(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = test_lab_run("temporal.patterns", 7, 1, true),
           *two = test_lab_run("temporal.patterns", 7, 2, false);
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

/* Decisions are shared out among those who take them; a planner has no plans under way, so that asking it
 * anew changes nothing; and a table of errors agrees with the other. */
static void test_why(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run_sized(
        "temporal.why", 7, 2, true,
        (const KnParameter[]){{.name = "runs", .quick = 1}, {.name = "games", .quick = 8}, {0}});
    static const char *const games[] = {"Lose tic-tac-toe", "Five men's morris"};
    for (int g = 0; g < 2; g++) {
        char row[100];
        double decisions = 0, lost = 0;
        static const char *const deciders[] = {"Enforcer", "from .55", "chance"};
        for (int d = 0; d < 3; d++) {
            snprintf(row, sizeof row, "%s, version 1: %s", games[g], deciders[d]);
            decisions += test_lab_measured(result, "deciders", row, "Decisions");
            lost += test_lab_measured(result, "deciders", row, "Games lost by it");
        }
        assert_true(decisions > 99.999 && decisions < 100.001);
        assert_true(lost >= 0 &&
                    lost <= 100.001); /* who is perfect gives nothing back: one error a game at most */
        snprintf(row, sizeof row, "%s: the planners' decisions", games[g]);
        assert_true(test_lab_measured(result, "anew", row, "Errors as decided") ==
                    test_lab_measured(result, "anew", row, "Errors of the planners, asked again"));
        snprintf(row, sizeof row, "%s, version 2: Enforcer", games[g]);
        double errors = test_lab_measured(result, "deciders", row, "Errors");
        snprintf(row, sizeof row, "%s: Enforcer's decisions", games[g]);
        assert_true(test_lab_measured(result, "anew", row, "Errors as decided") == errors);
    }
    static const char against[] = "Five men's morris against the perfect agent";
    double changed = test_lab_measured(result, "seq-advisor", against, "Decisions changed");
    assert_true(changed > 0 && changed < 100);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rote), cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_why)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
