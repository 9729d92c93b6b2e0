/* Training n-tuple networks: the same bytes for any number of threads and after an interruption, and it
 * learns. */
#include "support/check.h"

#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "methods/ntuple/train.h"
#include "support/workbench.h"

static KnNtuplePlan plan_for(int jobs)
{
    return (KnNtuplePlan){.network = {.seed = 1, .memory = 4},
                          .play = {.lambda = 0.7,
                                   .epsilon = 0.1,
                                   .random_plies = 4,
                                   .depth = 1,
                                   .batch = 8,
                                   .ply_limit = 100,
                                   .seed = 3,
                                   .jobs = jobs},
                          .rate = 0.3,
                          .round = 1};
}

/* Trains in steps, a new trainer for each. */
static void train(const KnGame *game, int jobs, const char *file, const uint64_t *steps, int count)
{
    KnError error;
    KnNtuplePlan plan = plan_for(jobs);
    unlink("training.state");
    for (int i = 0; i < count; i++) {
        KnSelfTrainer *trainer;
        check_ok(error, kn_ntuple_trainer_open(game, &plan, "training.state", &trainer, &error));
        assert_int_equal(kn_self_trainer_games(trainer), i ? steps[i - 1] : 0);
        check_ok(error, kn_self_trainer_run(trainer, steps[i], 0, NULL, &error));
        check_ok(error, kn_self_trainer_save(trainer, file, &error));
        kn_self_trainer_close(trainer);
    }
}

static void test_same_bytes(void **state)
{
    (void)state;
    static const char *const specs[] = {"othello(size=6)", "checkers", "morris(men=5)", "gdl(tictactoe)"};
    KnError error;
    KnContext *context = test_workbench("data");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnGame *game;
        check_ok(error, kn_game_open(context, specs[i], &game, &error));
        train(game, 1, "one.ntuple", (const uint64_t[]){24}, 1);
        train(game, 3, "three.ntuple", (const uint64_t[]){24}, 1);
        check_same_files("one.ntuple", "three.ntuple");
        train(game, 2, "again.ntuple", (const uint64_t[]){8, 24}, 2);
        check_same_files("one.ntuple", "again.ntuple");
        kn_game_close(game);
    }
    kn_close(context);
}

/* After a second of training it beats the same search without knowledge. */
static void test_learns(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    KnGame *game;
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    train(game, 2, "learned.ntuple", (const uint64_t[]){600}, 1);
    KnMatchPlan plan = {.game = "othello(size=6)",
                        .players = {"alphabeta(depth=2, memory=1, eval=ntuple(file=learned.ntuple))",
                                    "alphabeta(depth=2, memory=1, eval=zero)"},
                        .games = 60,
                        .seed = 5,
                        .jobs = 2,
                        .random_plies = 4};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    double points = (double)result.standing.wins + (double)result.standing.draws / 2;
    if (points < 40) fail_msg("only %.1f of 60 points", points); /* 50 and more are usual */
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_learns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
