/* Turns of many steps: their cost in depth, the agreement of all searches about it, and searches of crowded
 * boards. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include <knack/base.h>
#include "search/alphabeta.h"
#include "search/minimax.h"

typedef struct World {
    KnContext *context;
    KnGame *game;
    KnEvaluation *evaluation;
} World;

static World world_open(const char *spec)
{
    World world = {.context = test_context()};
    KnError error;
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    check_ok(error,
             kn_evaluation_open_text(world.context, world.game, "distance", &world.evaluation, &error));
    return world;
}

static void world_close(World *world)
{
    kn_evaluation_close(world->evaluation);
    kn_game_close(world->game);
    kn_close(world->context);
}

/* A pseudo-random evaluation reveals every mistake of the search: hardly any two positions have equal scores.
 */
static KnScore score_fine(const KnEvaluation *self, const void *position)
{
    return (KnScore)(kn_mix64(self->game->type->hash(self->game, position)) % 200001) - 100000;
}

static KnSearch *search_open(const World *world, const KnEvaluation *evaluation, bool quiescence,
                             KnTableUse table)
{
    KnError error;
    KnSearchOptions options = kn_search_options();
    options.quiescence = quiescence;
    options.table = table;
    options.table_bytes = 1 << 20;
    KnSearch *search = kn_search_new(world->game, evaluation, &options, &error);
    assert_non_null(search);
    return search;
}

static KnSearchResult run(KnSearch *search, const void *position, KnBudget budget)
{
    KnError error;
    KnSearchResult result;
    check_ok(error,
             kn_search_run(search, position, NULL, &(KnSearchRequest){.budget = budget}, &result, &error));
    return result;
}

/* Seven jumps to the east, then three to the north, the last of which scores. */
static const char ten_jumps[] =
    ".............../..............o/.............../..............o/.............../..............o/"
    "*o.o.o.o.o.o.o./"
    ".............../.............../.............../.............../.............../.............../"
    ".............../"
    ".............../.............../.............../.............../............... n -";

static void steps_beyond_the_eighth_cost_depth(void **state)
{
    (void)state;
    World world = world_open("phutball");
    KnError error;
    _Alignas(16) unsigned char position[256];
    check_ok(error, world.game->type->parse_position(world.game, ten_jumps, position, &error));
    KnMinimax *minimax = kn_minimax_new(world.game, world.evaluation, false, &error);
    KnSearch *plain = search_open(&world, world.evaluation, false, KN_TABLE_ON),
             *quiet = search_open(&world, world.evaluation, true, KN_TABLE_ON);
    KnSearchResult result = run(plain, position, (KnBudget){.depth = 1});
    assert_int_equal(result.score, 1400); /* after nine: two lines from the goal, 16 from the other */
    assert_int_equal(result.pv_length, 9);
    check_ok(error, kn_minimax_run(minimax, position, NULL, &(KnSearchRequest){.budget = {.depth = 1}},
                                   &result, &error));
    assert_int_equal(result.score, 1400);
    result = run(plain, position, (KnBudget){.depth = 2});
    assert_int_equal(result.score, KN_SCORE_WIN - 10);
    result = run(quiet, position, (KnBudget){.depth = 1}); /* a jump that scores is tactical */
    assert_int_equal(result.score, KN_SCORE_WIN - 10);
    kn_search_free(plain);
    kn_search_free(quiet);
    kn_minimax_free(minimax);
    world_close(&world);
}

/* The ball in the middle, and a man on each point of the inner lines with this chance; `edge` lines at either
 * end stay empty. */
static void crowd(const KnGame *game, int width, int height, int edge, int percent, KnRng *rng,
                  void *position)
{
    KnError error;
    char text[400];
    int length = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            bool man = y >= edge && y < height - edge && (int)kn_rng_below(rng, 100) < percent;
            text[length++] = y == height / 2 && x == width / 2 ? '*' : man ? 'o' : '.';
        }
        text[length++] = '/';
    }
    strcpy(text + length - 1, " n -");
    check_ok(error, game->type->parse_position(game, text, position, &error));
}

static void long_chains_have_minimax_values(void **state)
{
    (void)state;
    World world = world_open("phutball(width=11, height=17)");
    KnError error;
    _Alignas(16) unsigned char position[256];
    KnRng rng = kn_rng_seeded(3);
    KnEvaluation fine = {.game = world.game, .score = score_fine};
    KnMinimax *minimax = kn_minimax_new(world.game, &fine, false, &error);
    KnSearch *searches[2] = {search_open(&world, &fine, false, KN_TABLE_EXACT),
                             search_open(&world, &fine, false, KN_TABLE_OFF)};
    int longer = 0, won = 0;
    for (long i = 0; i < check_scaled(200); i++) {
        KnSearchResult truth;
        crowd(world.game, 11, 17, i % 4 ? 5 : 1, 60, &rng, position);
        check_ok(error,
                 kn_minimax_run(minimax, position, NULL,
                                &(KnSearchRequest){.budget = {.depth = 1, .nodes = 100000}}, &truth, &error));
        if (!truth.completed) continue;
        for (int s = 0; s < 2; s++) {
            KnSearchResult result;
            KnSearchRequest all = {.budget = {.depth = 1}, .all_values = true};
            check_ok(error, kn_search_run(searches[s], position, NULL, &all, &result, &error));
            assert_int_equal(result.score, truth.score);
            for (int r = 0; r < result.root_count; r++)
                assert_int_equal(result.root[r].score, truth.root[r].score);
        }
        longer += truth.nodes > 2000;
        won += truth.score > KN_SCORE_PROVEN;
    }
    assert_true(check_scaled(200) < 200 ||
                (longer >= 20 && won >= 20)); /* the sample must contain such cases */
    for (int s = 0; s < 2; s++) kn_search_free(searches[s]);
    kn_minimax_free(minimax);
    world_close(&world);
}

/* On full boards a turn has too many ends for an exhaustive search: 40 million positions were not enough. */
static void crowded_boards_can_be_searched(void **state)
{
    (void)state;
    World world = world_open("phutball");
    _Alignas(16) unsigned char position[256];
    KnRng rng = kn_rng_seeded(4);
    KnSearch *search = search_open(&world, world.evaluation, true, KN_TABLE_ON);
    for (long i = 0; i < check_scaled(20); i++) {
        crowd(world.game, 15, 19, 1 + 3 * (int)(i % 2), 40 + 5 * (int)(i % 5), &rng, position);
        KnSearchResult result = run(search, position, (KnBudget){.depth = 1, .nodes = 200000});
        assert_true(result.completed);
    }
    kn_search_free(search);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_beyond_the_eighth_cost_depth),
        cmocka_unit_test(long_chains_have_minimax_values),
        cmocka_unit_test(crowded_boards_can_be_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
