/* Weights learned before a game: the same seed gives the same weights, good moves get larger values, both
 * roles agree. */
#include "support/check.h"
#include "support/instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/blend.h"
#include "eval/fact_features.h"

static KnContext *context;

static int open_all(void **state)
{
    (void)state;
    KnError error;
    context = test_context();
    check_ok(error, kn_evaluations_register(context, &error));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    kn_close(context);
    return 0;
}

static void near(double a, double b, double by)
{
    if (!(fabs(a - b) <= by)) fail_msg("%.17g is not %.17g", a, b);
}

static double percent(const KnEvaluation *evaluation, const char *text, int role)
{
    KnError error;
    const KnGame *game = evaluation->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    check_ok(error, game->type->parse_position(game, text, position, &error));
    return kn_percent_of_score(evaluation, kn_evaluate_for(evaluation, position, role));
}

static KnEvaluation *opened(const KnGame *game, const char *spec)
{
    KnError error;
    KnEvaluation *evaluation;
    check_ok(error, kn_evaluation_open_text(context, game, spec, &evaluation, &error));
    check_ok(error, kn_evaluation_prepare(evaluation, 0, &error));
    return evaluation;
}

static const char centre[] = "(cell 1 1 free) (cell 2 1 o) (cell 3 1 free) (cell 1 2 free) (cell 2 2 x) "
                             "(cell 3 2 free) (cell 1 3 free) (cell 2 3 free) "
                             "(cell 3 3 free) (control x)";
static const char edge[] = "(cell 1 1 free) (cell 2 1 x) (cell 3 1 free) (cell 1 2 free) (cell 2 2 o) (cell "
                           "3 2 free) (cell 1 3 free) (cell 2 3 free) "
                           "(cell 3 3 free) (control x)";

/* The centre of tic-tac-toe gets a larger value than an edge, with random and with greedy games; the value
 * for the other role is the complement. */
static void test_finds_the_middle(void **state)
{
    (void)state;
    static const char *const specs[] = {"facts(games=600, explore=1)",
                                        "facts(games=600, explore=0.3, lambda=0.8)"};
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, "gdl:tictactoe", &game, &error));
    for (size_t i = 0; i < 2; i++) {
        KnEvaluation *a = opened(game, specs[i]), *b = opened(game, specs[i]);
        double middle = percent(a, centre, 0);
        if (middle < percent(a, edge, 0) + 2)
            fail_msg("%s: %g in the middle, %g at the edge", specs[i], middle, percent(a, edge, 0));
        near(middle, percent(b, centre, 0), 0);
        near(middle + percent(a, centre, 1), 100, 0.13);
        kn_evaluation_close(a);
        kn_evaluation_close(b);
    }
    KnEvaluation *first = opened(game, "facts(games=50)"), *second = opened(game, "facts(games=50, seed=2)");
    assert_true(percent(first, centre, 0) != percent(second, centre, 0));
    kn_evaluation_close(first);
    kn_evaluation_close(second);
    kn_game_close(game);
}

/* Games in C have features too; games in GDL with simultaneous moves have none. */
static void test_other_games(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnEvaluation *evaluation;
    check_ok(error, kn_game_open(context, "morris", &game, &error));
    evaluation = opened(game, "facts(games=30)");
    kn_evaluation_close(evaluation);
    kn_game_close(game);
    check_ok(error, kn_game_open(context, "gdl:bidding", &game, &error));
    check_fails(error, KN_INPUT, "choose at once",
                kn_evaluation_open_text(context, game, "facts", &evaluation, &error));
    kn_game_close(game);
}

/* Temporal differences change the weights of a blend, separately for each role, starting from the given ones.
 */
static void test_blend_by_differences(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, "gdl:connectfour", &game, &error));
    KnEvaluation *a = opened(game, "blend(mobility, proximity(who=both), fit=60, by=td)"),
                 *b = opened(game, "blend(mobility, proximity(who=both), fit=60, by=td)");
    KnEvaluation *still = opened(game, "blend(mobility, proximity(who=both), weights=\"0.2,0.7,5\")");
    KnEvaluation *clock = opened(game, "blend(mobility, proximity(who=both), start=700, by=td)"),
                 *many = opened(game, "blend(mobility, proximity(who=both), fit=1000000, nodes=700, by=td)");
    KnEvaluation *begun = opened(
        game,
        "blend(mobility, proximity(who=both), weights=\"0.2,0.7,5\", fit=1, nodes=1, by=td)"); /* no game is
                                                                                                  finished */
    bool moved = false;
    for (int role = 0; role < 2; role++)
        for (int i = 0; i < 4; i++) {
            double weight = kn_blend_weights(a, role)[i];
            assert_true(isfinite(weight) && weight == kn_blend_weights(b, role)[i]);
            moved |= i < 2 && fabs(weight - 0.5) > 0.01;
            assert_true(kn_blend_weights(clock, role)[i] ==
                        kn_blend_weights(many, role)[i]); /* a start clock allows as many games as fit */
            if (i == 0) assert_true(kn_blend_weights(clock, role)[i] != weight);
            near(kn_blend_weights(begun, role)[i], kn_blend_weights(still, role)[i], 1e-9);
        }
    assert_true(moved);
    kn_evaluation_close(a);
    kn_evaluation_close(b);
    kn_evaluation_close(still);
    kn_evaluation_close(begun);
    kn_evaluation_close(clock);
    kn_evaluation_close(many);
    assert_int_equal(kn_evaluation_open_text(context, game, "blend(start=100, fit=3)", &a, &error), KN_INPUT);
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds_the_middle),
                                       cmocka_unit_test(test_other_games),
                                       cmocka_unit_test(test_blend_by_differences)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
