/* An experiment for real, at quick scale: it ends well, says one line a cell, finds numbers
 * that are known exactly, and a second time gives the same bytes from what is stored. Takes half a minute,
 * most of it solving five men's morris; skipped under sanitizers. */
#include "support/check.h"
#include "base/file.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void knack(const char *words, KnText *out)
{
    char command[600];
    snprintf(command, sizeof command, "'%s' %s >out.txt 2>err.txt </dev/null", KNACK_BINARY, words);
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

static void test_quick_run(void **state)
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

/* What the experiment has solved: five men's morris, whose numbers are known. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quick_run), cmocka_unit_test(test_five_men)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
