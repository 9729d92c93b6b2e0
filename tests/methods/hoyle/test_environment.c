/* Training environments: the same for any number of threads, sides alternate, nothing but what agents do
 * decides, bad plans are refused. */
#include "support/check.h"
#include <knack/base.h>
#include "methods/hoyle/environment.h"
#include "methods/panel.h"
#include "base/file.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static KnContext *context;

static KnEnvironmentResult *train(KnEnvironmentPlan plan)
{
    KnError error;
    KnEnvironmentResult *training;
    check_ok(error, kn_environment_run(context, &plan, &training, &error));
    return training;
}

/* The thesis's Baseline on lose tic-tac-toe: 20.5 against the perfect player, 58.4 against the random one;
 * wide bounds. */
static void test_baseline(void **state)
{
    (void)state;
    KnEnvironmentPlan plan = {
        .game = "tictactoe(lose)", .learner = "idle", .test = 100, .runs = 6, .seed = 3, .jobs = 1};
    KnEnvironmentResult *one = train(plan);
    plan.jobs = 3;
    KnEnvironmentResult *three = train(plan);
    assert_int_equal(one->agents, 4);
    for (uint64_t r = 0; r < 6; r++)
        for (int a = 0; a < 4; a++) {
            const KnEnvironmentScore *x = &one->runs[r].score[a], *y = &three->runs[r].score[a];
            assert_int_equal(x->wins + x->draws + x->losses, 100);
            assert_true(x->wins == y->wins && x->draws == y->draws && x->plies == y->plies &&
                        x->decisions == y->decisions);
        }
    KnMoments perfect = kn_environment_moments(one, KN_RELIABILITY, 0),
              chance = kn_environment_moments(one, KN_RELIABILITY, 3);
    assert_true(perfect.mean > 12 && perfect.mean < 30);
    assert_true(chance.mean > 46 && chance.mean < 68);
    assert_true(kn_environment_moments(one, KN_POWER, 0).mean < 1e-9);
    kn_environment_free(one);
    kn_environment_free(three);
}

/* Scores that are set: shares of the games, and nothing where none was played. */
static void test_values(void **state)
{
    (void)state;
    KnEnvironmentRun runs[2] = {
        {.score = {{.wins = 3, .draws = 1, .losses = 4, .seconds = 0.02}, {0}}},
        {.score = {{0}, {.draws = 5}}},
    };
    const KnEnvironmentResult result = {.agents = 2, .count = 2, .runs = runs};
    static const struct {
        KnEnvironmentMeasure measure;
        int agent;
        uint64_t run;
        double value;
    } rows[] = {
        {KN_RELIABILITY, 0, 0, 50}, {KN_POWER, 0, 0, 37.5}, {KN_THINKING, 0, 0, 2.5},
        {KN_RELIABILITY, 1, 0, 0},  {KN_THINKING, 1, 0, 0}, {KN_RELIABILITY, 1, 1, 100},
        {KN_POWER, 1, 1, 0},        {KN_POWER, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(fabs(kn_environment_value(&result, rows[i].measure, rows[i].agent, rows[i].run) -
                         rows[i].value) < 1e-9);
}

/* The panel is who tests, not who teaches: under each draw rule the perfect player is a row of its own. */
static void test_panel(void **state)
{
    (void)state;
    KnError error;
    KnGame *lose, *six;
    KnArena *arena = kn_arena_new();
    KnPanelMember members[KN_PANEL_MOST];
    check_ok(error, kn_game_open(context, "othello(size=6)", &six, &error));
    assert_int_equal(kn_panel(six, arena, members), 6);
    assert_string_equal(members[0].name, "expert");
    assert_non_null(strstr(members[0].spec, "rest=alphabeta(depth=4, eval=")); /* not solved */
    assert_null(strstr(kn_panel_teacher(six), "perfect"));
    check_ok(error, kn_game_open(context, "tictactoe(lose)", &lose, &error));
    KnEnvironmentPlan plan = {.game = "tictactoe(lose)",
                              .learner = "seqlearner(sitact)",
                              .watch = 20,
                              .test = 10,
                              .judge = 10,
                              .runs = 2,
                              .seed = 3,
                              .agents = {kn_panel_teacher(lose), "random"},
                              .jobs = 2};
    int count = kn_panel(lose, arena, members);
    assert_int_equal(count, KN_PANEL_MOST);
    assert_string_equal(members[0].spec, "perfect");
    assert_string_equal(members[2].spec, "perfect(draw=wide)");
    for (int i = 0; i < count; i++) plan.panel[i] = members[i].spec;
    KnEnvironmentResult *result = train(plan);
    assert_int_equal(result->agents, count);
    for (int a = 0; a < count; a++)
        for (uint64_t r = 0; r < 2; r++) {
            const KnEnvironmentScore *s = &result->runs[r].score[a];
            assert_int_equal(s->wins + s->draws + s->losses, 10);
        }
    double kept, games;
    kn_environment_kept(result, 1, &kept, &games);
    assert_true(fabs(games - 10 * count) < 1e-9 && kept > 0 && kept <= games);
    assert_true(kn_environment_moments(result, KN_POWER, 0).mean < 1e-9);
    /* Weights by precision keep what they promise in games that were not learned from. */
    assert_true(kn_environment_figure(result, "judged at .9").mean >= 1);
    assert_true(kn_environment_figure(result, "right at .75").mean >=
                0.5 * kn_environment_figure(result, "judged at .9").mean);
    assert_true(kn_environment_figure(result, "weight off by").mean < 0.2);
    kn_environment_free(result);
    plan.learner = "hoyle";
    plan.panel[1] = NULL;
    result = train(plan);
    assert_int_equal(result->agents, 1);
    assert_true(kn_environment_figure(result, "bits a decision").mean <
                kn_environment_figure(result, "bits of a guess").mean);
    kn_environment_free(result);
    kn_game_close(six);
    kn_game_close(lose);
    kn_arena_free(arena);
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnEnvironmentResult *training;
    KnEnvironmentPlan plan = {.game = "tictactoe(lose)", .learner = "idle", .watch = 1, .test = 1};
    check_fails(error, KN_USAGE, "zero runs", kn_environment_run(context, &plan, &training, &error));
    plan.runs = 1;
    plan.watch = plan.test = 0;
    check_fails(error, KN_USAGE, "nothing to do", kn_environment_run(context, &plan, &training, &error));
    plan.test = 1;
    plan.learner = "nobody";
    check_fails(error, KN_INPUT, "no learner", kn_environment_run(context, &plan, &training, &error));
    plan.learner = "idle";
    plan.game = "dilemma";
    assert_int_not_equal(kn_environment_run(context, &plan, &training, &error), KN_OK);
}

static void test_files(void **state)
{
    (void)state;
    KnError error;
    KnGame *lose, *win;
    KnGameLearner *learner, *again;
    check_ok(error, kn_game_open(context, "tictactoe(lose)", &lose, &error));
    check_ok(error, kn_game_open(context, "tictactoe", &win, &error));
    KnEnvironmentPlan plan = {
        .game = "tictactoe(lose)", .learner = "idle", .watch = 2, .environment = KN_TRAIN_DOUBLE};
    check_ok(error, kn_environment_teach(context, &plan, lose, &learner, &error));
    assert_int_equal(learner->games, 16);
    check_ok(error, kn_game_learner_save(learner, "idle.json", &error));
    check_ok(error, kn_game_learner_load(context, lose, "idle", "idle.json", &again, &error));
    assert_int_equal(again->games, 16);
    assert_string_equal(again->spec, learner->spec);
    kn_game_learner_close(again);
    kn_game_learner_close(learner);
    check_fails(error, KN_INPUT, "other rules",
                kn_game_learner_load(context, win, NULL, "idle.json", &again, &error));
    check_fails(error, KN_INPUT, "not hoyle",
                kn_game_learner_load(context, lose, "hoyle", "idle.json", &again, &error));
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("idle.json", &text, 1 << 20, &error));
    check_ok(error, kn_file_write_atomic("cut.json", text.data, text.length / 2, &error));
    check_fails(error, KN_INPUT, "cut.json",
                kn_game_learner_load(context, lose, NULL, "cut.json", &again, &error));
    char *format = strstr(text.data, "\"format\": 1");
    assert_non_null(format);
    format[10] = '9';
    check_ok(error, kn_file_write_atomic("cut.json", text.data, text.length, &error));
    check_fails(error, KN_INPUT, "another version",
                kn_game_learner_load(context, lose, NULL, "cut.json", &again, &error));
    kn_text_free(&text);
    unlink("idle.json");
    unlink("cut.json");
    kn_game_close(lose);
    kn_game_close(win);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_baseline), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_panel), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_files)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_close(context);
    return failed;
}
