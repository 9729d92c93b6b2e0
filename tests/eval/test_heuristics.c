/* Mobility, focus, goals and proximity on positions where they can be counted by hand; blends with given and
 * with fitted weights. */
#include "support/check.h"
#include "support/instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/blend.h"
#include "eval/heuristics.h"
#include "eval/sampler.h"

typedef struct World {
    KnContext *context;
    KnGame *game;
    void *position;
} World;

static World world_open(const char *spec, const char *position)
{
    KnError error;
    World world = {.context = test_context()};
    check_ok(error, kn_evaluations_register(world.context, &error));
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    world.position = aligned_alloc(16, (world.game->position_size + 15) & ~(size_t)15);
    if (position)
        check_ok(error, world.game->type->parse_position(world.game, position, world.position, &error));
    else
        world.game->type->start(world.game, world.position);
    return world;
}

static void world_close(World *world)
{
    free(world->position);
    kn_game_close(world->game);
    kn_close(world->context);
}

static KnEvaluation *opened(const World *world, const char *spec)
{
    KnError error;
    KnEvaluation *evaluation;
    check_ok(error, kn_evaluation_open_text(world->context, world->game, spec, &evaluation, &error));
    check_ok(error, kn_evaluation_prepare(evaluation, 0, &error));
    return evaluation;
}

/* The value of the position for a role, from 0 to 100, and the number of positions played for it. */
static double value(const World *world, const char *spec, int role, uint64_t *plays)
{
    KnEvaluation *evaluation = opened(world, spec);
    *plays = 0;
    KnScore score = kn_evaluate_counted(evaluation, world->position, role, plays);
    double percent = kn_percent_of_score(evaluation, score);
    assert_true(score == kn_evaluate_for(evaluation, world->position, role));
    assert_true(percent >= 0 && percent <= 100);
    kn_evaluation_close(evaluation);
    return percent;
}

static void check_value(const World *world, const char *spec, int role, double expected, uint64_t cost)
{
    uint64_t plays;
    double got = value(world, spec, role, &plays);
    if (fabs(got - expected) > 0.0626) fail_msg("%s for role %d: %.3f, not %.3f", spec, role, got, expected);
    if (plays != cost)
        fail_msg("%s: %llu positions, not %llu", spec, (unsigned long long)plays, (unsigned long long)cost);
}

/* 9 marks and noop are feasible for each role; 9 - k cells are free after k marks. */
static void mobility_counts_actions(void **state)
{
    (void)state;
    World world = world_open("gdl:tictactoe", NULL);
    int all = kn_feasible(world.game, 0);
    assert_int_equal(all, 10);
    check_value(&world, "mobility", 0, 100.0 * 9 / all, 0);
    check_value(&world, "mobility", 1, 100.0 / all, 0);
    check_value(&world, "focus", 0, 100 - 100.0 * 9 / all, 0);
    check_value(&world, "focus(who=others)", 0, 100 - 100.0 / all, 0);
    check_value(&world, "mobility(who=both)", 0, 50 + 50.0 * 8 / all, 0);
    check_value(&world, "mobility(who=both)", 1, 50 - 50.0 * 8 / all, 0);
    /* One step later the other role has 8 moves and the role itself waits; after two steps it has 7. */
    check_value(&world, "mobility(steps=1)", 0, 100.0 / all, 9);
    check_value(&world, "mobility(steps=1, who=others)", 0, 100.0 * 8 / all, 9);
    check_value(&world, "mobility(steps=2)", 0, 100.0 * 7 / all, 9 + 72);
    /* States within two steps: 9, and 9 x 8. Within three: as many again, and 9 8 7 / 2 in which the first
     * two marks may be exchanged. */
    check_value(&world, "mobility(steps=2, basis=states, plays=200)", 0, 100.0 * (9 + 72) / 200, 9 + 72);
    check_value(&world, "mobility(steps=3, basis=states, plays=1000)", 1, 100.0 * (9 + 72 + 252) / 1000,
                9 + 72 + 504);
    check_value(&world, "mobility(steps=3, basis=states, plays=50)", 1, 100.0,
                50); /* all 50 of the first ways differ */
    world_close(&world);
}

/* Simultaneous moves: all roles have moves, and a step is a joint move. */
static void mobility_of_simultaneous_moves(void **state)
{
    (void)state;
    World world = world_open("gdl:roshambo", NULL);
    KnMove moves[64];
    int a = kn_game_moves_of(world.game, world.position, 0, moves),
        b = kn_game_moves_of(world.game, world.position, 1, moves);
    check_value(&world, "mobility", 0, 100.0 * a / kn_feasible(world.game, 0), 0);
    uint64_t plays;
    value(&world, "mobility(steps=1)", 0, &plays);
    assert_int_equal(plays, a * b);
    world_close(&world);
}

static void other_games_take_the_most_moves_for_feasible(void **state)
{
    (void)state;
    World world = world_open("othello", NULL);
    check_value(&world, "mobility(steps=0)", 0, 100.0 * 4 / world.game->max_moves,
                0); /* with options: Othello has one of its own */
    check_value(&world, "mobility(who=own)", 1, 0, 0);
    check_value(&world, "mobility(steps=1)", 1, 100.0 * 3 / world.game->max_moves,
                4); /* white has 3 replies to each first move */
    world_close(&world);
}

static void goals_are_read_before_the_end(void **state)
{
    (void)state;
    World world = world_open("gdl:nim3", NULL);
    KnEvaluation *goal = opened(&world, "goal");
    for (int role = 0; role < world.game->roles; role++) {
        KnScore score = kn_evaluate_for(goal, world.position, role);
        assert_true(score >= -KN_SCORE_PAYOFF && score <= KN_SCORE_PAYOFF);
    }
    kn_evaluation_close(goal);
    world_close(&world);
    KnError error;
    KnEvaluation *evaluation;
    world = world_open("othello", NULL);
    check_fails(error, KN_INPUT, "no goal value before its end",
                kn_evaluation_open_text(world.context, world.game, "goal", &evaluation, &error));
    world_close(&world);
    world = world_open("dilemma", NULL);
    check_fails(error, KN_INPUT, "has neither facts nor a board",
                kn_evaluation_open_text(world.context, world.game, "proximity", &evaluation, &error));
    check_fails(
        error, KN_INPUT, "needs steps of at least 1",
        kn_evaluation_open_text(world.context, world.game, "mobility(basis=states)", &evaluation, &error));
    check_fails(error, KN_INPUT, "makes no difference",
                kn_evaluation_open_text(world.context, world.game,
                                        "mobility(basis=states, steps=1, who=both)", &evaluation, &error));
    check_fails(error, KN_INPUT, "2 numbers with commas",
                kn_evaluation_open_text(world.context, world.game,
                                        "blend(mobility, focus, weights=\"1,2,3,4\")", &evaluation, &error));
    check_fails(error, KN_INPUT, "2 numbers with commas",
                kn_evaluation_open_text(world.context, world.game, "blend(mobility, focus, weights=\"1,x\")",
                                        &evaluation, &error));
    world_close(&world);
}

static bool wins_at_once(const KnGame *game, const void *position)
{
    KnMove moves[16];
    double payoffs[2];
    const int count = game->type->moves(game, position, moves), mover = game->type->mover(game, position);
    for (int i = 0; i < count; i++) {
        unsigned char next[game->position_size] __attribute__((aligned(16)));
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        if (!kn_game_over(game, next)) continue;
        game->type->payoffs(game, next, payoffs);
        if (payoffs[mover] == 1) return true;
    }
    return false;
}

/* A sampler that always prefers what its judge prefers never passes by a win. */
static void samples_prefer_what_the_judge_prefers(void **state)
{
    (void)state;
    World world = world_open("tictactoe", NULL);
    KnError error;
    KnEvaluation *zero;
    int wins = 0;
    check_ok(error, kn_evaluation_open_text(world.context, world.game, "zero", &zero, &error));
    KnSampler *sampler = kn_sampler_new(world.game, 3, 20000, 0, &error);
    kn_sampler_prefer(sampler, zero, 0);
    for (int i = 0; i < 30; i++) {
        bool winning;
        do winning = wins_at_once(world.game, kn_sampler_position(sampler));
        while (kn_sampler_step(sampler) && !winning);
        double payoffs[2];
        assert_true(!winning || kn_sampler_over(sampler, payoffs));
        wins += winning;
        kn_sampler_again(sampler);
    }
    assert_true(wins > 5);
    kn_sampler_free(sampler);
    kn_evaluation_close(zero);
    world_close(&world);
}

/* The test replays the random games of the evaluation: a desirable end has the value 100, and 8 of 9 shared
 * facts have 8/9. Without preparation it knows no ends and still returns a value. */
static void proximity_knows_the_ends_it_met(void **state)
{
    (void)state;
    World world = world_open("tictactoe", NULL);
    KnError error;
    KnEvaluation *proximity;
    check_ok(error, kn_evaluation_open_text(world.context, world.game, "proximity(games=20, seed=5)",
                                            &proximity, &error));
    assert_int_equal(kn_evaluate_for(proximity, world.position, 0), kn_score_of_percent(0));
    check_ok(error, kn_evaluation_prepare(proximity, 0, &error));
    KnSampler *sampler = kn_sampler_new(world.game, 5, 20000, 0, &error);
    unsigned char before[world.game->position_size] __attribute__((aligned(16)));
    int good = 0;
    for (int i = 0; i < 20; i++) {
        do memcpy(before, kn_sampler_position(sampler), sizeof before);
        while (kn_sampler_step(sampler) && !kn_game_over(world.game, kn_sampler_position(sampler)));
        double payoffs[2];
        assert_true(kn_sampler_over(sampler, payoffs));
        double end = kn_percent_of_score(proximity,
                                         kn_evaluate_for(proximity, kn_sampler_position(sampler), 0));
        double last = kn_percent_of_score(proximity, kn_evaluate_for(proximity, before, 0));
        if (payoffs[0] == 1 && good++ < 16) {
            assert_true(end == 100);
            assert_true(last >= 100.0 * 8 / 9 - 0.1 && last < 100);
        }
        assert_true(payoffs[0] == 1 || end < 100);
        kn_sampler_again(sampler);
    }
    assert_true(good > 3 && good < 17);
    kn_sampler_free(sampler);
    kn_evaluation_close(proximity);
    world_close(&world);
}

/* The same spec gives the same evaluation, in any thread. */
static void preparing_is_repeatable(void **state)
{
    (void)state;
    World world = world_open("gdl:connectfour", NULL);
    KnEvaluation *a = opened(&world, "blend(fit=40)"), *b = opened(&world, "blend(fit=40)"),
                 *c = opened(&world, "blend(fit=40, seed=2)");
    bool differs = false;
    for (int role = 0; role < 2; role++)
        for (int i = 0; i <= 3; i++) { /* three parts, and the bias */
            assert_true(kn_blend_weights(a, role)[i] == kn_blend_weights(b, role)[i]);
            differs |= kn_blend_weights(a, role)[i] != kn_blend_weights(c, role)[i];
        }
    assert_true(differs);
    kn_evaluation_close(a);
    kn_evaluation_close(b);
    kn_evaluation_close(c);
    world_close(&world);
}

static void blends_weigh_their_parts(void **state)
{
    (void)state;
    World world = world_open("gdl:tictactoe", NULL);
    check_value(&world, "blend(mobility, focus)", 0, 50, 0);
    check_value(&world, "blend(mobility, focus, weights=\"0.5,0\")", 0, 45, 0);
    check_value(&world, "blend(mobility, weights=\"-1,100\")", 0, 10, 0);
    check_value(&world, "blend(mobility, weights=\"9\")", 0, 100, 0); /* clamped to 0 to 100 */
    check_value(&world, "blend(mobility(steps=1), mobility(steps=2), weights=\"0,0,25\")", 1, 25, 9 + 81);
    KnEvaluation *blend = opened(&world, "blend(mobility, focus)");
    assert_int_equal(kn_evaluate_for(blend, world.position, 0), kn_score_of_percent(50));
    double values[2];
    uint64_t plays = 0;
    kn_blend_values(blend, world.position, 0, values, &plays);
    assert_true(fabs(values[0] - 90) < 0.1 && fabs(values[1] - 10) < 0.1);
    kn_evaluation_close(blend);
    world_close(&world);
}

/* Mobility is good in Othello, even in random games, and equally for both roles. */
static void fitting_finds_what_wins(void **state)
{
    (void)state;
    World world = world_open("othello", NULL);
    KnEvaluation *blend = opened(&world, "blend(mobility(who=both, steps=1), fit=300, nodes=1000000)");
    assert_true(kn_blend_weights(blend, 0)[0] > 0);
    assert_true(kn_blend_weights(blend, 0)[0] == kn_blend_weights(blend, 1)[0]); /* zero-sum: one vector */
    kn_evaluation_close(blend);
    world_close(&world);
}

static void percents_are_scores(void **state)
{
    (void)state;
    World world = world_open("gdl:tictactoe", NULL);
    KnEvaluation *evaluation = opened(&world, "mobility");
    for (double v = 0; v <= 100; v += 0.125)
        assert_true(fabs(kn_percent_of_score(evaluation, kn_score_of_percent(v)) - v) < 1e-4);
    assert_int_equal(kn_score_of_percent(50), 0);
    assert_int_equal(kn_score_of_percent(-3), -KN_SCORE_PAYOFF);
    assert_int_equal(kn_score_of_percent(1e9), KN_SCORE_PAYOFF);
    assert_int_equal(kn_score_of_percent(NAN), -KN_SCORE_PAYOFF);
    kn_evaluation_close(evaluation);
    evaluation = opened(&world, "zero"); /* in men */
    assert_true(fabs(kn_percent_of_score(evaluation, 300) - 75) < 1e-9 &&
                fabs(kn_percent_of_score(evaluation, -300) - 25) < 1e-9);
    kn_evaluation_close(evaluation);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mobility_counts_actions),
        cmocka_unit_test(mobility_of_simultaneous_moves),
        cmocka_unit_test(other_games_take_the_most_moves_for_feasible),
        cmocka_unit_test(goals_are_read_before_the_end),
        cmocka_unit_test(samples_prefer_what_the_judge_prefers),
        cmocka_unit_test(proximity_knows_the_ends_it_met),
        cmocka_unit_test(preparing_is_repeatable),
        cmocka_unit_test(blends_weigh_their_parts),
        cmocka_unit_test(fitting_finds_what_wins),
        cmocka_unit_test(percents_are_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
