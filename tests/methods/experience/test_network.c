/* A value learned from the games of a base, for positions that it has not met. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/learner.h"
#include "base/file.h"
#include "eval/evaluation.h"
#include "eval/ntuple.h"
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

/* What the network, learned by a plan from one game of tic-tac-toe that is played over and over, says of the
 * position after the moves `before`, for the first role. */
static KnScore says(const KnBaseNetworkPlan *plan, const char *moves, const char *before)
{
    KnError error;
    KnGame *game;
    KnBase *base;
    KnEvaluation *evaluation;
    double payoffs[KN_ROLES_MAX];
    check_ok(error, kn_game_open(workbench, "tictactoe", &game, &error));
    unlink("missed.mdb");
    check_ok(error,
             kn_base_open(workbench, game, "missed.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL, &base, &error));
    KnState *state = kn_state_new(game);
    check_ok(error, kn_base_begin(base, &error));
    check_ok(error, kn_replay(state, moves, &error));
    assert_true(kn_state_over(state, payoffs));
    check_ok(error, kn_base_add(base, state, kn_base_outcome(state, payoffs), NULL, NULL, &error));
    check_ok(error, kn_base_commit(base, &error));
    check_ok(error, kn_base_learn_network(base, game, plan, "missed.network", &error));
    kn_base_close(base);
    check_ok(error,
             kn_evaluation_open_text(workbench, game, "ntuple(file=missed.network)", &evaluation, &error));
    kn_state_reset(state, NULL);
    check_ok(error, kn_replay(state, before, &error));
    KnScore score = kn_evaluate_for(evaluation, kn_state_position(state), 0);
    kn_evaluation_close(evaluation);
    kn_state_free(state);
    kn_game_close(game);
    return score;
}

/* The first player could have won by c1 and lost. Outcomes alone call the position lost; a look ahead does
 * not. */
static void test_missed_win(void **state)
{
    (void)state;
    const char *game = "a1 a2 b1 b2 a3 c2", *before = "a1 a2 b1 b2";
    KnBaseNetworkPlan plan = {.passes = 40, .lambda = 1, .rate = 0.5, .phases = 1};
    assert_true(says(&plan, game, before) < 0);
    plan.lambda = 0.5;
    KnScore half = says(&plan, game, before);
    plan.lambda = 0;
    assert_true(says(&plan, game, before) > 0);
    assert_true(half < says(&plan, game, before));
}

/* How far a network, which has imitated the hand-made evaluation on the positions of a base, is from it on
 * the positions of games drawn from a seed: mean square of the differences, of the targets, and the largest
 * difference. Values are on the scale from -1 to 1, for the side to move. */
typedef struct Distance {
    double error, spread, largest;
    int positions;
} Distance;

static Distance imitate(const char *spec, long games, int passes, uint64_t seed, long tried)
{
    KnError error;
    KnGame *game;
    KnEvaluation *learned;
    KnBase *base;
    KnMove moves[64];
    Distance distance = {0};
    check_ok(error, kn_game_open(workbench, spec, &game, &error));
    fill(game, "four.mdb", games);
    KnBaseNetworkPlan plan = {.imitation = passes, .rate = 0.5, .phases = 1};
    check_ok(error, kn_base_open(workbench, game, "four.mdb", 0, NULL, &base, &error));
    check_ok(error, kn_base_learn_network(base, game, &plan, "four.network", &error));
    kn_base_close(base);
    check_ok(error, kn_evaluation_open_text(workbench, game, "ntuple(file=four.network)", &learned, &error));
    KnState *at = kn_state_new(game);
    for (long i = 0; i < tried; i++) {
        KnRng rng = kn_rng_stream(seed, (uint64_t)i);
        kn_state_reset(at, NULL);
        while (!kn_state_over(at, NULL)) {
            const void *position = kn_state_position(at);
            int mover = game->type->mover(game, position), count = kn_state_moves(at, mover, moves);
            /* 300 points of the hand-made evaluation are half of the way to a win. */
            double points = game->evaluations[0].score(game, position);
            double target = points / (fabs(points) + 300);
            double said = tanh((double)kn_evaluate_for(learned, position, mover) / KN_NETWORK_SCORE);
            distance.error += (said - target) * (said - target);
            distance.spread += target * target;
            distance.largest = fmax(distance.largest, fabs(said - target));
            distance.positions++;
            check_ok(error, kn_state_play(at, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
        }
    }
    kn_state_free(at);
    kn_evaluation_close(learned);
    kn_game_close(game);
    return distance;
}

/* Without passes of its own, the network is what it imitates: for both sides and at every ply of the games
 * that it has seen often, and better than nothing in games that it has not seen, the more so the more games
 * it has seen. */
static void test_imitation(void **state)
{
    (void)state;
    Distance seen = imitate("othello(size=4)", 5, 200, 9, 5); /* `fill` draws by seed 9 */
    assert_true(seen.positions > 40 && seen.spread / seen.positions > 0.05);
    assert_true(seen.largest < 0.02);
    Distance few = imitate("othello(size=4)", 20, 4, 10, 200),
             many = imitate("othello(size=4)", 400, 4, 10, 200);
    assert_true(few.error < 0.5 * few.spread);
    assert_true(many.error < 0.5 * few.error);
    assert_true(many.error < 0.1 * many.spread);
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
                                       cmocka_unit_test(test_missed_win), cmocka_unit_test(test_imitation),
                                       cmocka_unit_test(test_trained)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
