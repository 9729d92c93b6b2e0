/* The trial of a learned evaluation: it takes the place of playouts where it plays better and only there, the
 * same every time, and not without enough games. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "methods/general/trial.h"

typedef struct World {
    KnContext *context;
    KnGame *game;
    KnEvaluation *learned;
    KnMctsSimultaneous *search;
} World;

static World world_open(const char *spec)
{
    KnError error;
    World world = {.context = test_context()};
    KnMctsSimultaneousOptions options = kn_mcts_simultaneous_options();
    options.bytes = 4 << 20;
    check_ok(error, kn_evaluations_register(world.context, &error));
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    check_ok(error, kn_evaluation_open_text(world.context, world.game, "facts(state, games=200)",
                                            &world.learned, &error));
    check_ok(error, kn_evaluation_prepare(world.learned, 0, &error));
    world.search = kn_mcts_simultaneous_new(world.game, &options, &error);
    assert_non_null(world.search);
    return world;
}

static void world_close(World *world)
{
    kn_mcts_simultaneous_free(world->search);
    kn_evaluation_close(world->learned);
    kn_game_close(world->game);
    kn_close(world->context);
}

/* What is good for one role is said to be good for the other. */
static KnScore exchanged(const KnEvaluation *self, const void *position, int role)
{
    return -kn_evaluate_for(self->data, position, role);
}

static KnTrial tried(const World *world, const KnEvaluation *evaluation, double seconds)
{
    KnError error;
    KnTrial trial;
    KnTrialPlan plan = kn_trial_plan();
    plan.nodes = 300;
    plan.seconds = seconds;
    check_ok(error, kn_trial_run(world->game, world->search, evaluation, &plan, &trial, &error));
    return trial;
}

/* Whether the search makes playouts, for the first role of a game that it begins. */
static bool makes_playouts(const World *world)
{
    KnError error;
    KnSearchResult result;
    KnRng rng = kn_rng_seeded(1);
    unsigned char start[world->game->position_size] __attribute__((aligned(16)));
    memset(start, 0, sizeof start);
    world->game->type->start(world->game, start);
    kn_mcts_simultaneous_limit(world->search, 10);
    check_ok(error, kn_mcts_simultaneous_run(world->search, start, 0, &(KnSearchRequest){.rng = &rng},
                                             &result, &error));
    return result.playouts > 0;
}

static void better_is_used(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnTrial once = tried(&world, world.learned, 0);
    assert_true(once.evaluates && once.games >= 9 && once.points > 8);
    assert_false(makes_playouts(&world));
    KnTrial again = tried(&world, world.learned, 0);
    assert_true(again.games == once.games && again.points == once.points);
    world_close(&world);
}

static void worse_is_not(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnEvaluation wrong = {.game = world.game, .score_for = exchanged, .payoffs = true, .data = world.learned};
    KnTrial trial = tried(&world, &wrong, 0);
    assert_true(!trial.evaluates && trial.games == 4 && trial.points == 0); /* it cannot win any more */
    assert_true(makes_playouts(&world));
    world_close(&world);
}

static void time_decides_nothing(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnTrial trial = tried(&world, world.learned, 1e-9);
    assert_true(!trial.evaluates && trial.games == 0);
    assert_true(makes_playouts(&world));
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(better_is_used), cmocka_unit_test(worse_is_not),
                                       cmocka_unit_test(time_decides_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
