/* The experiments on Hoyle at quick scale: the same for any number of threads, with what must hold whatever
 * the seed. They share a data folder, so that five men's morris is solved once. Skipped under sanitizers. */
#include "support/check.h"
#include "base/file.h"
#include "base/json.h"
#include "support/laboratory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void knack(const char *words, KnText *out)
{
    char command[600];
    snprintf(command, sizeof command, "'%s' %s --data data >out.txt 2>err.txt </dev/null", KNACK_BINARY,
             words);
    int code = system(command);
    KnError error;
    if (code != 0) {
        check_ok(error, kn_file_read("err.txt", out, 1 << 22, &error));
        fail_msg("knack %s: status %d: %s", words, code, out->data);
    }
    check_ok(error, kn_file_read("out.txt", out, 1 << 24, &error));
}

/* The measured value of a cell. */
static double measured(const KnText *lines, const char *experiment, const char *row, const char *column)
{
    for (const char *at = lines->data, *end; (end = strchr(at, '\n')); at = end + 1) {
        KnError error;
        json_t *cell;
        check_ok(error, kn_json_load_bytes(at, (size_t)(end - at), "a line", &cell, &error));
        KnJson root = kn_json_root(cell, "a line");
        const char *its_experiment, *its_row, *its_column, *verdict;
        double value, low, high;
        int64_t n;
        check_ok(error, kn_json_string(&root, "experiment", &its_experiment, &error));
        check_ok(error, kn_json_string(&root, "row", &its_row, &error));
        check_ok(error, kn_json_string(&root, "column", &its_column, &error));
        check_ok(error, kn_json_string(&root, "verdict", &verdict, &error));
        check_ok(error, kn_json_real(&root, "measured", &value, &error));
        check_ok(error, kn_json_real(&root, "low", &low, &error));
        check_ok(error, kn_json_real(&root, "high", &high, &error));
        check_ok(error, kn_json_integer(&root, "n", 0, INT64_MAX, &n, &error));
        assert_true(low <= value && value <= high);
        bool found = strcmp(its_experiment, experiment) == 0 && strcmp(its_row, row) == 0 &&
                     strcmp(its_column, column) == 0;
        json_decref(cell);
        if (found) return value;
    }
    fail_msg("no cell %s, %s, %s", experiment, row, column);
    return NAN;
}

/* An experiment as the command runs it: one line a cell, numbers that are known exactly, and the same bytes a
 * second time from what is stored. */
static void test_table6(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    KnText lines = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY, page = KN_TEXT_EMPTY;
    knack("lab run temporal.table6 --scale quick --seed 2 --json --quiet", &lines);
    static const char lose[] = "Lose tic-tac-toe: Baseline", morris[] = "Five men's morris: Baseline",
                      table6[] = "temporal.table6";
    /* Two random players of tic-tac-toe, counted over the whole tree: 58.49, 28.81 and 12.70% for first,
     * second and neither. 4,000 games stray from the mean of both seats by 0.8 points: five times that is
     * never seen. */
    assert_true(fabs(measured(&lines, table6, lose, "Random power") - 43.65) < 4);
    assert_true(fabs(measured(&lines, table6, lose, "Random reliability") - 56.35) < 4);
    /* Against the perfect player only the second seat draws at times; a lost opening (any but the centre)
     * cannot be saved. */
    double drawn = measured(&lines, table6, lose, "Perfect reliability");
    assert_true(drawn > 17 && drawn < 25);
    /* The better the agent, the less often a random player draws; 4.6% of 4,000 games against the perfect
     * one. */
    assert_true(measured(&lines, table6, morris, "Perfect reliability") < 7);
    assert_true(measured(&lines, table6, morris, "Perfect reliability") <
                measured(&lines, table6, morris, "Expert reliability"));
    assert_true(measured(&lines, table6, morris, "Expert reliability") <
                measured(&lines, table6, morris, "Novice reliability"));
    assert_true(measured(&lines, table6, morris, "Novice reliability") <
                measured(&lines, table6, morris, "Random reliability"));

    knack("lab run temporal.table6 --scale quick --seed 2 --json --quiet --jobs 1", &again);
    assert_string_equal(lines.data, again.data);
    knack("lab report --out pages", &again);
    assert_string_equal(again.data, "pages/index.html\n");
    KnError error;
    check_ok(error, kn_file_read("pages/hoyle.html", &page, 1 << 24, &error));
    assert_non_null(strstr(page.data, "knack lab run temporal.table6 --scale quick --seed 2"));
    kn_text_free(&lines);
    kn_text_free(&again);
    kn_text_free(&page);
}

/* What the experiment has solved, and those below use: five men's morris, whose numbers are known. */
static void test_five_men(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    json_t *facts;
    knack("solve 'morris(men=5)' --json --quiet", &text);
    check_ok(error, kn_json_load_bytes(text.data, text.length, "the solution", &facts, &error));
    assert_true(json_is_true(json_object_get(facts, "cached")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(facts, "start"), "value")), "draw");
    assert_int_equal(json_integer_value(json_object_get(facts, "states")), 17844721);
    assert_int_equal(json_integer_value(json_object_get(facts, "classes")), 2240499);
    assert_int_equal(json_integer_value(json_object_get(facts, "longest")), 74);
    json_decref(facts);
    kn_text_free(&text);
}

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
                test_lab_measured(result, "ends", "Five men's morris", "trees"));
    assert_int_equal(json_array_size(json_object_get(result, "figures")), 6); /* 8 to 10, on either game */
    json_decref(result);
}

/* Runs are compared as sets: more games, more alike; and what was kept is found again. */
static void test_patterns(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const KnParameter sizes[] = {{.name = "test", .quick = 2}, {0}};
    json_t *one = test_lab_run_sized("temporal.patterns", 7, 1, true, sizes),
           *two = test_lab_run_sized("temporal.patterns", 7, 2, false, sizes);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table6), cmocka_unit_test(test_five_men),
                                       cmocka_unit_test(test_rote), cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_why)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
