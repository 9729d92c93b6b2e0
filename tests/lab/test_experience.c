/* The experiments on experience bases: registered with their published values, a training run that gives the
 * same games for any number of threads and from what is kept, and what is read off it. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "lab/experience/shared.h"
#include "lab/lab.h"

/* A training run inside a run of its own. */
static KnGinaResult training_result;

static KnStatus run_training(KnLabRun *run, KnError *error)
{
    KnGinaTraining training = {
        .key = "training",
        .game = "othello(size=6)",
        .inner = "alphabeta(depth=1, eval=discs)",
        .how = "rule=gina, recall",
        .opponents = {"alphabeta(depth=3)", "experience(random, base={other}, learn, -sync)"},
        .games = 24};
    kn_gina_free(&training_result);
    KnStatus status = kn_gina_run(run, &training, 3, &training_result, error);
    if (status == KN_OK) status = kn_lab_own_table(run, "t", "t", "", 2, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, "all", "points",
                                 kn_gina_mean(&training_result, kn_gina_margin, 0, 24, -1), NULL, error);
    return status;
}

static const KnExperiment experiment = {
    .head = {"gina.test", "a training", NULL}, .paper = "dejong-schultz-1988", .run = run_training};

static void test_training(void **state)
{
    (void)state;
    KnError error;
    json_t *result;
    KnGinaGame first[72];
    for (int jobs = 1; jobs <= 2; jobs++) {
        KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 3, .jobs = jobs, .fresh = true};
        check_ok(error, kn_lab_run(workbench, &experiment, &plan, NULL, &result, &error));
        json_decref(result);
        assert_int_equal(training_result.repetitions, 3);
        for (int i = 0; i < 72; i++) {
            KnGinaGame *game = &training_result.all[i];
            assert_int_equal(game->opponent, i % 24 / 2 % 2);
            assert_true(game->from_base + game->ignored + game->searched > 0);
            game->seconds = 0;
            if (jobs == 1)
                first[i] = *game;
            else
                assert_memory_equal(&first[i], game, sizeof *game);
        }
    }
    assert_true(kn_gina_positions(&training_result.all[23]) > kn_gina_positions(&training_result.all[0]));
    KnMeasure all = kn_gina_mean(&training_result, kn_gina_points, 0, 24, -1),
              one = kn_gina_mean(&training_result, kn_gina_points, 0, 24, 0),
              other = kn_gina_mean(&training_result, kn_gina_points, 0, 24, 1);
    assert_float_equal(all.value, (one.value + other.value) / 2, 1e-9);
    KnMeasure base = kn_gina_without_search(&training_result, 0, 24),
              ignored = kn_gina_ignored(&training_result, 0, 24);
    assert_true(base.value > 0 && base.value + ignored.value <= 100);
    assert_true(kn_gina_growth(&training_result).value < 1.01);
    kn_gina_free(&training_result);
}

/* What was kept is taken up, not measured again: even the times are the same. */
static void test_kept(void **state)
{
    (void)state;
    KnError error;
    double seconds[72];
    for (int turn = 0; turn < 2; turn++) {
        json_t *result;
        KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 4, .jobs = 1, .fresh = turn == 0};
        check_ok(error, kn_lab_run(workbench, &experiment, &plan, NULL, &result, &error));
        json_decref(result);
        for (int i = 0; i < 72 && turn == 0; i++) seconds[i] = training_result.all[i].seconds;
        for (int i = 0; i < 72; i++) assert_true(training_result.all[i].seconds == seconds[i]);
        kn_gina_free(&training_result);
    }
}

static KnStatus count_experiment(void *user, const KnExperiment *found, KnError *error)
{
    (void)error;
    ++*(int *)user;
    assert_string_equal(found->paper, "dejong-schultz-1988");
    return KN_OK;
}

static void test_registered(void **state)
{
    (void)state;
    KnError error;
    int count = 0;
    check_ok(error, kn_lab_select(workbench, "gina.*", count_experiment, &count, &error));
    assert_int_equal(count, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_training), cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_registered)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
