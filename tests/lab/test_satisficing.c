/* The satisficing experiments at quick scale: what agrees, what does not, and that both are what the readings
 * say. */
#include "support/check.h"
#include "support/laboratory.h"
#include "base/json.h"
#include "lab/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitized programs are many times slower: they run what has code of its own that runs side by side. */
static void skip_if_slow(void)
{
    if (getenv("KNACK_TEST_SCALE")) skip();
}

static double measured(const json_t *result, const char *row, const char *column)
{
    return test_lab_measured(result, NULL, row, column);
}

static void verdict(const json_t *result, const char *row, const char *column, const char *wanted)
{
    assert_string_equal(
        json_string_value(json_object_get(test_lab_cell(result, NULL, row, column), "verdict")), wanted);
}

static void test_figure_2_comes_out(void **state)
{
    (void)state;
    json_t *result = test_lab_run("satisficing.fig2", 77, 1, true);
    size_t counts[KN_VERDICTS];
    kn_lab_count(result, counts);
    assert_int_equal(counts[KN_AGREES], 16);
    assert_int_equal(counts[KN_DIFFERS], 0);
    assert_true(measured(result, "t = 3", "aspiration") == 2.875);
    json_decref(result);
}

static void test_figure_4_is_a_map(void **state)
{
    (void)state;
    json_t *result = test_lab_run("satisficing.fig4b", 77, 2, true);
    double white = measured(result, "mutual cooperation (white)", "share of the points");
    double grey = measured(result, "a cycle (grey)", "share of the points");
    assert_true(fabs(white - 65.1) < 1 && fabs(white + grey - 100) < 1e-9);
    const json_t *figure = json_array_get(json_object_get(result, "figures"), 0);
    assert_string_equal(json_string_value(json_object_get(figure, "kind")), "map");
    const json_t *points = json_object_get(json_array_get(json_object_get(figure, "series"), 0), "points");
    assert_int_equal(json_array_size(points), 61 * 61);
    json_decref(result);
}

static void test_table_2_does_not_come_out(void **state)
{
    (void)state;
    skip_if_slow();
    json_t *result = test_lab_run("satisficing.table2", 77, 2, true);
    static const char *const rows[] = {"Random", "CC", "DD", "DC or CD"};
    static const double known[] = {65.9, 74.8, 74.1, 57.4};
    for (int i = 0; i < 4; i++) {
        verdict(result, rows[i], "many trials", "differs");
        assert_true(fabs(measured(result, rows[i], "many trials") - known[i]) < .6);
        char variant[80];
        snprintf(variant, sizeof variant, "%s, delta up to sigma - 0.1", rows[i]);
        const char *why =
            json_string_value(json_object_get(test_lab_cell(result, NULL, variant, "many trials"), "why"));
        assert_non_null(strstr(why, "would agree"));
    }
    json_decref(result);
}

static void test_the_claim_fails_and_is_repaired(void **state)
{
    (void)state;
    skip_if_slow();
    json_t *result = test_lab_run("satisficing.claim", 77, 2, true);
    verdict(result, "the five conditions", "many trials", "differs");
    assert_true(fabs(measured(result, "the five conditions", "many trials") - 98.4) < .3);
    assert_true(measured(result, "the six conditions", "cooperation") == 100);
    assert_true(measured(result, "in round numbers", "rounds") == 0);
    const char *note = json_string_value(
        json_object_get(test_lab_cell(result, NULL, "the first among those drawn", "rounds"), "note"));
    assert_non_null(strstr(note, "sigma=0."));
    json_decref(result);
}

/* The whole result, bytes but for its record, is the same for any number of threads. */
static void test_same_bytes_for_any_jobs(void **state)
{
    (void)state;
    skip_if_slow();
    KnText bytes[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    for (int i = 0; i < 2; i++) {
        json_t *result = test_lab_run("satisficing.cycles", 77, i ? 3 : 1, true);
        json_object_del(result, "record");
        kn_json_canonical(result, &bytes[i]);
        if (i)
            assert_true(measured(result, "lambda 0.9", "longest, rounds") == 4 &&
                        measured(result, "lambda 0.99", "longest, rounds") > 100);
        json_decref(result);
    }
    assert_string_equal(bytes[0].data, bytes[1].data);
    kn_text_free(&bytes[0]);
    kn_text_free(&bytes[1]);
}

static void test_extensions(void **state)
{
    (void)state;
    json_t *result = test_lab_run("satisficing.extensions", 77, 2, true);
    /* Cooperators stay cooperators when payoffs change; those in a rut get a second chance. */
    assert_true(measured(result, "settled agents, other payoffs", "after, of those that cooperated before") >
                99);
    assert_true(measured(result, "settled agents, other payoffs", "after") >
                measured(result, "settled agents, other payoffs", "before"));
    /* Random search nearly always finds a joint action that satisfies all; more actions make full cooperation
     * rarer. */
    assert_true(measured(result, "5 actions, search random", "settled on one joint action") > 90);
    assert_true(measured(result, "5 actions, search next", "all give everything") <
                measured(result, "2 actions, search next", "all give everything"));
    /* Sequences: every state more takes about twice as long. */
    assert_true(measured(result, "8 states", "episodes before that") >
                10 * measured(result, "3 states", "episodes before that"));
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_2_comes_out),
        cmocka_unit_test(test_figure_4_is_a_map),
        cmocka_unit_test(test_table_2_does_not_come_out),
        cmocka_unit_test(test_the_claim_fails_and_is_repaired),
        cmocka_unit_test(test_same_bytes_for_any_jobs),
        cmocka_unit_test(test_extensions),
    };
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
