/* Tables 9 and 14 of the thesis from trainings that an interrupted run has kept: nothing is trained, and
 * every cell follows from what is told here. */
#include "support/check.h"
#include "support/laboratory.h"

#include <math.h>
#include <stdio.h>

#include "lab/lab.h"

enum { LEARNERS = 3, SEED = 7 };

static const char *const learners[LEARNERS] = {"version=1", "version=2", "sitact"};

static json_t *training(double usage, double milliseconds)
{
    return json_pack("{s[ff] s[ff]}", "usage", usage, usage, "time", milliseconds, 2 * milliseconds);
}

/* As an experiment that is stopped when all its trainings are done: of learner l, 10^l milliseconds a contest
 * with our index and 3 x 20^l with the thesis's. */
static KnStatus keep_and_stop(KnLabRun *run, KnError *error)
{
    static const char *const games[] = {"tictactoe(lose) from the thesis's agents, 20",
                                        "morris(men=5) from the thesis's agents, 40"};
    KnStatus status = KN_OK;
    for (int g = 0; g < 2; g++) {
        double ours = 1, hash = 3;
        for (int l = 0; l < LEARNERS; l++, ours *= 10, hash *= 20) {
            char key[200];
            snprintf(key, sizeof key, "seqlearner(%s, weights=walk) learns %s contests a tournament",
                     learners[l], games[g]);
            if (status == KN_OK) status = kn_lab_keep(run, key, training(0.25, ours), error);
            snprintf(key, sizeof key,
                     "seqlearner(%s, weights=walk, index=hash) learns %s contests a tournament", learners[l],
                     games[g]);
            if (status == KN_OK) status = kn_lab_keep(run, key, training(0.25, hash), error);
        }
    }
    return status == KN_OK ? kn_fail(error, KN_STOPPED, "stopped") : status;
}

/* Leaves no zeros where the calls to come have their variables: who reads what was never set is found out. */
static __attribute__((noinline)) void soil_the_stack(void)
{
    volatile unsigned char soil[1 << 16];
    for (size_t i = 0; i < sizeof soil; i++) soil[i] = 0x5d;
}

static void check_cells(const json_t *result, const char *row, double ratio, double hash_ratio)
{
    static const char *const games[] = {"Lose tic-tac-toe", "Five men's morris"};
    for (int g = 0; g < 2; g++) {
        char name[80];
        snprintf(name, sizeof name, "%s: %s", games[g], row);
        check_near(test_lab_measured(result, NULL, name, "Usage"), 0.25, 1e-9);
        check_near(test_lab_measured(result, NULL, name, "Time ratio"), ratio, 1e-9);
        check_near(test_lab_measured(result, NULL, name, "Time ratio, hash index"), hash_ratio, 1e-9);
    }
}

static void go_on(const char *name, const char *before, const char *after, double first_over_ours)
{
    KnError error;
    const KnExperiment *experiment = (const KnExperiment *)kn_find(test_lab_context(), KN_KIND_EXPERIMENT,
                                                                   name);
    assert_non_null(experiment);
    KnExperiment stopped = *experiment;
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = SEED, .jobs = 1, .fresh = true};
    json_t *result;
    stopped.run = keep_and_stop;
    assert_int_equal(kn_lab_run(test_lab_context(), &stopped, &plan, NULL, &result, &error), KN_STOPPED);
    assert_null(result);
    for (int again = 0; again < 2;
         again++) { /* the first time, the loader writes over the soil as it binds functions */
        soil_the_stack();
        result = test_lab_run(name, SEED, 1, false);
        check_cells(result, after, 10, 20);
        char row[80];
        snprintf(row, sizeof row, "Five men's morris: %s", before);
        check_near(test_lab_measured(result, NULL, row, "Hash index over ours"), first_over_ours, 1e-9);
        snprintf(row, sizeof row, "Five men's morris: %s", after);
        check_near(test_lab_measured(result, NULL, row, "Hash index over ours"), 2 * first_over_ours, 1e-9);
        json_decref(result);
    }
}

static void test_table9(void **state)
{
    (void)state;
    go_on("temporal.table9", "Experiment I", "Experiment II", 3);
}

static void test_table14(void **state)
{
    (void)state;
    go_on("temporal.table14", "TP-Context", "TP-Sitact", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table9), cmocka_unit_test(test_table14)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
