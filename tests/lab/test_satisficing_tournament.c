/* Satisficing agents among the zoo, at quick scale: what must come out whatever the seed. */
#include "support/check.h"
#include "base/json.h"
#include "knack.h"
#include "lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *run(const KnContext *context, int jobs)
{
    KnError error;
    const KnThing *thing = kn_find(context, KN_KIND_EXPERIMENT, "satisficing.tournament");
    assert_non_null(thing);
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 77, .jobs = jobs, .fresh = true};
    json_t *result;
    check_ok(error, kn_lab_run(context, (const KnExperiment *)thing, &plan, NULL, &result, &error));
    check_ok(error, kn_lab_check_result(result, "satisficing.tournament", &error));
    return result;
}

/* A cell of a table, by number of the table in order. */
static double measured(const json_t *result, size_t table, const char *row, const char *column)
{
    size_t c;
    json_t *cell;
    json_array_foreach(json_object_get(json_array_get(json_object_get(result, "tables"), table), "cells"), c, cell)
        if (strcmp(json_string_value(json_object_get(cell, "row")), row) == 0 &&
            strcmp(json_string_value(json_object_get(cell, "column")), column) == 0)
            return json_number_value(json_object_get(cell, "measured"));
    fail_msg("no cell (%s, %s) in table %zu", row, column, table);
    return NAN;
}

static void test_tournament(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    KnError error;
    KnContext *context;
    check_ok(error, kn_open("data", &context, &error));
    json_t *result = run(context, 2);
    /* Content with mutual cooperation from the start, it keeps it with whoever does; wanting more, it spoils it. */
    static const char content[] = "satisfice(lambda=0.9, aspiration=3)", greedy[] = "satisfice(lambda=0.9, aspiration=5)";
    assert_true(measured(result, 0, content, "against its twin") == 3);
    assert_true(measured(result, 0, content, "against TitForTat") == 3);
    assert_true(measured(result, 0, greedy, "against TitForTat") < 2.5);
    assert_true(measured(result, 0, content, "place") < measured(result, 0, greedy, "place"));
    /* Beginning content with R, its aspiration falls by a tenth of the way to 1 and 0 in turn, until D is enough. */
    assert_true(measured(result, 0, content, "against Defector") < 1 && measured(result, 0, content, "against Defector") > 0.9);
    assert_true(measured(result, 0, "Defector", "against its twin") == 1);
    /* Noise costs everybody whose cooperation hangs on one move. */
    assert_true(measured(result, 2, "TitForTat", "against its twin") < 2.8);
    assert_true(measured(result, 1, "all satisficing agents", "after 1000 generations") > 0);
    /* What an agent wants at first decides more than how fast it learns. */
    assert_true(measured(result, 3, "lambda 0.5", "aspiration 3") > measured(result, 3, "lambda 0.5", "aspiration 4") + 0.3);
    json_decref(result);
    kn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tournament)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
