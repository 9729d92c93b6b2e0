/* How Monte-Carlo tree search shares its playouts among moves: by UCB1, as a second implementation counts. */
#include "support/check.h"
#include "support/instances.h"

#include <math.h>
#include <string.h>

#include "games/game.h"
#include "search/mcts.h"
#include "search/mcts_simultaneous.h"

/* One role chooses one of five arms, each of which pays a fixed amount: the whole game. */
enum { ARMS = 5 };
static const double pays[ARMS] = {0.2, 0.55, 0.31, 0.6, 0.05};

typedef struct Arms {
    int chosen; /* 0: none yet */
} Arms;

static void start(const KnGame *game, void *position)
{
    (void)game;
    ((Arms *)position)->chosen = 0;
}

static int mover(const KnGame *game, const void *position)
{
    (void)game, (void)position;
    return 0;
}

static int moves(const KnGame *game, const void *position, KnMove *list)
{
    (void)game;
    for (KnMove i = 0; i < ARMS; i++) list[i] = i;
    return ((const Arms *)position)->chosen ? 0 : ARMS;
}

static void play(const KnGame *game, void *position, KnMove move)
{
    (void)game;
    ((Arms *)position)->chosen = (int)move + 1;
}

static void payoffs(const KnGame *game, const void *position, double *results)
{
    (void)game;
    const Arms *arms = position;
    results[0] = arms->chosen ? pays[arms->chosen - 1] : 0;
}

static uint64_t hash(const KnGame *game, const void *position)
{
    (void)game;
    return kn_mix64((uint64_t)((const Arms *)position)->chosen);
}

static KnStatus open(KnGame *game, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    game->position_size = sizeof(Arms);
    game->max_moves = ARMS;
    game->roles = 1;
    game->payoff_low = 0;
    return KN_OK;
}

static const KnGameType arms = {.head = {"arms", "a made-up choice", NULL},
                                .open = open,
                                .start = start,
                                .mover = mover,
                                .moves = moves,
                                .play = play,
                                .payoffs = payoffs,
                                .hash = hash};

/* UCB1 with a constant: every arm once, then the highest mean + c sqrt(ln(n + 1) / n_i). */
static void expect_visits(double constant, int playouts, int *visits)
{
    memset(visits, 0, ARMS * sizeof *visits);
    for (int n = 0; n < playouts; n++) {
        int best = 0;
        double highest = -1;
        for (int i = 0; i < ARMS; i++) {
            double bound = visits[i] ? pays[i] + constant * sqrt(log(n + 1.0) / visits[i]) : 1e9;
            if (bound > highest) highest = bound, best = i;
        }
        visits[best]++;
    }
}

static void check_visits(const KnSearchResult *result, double constant, int playouts)
{
    int expected[ARMS];
    expect_visits(constant, playouts, expected);
    assert_int_equal(result->root_count, ARMS);
    for (int i = 0; i < ARMS; i++) {
        int visits = (int)result->root[i].visits, wanted = expected[result->root[i].move];
        if (visits < wanted - 2 || visits > wanted + 2)
            fail_msg("constant %g: arm %d was drawn %d times, not %d", constant, (int)result->root[i].move,
                     visits, wanted);
    }
}

static void test_ucb1(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *game;
    check_ok(error, kn_register(context, KN_KIND_GAME, &arms.head, &error));
    check_ok(error, kn_game_open(context, "arms", &game, &error));
    Arms position = {0};
    static const double constants[] = {0.3, 0.7, 1.5};
    enum { PLAYOUTS = 400 };
    for (size_t i = 0; i < 3; i++) {
        KnRng rng = kn_rng_seeded(1);
        KnSearchRequest request = {.rng = &rng};
        KnSearchResult result;
        KnMctsOptions options = kn_mcts_options();
        options.exploration = constants[i];
        options.playouts = PLAYOUTS;
        options.solve = false; /* a proved arm would not be drawn again */
        options.bytes = 1 << 20;
        KnMcts *mcts = kn_mcts_new(game, NULL, &options, &error);
        assert_non_null(mcts);
        check_ok(error, kn_mcts_run(mcts, &position, NULL, &request, &result, &error));
        check_visits(&result, constants[i], PLAYOUTS);
        assert_int_equal(result.move, 3); /* the most visited, which is the best */
        kn_mcts_free(mcts);
        KnMctsSimultaneousOptions decoupled = kn_mcts_simultaneous_options();
        decoupled.exploration = constants[i];
        decoupled.playouts = PLAYOUTS;
        decoupled.solve = false;
        decoupled.bytes = 1 << 20;
        KnMctsSimultaneous *search = kn_mcts_simultaneous_new(game, &decoupled, &error);
        assert_non_null(search);
        check_ok(error, kn_mcts_simultaneous_run(search, &position, 0, &request, &result, &error));
        check_visits(&result, constants[i], PLAYOUTS);
        kn_mcts_simultaneous_free(search);
    }
    assert_float_equal(kn_mcts_options().exploration, 0.7, 0);
    assert_float_equal(kn_mcts_simultaneous_options().exploration, 0.5, 0);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ucb1)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
