/* Running an experiment: same seed, same bytes; what was done survives an interruption; results are found
 * again. The experiment here is a stand-in that uses every part of the frame and is small. */
#include "support/check.h"
#include "base/file.h"
#include "base/json.h"
#include <knack/base.h>
#include "lab/lab.h"
#include "lab/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNITS = 6 };

/* What the tests tell the stand-in, and what it tells them. */
static struct {
    int stop_before; /* unit */
    int computed;
    bool wrong_cell, wrong_table;
    int seen; /* cells that others saw after the first one */
} hook;

static const KnExperiment stand_in;

static int cells_seen(const KnContext *context)
{
    json_t *document = kn_lab_so_far(context, &stand_in, KN_SCALE_QUICK, 5);
    int count = document ? (int)json_array_size(json_object_get(
                               json_array_get(json_object_get(document, "tables"), 0), "cells"))
                         : -1;
    json_decref(document);
    return count;
}

static KnStatus run_units(KnLabRun *run, KnError *error)
{
    KnMoments moments = {0};
    for (int i = 0; i < UNITS; i++) {
        char key[32];
        snprintf(key, sizeof key, "unit %d", i);
        if (!kn_lab_done(run, key)) {
            if (hook.stop_before == i) return kn_fail(error, KN_STOPPED, "stopped");
            KnRng rng = kn_rng_seeded(kn_lab_seed(run, key));
            hook.computed++;
            KnStatus status = kn_lab_keep(run, key, json_pack("{sf}", "value", kn_rng_real(&rng)), error);
            if (status != KN_OK) return status;
        }
        kn_moments_add(&moments, json_number_value(json_object_get(kn_lab_done(run, key), "value")));
    }
    KnStatus status = kn_lab_own_table(run, "own", "A table of our own", "s", 3, error);
    return status == KN_OK ? kn_lab_measured(run, "units", "mean", kn_measure_mean(&moments), "a note", error)
                           : status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    static const char row[] = "Lose tic-tac-toe: Baseline";
    if (hook.wrong_table) return kn_lab_table(run, "table77", error);
    if (hook.wrong_cell) return kn_lab_cell(run, row, "Perfect power", kn_measure_exact(0), NULL, error);
    KnMatchPlan plan = {.game = "tictactoe(lose)",
                        .players = {"random", "random"},
                        .games = (uint64_t)kn_lab_parameter(run, "games")};
    KnMatchResult result;
    kn_lab_expect(run, plan.games);
    KnStatus status = kn_lab_match(run, "random", plan, &result, error);
    if (status != KN_OK) return status;
    const KnStanding *s = &result.standing;
    KnMeasure reliability = kn_measure_share((double)(s->wins + s->draws), s->games, 100);
    status = kn_lab_cell(run, row, "Random reliability", reliability, NULL, error);
    hook.seen = cells_seen(kn_lab_context(run));
    if (status == KN_OK)
        status = kn_lab_cell(run, row, "Perfect reliability", kn_measure_exact(99), NULL, error);
    if (status == KN_OK)
        status = kn_lab_incomparable(run, row, "Expert power", kn_measure_exact(9), "another quantity",
                                     error);
    if (status == KN_OK)
        status = kn_lab_variant(run, "another reading", row, "Novice power", kn_measure_exact(10), error);
    if (status == KN_OK) status = kn_lab_row_figure(run, "row", "A row", row, error);
    return status == KN_OK ? run_units(run, error) : status;
}

static const KnParameter parameters[] = {{"games", 800, 900, "as many as it takes"}, {0}};
static const KnInterpretation interpretations[] = {{"What?", "This.", "That."}, {0}};
static const KnTolerance tolerances[] = {{"*reliability", 2, 0, "two points"}, {"*", 0, 0.5, "half"}, {0}};
static const KnExperiment stand_in = {.head = {"standin.table1", "a stand-in", NULL},
                                      .paper = "lock-2003",
                                      .source = "table6",
                                      .parameters = parameters,
                                      .interpretations = interpretations,
                                      .tolerances = tolerances,
                                      .run = measure};
static const KnExperiment second = {.head = {"standin.table2", "another", NULL},
                                    .paper = "lock-2003",
                                    .source = "table6",
                                    .parameters = parameters,
                                    .interpretations = interpretations,
                                    .tolerances = tolerances,
                                    .run = measure};

static KnContext *open_lab(const char *data)
{
    KnError error;
    KnContext *context;
    check_ok(error, kn_open(data, &context, &error));
    check_ok(error, kn_register(context, KN_KIND_EXPERIMENT, &stand_in.head, &error));
    check_ok(error, kn_register(context, KN_KIND_EXPERIMENT, &second.head, &error));
    return context;
}

static int set_up(void **state)
{
    (void)state;
    memset(&hook, 0, sizeof hook);
    hook.stop_before = -1;
    return 0;
}

/* The result's bytes without its record. */
static char *bytes_of(json_t *result)
{
    json_object_del(result, "record");
    KnText text = KN_TEXT_EMPTY;
    kn_json_canonical(result, &text);
    json_decref(result);
    return text.data;
}

static char *run_bytes(const char *data, KnLabPlan plan)
{
    KnContext *context = open_lab(data);
    KnError error;
    json_t *result;
    check_ok(error, kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    kn_close(context);
    return bytes_of(result);
}

static const json_t *cell_of(const json_t *result, size_t table, size_t cell)
{
    return json_array_get(json_object_get(json_array_get(json_object_get(result, "tables"), table), "cells"),
                          cell);
}

static void test_same_bytes_for_any_jobs(void **state)
{
    (void)state;
    char *one = run_bytes("jobs1", (KnLabPlan){.seed = 5, .jobs = 1});
    char *two = run_bytes("jobs2", (KnLabPlan){.seed = 5, .jobs = 2});
    char *again = run_bytes("jobs2", (KnLabPlan){.seed = 5, .jobs = 3}); /* from the store */
    char *fresh = run_bytes("jobs2", (KnLabPlan){.seed = 5, .jobs = 2, .fresh = true});
    char *other = run_bytes("jobs2", (KnLabPlan){.seed = 6, .jobs = 2});
    assert_string_equal(one, two);
    assert_string_equal(one, again);
    assert_string_equal(one, fresh);
    assert_string_not_equal(one, other);
    assert_int_equal(hook.computed, 4 * UNITS); /* all but `again` */
    free(one), free(two), free(again), free(fresh), free(other);
}

/* Who looks on sees the cells as they come, and the result is the same. */
static void test_live(void **state)
{
    (void)state;
    char *quiet = run_bytes("quiet", (KnLabPlan){.seed = 5, .jobs = 1});
    assert_int_equal(hook.seen, -1);
    char *live = run_bytes("live", (KnLabPlan){.seed = 5, .jobs = 1, .live = true});
    assert_int_equal(hook.seen, 1);
    assert_string_equal(quiet, live);
    KnContext *context = open_lab("live");
    assert_int_equal(cells_seen(context), -1); /* it is over: there is a result instead */
    kn_close(context);
    free(quiet), free(live);
}

static void test_cells(void **state)
{
    (void)state;
    KnContext *context = open_lab("cells");
    KnError error;
    json_t *result;
    KnLabPlan plan = {.seed = 1, .jobs = 1};
    check_ok(error, kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    check_ok(error, kn_lab_check_result(result, "result", &error));
    size_t counts[KN_VERDICTS];
    kn_lab_count(result, counts);
    assert_int_equal(counts[KN_DIFFERS], 1);
    assert_int_equal(counts[KN_AGREES], 1);
    assert_int_equal(counts[KN_NOT_COMPARABLE], 3);
    /* Two random players: 56.3 by exact count of the tree, published 58.4 with a deviation of 7.28 over 20
     * runs. */
    const json_t *random = cell_of(result, 0, 0), *forced = cell_of(result, 0, 1),
                 *declared = cell_of(result, 0, 2);
    assert_string_equal(json_string_value(json_object_get(random, "verdict")), "agrees");
    assert_true(json_number_value(json_object_get(random, "published")) == 58.4);
    double measured = json_number_value(json_object_get(random, "measured"));
    assert_true(measured > 51 && measured < 61.5);
    assert_int_equal(json_integer_value(json_object_get(random, "n")), 800);
    assert_string_equal(json_string_value(json_object_get(forced, "verdict")), "differs");
    assert_true(json_number_value(json_object_get(forced, "tolerance")) == 2);
    assert_string_equal(json_string_value(json_object_get(declared, "why")), "another quantity");
    assert_true(json_number_value(json_object_get(declared, "tolerance")) == 4.5); /* half of 9 */
    const json_t *variant = cell_of(result, 0, 3);
    assert_string_equal(json_string_value(json_object_get(variant, "row")), "another reading");
    assert_true(json_number_value(json_object_get(variant, "published")) == 37.7);
    assert_string_equal(json_string_value(json_object_get(variant, "why")),
                        "another reading; it would differ"); /* by 27.7, half of 37.7 is 18.85 */
    assert_true(json_is_null(json_object_get(cell_of(result, 1, 0), "published")));
    /* The figure has the row's three columns, both series. */
    const json_t *figure = json_array_get(json_object_get(result, "figures"), 0);
    assert_int_equal(json_array_size(json_object_get(figure, "categories")), 3);
    assert_int_equal(json_array_size(json_object_get(figure, "series")), 2);
    json_decref(result);
    kn_close(context);
}

/* The lines that programs read: their keys and forms are a promise. */
static void test_lines(void **state)
{
    (void)state;
    KnContext *context = open_lab("lines");
    KnError error;
    json_t *result;
    KnLabPlan plan = {.seed = 1, .jobs = 1};
    check_ok(error, kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    KnText text = KN_TEXT_EMPTY;
    kn_lab_print_lines(result, &text);
    char *line = strchr(text.data, '\n') + 1;
    static const char begins[] = "{\"column\":\"Perfect "
                                 "reliability\",\"experiment\":\"standin.table1\",\"high\":99.0,\"kind\":"
                                 "\"exact\",\"low\":99.0,\"margin\":";
    static const char goes_on[] =
        "\"measured\":99.0,\"n\":0,\"published\":20.5,\"relation\":\"=\",\"row\":\"Lose tic-tac-toe: "
        "Baseline\",\"seed\":1,"
        "\"table\":\"table6\",\"unit\":\"%\",\"verdict\":\"differs\",\"why\":\"\"}\n";
    assert_int_equal(strncmp(line, begins, strlen(begins)), 0);
    line = strstr(line, "\"measured\"");
    assert_int_equal(strncmp(line, goes_on, strlen(goes_on)), 0);
    const char *last = strstr(text.data, "{\"column\":\"mean\"");
    assert_non_null(last);
    assert_non_null(strstr(last, "\"published\":null"));
    assert_non_null(strstr(last, "\"verdict\":\"not comparable\""));
    int lines = 0;
    for (const char *c = text.data; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 5);

    kn_text_clear(&text);
    kn_lab_print_table(result, &text);
    assert_non_null(strstr(text.data, ": 1 differs, 3 not comparable, 1 agrees\n"));
    assert_non_null(strstr(text.data, "\nLock 2003, Table 6, p. 72, in %\n"));
    static const char row[] = "  Lose tic-tac-toe: Baseline  Perfect reliability      20.50     99.00  "
                              "                      exact  differs\n";
    char *differs = strstr(text.data, row),
         *agrees = strstr(text.data, "agrees\n\nA table of our own, in s\n");
    assert_non_null(differs);
    assert_non_null(agrees);
    assert_true(differs < strstr(text.data, "(another quantity)") &&
                strstr(text.data, "(another quantity)") < agrees);
    kn_text_free(&text);
    json_decref(result);
    kn_close(context);
}

static const char path_1[] = "stop/lab/standin.table1.quick.9";

static char *file_of(const char *ending)
{
    static char path[200];
    snprintf(path, sizeof path, "%s.%s", path_1, ending);
    return path;
}

/* Interrupted among its units, it goes on there; the outcome is that of an uninterrupted run. */
static void test_units_survive(void **state)
{
    (void)state;
    KnContext *context = open_lab("stop");
    KnLabPlan plan = {.seed = 9, .jobs = 2};
    KnError error;
    json_t *result;
    hook.stop_before = 4;
    assert_int_equal(kn_lab_run(context, &stand_in, &plan, NULL, &result, &error), KN_STOPPED);
    assert_null(result);
    assert_int_equal(hook.computed, 4);
    assert_false(kn_file_exists(file_of("json"))); /* a part is no result */

    /* A line cut short by a crash is dropped, not believed. */
    FILE *units = fopen(file_of("units"), "a");
    assert_non_null(units);
    fputs("{\"key\":\"unit 4\",\"value\":{\"val", units);
    fclose(units);
    hook.stop_before = -1;
    check_ok(error, kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    assert_int_equal(hook.computed, UNITS);
    assert_true(kn_file_exists(file_of("json")));
    char *resumed = bytes_of(result), *whole = run_bytes("whole", plan);
    assert_string_equal(resumed, whole);
    free(resumed), free(whole);

    /* Units of another identity (here: one digit) are not taken over. */
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(file_of("units"), &text, 1 << 20, &error));
    char *identity = strstr(text.data, "\"identity\":\"") + 12;
    *identity = *identity == '0' ? '1' : '0';
    check_ok(error, kn_file_write_atomic(file_of("units"), text.data, text.length, &error));
    kn_text_free(&text);
    hook.computed = 0;
    check_ok(error, kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    assert_int_equal(hook.computed, UNITS);
    json_decref(result);
    kn_close(context);
}

static atomic_bool cancel;

static void cancel_at(void *user, const KnProgressState *progress)
{
    if (progress->done >= *(uint64_t *)user) atomic_store(&cancel, true);
}

static KnStatus count_games(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(uint64_t *)user += run->games;
    return KN_OK;
}

/* Interrupted in a match, its games stay in the store. */
static void test_matches_survive(void **state)
{
    (void)state;
    KnContext *context = open_lab("match");
    uint64_t after = 100, games = 0;
    atomic_store(&cancel, false);
    KnProgressOptions options = {.label = "test", .report = cancel_at, .user = &after, .interval = 1e-9};
    KnProgress *progress = kn_progress_open(&options);
    KnLabPlan plan = {.seed = 9, .jobs = 2, .cancel = &cancel};
    KnError error;
    json_t *result;
    assert_int_equal(kn_lab_run(context, &stand_in, &plan, progress, &result, &error), KN_STOPPED);
    kn_progress_free(progress);
    KnStore *store;
    check_ok(error, kn_store_open(context, &store, &error));
    check_ok(error, kn_store_runs(store, count_games, &games, &error));
    assert_true(games >= after && games < 800);
    plan.cancel = NULL;
    check_ok(error, kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    games = 0;
    check_ok(error, kn_store_runs(store, count_games, &games, &error));
    assert_int_equal(games, 800);
    kn_store_close(store);
    char *resumed = bytes_of(result), *whole = run_bytes("whole2", plan);
    assert_string_equal(resumed, whole);
    free(resumed), free(whole);
    kn_close(context);
}

/* An experiment that does not fit its data file says where. */
static void test_experiment_and_data_must_fit(void **state)
{
    (void)state;
    KnContext *context = open_lab("fit");
    KnLabPlan plan = {.seed = 1};
    KnError error;
    json_t *result;
    hook.wrong_cell = true;
    check_fails(error, KN_INPUT, "standin.table1: published/lock-2003.json: table6 has no value",
                kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    hook.wrong_table = true;
    check_fails(error, KN_INPUT, "table77", kn_lab_run(context, &stand_in, &plan, NULL, &result, &error));
    KnExperiment lost = stand_in;
    lost.paper = "nobody-1999";
    check_fails(error, KN_INPUT, "nobody-1999", kn_lab_run(context, &lost, &plan, NULL, &result, &error));
    kn_close(context);
}

static const char *scale_of(const json_t *results, size_t index)
{
    return json_string_value(json_object_get(json_array_get(results, index), "scale"));
}

static void test_results_are_found(void **state)
{
    (void)state;
    KnContext *context = open_lab("found");
    KnError error;
    json_t *results, *result;
    check_ok(error, kn_lab_results(context, NULL, NULL, &results, &error));
    assert_int_equal(json_array_size(results), 0);
    json_decref(results);
    const KnLabPlan plans[] = {{.seed = 1}, {.seed = 1, .scale = KN_SCALE_PAPER}, {.seed = UINT64_MAX}};
    for (int i = 0; i < 3; i++) {
        check_ok(error, kn_lab_run(context, &stand_in, &plans[i], NULL, &result, &error));
        json_decref(result);
    }
    check_ok(error, kn_lab_run(context, &second, &plans[0], NULL, &result, &error));
    json_decref(result);

    check_ok(error, kn_lab_results(context, NULL, NULL, &results, &error));
    assert_int_equal(json_array_size(results), 2); /* one an experiment, by name */
    assert_string_equal(scale_of(results, 0), "paper");
    assert_string_equal(scale_of(results, 1), "quick");
    json_decref(results);
    uint64_t seed = UINT64_MAX;
    KnScale scale = KN_SCALE_QUICK;
    check_ok(error, kn_lab_results(context, &scale, &seed, &results, &error));
    assert_int_equal(json_array_size(results), 1);
    assert_string_equal(scale_of(results, 0), "quick");
    json_decref(results);

    /* What an older version judged counts as not measured. */
    check_ok(error, kn_file_write_atomic("found/lab/x.json", "{\"format\":1}", 12, &error));
    check_ok(error, kn_lab_results(context, &scale, &seed, &results, &error));
    assert_int_equal(json_array_size(results), 1);
    json_decref(results);
    check_ok(error, kn_file_write_atomic("found/lab/x.json", "{\"format\":2}", 12, &error));
    check_fails(error, KN_INPUT, "found/lab/x.json", kn_lab_results(context, NULL, NULL, &results, &error));
    check_ok(error, kn_file_write_atomic("found/lab/x.json", "{\"form", 6, &error));
    check_fails(error, KN_INPUT, "delete it", kn_lab_results(context, NULL, NULL, &results, &error));
    kn_close(context);
}

static KnStatus note(void *user, const KnExperiment *experiment, KnError *error)
{
    (void)error;
    kn_text_printf(user, "%s ", experiment->head.name);
    return KN_OK;
}

static void check_selects(const KnContext *context, const char *word, const char *wanted)
{
    KnText names = KN_TEXT_EMPTY;
    KnError error;
    if (wanted)
        check_ok(error, kn_lab_select(context, word, note, &names, &error));
    else
        check_fails(error, KN_INPUT, "standin.*", kn_lab_select(context, word, note, &names, &error));
    if (wanted) assert_string_equal(names.data, wanted);
    kn_text_free(&names);
}

static void test_selecting(void **state)
{
    (void)state;
    KnContext *context = open_lab("select");
    check_selects(context, "standin.table1", "standin.table1 ");
    check_selects(context, "STANDIN.table1", "standin.table1 ");
    check_selects(context, "standin", "standin.table1 standin.table2 ");
    check_selects(context, "standin.*2", "standin.table2 ");
    check_selects(context, "s?andin.table[12]", "standin.table1 standin.table2 ");
    check_selects(context, "table1", NULL);
    check_selects(context, "", NULL);
    check_selects(context, "standin.table12", NULL);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_same_bytes_for_any_jobs, set_up),
        cmocka_unit_test_setup(test_live, set_up),
        cmocka_unit_test_setup(test_cells, set_up),
        cmocka_unit_test_setup(test_lines, set_up),
        cmocka_unit_test_setup(test_units_survive, set_up),
        cmocka_unit_test_setup(test_matches_survive, set_up),
        cmocka_unit_test_setup(test_experiment_and_data_must_fit, set_up),
        cmocka_unit_test_setup(test_results_are_found, set_up),
        cmocka_unit_test_setup(test_selecting, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
