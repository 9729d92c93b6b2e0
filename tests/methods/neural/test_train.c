/* Training neural networks: the same bytes for any number of threads and after an interruption, by its own
 * games and by a teacher's; what was learned plays, explains itself, and is refused by other games. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "eval/neural_explain.h"
#include "methods/neural/train.h"
#include "support/workbench.h"

static void train(const KnGame *game, const char *teacher, int jobs, const char *file, const uint64_t *steps,
                  int count)
{
    KnError error;
    KnNeuralTraining plan = {.play = {.lambda = 0.7,
                                      .epsilon = 0.1,
                                      .random_plies = 4,
                                      .depth = 1,
                                      .batch = 8,
                                      .ply_limit = 100,
                                      .seed = 3,
                                      .jobs = jobs},
                             .units = 32,
                             .passes = 2,
                             .minibatch = 64,
                             .rate = 0.005,
                             .games = steps[count - 1],
                             .teacher = teacher};
    unlink("training.state");
    for (int i = 0; i < count; i++) {
        KnSelfTrainer *trainer;
        check_ok(error, kn_neural_trainer_open(game, &plan, "training.state", &trainer, &error));
        assert_int_equal(kn_self_trainer_games(trainer), i ? steps[i - 1] : 0);
        check_ok(error, kn_self_trainer_run(trainer, steps[i], 0, NULL, &error));
        check_ok(error, kn_self_trainer_save(trainer, file, &error));
        kn_self_trainer_close(trainer);
    }
}

static void test_same_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *teacher;
    } cases[] = {
        {"tictactoe", NULL}, {"checkers", NULL}, {"othello(size=6)", "ntuple"}, {"gdl(tictactoe)", NULL}};
    KnError error;
    KnContext *context = test_workbench("data");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnGame *game;
        check_ok(error, kn_game_open(context, cases[i].spec, &game, &error));
        train(game, cases[i].teacher, 1, "one.neural", (const uint64_t[]){16}, 1);
        train(game, cases[i].teacher, 3, "three.neural", (const uint64_t[]){16}, 1);
        check_same_files("one.neural", "three.neural");
        train(game, cases[i].teacher, 2, "again.neural", (const uint64_t[]){8, 16}, 2);
        check_same_files("one.neural", "again.neural");
        kn_game_close(game);
    }
    kn_close(context);
}

/* What it has learned is shown on the board: corners, which cannot be taken back, are worth more than cells
 * on average, and units say what excites them. */
static void check_description(const KnGame *game, const char *file)
{
    KnError error;
    KnNeuralNetwork *network;
    KnArena *arena = kn_arena_new();
    KnExplanation *root = kn_explanation_new(arena, "what it learned");
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_neural_network_open(game, file, &network, &error));
    kn_neural_network_describe(network, arena, root);
    const KnExplanation *worth = root->first;
    while (worth && strncmp(worth->label, "worth of X", 10) != 0) worth = worth->next;
    assert_non_null(worth);
    double corners = 0, all = 0;
    int rows = 0;
    for (const KnExplanation *row = worth->first; row; row = row->next, rows++) {
        char *next = (char *)(uintptr_t)row->text;
        for (int x = 0; x < 6; x++) {
            double here = strtod(next, &next);
            all += here;
            if (rows % 5 == 0 && x % 5 == 0) corners += here;
        }
        assert_string_equal(next, "");
    }
    assert_int_equal(rows, 6);
    assert_true(corners / 4 > all / 36);
    kn_explanation_print(root, &text);
    if (!strstr(text.data, "units that speak for black") || !strstr(text.data, "excited most by: ") ||
        !strstr(text.data, "how it was made"))
        fail_msg("%s", text.data);
    kn_text_free(&text);
    kn_arena_free(arena);
    kn_neural_network_free(network);
}

/* After a moment it beats the same search without knowledge. */
static void test_learns(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    KnGame *game;
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    train(game, NULL, 2, "learned.neural", (const uint64_t[]){600}, 1);
    KnMatchPlan plan = {.game = "othello(size=6)",
                        .players = {"alphabeta(depth=2, memory=1, eval=neural(file=learned.neural))",
                                    "alphabeta(depth=2, memory=1, eval=zero)"},
                        .games = 60,
                        .seed = 5,
                        .jobs = 2,
                        .random_plies = 4};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    double points = (double)result.standing.wins + (double)result.standing.draws / 2;
    if (points < 36) fail_msg("only %.1f of 60 points", points);
    check_description(game, "learned.neural");

    KnEvaluation *evaluation;
    check_ok(error,
             kn_evaluation_open_text(context, game, "neural(file=learned.neural)", &evaluation, &error));
    KnState *position = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    KnExplanation *root = kn_explanation_new(arena, "why");
    KnText text = KN_TEXT_EMPTY;
    evaluation->explain(evaluation, kn_state_position(position), 0, arena, root);
    kn_explanation_print(root, &text);
    if (!strstr(text.data, "prediction") || !strstr(text.data, "pieces that speak for it"))
        fail_msg("%s", text.data);
    int groups = 0;
    for (const KnExplanation *group = root->first; group; group = group->next) {
        if (!group->label || strncmp(group->label, "pieces that speak", 17) != 0) continue;
        groups++;
        for (const KnExplanation *one = group->first; one && one->next; one = one->next)
            assert_true(fabs(one->number) >= fabs(one->next->number)); /* the loudest first */
    }
    assert_int_equal(groups, 2);
    kn_text_free(&text);
    kn_arena_free(arena);
    kn_state_free(position);
    kn_evaluation_close(evaluation);
    kn_game_close(game);
    kn_close(context);
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    KnGame *small, *large;
    KnEvaluation *evaluation;
    KnSelfTrainer *trainer;
    check_ok(error, kn_game_open(context, "tictactoe", &small, &error));
    check_ok(error, kn_game_open(context, "othello", &large, &error));
    train(small, NULL, 1, "small.neural", (const uint64_t[]){8}, 1);
    check_fails(error, KN_INPUT, "the network is for tictactoe",
                kn_evaluation_open_text(context, large, "neural(file=small.neural)", &evaluation, &error));
    check_fails(error, KN_INPUT, "knack train neural",
                kn_evaluation_open_text(context, small, "neural", &evaluation, &error));
    KnNeuralTraining plan = {.play = {.batch = 8, .depth = 1, .ply_limit = 9},
                             .units = 16,
                             .passes = 1,
                             .minibatch = 8,
                             .games = 8,
                             .teacher = "mixed"};
    check_fails(error, KN_INPUT, "predict results",
                kn_neural_trainer_open(large, &plan, "none.state", &trainer, &error));
    kn_game_close(small);
    kn_game_close(large);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_learns),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
