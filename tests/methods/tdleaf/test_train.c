/* Training by temporal differences: the same bytes for any threads and after interruptions, files of others
 * refused, and something learned. */
#include "support/boards.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/learner.h"
#include "arena/match.h"
#include "methods/experience/base.h"
#include "methods/tdleaf/train.h"
#include "base/file.h"
#include "base/sealed.h"
#include <knack/base.h>
#include "eval/linear.h"

static KnContext *context;
static KnGame *game;

static int open_all(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open(".", &context, &error));
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    kn_game_close(game);
    kn_close(context);
    return 0;
}

static KnTdPlan small_plan(void)
{
    KnTdPlan plan = kn_td_plan();
    plan.depths[0] = 2;
    plan.games = 12;
    plan.random_plies = 4;
    plan.ply_limit = 70;
    plan.table_mib = 0.1;
    plan.rule.alpha = 0.1;
    return plan;
}

static void train(const KnTdPlan *plan, const char *file, KnText *text)
{
    KnError error;
    KnWeights *weights;
    check_ok(error, kn_td_train(context, game, plan, file, NULL, &weights, &error));
    assert_int_equal(json_integer_value(json_object_get(weights->state, "games")), plan->games);
    kn_text_clear(text);
    kn_weights_text(weights, text);
    check_ok(error, kn_sealed_text(text, &error));
    KnText kept = KN_TEXT_EMPTY;
    if (file) {
        check_ok(error, kn_file_read(file, &kept, 1 << 20, &error));
        assert_string_equal(kept.data, text->data);
    }
    kn_text_free(&kept);
    kn_weights_free(weights);
}

static void test_resumes_with_the_same_bytes(void **state)
{
    (void)state;
    KnTdPlan plan = small_plan();
    KnText whole = KN_TEXT_EMPTY, parts = KN_TEXT_EMPTY;
    train(&plan, NULL, &whole);
    for (uint64_t games = 5; games <= 12; games += 7) {
        plan.games = games;
        train(&plan, "parts.json", &parts);
    }
    assert_string_equal(whole.data, parts.data);
    plan.seed = 2;
    train(&plan, NULL, &parts);
    assert_string_not_equal(whole.data, parts.data);
    kn_text_free(&whole);
    kn_text_free(&parts);
}

/* Points of the curve stand every fifty games: the first was measured before the interruption. */
static void test_resumes_with_the_whole_curve(void **state)
{
    (void)state;
    KnTdPlan plan = small_plan();
    KnText whole = KN_TEXT_EMPTY, parts = KN_TEXT_EMPTY;
    plan.depths[0] = 1;
    plan.games = 110;
    train(&plan, NULL, &whole);
    for (plan.games = 60; plan.games <= 110; plan.games += 50) train(&plan, "curve.json", &parts);
    assert_string_equal(whole.data, parts.data);
    kn_text_free(&whole);
    kn_text_free(&parts);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    KnTdPlan plan = small_plan();
    KnText one = KN_TEXT_EMPTY, three = KN_TEXT_EMPTY;
    plan.batch = 4;
    train(&plan, NULL, &one);
    plan.jobs = 3;
    train(&plan, NULL, &three);
    assert_string_equal(one.data, three.data);
    kn_text_free(&one);
    kn_text_free(&three);
}

static void test_other_plans_are_refused(void **state)
{
    (void)state;
    KnTdPlan plan = small_plan();
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    KnWeights *weights;
    plan.games = 2;
    train(&plan, "mine.json", &text);
    plan.rule.lambda = 0.5;
    check_fails(error, KN_INPUT, "trained in another way",
                kn_td_train(context, game, &plan, "mine.json", NULL, &weights, &error));
    plan = small_plan();
    plan.start = "chinook-original";
    check_fails(error, KN_INPUT, "trained in another way",
                kn_td_train(context, game, &plan, "mine.json", NULL, &weights, &error));
    KnText kept = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("mine.json", &kept, 1 << 20, &error));
    assert_string_equal(kept.data, text.data);
    KnGame *matrix;
    check_ok(error, kn_game_open(context, "dilemma", &matrix, &error));
    check_fails(error, KN_INPUT, "take turns",
                kn_td_train(context, matrix, &plan, NULL, NULL, &weights, &error));
    kn_game_close(matrix);
    kn_text_free(&kept);
    kn_text_free(&text);
}

/* Sets by side, depth and opening: those that were played were learned, the fixed weights never. */
static void test_sets_kept_apart(void **state)
{
    (void)state;
    KnError error;
    const char lines[] = "9-13 22-18\n9-14 22-18\n";
    check_ok(error, kn_file_write_atomic("two.txt", lines, strlen(lines), &error));
    KnTdPlan plan = small_plan();
    plan.by_side = plan.by_depth = plan.by_opening = true;
    plan.openings = "two.txt";
    plan.random_plies = 0;
    plan.depths[1] = 3;
    plan.depth_count = 2;
    KnWeights *weights;
    check_ok(error, kn_td_train(context, game, &plan, NULL, NULL, &weights, &error));
    assert_int_equal(weights->count, 8);
    static const char *const names[] = {"black 2 9-13", "white 3 9-14"};
    for (int i = 0; i < 2; i++) {
        int set = kn_weights_find(weights, names[i]);
        assert_true(set >= 0);
        uint64_t updates = 0;
        for (size_t w = 0; w < kn_weights_size(weights->features); w++) {
            int term = (int)(w % (size_t)weights->features->count);
            if (term < 2)
                assert_true(weights->sets[set].weights[w] == weights->features->fixed_weights[term] &&
                            !weights->sets[set].updates[w]);
            updates += weights->sets[set].updates[w];
        }
        assert_true(updates > 0);
    }
    kn_weights_free(weights);
}

/* Against a teacher only the learner's side learns, and TD(lambda) at the root differs from TDLeaf. */
static void test_teacher_and_root(void **state)
{
    (void)state;
    KnTdPlan plan = small_plan();
    KnError error;
    KnWeights *weights;
    plan.teacher = "alphabeta(depth=2, eval=features(weights=chinook-original))";
    plan.by_side = true;
    plan.learner_role = 1;
    plan.games = 4;
    check_ok(error, kn_td_train(context, game, &plan, NULL, NULL, &weights, &error));
    for (size_t w = 0; w < kn_weights_size(weights->features); w++)
        assert_true(weights->sets[kn_weights_find(weights, "black")].updates[w] == 0);
    kn_weights_free(weights);
    KnText leaf = KN_TEXT_EMPTY, root = KN_TEXT_EMPTY;
    train(&plan, NULL, &leaf);
    plan.root = true;
    train(&plan, NULL, &root);
    assert_string_not_equal(leaf.data, root.data);
    kn_text_free(&leaf);
    kn_text_free(&root);
}

/* Tic-tac-toe, Othello, morris and Fives have features: something moves in each. */
static void test_other_games(void **state)
{
    (void)state;
    static const char *const specs[] = {"tictactoe", "othello(size=4)", "morris",
                                        "fives(width=5, height=5, line=4)"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnError error;
        KnGame *other;
        KnWeights *weights;
        KnTdPlan plan = small_plan();
        plan.games = 4;
        plan.depths[0] = 1;
        plan.random_plies = 1;
        if (kn_game_open(context, specs[i], &other, &error) != KN_OK) fail_msg("%s", error.text);
        if (!other->feature_count) fail_msg("%s has no features", specs[i]);
        check_ok(error, kn_td_train(context, other, &plan, NULL, NULL, &weights, &error));
        bool moved = false;
        for (size_t w = 0; w < kn_weights_size(weights->features); w++)
            moved |= weights->sets[0].weights[w] != 0;
        if (!moved) fail_msg("%s: nothing was learned", specs[i]);
        kn_weights_free(weights);
        kn_game_close(other);
    }
}

/* Othello on 6x6, one ply deep: 150 games from nothing make a player that beats one that knows nothing. */
static void test_learns(void **state)
{
    (void)state;
    KnError error;
    KnGame *othello;
    KnWeights *weights;
    KnTdPlan plan = small_plan();
    plan.games = (uint64_t)check_scaled(150);
    plan.depths[0] = 1;
    plan.rule.alpha = 0.5;
    check_ok(error, kn_game_open(context, "othello(size=6)", &othello, &error));
    check_ok(error, kn_td_train(context, othello, &plan, "learned.json", NULL, &weights, &error));
    kn_weights_free(weights);
    kn_game_close(othello);
    KnMatchPlan match = {.game = "othello(size=6)",
                         .players = {"alphabeta(depth=1, memory=1, eval=features(weights=learned.json))",
                                     "alphabeta(depth=1, memory=1, eval=features(weights=zero))"},
                         .games = (uint64_t)check_scaled(200),
                         .seed = 5,
                         .random_plies = 4};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &match, NULL, NULL, &result, &error));
    const KnStanding *s = &result.standing;
    if (match.games == 200 && (double)s->wins + (double)s->draws / 2 < 140)
        fail_msg("%llu won, %llu drawn, %llu lost", (unsigned long long)s->wins, (unsigned long long)s->draws,
                 (unsigned long long)s->losses);
}

/* A game description: breakthrough, one ply deep. The file is read back by players of that game, and beats
 * knowing nothing. */
static void test_learns_a_game_description(void **state)
{
    (void)state;
    KnError error;
    KnGame *other;
    KnWeights *weights;
    KnTdPlan plan = small_plan();
    plan.games = (uint64_t)check_scaled(60);
    plan.depths[0] = 1;
    plan.ply_limit = 200;
    check_ok(error, kn_game_open(context, "gdl:breakthrough", &other, &error));
    check_ok(error, kn_td_train(context, other, &plan, "breakthrough.json", NULL, &weights, &error));
    kn_weights_free(weights);
    kn_game_close(other);
    KnMatchPlan match = {.game = "gdl:breakthrough",
                         .players = {"alphabeta(depth=1, memory=1, eval=features(weights=breakthrough.json))",
                                     "alphabeta(depth=1, memory=1, eval=features(weights=zero))"},
                         .games = (uint64_t)check_scaled(40),
                         .seed = 5,
                         .random_plies = 4};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &match, NULL, NULL, &result, &error));
    const KnStanding *s = &result.standing;
    if (match.games == 40 && s->wins < 28)
        fail_msg("%llu won, %llu lost", (unsigned long long)s->wins, (unsigned long long)s->losses);
    check_ok(error, kn_game_open(context, "gdl:roshambo", &other, &error));
    check_fails(error, KN_INPUT, "choose at once",
                kn_td_train(context, other, &plan, NULL, NULL, &weights, &error));
    kn_game_close(other);
}

/* A teacher is told what it would be told in a match: each game's beginning, every move, and the outcome. One
 * that learns from its games therefore learns here too. */
static void test_teacher_is_told_everything(void **state)
{
    (void)state;
    KnError error;
    KnBase *base;
    KnBaseStat stat;
    KnTdPlan plan = small_plan();
    KnText text = KN_TEXT_EMPTY;
    unlink("teacher.mdb");
    plan.games = 6;
    plan.teacher = "experience(alphabeta(depth=1), base=\"teacher.mdb\", learn)";
    train(&plan, NULL, &text);
    check_ok(error, kn_base_open(context, game, "teacher.mdb", 0, NULL, &base, &error));
    check_ok(error, kn_base_size(base, &stat, &error));
    assert_int_equal(stat.games, 6);
    kn_base_close(base);
    kn_text_free(&text);
}

/* Lists of depths: what the file says that it was trained with, and what is refused. */
static void test_depths(void **state)
{
    (void)state;
    static const struct {
        const char *list, *made; /* NULL: refused */
    } rows[] = {{"1", "\"depths\":[1]"},
                {"2,1", "\"depths\":[2,1]"},
                {"1,2,1", "\"depths\":[1,2,1]"},
                {"0", NULL},
                {"1,0", NULL},
                {"101", NULL},
                {"1;2", NULL},
                {"x", NULL},
                {"1,2x", NULL},
                {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnError error;
        KnText text = KN_TEXT_EMPTY;
        KnTrainResult result;
        char learner[120];
        snprintf(learner, sizeof learner, "td(games=2, batch=2, against-games=2, depths=\"%s\")",
                 rows[i].list);
        KnTrainPlan plan = {
            .learner = learner, .game = "tictactoe", .seed = 3, .jobs = 1, .out = "depths.json"};
        unlink("depths.json");
        if (!rows[i].made) {
            check_fails(error, KN_USAGE, "depths expects", kn_train(context, &plan, &result, &error));
            assert_false(kn_file_exists("depths.json"));
            continue;
        }
        check_ok(error, kn_train(context, &plan, &result, &error));
        kn_train_result_free(&result);
        check_ok(error, kn_file_read("depths.json", &text, 1 << 20, &error));
        assert_non_null(strstr(text.data, rows[i].made));
        kn_text_free(&text);
    }
    unlink("depths.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_resumes_with_the_same_bytes),
        cmocka_unit_test(test_resumes_with_the_whole_curve),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_other_plans_are_refused),
        cmocka_unit_test(test_sets_kept_apart),
        cmocka_unit_test(test_teacher_and_root),
        cmocka_unit_test(test_teacher_is_told_everything),
        cmocka_unit_test(test_other_games),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_learns_a_game_description),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
