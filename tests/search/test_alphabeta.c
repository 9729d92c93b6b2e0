/* The search as its callers use it: budgets, restricted moves, ties, fresh starts, shared tables. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/game.h"
#include "search/alphabeta.h"
#include "search/minimax.h"

typedef struct World {
    KnContext *context;
    KnGame *game;
    KnEvaluation *evaluation;
    KnState *state;
    KnSearch *search;
} World;

static World world_open(const char *spec, const char *evaluation, const KnSearchOptions *options)
{
    World world = {.context = test_context()};
    KnError error;
    KnSearchOptions usual = kn_search_options();
    usual.table_bytes = 1 << 20;
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    check_ok(error,
             kn_evaluation_open_text(world.context, world.game, evaluation, &world.evaluation, &error));
    world.state = kn_state_new(world.game);
    world.search = kn_search_new(world.game, world.evaluation, options ? options : &usual, &error);
    assert_non_null(world.search);
    return world;
}

static void world_close(World *world)
{
    kn_search_free(world->search);
    kn_state_free(world->state);
    kn_evaluation_close(world->evaluation);
    kn_game_close(world->game);
    kn_close(world->context);
}

static void place(World *world, const char *text)
{
    KnError error;
    _Alignas(16) unsigned char position[256];
    check_ok(error, world->game->type->parse_position(world->game, text, position, &error));
    kn_state_reset(world->state, position);
}

static KnSearchResult run(World *world, const KnSearchRequest *request)
{
    KnError error;
    KnSearchResult result;
    KnHistory history = kn_state_history(world->state);
    check_ok(error, kn_search_run(world->search, kn_state_position(world->state), &history, request, &result,
                                  &error));
    return result;
}

static void random_moves(World *world, KnRng *rng, int plies)
{
    KnError error;
    KnMove moves[512];
    for (int i = 0; i < plies; i++) {
        int mover = world->game->type->mover(world->game, kn_state_position(world->state));
        int count = kn_state_moves(world->state, mover, moves);
        if (count)
            check_ok(error, kn_state_play(world->state, moves[kn_rng_below(rng, (uint32_t)count)], &error));
    }
}

static void tictactoe_is_a_draw(void **state)
{
    (void)state;
    World world = world_open("tictactoe", "zero", NULL);
    KnSearchResult result = run(&world, &(KnSearchRequest){.all_values = true});
    assert_true(result.completed);
    assert_int_equal(result.score, 0);
    assert_int_equal(result.root_count, 9);
    for (int i = 0; i < 9; i++) assert_int_equal(result.root[i].score, 0);
    assert_int_equal(result.pv_length, 9);
    world_close(&world);
    world = world_open("tictactoe(lose)", "zero", NULL);
    result = run(&world, &(KnSearchRequest){.all_values = true});
    for (int i = 0; i < 9; i++)
        if (result.root[i].move == 4)
            assert_int_equal(result.root[i].score, 0);
        else
            assert_true(result.root[i].score < -KN_SCORE_PROVEN); /* only the centre draws */
    world_close(&world);
}

/* Scores include the distance: nearer wins count more, and losses are delayed. */
static void nearest_wins_and_farthest_losses(void **state)
{
    (void)state;
    World world = world_open("tictactoe", "lines", NULL);
    place(&world, "xx./oo./... x");
    KnSearchResult result = run(&world, &(KnSearchRequest){.budget = {.depth = 6}});
    assert_int_equal(result.score, KN_SCORE_WIN - 1);
    assert_int_equal(result.move, 2);
    assert_int_equal(result.depth, 1); /* deeper could not change it */
    assert_true(result.completed);
    place(&world, "x.x/.o./x.o o"); /* two threats, one parry */
    result = run(&world, &(KnSearchRequest){.budget = {.depth = 6}});
    assert_int_equal(result.score, -KN_SCORE_WIN + 2);
    world_close(&world);
}

static void only_allowed_moves_are_searched(void **state)
{
    (void)state;
    KnError error;
    World world = world_open("tictactoe", "lines", NULL);
    place(&world, "xx./oo./... x");
    KnMove allowed[] = {8, 6};
    KnSearchResult result =
        run(&world, &(KnSearchRequest){.allowed = allowed, .allowed_count = 2, .budget = {.depth = 5}});
    assert_int_equal(result.root_count, 2);
    assert_int_equal(result.root[0].move, 8);
    assert_int_equal(result.root[1].move, 6);
    assert_int_equal(result.score, -KN_SCORE_WIN + 2); /* o completes its row */
    assert_true(result.move == 8 || result.move == 6);
    const void *position = kn_state_position(world.state);
    KnMove wrong[] = {8, 0};
    check_fails(error, KN_INPUT, "allowed move 2",
                kn_search_run(world.search, position, NULL,
                              &(KnSearchRequest){.allowed = wrong, .allowed_count = 2}, &result, &error));
    check_fails(
        error, KN_USAGE, "between 1 and 9",
        kn_search_run(world.search, position, NULL, &(KnSearchRequest){.allowed = wrong}, &result, &error));
    place(&world, "xxx/oo./... o");
    check_fails(error, KN_INPUT, "over",
                kn_search_run(world.search, kn_state_position(world.state), NULL, &(KnSearchRequest){0},
                              &result, &error));
    world_close(&world);
}

/* Nine equal moves are drawn evenly, whatever the order in which they are searched. */
static void ties_are_drawn_evenly(void **state)
{
    (void)state;
    enum { DRAWS = 9000 };
    World world = world_open("tictactoe", "zero", NULL);
    KnRng rng = kn_rng_seeded(11);
    long counts[9] = {0};
    for (int i = 0; i < DRAWS; i++) {
        KnRng twin = rng;
        KnSearchResult result = run(&world, &(KnSearchRequest){.budget = {.depth = 1 + i % 3}, .rng = &rng});
        KnMove move = result.move;
        counts[move]++;
        if (i % 10) continue;
        result = run(&world,
                     &(KnSearchRequest){.budget = {.depth = 1 + i % 3}, .rng = &twin, .all_values = true});
        assert_int_equal(result.move, move);
        assert_memory_equal(&twin, &rng, sizeof rng);
    }
    double chi = 0;
    for (int i = 0; i < 9; i++)
        chi += (double)((counts[i] - DRAWS / 9) * (counts[i] - DRAWS / 9)) / (DRAWS / 9.0);
    assert_true(chi < 26.1); /* 8 degrees of freedom, one in a thousand */
    KnSearchResult first = run(&world, &(KnSearchRequest){.budget = {.depth = 2}});
    assert_int_equal(first.move, first.root[0].move); /* without a generator the first */
    world_close(&world);
}

static bool same(const KnSearchResult *a, const KnSearchResult *b)
{
    return a->move == b->move && a->score == b->score && a->depth == b->depth && a->nodes == b->nodes &&
           a->pv_length == b->pv_length;
}

/* A node budget is exact, and a cleared search repeats its result. */
static void node_budgets_are_exact_and_repeatable(void **state)
{
    (void)state;
    World used = world_open("checkers", NULL, NULL), fresh = world_open("checkers", NULL, NULL);
    KnRng rng = kn_rng_seeded(3);
    for (uint64_t nodes = 1; nodes < 100000; nodes = nodes * 3 + 1) {
        kn_state_reset(used.state, NULL);
        random_moves(&used, &rng, 10);
        kn_state_reset(fresh.state, kn_state_position(used.state));
        kn_state_reset(used.state, kn_state_position(used.state));
        run(&used, &(KnSearchRequest){.budget = {.depth = 7}}); /* fills the table */
        kn_search_clear(used.search);
        kn_search_clear(fresh.search);
        KnRng one = kn_rng_seeded(nodes), two = one;
        KnSearchResult a = run(&used, &(KnSearchRequest){.budget = {.nodes = nodes}, .rng = &one});
        KnSearchResult b = run(&fresh, &(KnSearchRequest){.budget = {.nodes = nodes}, .rng = &two});
        assert_true(same(&a, &b));
        if (kn_state_over(used.state, NULL)) continue;
        assert_int_equal(a.nodes, nodes);
        assert_int_equal(a.stop, KN_STOP_NODES);
        assert_false(a.completed);
    }
    world_close(&used);
    world_close(&fresh);
}

/* A slow evaluation simulates a slow game. */
static KnScore score_slowly(const KnEvaluation *self, const void *position)
{
    (void)position;
    double until = kn_clock_now() + *(const double *)self->data;
    while (kn_clock_now() < until) {
    }
    return 0;
}

/* A search ends within 10 ms of its time limit, even if nodes take a millisecond or suddenly become slow.
 * Other work on the machine may delay one run, but not all of several. */
static void time_budgets_are_kept(void **state)
{
    (void)state;
    static const double node_seconds[] = {0, 0.00002, 0.001};
    for (int i = 0; i < 3; i++) {
        World world = world_open("checkers", NULL, NULL);
        double pace = node_seconds[i];
        KnEvaluation slow = {.game = world.game, .score = score_slowly, .data = &pace};
        KnSearchOptions options = kn_search_options();
        KnError error;
        if (pace > 0) {
            kn_search_free(world.search);
            world.search = kn_search_new(world.game, &slow, &options, &error);
        }
        double least = 1;
        for (int attempt = 0; attempt < 100 && least > 0.01; attempt++) {
            double limit = 0.03, start = kn_clock_now();
            KnSearchResult result = run(&world, &(KnSearchRequest){.budget = {.seconds = limit}});
            double over = kn_clock_now() - start - limit;
            assert_int_equal(result.stop, KN_STOP_TIME);
            assert_true(over >= -1e-6);
            assert_true(result.seconds >= limit);
            if (over < least) least = over;
        }
        assert_true(least < 0.01);
        world_close(&world);
    }
}

static void *cancel_soon(void *flag)
{
    double until = kn_clock_now() + 0.02;
    while (kn_clock_now() < until) {
    }
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void a_cancelled_search_ends_with_what_it_has(void **state)
{
    (void)state;
    World world = world_open("checkers", NULL, NULL);
    atomic_bool cancel = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &cancel), 0);
    KnSearchResult result = run(&world, &(KnSearchRequest){.cancel = &cancel});
    pthread_join(thread, NULL);
    assert_int_equal(result.stop, KN_STOP_CANCEL);
    assert_false(result.completed);
    assert_true(result.depth > 0 && result.pv_length > 0);
    world_close(&world);
}

static bool stop_at_three(void *user, const KnSearchResult *so_far)
{
    int *calls = user;
    assert_int_equal(so_far->depth, ++*calls);
    assert_true(so_far->move == so_far->pv[0]);
    return so_far->depth < 3;
}

static void a_caller_can_stop_after_any_depth(void **state)
{
    (void)state;
    World world = world_open("checkers", NULL, NULL);
    int calls = 0;
    KnSearchResult result =
        run(&world, &(KnSearchRequest){.budget = {.depth = 9}, .after_depth = stop_at_three, .user = &calls});
    assert_int_equal(calls, 3);
    assert_int_equal(result.depth, 3);
    assert_false(result.completed);
    world_close(&world);
}

/* If the budget ends the search, the values of all moves are of the same depth. */
static void values_of_all_moves_are_of_one_depth(void **state)
{
    (void)state;
    World world = world_open("checkers", NULL, NULL), plain = world_open("checkers", NULL, NULL);
    KnRng rng = kn_rng_seeded(5);
    for (int i = 0; i < 40; i++) {
        kn_state_reset(world.state, NULL);
        random_moves(&world, &rng, 8 + i % 20);
        if (kn_state_over(world.state, NULL)) continue;
        kn_state_reset(plain.state, kn_state_position(world.state));
        kn_state_reset(world.state, kn_state_position(plain.state));
        kn_search_clear(world.search);
        kn_search_clear(plain.search);
        KnSearchResult cut = run(&world, &(KnSearchRequest){.budget = {.nodes = 5000}, .all_values = true});
        if (!cut.depth) continue;
        KnSearchResult whole = run(&plain,
                                   &(KnSearchRequest){.budget = {.depth = cut.depth}, .all_values = true});
        assert_int_equal(cut.root_count, whole.root_count);
        for (int j = 0; j < cut.root_count; j++) {
            assert_int_equal(cut.root[j].bound, KN_BOUND_EXACT);
            assert_int_equal(cut.root[j].score, whole.root[j].score);
        }
        assert_int_equal(cut.score, whole.score);
        assert_int_equal(cut.pv_length, whole.pv_length);
        assert_memory_equal(cut.pv, whole.pv, (size_t)cut.pv_length * sizeof(KnMove));
        assert_memory_equal(cut.leaf, whole.leaf, world.game->position_size);
    }
    world_close(&world);
    world_close(&plain);
}

/* The third occurrence of a position is a draw in draughts: the weaker side finds it, but only with the
 * history. */
static void history_is_respected(void **state)
{
    (void)state;
    KnError error;
    World world = world_open("checkers", "material", NULL);
    place(&world, "W:WK32:BK1,K10"); /* far apart: white shuffles, black is a king up */
    static const char *const shuffle[] = {"32-28", "1-5", "28-32", "5-1", "32-28", "1-5", "28-32"};
    for (size_t i = 0; i < sizeof shuffle / sizeof *shuffle; i++) {
        KnMove move;
        check_ok(error, kn_game_parse_move(world.game, kn_state_position(world.state), (int)(1 - i % 2),
                                           shuffle[i], &move, &error));
        check_ok(error, kn_state_play(world.state, move, &error));
    }
    /* Black to move: 5-1 would make the position of the start for the third time. */
    KnMove again;
    check_ok(error, kn_game_parse_move(world.game, kn_state_position(world.state), 0, "5-1", &again, &error));
    KnSearchResult result = run(&world, &(KnSearchRequest){.budget = {.depth = 1}, .all_values = true});
    for (int i = 0; i < result.root_count; i++)
        if (result.root[i].move == again)
            assert_int_equal(result.root[i].score, 0);
        else
            assert_true(result.root[i].score > 0);
    assert_true(result.move != again);
    check_ok(error,
             kn_search_run(world.search, kn_state_position(world.state), NULL,
                           &(KnSearchRequest){.budget = {.depth = 1}, .all_values = true}, &result, &error));
    for (int i = 0; i < result.root_count; i++) assert_true(result.root[i].score > 0);
    world_close(&world);
}

/* Where a second occurrence draws, white answers 1-5 by going back to the start. That holds only with this
 * past: the same search, asked about the same position without one, must not remember it. */
static void what_depends_on_the_past_is_not_kept(void **state)
{
    (void)state;
    KnError error;
    World world = world_open("checkers(repetition=2)", "material", NULL);
    place(&world, "B:WK32:BK5,K10");
    static const char *const played[] = {"5-1", "32-28"};
    KnMove move, allowed[2];
    for (int i = 0; i < 2; i++) {
        check_ok(error,
                 kn_game_parse_move(world.game, kn_state_position(world.state), i, played[i], &move, &error));
        check_ok(error, kn_state_play(world.state, move, &error));
    }
    const void *position = kn_state_position(world.state);
    check_ok(error, kn_game_parse_move(world.game, position, 0, "1-6", &allowed[0], &error));
    check_ok(error, kn_game_parse_move(world.game, position, 0, "1-5", &allowed[1], &error));
    KnSearchRequest request = {
        .allowed = allowed, .allowed_count = 2, .budget = {.depth = 4}, .all_values = true};
    KnSearchResult result = run(&world, &request);
    assert_int_equal(result.root[0].score, 150);
    assert_int_equal(result.root[1].score, 0);
    kn_state_reset(world.state, kn_state_position(world.state)); /* the past is gone */
    request.all_values = false;                                  /* bounds may come from the table */
    result = run(&world, &request);
    assert_int_equal(result.root[0].score, 150);
    assert_true(result.root[1].score >= 150);
    world_close(&world);
}

typedef struct Pair {
    World *world;
    KnSearchResult result;
} Pair;

static void *run_shared(void *argument)
{
    Pair *pair = argument;
    pair->result = run(pair->world, &(KnSearchRequest){.budget = {.depth = 7}});
    return NULL;
}

/* Two concurrent searches with a shared table find the same as one search alone. */
static void a_table_can_be_shared(void **state)
{
    (void)state;
    KnError error;
    KnTranspositionTable *table = kn_tt_new(1 << 20, &error);
    KnSearchOptions options = kn_search_options();
    World alone = world_open("tictactoe", "zero", NULL);
    options.shared = table;
    World worlds[2] = {world_open("tictactoe", "zero", &options), world_open("tictactoe", "zero", &options)};
    for (int i = 0; i < 20; i++) {
        KnRng rng = kn_rng_seeded((uint64_t)i), twin[2] = {rng, rng};
        pthread_t threads[2];
        Pair pairs[2];
        kn_state_reset(alone.state, NULL);
        random_moves(&alone, &rng, 2);
        for (int j = 0; j < 2; j++) {
            kn_state_reset(worlds[j].state, NULL);
            random_moves(&worlds[j], &twin[j], 2);
            pairs[j] = (Pair){.world = &worlds[j]};
            assert_int_equal(pthread_create(&threads[j], NULL, run_shared, &pairs[j]), 0);
        }
        KnSearchResult truth = run(&alone, &(KnSearchRequest){.budget = {.depth = 7}});
        for (int j = 0; j < 2; j++) {
            pthread_join(threads[j], NULL);
            assert_int_equal(pairs[j].result.score, truth.score);
        }
    }
    world_close(&alone);
    world_close(&worlds[0]);
    world_close(&worlds[1]);
    kn_tt_free(table);
}

/* In normal use of the table values of other depths count; to the end of the game that makes no difference.
 */
static void whole_games_have_minimax_values(void **state)
{
    (void)state;
    static const char *const toys[] = {"toy(length=8)", "toy(length=7, chains)", "toy(length=7, roles=3)",
                                       "toy(length=8, general, payoffs=7)", "toy(length=8, width=4)"};
    KnError error;
    KnContext *context = kn_context_new();
    check_ok(error, kn_register(context, KN_KIND_GAME, &test_toy.head, &error));
    for (long i = 0; i < check_scaled(200); i++) {
        KnText spec = KN_TEXT_EMPTY;
        kn_text_printf(&spec, "%.*s, seed=%ld)", (int)strlen(toys[i % 5]) - 1, toys[i % 5], i);
        KnGame *game;
        KnEvaluation *evaluation;
        check_ok(error, kn_game_open(context, spec.data, &game, &error));
        check_ok(error, kn_evaluation_open(context, game, NULL, &evaluation, &error));
        KnSearchOptions options = kn_search_options();
        options.table_bytes = 1 << 14;
        KnSearch *search = kn_search_new(game, evaluation, &options, &error);
        KnMinimax *minimax = kn_minimax_new(game, evaluation, false, &error);
        _Alignas(16) unsigned char position[64] = {0};
        game->type->start(game, position);
        KnSearchResult a, b;
        KnSearchRequest request = {.all_values = i % 2};
        check_ok(error, kn_search_run(search, position, NULL, &request, &a, &error));
        check_ok(error, kn_minimax_run(minimax, position, NULL, &request, &b, &error));
        if (a.score != b.score) fail_msg("%s: %d, not %d", spec.data, a.score, b.score);
        assert_true(a.completed && a.depth <= 8);
        for (int j = 0; request.all_values && j < a.root_count; j++)
            assert_int_equal(a.root[j].score, b.root[j].score);
        kn_search_free(search);
        kn_minimax_free(minimax);
        kn_evaluation_close(evaluation);
        kn_game_close(game);
        kn_text_free(&spec);
    }
    kn_close(context);
}

static void simultaneous_games_are_refused(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *game;
    check_ok(error, kn_game_open(context, "dilemma", &game, &error));
    KnEvaluation *evaluation;
    check_ok(error, kn_evaluation_open(context, game, NULL, &evaluation, &error));
    KnSearchOptions options = kn_search_options();
    assert_null(kn_search_new(game, evaluation, &options, &error));
    assert_non_null(strstr(error.text, "sequential"));
    kn_evaluation_close(evaluation);
    kn_game_close(game);
    kn_close(context);
}

/* Positions searched and the score, from the start of draughts. */
static uint64_t nodes_of(const KnGame *game, const KnEvaluation *evaluation, bool extend, bool reduce,
                         int depth)
{
    KnError error;
    KnSearchOptions how = kn_search_options();
    how.extend = extend;
    how.width = reduce ? KN_SEARCH_SELECTIVE : KN_SEARCH_FULL;
    how.techniques = (KnTechniques){.reduce = reduce};
    how.table_bytes = 1 << 20;
    KnSearch *search = kn_search_new(game, evaluation, &how, &error);
    assert_non_null(search);
    unsigned char position[64] __attribute__((aligned(16)));
    game->type->start(game, position);
    KnSearchRequest ask = {.budget.depth = depth};
    KnSearchResult found;
    check_ok(error, kn_search_run(search, position, NULL, &ask, &found, &error));
    assert_int_equal(found.depth, depth);
    uint64_t nodes = found.nodes;
    kn_search_free(search);
    return nodes;
}

static void extensions_look_further_and_reductions_less(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *game;
    KnEvaluation *evaluation;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    check_ok(error, kn_evaluation_open(context, game, NULL, &evaluation, &error));
    uint64_t plain = nodes_of(game, evaluation, false, false, 9);
    assert_true(nodes_of(game, evaluation, false, true, 9) < plain * 3 / 4);
    assert_true(nodes_of(game, evaluation, true, false, 7) > nodes_of(game, evaluation, false, false, 7));
    kn_evaluation_close(evaluation);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extensions_look_further_and_reductions_less),
        cmocka_unit_test(tictactoe_is_a_draw),
        cmocka_unit_test(nearest_wins_and_farthest_losses),
        cmocka_unit_test(only_allowed_moves_are_searched),
        cmocka_unit_test(ties_are_drawn_evenly),
        cmocka_unit_test(node_budgets_are_exact_and_repeatable),
        cmocka_unit_test(time_budgets_are_kept),
        cmocka_unit_test(a_cancelled_search_ends_with_what_it_has),
        cmocka_unit_test(a_caller_can_stop_after_any_depth),
        cmocka_unit_test(values_of_all_moves_are_of_one_depth),
        cmocka_unit_test(history_is_respected),
        cmocka_unit_test(what_depends_on_the_past_is_not_kept),
        cmocka_unit_test(a_table_can_be_shared),
        cmocka_unit_test(whole_games_have_minimax_values),
        cmocka_unit_test(simultaneous_games_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
