/* The results that travel with the program: whole, from seeds of their own, of experiments that there are;
 * and shown beside what was measured here. */
#include "support/check.h"
#include "support/golden_cells.h"
#include "support/laboratory.h"

#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"
#include "lab/journal.h"
#include "lab/shipped.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const json_t *find(const json_t *results, const char *experiment)
{
    size_t i;
    json_t *result;
    json_array_foreach(results, i, result)
    {
        if (strcmp(text_of(result, "experiment"), experiment) == 0) return result;
    }
    return NULL;
}

/* Every file is a result of a registered experiment, has the name that its contents ask for, a seed on which
 * nothing was chosen, and numbers that its units allow. */
static void test_files(void **state)
{
    (void)state;
    KnError error;
    json_t *results;
    check_ok(error, kn_lab_shipped(&results, &error));
    size_t files = 0, i;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        if (strncmp(row->name, "results/", 8) != 0) continue;
        json_t *document;
        files++;
        check_ok(error, kn_json_load_bytes(row->bytes, *row->size, row->name, &document, &error));
        if (kn_sealed_take(document) != KN_SEAL_WHOLE) fail_msg("%s does not fit its checksum", row->name);
        json_decref(document);
    }
    assert_true(files > 0);
    assert_int_equal(files, json_array_size(results)); /* one an experiment */
    json_t *result;
    json_array_foreach(results, i, result)
    {
        const char *experiment = text_of(result, "experiment");
        if (!kn_find(test_lab_context(), KN_KIND_EXPERIMENT, experiment))
            fail_msg("a shipped result is of \"%s\", which is no experiment", experiment);
        long long seed = json_integer_value(json_object_get(result, "seed"));
        assert_true(seed > KN_LAB_SEED);
        check_within_units(result, experiment);
        KnText name = KN_TEXT_EMPTY;
        kn_text_printf(&name, "results/%s.%s.%lld.json", experiment, text_of(result, "scale"), seed);
        if (!kn_embedded_find(name.data)) fail_msg("there is no %s", name.data);
        kn_text_free(&name);
    }
    json_decref(results);
}

/* What a paper publishes is measured: every experiment with a table of its paper is listed in
 * data/results.txt. */
static void test_listed(void **state)
{
    (void)state;
    KnError error;
    KnText list = KN_TEXT_EMPTY, line = KN_TEXT_EMPTY;
    int published = 0;
    check_ok(error, kn_file_read(KNACK_SOURCE_DIR "/data/results.txt", &list, 1 << 20, &error));
    for (size_t i = 0; i < kn_registered(test_lab_context(), KN_KIND_EXPERIMENT); i++) {
        const KnExperiment *e = (const KnExperiment *)kn_registered_at(test_lab_context(), KN_KIND_EXPERIMENT,
                                                                       i);
        if (!e->source) continue;
        published++;
        kn_text_clear(&line);
        kn_text_printf(&line, "\n%s ", e->head.name);
        if (!strstr(list.data, line.data)) fail_msg("data/results.txt does not list %s", e->head.name);
    }
    assert_true(published > 30);
    kn_text_free(&list);
    kn_text_free(&line);
}

/* The seven papers have a headline that was measured, without any run. */
static void test_headlines(void **state)
{
    (void)state;
    KnError error;
    json_t *results, *journal, *paper;
    size_t i, measured = 0;
    check_ok(error, kn_lab_shown(test_lab_context(), NULL, NULL, &results, &error));
    check_ok(error, kn_lab_journal(test_lab_context(), results, &journal, &error));
    json_array_foreach(journal, i, paper)
    {
        const json_t *headline = json_object_get(paper, "headline");
        if (!headline) continue;
        if (!json_is_object(json_object_get(headline, "cell")))
            fail_msg("the headline of %s has no shipped result", text_of(paper, "system"));
        measured++;
    }
    assert_int_equal(measured, 7);
    json_decref(journal);
    json_decref(results);
}

static const char example[] = "satisficing.fig2";

/* What was measured here stands beside what was shipped, and each says which it is. */
static void test_beside(void **state)
{
    (void)state;
    KnError error;
    json_t *own = test_lab_run(example, 3, 1, true), *results, *journal;
    check_ok(error, kn_lab_shown(test_lab_context(), NULL, NULL, &results, &error));
    const json_t *shown = find(results, example), *beside = json_object_get(shown, "beside");
    assert_non_null(shown);
    /* The shipped one is at the paper's scale, and so the other is the one that stands beside. */
    assert_string_equal(text_of(shown, "origin"), "shipped");
    assert_string_equal(text_of(beside, "origin"), "here");
    assert_int_equal(json_integer_value(json_object_get(beside, "seed")), 3);
    check_ok(error, kn_lab_journal(test_lab_context(), results, &journal, &error));
    size_t p, i, compared = 0, runs = 0;
    json_t *paper, *table, *run;
    json_array_foreach(journal, p, paper)
    {
        json_array_foreach(json_object_get(paper, "tables"), i, table)
        {
            if (strcmp(text_of(table, "experiment"), example) != 0) continue;
            assert_string_equal(text_of(json_object_get(table, "beside"), "origin"), "here");
            const json_t *cell = json_array_get(json_object_get(table, "cells"), 0);
            assert_non_null(json_object_get(json_object_get(cell, "beside"), "measured"));
            compared++;
        }
        json_array_foreach(json_object_get(paper, "runs"), i, run)
            runs += strcmp(text_of(run, "experiment"), example) == 0;
    }
    assert_true(compared > 0);
    assert_int_equal(runs, 2);
    json_decref(journal);
    json_decref(results);
    /* A choice of seed leaves out what has another. */
    uint64_t seed = 3;
    check_ok(error, kn_lab_shown(test_lab_context(), NULL, &seed, &results, &error));
    assert_int_equal(json_array_size(results), 1);
    assert_null(json_object_get(json_array_get(results, 0), "beside"));
    json_decref(results);
    json_decref(own);
}

static void test_scales(void **state)
{
    (void)state;
    static const KnParameter parameters[] = {{"games", 2, 200, ""}, {"depth", 3, 15, ""}, {0}};
    static const KnSize middle[] = {{"games", 40}, {0}};
    KnExperiment e = {.parameters = parameters, .middle = middle};
    KnScale scale;
    KnError error;
    assert_true(kn_parameter_at(&e, &parameters[0], KN_SCALE_QUICK) == 2);
    assert_true(kn_parameter_at(&e, &parameters[0], KN_SCALE_MIDDLE) == 40);
    assert_true(kn_parameter_at(&e, &parameters[1], KN_SCALE_MIDDLE) == 15); /* none of its own */
    assert_true(kn_parameter_at(&e, &parameters[0], KN_SCALE_PAPER) == 200);
    for (int s = 0; s < KN_SCALES; s++) {
        check_ok(error, kn_scale_parse(kn_scale_name((KnScale)s), &scale, &error));
        assert_int_equal(scale, s);
    }
    assert_int_equal(kn_scale_parse("Quick", &scale, &error), KN_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),  cmocka_unit_test(test_listed), cmocka_unit_test(test_headlines),
        cmocka_unit_test(test_beside), cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
