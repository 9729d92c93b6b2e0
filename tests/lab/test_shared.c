/* Loops of experiments that are shared out, with threads for ranks: the same cells as alone, and work was
 * handed out. (tests/mpi does it with real ranks; here sanitizers can look.) */
#include "support/check.h"
#include "support/crew.h"

#include <string.h>

#include "job_types.h"
#include <knack/base.h>
#include "lab/experience/shared.h"
#include "lab/lab.h"

/* A training run that takes no time: those of the paper take seconds. */
static KnStatus run_training(KnLabRun *run, KnError *error)
{
    static const KnGinaTraining before = {.key = "before",
                                          .game = "othello(size=4)",
                                          .inner = "random",
                                          .how = "rule=gina",
                                          .opponents = {"random"},
                                          .games = 4};
    KnGinaTraining training = {.key = "training",
                               .game = "othello(size=4)",
                               .inner = "alphabeta(depth=1)",
                               .how = "rule=gina, recall",
                               .opponents = {"random", "experience(random, base={frozen})"},
                               .games = 8,
                               .before = &before};
    KnGinaResult result;
    KnStatus status = kn_gina_run(run, &training, 4, &result, error);
    if (status == KN_OK) status = kn_lab_own_table(run, "t", "t", "", 2, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, "all", "points", kn_gina_mean(&result, kn_gina_margin, 0, 8, -1), NULL,
                                 error);
    if (status == KN_OK)
        status = kn_lab_measured(run, "all", "positions", kn_gina_mean(&result, kn_gina_positions, 7, 8, -1),
                                 NULL, error);
    kn_gina_free(&result);
    return status;
}

static const KnExperiment training = {
    .head = {"gina.short", "a short training", NULL}, .paper = "dejong-schultz-1988", .run = run_training};

static KnStatus settle(const char *data, KnContext **context, KnError *error)
{
    KnStatus status = kn_open(data, context, error);
    return status == KN_OK ? kn_register(*context, KN_KIND_EXPERIMENT, &training.head, error) : status;
}

/* The cells of a quick run, without those that tell times. */
static json_t *cells_of(const char *experiment, KnWorkers *workers, const char *data)
{
    KnError error;
    KnContext *context;
    json_t *result, *table, *cells = json_array();
    size_t t;
    check_ok(error, settle(data, &context, &error));
    kn_context_set_workers(context, workers);
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 7, .jobs = 1, .fresh = true};
    check_ok(error,
             kn_lab_run(context, (const KnExperiment *)kn_find(context, KN_KIND_EXPERIMENT, experiment),
                        &plan, NULL, &result, &error));
    json_array_foreach(json_object_get(result, "tables"), t, table)
    {
        size_t c;
        json_t *cell;
        json_array_foreach(json_object_get(table, "cells"), c, cell)
        {
            const char *column = json_string_value(json_object_get(cell, "column"));
            if (!strstr(column, "time") && !strstr(column, "speed")) json_array_append(cells, cell);
        }
    }
    assert_true(json_array_size(cells) > 1);
    json_decref(result);
    kn_close(context);
    return cells;
}

static void check_shared(const char *experiment)
{
    TestCrew *crew = test_crew(3, settle, kn_find_job_type);
    json_t *alone = cells_of(experiment, NULL, "alone"),
           *shared = cells_of(experiment, test_crew_team(crew), "shared");
    if (!json_equal(alone, shared)) fail_msg("%s differs where it is shared out", experiment);
    if (!test_crew_team(crew)->jobs_started)
        fail_msg("%s: nothing was shared out", experiment); /* who does how much of it is chance */
    json_decref(alone);
    json_decref(shared);
    test_crew_free(crew);
}

static void training_runs_are_shared(void **state)
{
    (void)state;
    check_shared("gina.short");
}
static void positions_are_shared(void **state)
{
    (void)state;
    check_shared("widening.fives");
}
static void problems_are_shared(void **state)
{
    (void)state;
    check_shared("widening.ip3");
}
static void trials_are_shared(void **state)
{
    (void)state;
    check_shared("satisficing.extensions");
}

/* Where the tables were built before: building them is shared out too, and is not what is asked here. */
static void endings_are_shared(void **state)
{
    (void)state;
    json_decref(cells_of("tdleaf.endings", NULL, "shared"));
    check_shared("tdleaf.endings");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_runs_are_shared), cmocka_unit_test(positions_are_shared),
        cmocka_unit_test(problems_are_shared),      cmocka_unit_test(trials_are_shared),
        cmocka_unit_test(endings_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
