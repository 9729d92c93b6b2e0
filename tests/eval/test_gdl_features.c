/* Features of games in GDL: counted by hand on a board, antisymmetric in the roles, consistent along random
 * games, and an error for simultaneous moves. */
#include "support/check.h"
#include "support/instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/sequential.h"
#include "games/turns.h"
#include "eval/linear.h"
#include "eval/sampler.h"

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

static double value(const KnFeatureSet *terms, const double *values, const char *name)
{
    int at = kn_feature_set_find(terms, name);
    if (at < 0) fail_msg("there is no term \"%s\"", name);
    return values[at];
}

static void test_counted_by_hand(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnFeatureSet *terms;
    check_ok(error, kn_game_open(context, "gdl:tictactoe", &game, &error));
    check_ok(error, kn_feature_set_open(game, NULL, &terms, &error));
    assert_string_equal(terms->name, "features");
    assert_int_equal(
        terms->count,
        3 + 1 + 9); /* x less o is one feature, each cell is one feature, empty cells and turns have none */
    assert_int_equal(kn_feature_set_find(terms, "(control x)"), -1);
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    check_ok(error,
             game->type->parse_position(
                 game,
                 "(cell 1 1 x) (cell 2 1 free) (cell 3 1 free) (cell 1 2 free) (cell 2 2 o) (cell 3 2 free) "
                 "(cell 1 3 free) (cell 2 3 x) (cell 3 3 free) (control o)",
                 position, &error));
    double first[terms->count], second[terms->count], mover[terms->count];
    assert_int_equal(terms->values_for(terms, position, 0, first), 0);
    terms->values_for(terms, position, 1, second);
    terms->values(terms, position, mover);
    assert_float_equal(value(terms, first, "value of move"), -1, 0);
    assert_float_equal(value(terms, second, "moves"), 5.0 / 10,
                       1e-12); /* six of the nine cells are free; noop is feasible too */
    assert_float_equal(value(terms, first, "cell: o"), -1, 0);
    assert_float_equal(value(terms, first, "(cell 2 2 o)"), 1, 0);
    assert_float_equal(value(terms, first, "(cell 1 1 o)"), -1, 0);
    assert_float_equal(value(terms, first, "(cell 3 3 o)"), 0, 0);
    for (int i = 0; i < terms->count; i++) assert_float_equal(first[i], -second[i], 0);
    assert_memory_equal(second, mover, sizeof mover); /* o has the choice */
    kn_feature_set_close(terms);
    kn_game_close(game);
}

/* The symmetry of the roles is proved for draughts and not for Hex, where each fact has its own feature.
 * Along random games the values for the mover are those for its role. */
static void test_along_games(void **state)
{
    (void)state;
    static const char *const specs[] = {"gdl:hex5", "gdl:draughts", "gdl:connectfour"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        KnError error;
        KnGame *game, *view;
        KnFeatureSet *terms;
        check_ok(error, kn_game_open(context, specs[k], &game, &error));
        check_ok(error, kn_feature_set_open(game, "features", &terms, &error));
        check_ok(error, kn_game_turns(game, &view, &error));
        assert_non_null(view);
        assert_true(view->traits & KN_GAME_ZERO_SUM);
        KnSampler *sampler = kn_sampler_new(game, 3, 300, 0, &error);
        assert_non_null(sampler);
        unsigned char entered[view->position_size] __attribute__((aligned(16)));
        double mine[terms->count], movers[terms->count];
        int positions = 0;
        while (!kn_sampler_spent(sampler)) {
            const void *position = kn_sampler_position(sampler);
            if (!kn_game_over(game, position)) {
                kn_sequential_enter(view, position, entered);
                terms->values_for(terms, position, view->type->mover(view, entered), mine);
                terms->values(terms, entered, movers);
                assert_memory_equal(mine, movers, sizeof mine);
                assert_float_equal(mine[0], 1, 0);
                for (int i = 0; i < terms->count; i++)
                    if (fabs(mine[i]) > terms->features[i].high)
                        fail_msg("%s: %s is %g", specs[k], terms->features[i].name, mine[i]);
                positions++;
            }
            if (!kn_sampler_step(sampler)) kn_sampler_again(sampler);
        }
        if (positions < 100) fail_msg("%s: only %d positions", specs[k], positions);
        kn_sampler_free(sampler);
        kn_feature_set_close(terms);
        kn_game_close(view);
        kn_game_close(game);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *why;
    } cases[] = {{"gdl:roshambo", "choose at once"},
                 {"gdl:nim3", "two players"},
                 {"gdl:dice", "two players"},
                 {"gdl:eightpuzzle", "two players"},
                 {"gdl(tictactoe, reasoner=prover)", "cannot be grounded"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnGame *game, *view;
        KnFeatureSet *terms;
        check_ok(error, kn_game_open(context, cases[i].spec, &game, &error));
        check_fails(error, KN_INPUT, cases[i].why, kn_game_takes_turns(game, &error));
        check_fails(error, KN_INPUT, cases[i].why, kn_game_turns(game, &view, &error));
        assert_null(view);
        check_fails(error, KN_INPUT, cases[i].why, kn_feature_set_open(game, NULL, &terms, &error));
        kn_game_close(game);
    }
    KnError error;
    KnGame *game, *view;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_game_turns(game, &view, &error));
    assert_null(view); /* the game takes turns and needs no sequential view */
    kn_game_close(game);
}

/* What needs no question to the rules has the same values as among all features, and its weighted sum needs
 * no values. */
static void test_state_only(void **state)
{
    (void)state;
    static const char *const specs[] = {"gdl:hex5", "gdl:draughts", "gdl:connectfour"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        KnError error;
        KnGame *game;
        KnFeatureSet *all, *only;
        check_ok(error, kn_game_open(context, specs[k], &game, &error));
        check_ok(error, kn_feature_set_open(game, NULL, &all, &error));
        check_ok(error, kn_feature_set_open(game, "state", &only, &error));
        assert_int_equal(only->count, all->count - 2);
        assert_int_equal(kn_feature_set_find(only, "moves"), -1);
        assert_int_equal(kn_feature_set_find(only, "goal"), -1);
        assert_null(all->sum);
        KnSampler *sampler = kn_sampler_new(game, 5, 300, 0, &error);
        assert_non_null(sampler);
        KnRng rng = kn_rng_seeded(7);
        double wanted[all->count], mine[only->count], weights[only->count];
        int positions = 0;
        while (!kn_sampler_spent(sampler)) {
            const void *position = kn_sampler_position(sampler);
            double sum = 0;
            if (!kn_game_over(game, position)) {
                all->values_for(all, position, 0, wanted);
                only->values_for(only, position, 0, mine);
                for (int i = 0; i < only->count; i++) {
                    bool forced = i == 0 && value(all, wanted, "moves") == 0; /* nobody has a choice */
                    if (!forced) assert_float_equal(mine[i], value(all, wanted, only->features[i].name), 0);
                    weights[i] = kn_rng_real(&rng) - 0.5;
                    sum += weights[i] * mine[i];
                }
                assert_float_equal(only->sum(only, position, weights), sum, 1e-9);
                positions++;
            }
            if (!kn_sampler_step(sampler)) kn_sampler_again(sampler);
        }
        assert_true(positions > 100);
        kn_sampler_free(sampler);
        kn_feature_set_close(all);
        kn_feature_set_close(only);
        kn_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counted_by_hand),
                                       cmocka_unit_test(test_along_games), cmocka_unit_test(test_state_only),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
