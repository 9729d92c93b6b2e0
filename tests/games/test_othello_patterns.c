/* The patterns of Othello as features: counted alike by the long and the short way, the same for every image
 * of a board, and opposite with the colours exchanged. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/othello/board.h"
#include "eval/linear.h"

static void random_position(const KnGame *game, KnRng *rng, KnOthelloPosition *position)
{
    KnMove moves[game->max_moves];
    game->type->start(game, position);
    for (uint32_t left = kn_rng_below(rng, 60); left > 0 && !kn_game_over(game, position); left--) {
        int count = game->type->moves(game, position, moves);
        game->type->play(game, position, moves[kn_rng_below(rng, (uint32_t)count)]);
    }
}

static void test_terms(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnFeatureSet *set;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_ok(error, kn_feature_set_open(game, NULL, &set, &error));
    assert_string_equal(set->name, "features"); /* patterns are taken only by name */
    kn_feature_set_close(set);
    check_ok(error, kn_feature_set_open(game, "patterns", &set, &error));
    /* 7 counts; 364 patterns of six squares twice; 182 and 20, 20 that are their own mirror images; 40 of
     * four squares */
    assert_int_equal(set->count, 7 + 364 + 364 + 182 + 40 + 20 + 20);
    assert_true(set->count <= KN_FEATURES_MAX);
    for (int i = 0; i < set->count; i++) assert_int_equal(kn_feature_set_find(set, set->features[i].name), i);
    double *weights = calloc(kn_weights_size(set), sizeof *weights), values[KN_FEATURES_MAX],
           others[KN_FEATURES_MAX];
    KnRng rng = kn_rng_seeded(5);
    for (size_t i = 0; i < kn_weights_size(set); i++) weights[i] = kn_rng_real(&rng) - 0.5;
    for (int round = 0; round < check_scaled(400); round++) {
        KnOthelloPosition p, image;
        random_position(game, &rng, &p);
        int phase = set->values(set, &p, values);
        assert_in_range(phase, 0, 3);
        double sum = 0;
        for (int i = 0; i < set->count; i++) sum += values[i] * weights[phase * set->count + i];
        assert_true(fabs(sum - kn_linear_sum(set, weights, &p)) < 1e-9);
        for (int symmetry = 1; symmetry < game->symmetries; symmetry++) {
            game->type->transform(game, symmetry, &p, &image);
            assert_int_equal(set->values(set, &image, others), phase);
            assert_memory_equal(values, others, (size_t)set->count * sizeof *values);
        }
        image = (KnOthelloPosition){.own = p.their, .their = p.own, .mover = p.mover};
        set->values(set, &image, others);
        for (int i = 1; i < set->count; i++)
            if (strcmp(set->features[i].name, "parity") != 0) assert_true(values[i] == -others[i]);
    }
    free(weights);
    kn_feature_set_close(set);
    kn_game_close(game);
}

/* Known boards: one corner disc shows in both patterns that end there, and nothing else shows elsewhere. */
static void test_facts(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnFeatureSet *set;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_ok(error, kn_feature_set_open(game, "patterns", &set, &error));
    double values[KN_FEATURES_MAX];
    KnOthelloPosition p = {.own = 1, .their = 0, .mover = 0};
    set->values(set, &p, values);
    assert_true(values[kn_feature_set_find(set, "corner X-----")] == 2); /* along both edges */
    assert_true(values[kn_feature_set_find(set, "edge X-----")] == 2);
    assert_true(values[kn_feature_set_find(set, "diagonal X---")] == 1);
    assert_true(values[kn_feature_set_find(set, "discs")] == 1);
    int others = 0;
    for (int i = 7; i < set->count; i++) others += values[i] != 0;
    assert_int_equal(others, 3);
    p = (KnOthelloPosition){.own = 0, .their = UINT64_C(1) << 9, .mover = 1}; /* the other's on b2 */
    set->values(set, &p, values);
    assert_true(values[kn_feature_set_find(set, "corner ----X-")] == -2);
    assert_true(values[kn_feature_set_find(set, "second line X-----")] == -2);
    assert_true(values[kn_feature_set_find(set, "diagonal -X--")] == -1);
    kn_feature_set_close(set);
    kn_game_close(game);
}

/* The weights that travel with the program: for 8x8 squares only, and they know what a corner is worth. */
static void test_trained(void **state)
{
    (void)state;
    KnError error;
    KnGame *game, *six;
    KnWeights *weights;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_ok(error, kn_game_open(workbench, "othello(size=6)", &six, &error));
    check_fails(error, KN_INPUT, "these weights were made for othello(payoff=discs)",
                kn_weights_open(six, "othello-patterns", &weights, &error));
    check_ok(error, kn_weights_open(game, "othello-patterns", &weights, &error));
    KnOthelloPosition start, corner, beside;
    game->type->start(game, &start);
    corner = beside = start;
    corner.own |= 1;                /* a1 */
    beside.own |= UINT64_C(1) << 9; /* b2 */
    const double *w = weights->sets[0].weights;
    double plain = kn_linear_sum(weights->features, w, &start);
    assert_true(kn_linear_sum(weights->features, w, &corner) > plain + 500);
    assert_true(kn_linear_sum(weights->features, w, &beside) < plain);
    kn_weights_free(weights);
    kn_game_close(six);
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms), cmocka_unit_test(test_facts),
                                       cmocka_unit_test(test_trained)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
