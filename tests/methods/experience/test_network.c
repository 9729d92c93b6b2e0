/* A value learned from the games of a base, for positions that it has not met. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/learner.h"
#include "base/file.h"
#include "eval/evaluation.h"
#include "games/replay.h"
#include "methods/experience/network.h"

static void fill(const KnGame *game, const char *path, long games)
{
    KnError error;
    KnBase *base;
    unlink(path);
    check_ok(error, kn_base_open(workbench, game, path, KN_BASE_MAKE | KN_BASE_LOOSE, NULL, &base, &error));
    KnState *state = kn_state_new(game);
    check_ok(error, kn_base_begin(base, &error));
    for (long i = 0; i < games; i++) {
        KnRng rng = kn_rng_stream(9, (uint64_t)i);
        double payoffs[KN_ROLES_MAX];
        KnMove moves[16];
        kn_state_reset(state, NULL);
        while (!kn_state_over(state, payoffs)) {
            int count = kn_state_moves(state, game->type->mover(game, kn_state_position(state)), moves);
            check_ok(error, kn_state_play(state, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
        }
        check_ok(error, kn_base_add(base, state, kn_base_outcome(state, payoffs), NULL, NULL, &error));
    }
    check_ok(error, kn_base_commit(base, &error));
    kn_state_free(state);
    kn_base_close(base);
}

static void learn(const KnGame *game, const char *path, const char *file)
{
    KnError error;
    KnBase *base;
    check_ok(error, kn_base_open(workbench, game, path, 0, NULL, &base, &error));
    check_ok(error, kn_base_learn_network(base, game, &kn_base_network_default, file, &error));
    kn_base_close(base);
}

/* Two in a row with the move is good, and equal bases give equal bytes. */
static void test_learned_from_games(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    check_ok(error, kn_game_open(workbench, "tictactoe", &game, &error));
    fill(game, "random.mdb", 300);
    learn(game, "random.mdb", "one.network");
    learn(game, "random.mdb", "two.network");
    check_ok(error, kn_file_read("one.network", &first, 1 << 24, &error));
    check_ok(error, kn_file_read("two.network", &second, 1 << 24, &error));
    assert_true(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    KnEvaluation *evaluation;
    check_ok(error,
             kn_evaluation_open_text(workbench, game, "ntuple(file=one.network)", &evaluation, &error));
    KnState *at = kn_state_new(game);
    check_ok(error, kn_replay(at, "a1 b3 b1 c3", &error));
    assert_true(kn_evaluate_for(evaluation, kn_state_position(at), 0) > 0);
    kn_state_reset(at, NULL);
    check_ok(error,
             kn_replay(at, "b3 a1 c2 b1 a3", &error)); /* the second player has a1 and b1, and the move */
    assert_true(kn_evaluate_for(evaluation, kn_state_position(at), 0) < 0);
    kn_state_free(at);
    kn_evaluation_close(evaluation);
    kn_text_free(&first);
    kn_text_free(&second);
    kn_game_close(game);
}

/* A training run writes it beside the base, and the player that is named opens both. */
static void test_trained(void **state)
{
    (void)state;
    KnError error;
    KnTrainResult result;
    KnTrainPlan plan = {
        .learner = "experience(games=20, depth=1, opponent=1, epsilon=0.5, rule=expect, value=network)",
        .game = "tictactoe",
        .seed = 3,
        .jobs = 1,
        .out = "trained.mdb"};
    check_ok(error, kn_train(workbench, &plan, &result, &error));
    assert_non_null(strstr(result.player, "eval=ntuple(file=\"trained.mdb.network\")"));
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "tictactoe", &game, &error));
    check_ok(error, kn_player_open(workbench, game, result.player, &player, &error));
    kn_player_close(player);
    kn_game_close(game);
    kn_train_result_free(&result);
    plan.learner = "experience(games=10, inner=random, value=network)";
    check_fails(error, KN_USAGE, "and not inner=", kn_train(workbench, &plan, &result, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learned_from_games),
                                       cmocka_unit_test(test_trained)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
