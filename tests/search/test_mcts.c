/* Breadth-first search and tree sampling. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/game.h"
#include "search/breadth.h"
#include "search/minimax.h"
#include "search/mcts.h"

/* A puzzle of one role: from a number to another by adding 3, 5 or 7 or doubling, modulo 1009. Reaching the
 * goal pays 1; it is the only end. The shortest way is found here by plain flooding. */
typedef struct Puzzle {
    uint32_t number;
} Puzzle;

enum { MODULUS = 1009, GOAL = 700 };

static uint32_t puzzle_step(uint32_t number, KnMove move)
{
    static const uint32_t steps[] = {3, 5, 7};
    return (move < 3 ? number + steps[move] : number * 2) % MODULUS;
}

static void puzzle_start(const KnGame *game, void *position)
{
    (void)game;
    ((Puzzle *)position)->number = 1;
}

static int puzzle_mover(const KnGame *game, const void *position)
{
    (void)game, (void)position;
    return 0;
}

static int puzzle_moves(const KnGame *game, const void *position, KnMove *moves)
{
    (void)game;
    for (KnMove i = 0; i < 4; i++) moves[i] = i;
    return ((const Puzzle *)position)->number == GOAL ? 0 : 4;
}

static void puzzle_play(const KnGame *game, void *position, KnMove move)
{
    (void)game;
    Puzzle *p = position;
    p->number = puzzle_step(p->number, move);
}

static void puzzle_payoffs(const KnGame *game, const void *position, double *payoffs)
{
    (void)game;
    payoffs[0] = ((const Puzzle *)position)->number == GOAL;
}

static uint64_t puzzle_hash(const KnGame *game, const void *position)
{
    (void)game;
    return kn_mix64(((const Puzzle *)position)->number);
}

static KnStatus puzzle_open(KnGame *game, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    game->position_size = sizeof(Puzzle);
    game->max_moves = 4;
    game->roles = 1;
    game->payoff_low = 0;
    game->traits = KN_GAME_ENDLESS;
    return KN_OK;
}

static const KnGameType puzzle = {.head = {"puzzle", "a made-up puzzle", NULL},
                                  .open = puzzle_open,
                                  .start = puzzle_start,
                                  .mover = puzzle_mover,
                                  .moves = puzzle_moves,
                                  .play = puzzle_play,
                                  .payoffs = puzzle_payoffs,
                                  .hash = puzzle_hash};

static int shortest_way(uint32_t from)
{
    int distance[MODULUS];
    uint32_t queue[MODULUS], head = 0, tail = 0;
    memset(distance, 0xff, sizeof distance);
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t at = queue[head++];
        for (KnMove move = 0; move < 4; move++) {
            uint32_t next = puzzle_step(at, move);
            if (distance[next] >= 0) continue;
            distance[next] = distance[at] + 1;
            queue[tail++] = next;
        }
    }
    return distance[GOAL];
}

typedef struct World {
    KnContext *context;
    KnGame *game;
    KnEvaluation *zero;
    void *position;
} World;

static World world_open(const char *spec)
{
    KnError error;
    World world = {.context = test_context()};
    check_ok(error, kn_register(world.context, KN_KIND_GAME, &puzzle.head, &error));
    check_ok(error, kn_register(world.context, KN_KIND_GAME, &test_toy.head, &error));
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    check_ok(error, kn_evaluation_open_text(world.context, world.game, "zero", &world.zero, &error));
    world.position = aligned_alloc(16, (world.game->position_size + 15) & ~(size_t)15);
    memset(world.position, 0, world.game->position_size);
    world.game->type->start(world.game, world.position);
    return world;
}

static void world_close(World *world)
{
    free(world->position);
    kn_evaluation_close(world->zero);
    kn_game_close(world->game);
    kn_close(world->context);
}

static KnBreadth *breadth_of(const World *world, const KnEvaluation *evaluation, size_t bytes)
{
    KnError error;
    KnBreadthOptions options = kn_breadth_options(world->game);
    options.bytes = bytes;
    KnBreadth *breadth = kn_breadth_new(world->game, evaluation, &options, &error);
    assert_non_null(breadth);
    return breadth;
}

static void breadth_first_finds_the_shortest_way(void **state)
{
    (void)state;
    World world = world_open("puzzle");
    KnBreadth *breadth = breadth_of(&world, world.zero, 1 << 20);
    KnError error;
    for (uint32_t from = 0; from < MODULUS; from += 13) {
        if (from == GOAL) continue;
        int shortest = shortest_way(from);
        KnSearchResult result;
        ((Puzzle *)world.position)->number = from;
        check_ok(error,
                 kn_breadth_run(breadth, world.position, NULL, &(KnSearchRequest){0}, &result, &error));
        assert_int_equal(result.score, KN_SCORE_WIN - shortest);
        assert_int_equal(result.pv_length, shortest);
        assert_int_equal(((const Puzzle *)result.leaf)->number, GOAL);
        assert_true(result.completed);
        assert_true(result.nodes <= 4 * MODULUS); /* nothing is expanded twice */
    }
    kn_breadth_free(breadth);
    world_close(&world);
}

/* Out of memory it plays the best found: here a line that leads to the end, though not a win. */
static void breadth_first_keeps_its_memory_bound(void **state)
{
    (void)state;
    World world = world_open("tictactoe");
    KnBreadth *breadth = breadth_of(&world, world.zero, 100000);
    KnError error;
    KnSearchResult result;
    check_ok(error, kn_breadth_run(breadth, world.position, NULL, &(KnSearchRequest){0}, &result, &error));
    assert_int_equal(result.stop, KN_STOP_MEMORY);
    assert_false(result.completed);
    assert_true(result.nodes < 100000 / 64);
    assert_true(result.depth >= 2 && result.depth < 5);
    check_ok(error, world.game->type->parse_position(world.game, "xx./oo./... x", world.position, &error));
    check_ok(error, kn_breadth_run(breadth, world.position, NULL, &(KnSearchRequest){0}, &result, &error));
    assert_int_equal(result.move, 2);
    assert_int_equal(result.score, KN_SCORE_WIN - 1);
    check_ok(error, world.game->type->parse_position(world.game, "x../.../..o x", world.position, &error));
    kn_breadth_free(breadth);
    breadth = breadth_of(&world, world.zero, 8 << 20);
    check_ok(error, kn_breadth_run(breadth, world.position, NULL, &(KnSearchRequest){0}, &result, &error));
    assert_int_equal(result.score, KN_SCORE_WIN - 5); /* a corner, then the next: a fork */
    assert_int_equal(result.pv_length, 5);
    kn_breadth_free(breadth);
    world_close(&world);
}

/* To a given depth it is minimax. With a sufficient value out of reach nothing is cut short. */
static void breadth_first_agrees_with_minimax(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "toy", "toy(back)", "toy(general)", "toy(roles=3)", "toy(roles=3, nature)", "tictactoe", "checkers"};
    for (size_t g = 0; g < sizeof specs / sizeof *specs; g++) {
        World world = world_open(specs[g]);
        KnError error;
        KnEvaluation *evaluation;
        check_ok(error, kn_evaluation_open(world.context, world.game, NULL, &evaluation, &error));
        KnBreadthOptions options = {.bytes = 4 << 20, .sufficient = world.game->payoff_high + 1};
        KnBreadth *breadth = kn_breadth_new(world.game, evaluation, &options, &error);
        KnMinimax *minimax = kn_minimax_new(world.game, evaluation, false, &error);
        KnState *game_state = kn_state_new(world.game);
        KnRng rng = kn_rng_seeded(g);
        KnMove moves[512];
        for (long i = check_scaled(100); i > 0; i--) {
            kn_state_reset(game_state, NULL);
            for (uint32_t plies = kn_rng_below(&rng, 6); plies && !kn_state_over(game_state, NULL); plies--) {
                int mover = world.game->type->mover(world.game, kn_state_position(game_state));
                int count = kn_state_moves(game_state, mover, moves);
                check_ok(error,
                         kn_state_play(game_state, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
            }
            if (kn_state_over(game_state, NULL)) continue;
            KnHistory history = kn_state_history(game_state);
            KnSearchRequest request = {.budget = {.depth = 3}};
            KnSearchResult a, b;
            const void *position = kn_state_position(game_state);
            check_ok(error, kn_breadth_run(breadth, position, &history, &request, &a, &error));
            check_ok(error, kn_minimax_run(minimax, position, &history, &request, &b, &error));
            assert_int_equal(a.score, b.score);
            assert_int_equal(a.nodes, b.nodes);
            for (int j = 0; j < a.root_count; j++) assert_int_equal(a.root[j].score, b.root[j].score);
        }
        kn_state_free(game_state);
        kn_minimax_free(minimax);
        kn_breadth_free(breadth);
        kn_evaluation_close(evaluation);
        world_close(&world);
    }
}

static KnMcts *uct_of(const World *world, KnMctsOptions options)
{
    KnError error;
    KnMcts *uct = kn_mcts_new(world->game, NULL, &options, &error);
    assert_non_null(uct);
    return uct;
}

/* With proofs carried up, small games are solved, and with the values of minimax. */
static void sampling_solves_small_games(void **state)
{
    (void)state;
    World world = world_open("tictactoe");
    KnMctsOptions options = kn_mcts_options();
    options.playouts = 200000;
    KnMcts *uct = uct_of(&world, options);
    KnMinimax *minimax;
    KnError error;
    minimax = kn_minimax_new(world.game, world.zero, false, &error);
    KnRng rng = kn_rng_seeded(4);
    KnState *game_state = kn_state_new(world.game);
    KnMove moves[9];
    long solved = 0;
    for (long i = check_scaled(60); i > 0; i--) {
        kn_state_reset(game_state, NULL);
        for (int ply = 0; ply < 3; ply++) {
            int count = kn_state_moves(game_state, ply % 2, moves);
            check_ok(error, kn_state_play(game_state, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
        }
        KnSearchResult a, b;
        KnSearchRequest request = {.rng = &rng};
        check_ok(error, kn_mcts_run(uct, kn_state_position(game_state), NULL, &request, &a, &error));
        check_ok(error, kn_minimax_run(minimax, kn_state_position(game_state), NULL, &request, &b, &error));
        assert_true(a.completed);
        solved++;
        /* Draws and who wins are exact; how soon a win comes is only as near as the proof found. */
        assert_int_equal((a.score > 0) - (a.score < 0), (b.score > 0) - (b.score < 0));
        for (int j = 0; j < a.root_count; j++) {
            if (a.root[j].move == a.move) assert_int_equal(a.root[j].bound, KN_BOUND_EXACT);
            if (a.root[j].bound != KN_BOUND_EXACT) continue;
            assert_int_equal((a.root[j].score > 0) - (a.root[j].score < 0),
                             (b.root[j].score > 0) - (b.root[j].score < 0));
        }
    }
    assert_true(solved > 0);
    kn_state_free(game_state);
    kn_minimax_free(minimax);
    kn_mcts_free(uct);
    world_close(&world);
}

/* Without proofs the visits tell: the winning move gets nearly all of them. */
static void sampling_prefers_what_wins(void **state)
{
    (void)state;
    World world = world_open("tictactoe");
    KnMctsOptions options = kn_mcts_options();
    options.playouts = 3000;
    options.solve = false;
    KnMcts *uct = uct_of(&world, options);
    KnError error;
    KnSearchResult result;
    KnRng rng = kn_rng_seeded(6);
    check_ok(error, world.game->type->parse_position(world.game, "xx./oo./... x", world.position, &error));
    check_ok(error, kn_mcts_run(uct, world.position, NULL, &(KnSearchRequest){.rng = &rng}, &result, &error));
    assert_int_equal(result.move, 2);
    uint64_t visits = 0, best = 0;
    for (int i = 0; i < result.root_count; i++) {
        visits += result.root[i].visits;
        if (result.root[i].move == 2) best = result.root[i].visits;
    }
    assert_int_equal(visits, 3000);
    assert_true(best > 2700);
    assert_true(result.score > 0.9 * KN_SCORE_PAYOFF && result.score < KN_SCORE_PAYOFF);
    KnMove allowed[] = {8, 5};
    check_ok(error, kn_mcts_run(uct, world.position, NULL,
                                &(KnSearchRequest){.rng = &rng, .allowed = allowed, .allowed_count = 2},
                                &result, &error));
    assert_int_equal(result.root_count, 2);
    assert_int_equal(result.move, 5); /* 8 lets o win at once */
    kn_mcts_free(uct);
    world_close(&world);
}

static void sampling_is_repeatable_within_any_memory(void **state)
{
    (void)state;
    static const char *const specs[] = {"checkers", "go(size=5)", "toy(roles=3, nature, length=20)"};
    for (size_t g = 0; g < 3; g++) {
        World world = world_open(specs[g]);
        KnMctsOptions options = kn_mcts_options();
        options.playout_plies = 60;
        options.bytes = 20000; /* soon full */
        KnMcts *one = uct_of(&world, options), *two = uct_of(&world, options);
        KnError error;
        KnSearchResult a, b;
        for (uint64_t nodes = 10; nodes < 100000; nodes *= 10) {
            KnRng rng = kn_rng_seeded(nodes), twin = rng;
            check_ok(error,
                     kn_mcts_run(one, world.position, NULL,
                                 &(KnSearchRequest){.rng = &rng, .budget = {.nodes = nodes}}, &a, &error));
            check_ok(error,
                     kn_mcts_run(two, world.position, NULL,
                                 &(KnSearchRequest){.rng = &twin, .budget = {.nodes = nodes}}, &b, &error));
            assert_int_equal(a.move, b.move);
            assert_int_equal(a.score, b.score);
            assert_true(a.completed || a.nodes == nodes);
            for (int i = 0; i < a.root_count; i++) assert_int_equal(a.root[i].visits, b.root[i].visits);
        }
        kn_mcts_free(one);
        kn_mcts_free(two);
        world_close(&world);
    }
}

static void sampling_keeps_its_time_and_wants_a_limit(void **state)
{
    (void)state;
    World world = world_open("checkers");
    KnMcts *uct = uct_of(&world, kn_mcts_options());
    KnBreadth *breadth = breadth_of(&world, world.zero, 256 << 20);
    KnError error;
    KnSearchResult result;
    KnRng rng = kn_rng_seeded(1);
    double least[2] = {1, 1};
    for (int attempt = 0; attempt < 200 && (least[0] > 0.01 || least[1] > 0.01); attempt++) {
        double start = kn_clock_now(), limit = 0.03;
        KnSearchRequest request = {.rng = &rng, .budget = {.seconds = limit}};
        if (attempt % 2)
            check_ok(error, kn_mcts_run(uct, world.position, NULL, &request, &result, &error));
        else
            check_ok(error, kn_breadth_run(breadth, world.position, NULL, &request, &result, &error));
        double over = kn_clock_now() - start - limit;
        if (over < least[attempt % 2]) least[attempt % 2] = over;
    }
    assert_true(least[0] < 0.01);
    assert_true(least[1] < 0.01);
    check_fails(error, KN_USAGE, "limit",
                kn_mcts_run(uct, world.position, NULL, &(KnSearchRequest){.rng = &rng}, &result, &error));
    check_fails(
        error, KN_USAGE, "generator",
        kn_mcts_run(uct, world.position, NULL, &(KnSearchRequest){.budget = {.nodes = 9}}, &result, &error));
    kn_mcts_free(uct);
    kn_breadth_free(breadth);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breadth_first_finds_the_shortest_way),
        cmocka_unit_test(breadth_first_keeps_its_memory_bound),
        cmocka_unit_test(breadth_first_agrees_with_minimax),
        cmocka_unit_test(sampling_solves_small_games),
        cmocka_unit_test(sampling_prefers_what_wins),
        cmocka_unit_test(sampling_is_repeatable_within_any_memory),
        cmocka_unit_test(sampling_keeps_its_time_and_wants_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
