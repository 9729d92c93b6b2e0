/* Sampling of joint moves by several threads: proofs stay right, every playout counts once, budgets and the
 * cancel flag hold for all of them. */
#include "support/check.h"
#include "support/instances.h"
#include "support/world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search/mcts_simultaneous.h"

static KnMctsSimultaneous *opened(const KnGame *game, int threads, uint64_t playouts, int batch)
{
    KnError error;
    KnMctsSimultaneousOptions options = kn_mcts_simultaneous_options();
    options.threads = threads;
    options.playouts = playouts;
    options.batch = batch;
    options.bytes = (size_t)8 << 20;
    KnMctsSimultaneous *search = kn_mcts_simultaneous_new(game, &options, &error);
    assert_non_null(search);
    return search;
}

static void playouts_add_up(void **state)
{
    (void)state;
    World world = world_open("gdl:connectfour");
    KnError error;
    for (int batch = 1; batch <= 256; batch *= 256)
        for (int threads = 1; threads <= 4; threads++) {
            KnMctsSimultaneous *search = opened(world.game, threads, 1200, batch);
            KnRng rng = kn_rng_seeded(7);
            KnSearchResult result;
            for (int again = 1; again <= 2; again++) { /* the trees are kept */
                check_ok(error, kn_mcts_simultaneous_run(search, world.position, 0,
                                                         &(KnSearchRequest){.rng = &rng}, &result, &error));
                uint64_t visits = 0;
                int most = 0;
                for (int i = 0; i < result.root_count; i++) {
                    visits += result.root[i].visits;
                    if (result.root[i].visits > result.root[most].visits) most = i;
                }
                assert_int_equal(result.playouts, 1200);
                assert_int_equal(visits, 1200 * (uint64_t)again);
                assert_int_equal(result.move, result.root[most].move);
                assert_true(result.pv_length > 0 && result.pv[0] == result.move && result.completed);
            }
            kn_mcts_simultaneous_free(search);
        }
    world_close(&world);
}

static void proofs_are_shared(void **state)
{
    (void)state;
    World world = world_open("gdl:tictactoe");
    KnError error;
    KnMctsSimultaneous *search = opened(world.game, 3, 0, 0);
    KnRng rng = kn_rng_seeded(3);
    KnSearchResult result;
    check_ok(error, kn_mcts_simultaneous_run(search, world.position, 0,
                                             &(KnSearchRequest){.rng = &rng, .budget.seconds = 60}, &result,
                                             &error));
    assert_true(result.completed && result.score == 0 && result.seconds < 55);
    kn_mcts_simultaneous_free(search);
    world_close(&world);
}

typedef struct Alarm {
    atomic_bool cancel;
} Alarm;

static void *ring(void *user)
{
    usleep(100000);
    atomic_store(&((Alarm *)user)->cancel, true);
    return NULL;
}

/* All end: by the cancel flag, by the clock, and with an evaluation in place of playouts. */
static void limits_hold_for_all(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnError error;
    KnMctsSimultaneous *search = opened(world.game, 3, 0, 0);
    KnRng rng = kn_rng_seeded(5);
    KnSearchResult result;
    Alarm alarm = {.cancel = false};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ring, &alarm), 0);
    check_ok(error, kn_mcts_simultaneous_run(search, world.position, 0,
                                             &(KnSearchRequest){.rng = &rng, .cancel = &alarm.cancel},
                                             &result, &error));
    pthread_join(thread, NULL);
    assert_int_equal(result.stop, KN_STOP_CANCEL);
    check_ok(error, kn_mcts_simultaneous_run(search, world.position, 0,
                                             &(KnSearchRequest){.rng = &rng, .budget.seconds = 0.05}, &result,
                                             &error));
    assert_int_equal(result.stop, KN_STOP_TIME);
    KnEvaluation *facts;
    check_ok(error,
             kn_evaluation_open_text(world.context, world.game, "facts(state, games=20)", &facts, &error));
    kn_mcts_simultaneous_judge(search, facts);
    check_ok(error, kn_mcts_simultaneous_run(search, world.position, 0,
                                             &(KnSearchRequest){.rng = &rng, .budget.nodes = 3000}, &result,
                                             &error));
    assert_true(result.nodes >= 3000 && result.nodes < 3100 && result.playouts == 0);
    kn_mcts_simultaneous_free(search);
    kn_evaluation_close(facts);
    world_close(&world);
}

/* A mixed strategy that is proved is played, and no sum of visits: each of three hands is drawn. */
static void mixed_strategies_are_kept(void **state)
{
    (void)state;
    World world = world_open("gdl:roshambo");
    KnError error;
    KnMctsSimultaneous *search = opened(world.game, 2, 20000, 1);
    KnMove moves[3];
    assert_int_equal(kn_game_moves_of(world.game, world.position, 1, moves), 3);
    KnRng rng = kn_rng_seeded(3);
    int times[3] = {0};
    for (int g = 0; g < 90; g++) {
        KnSearchResult result;
        check_ok(error, kn_mcts_simultaneous_run(search, world.position, 1, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_true(result.completed && result.mixed && result.score == 0);
        assert_true(result.pv_length == 1 && result.pv[0] == result.move);
        for (int i = 0; i < 3; i++) times[i] += result.move == moves[i];
    }
    for (int i = 0; i < 3; i++) assert_in_range(times[i], 12, 48); /* 30, and four standard errors */
    kn_mcts_simultaneous_free(search);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(playouts_add_up), cmocka_unit_test(proofs_are_shared),
                                       cmocka_unit_test(limits_hold_for_all),
                                       cmocka_unit_test(mixed_strategies_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
