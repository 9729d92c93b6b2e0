#include "support/laboratory.h"

#include <string.h>

#include <knack/base.h>
#include "lab/lab.h"
#include "support/check.h"
#include "support/golden_cells.h"

static KnContext *context;

int test_lab_open(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open("data", &context, &error));
    return 0;
}

int test_lab_close(void **state)
{
    (void)state;
    kn_close(context);
    return 0;
}

const KnContext *test_lab_context(void) { return context; }

json_t *test_lab_run(const char *name, uint64_t seed, int jobs, bool fresh)
{
    return test_lab_run_sized(name, seed, jobs, fresh, NULL);
}

enum { PARAMETERS_MOST = 16 };

json_t *test_lab_run_sized(const char *name, uint64_t seed, int jobs, bool fresh, const KnParameter *sizes)
{
    KnError error;
    const KnThing *thing = kn_find(context, KN_KIND_EXPERIMENT, name);
    assert_non_null(thing);
    KnExperiment sized = *(const KnExperiment *)thing;
    KnParameter parameters[PARAMETERS_MOST] = {{0}};
    for (int i = 0; sized.parameters && sized.parameters[i].name; i++) {
        assert_true(i + 1 < PARAMETERS_MOST);
        parameters[i] = sized.parameters[i];
    }
    for (; sizes && sizes->name; sizes++) {
        int i = 0;
        while (parameters[i].name && strcmp(parameters[i].name, sizes->name) != 0) i++;
        if (!parameters[i].name) fail_msg("%s has no parameter \"%s\"", name, sizes->name);
        parameters[i].quick = sizes->quick;
    }
    sized.parameters = parameters;
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = seed, .jobs = jobs, .fresh = fresh};
    json_t *result;
    KnProgress *progress = kn_progress_new(NULL, name, 0);
    check_ok(error, kn_lab_run(context, &sized, &plan, progress, &result, &error));
    KnProgressState end = kn_progress_state(progress);
    if (end.done > 0 && end.done != end.total) /* 0: everything was there */
        fail_msg("%s: progress ends at %llu of %llu (0: it went beyond)", name, (unsigned long long)end.done,
                 (unsigned long long)end.total);
    kn_progress_free(progress);
    check_ok(error, kn_lab_check_result(result, name, &error));
    check_golden_cells(result, name, seed, parameters);
    return result;
}

static bool says(const json_t *object, const char *key, const char *wanted)
{
    return strcmp(json_string_value(json_object_get(object, key)), wanted) == 0;
}

const json_t *test_lab_cell(const json_t *result, const char *table, const char *row, const char *column)
{
    size_t t, c;
    json_t *at, *cell;
    json_array_foreach(json_object_get(result, "tables"), t, at)
    {
        if (table && !says(at, "id", table)) continue;
        json_array_foreach(json_object_get(at, "cells"), c,
                           cell) if (says(cell, "row", row) && says(cell, "column", column)) return cell;
    }
    fail_msg("no cell (%s, %s, %s)", table ? table : "any table", row, column);
    return NULL;
}

double test_lab_measured(const json_t *result, const char *table, const char *row, const char *column)
{
    return json_number_value(json_object_get(test_lab_cell(result, table, row, column), "measured"));
}
