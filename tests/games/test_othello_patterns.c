/* The patterns of Othello as terms: counted alike by the long and the short way, the same for every image of
 * a board, and opposite with the colours exchanged. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/othello/board.h"
#include "search/linear.h"

static KnContext *workbench;

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
    KnTermSet *terms;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_ok(error, kn_termset_open(game, NULL, &terms, &error));
    assert_string_equal(terms->name, "features"); /* patterns are taken only by name */
    kn_termset_close(terms);
    check_ok(error, kn_termset_open(game, "patterns", &terms, &error));
    /* 7 counts; 364 patterns of six squares twice; 182 and 20, 20 that are their own mirror images; 40 of
     * four squares */
    assert_int_equal(terms->count, 7 + 364 + 364 + 182 + 40 + 20 + 20);
    assert_true(terms->count <= KN_TERMS_MAX);
    for (int i = 0; i < terms->count; i++)
        assert_int_equal(kn_termset_find(terms, terms->features[i].name), i);
    double *weights = calloc(kn_weights_size(terms), sizeof *weights), values[KN_TERMS_MAX],
           others[KN_TERMS_MAX];
    KnRng rng = kn_rng_seeded(5);
    for (size_t i = 0; i < kn_weights_size(terms); i++) weights[i] = kn_rng_real(&rng) - 0.5;
    for (int round = 0; round < check_scaled(400); round++) {
        KnOthelloPosition p, image;
        random_position(game, &rng, &p);
        int phase = terms->values(terms, &p, values);
        assert_in_range(phase, 0, 3);
        double sum = 0;
        for (int i = 0; i < terms->count; i++) sum += values[i] * weights[phase * terms->count + i];
        assert_true(fabs(sum - kn_linear_sum(terms, weights, &p)) < 1e-9);
        for (int symmetry = 1; symmetry < game->symmetries; symmetry++) {
            game->type->transform(game, symmetry, &p, &image);
            assert_int_equal(terms->values(terms, &image, others), phase);
            assert_memory_equal(values, others, (size_t)terms->count * sizeof *values);
        }
        image = (KnOthelloPosition){.own = p.their, .their = p.own, .mover = p.mover};
        terms->values(terms, &image, others);
        for (int i = 1; i < terms->count; i++)
            if (strcmp(terms->features[i].name, "parity") != 0) assert_true(values[i] == -others[i]);
    }
    free(weights);
    kn_termset_close(terms);
    kn_game_close(game);
}

/* Known boards: one corner disc shows in both patterns that end there, and nothing else shows elsewhere. */
static void test_facts(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnTermSet *terms;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_ok(error, kn_termset_open(game, "patterns", &terms, &error));
    double values[KN_TERMS_MAX];
    KnOthelloPosition p = {.own = 1, .their = 0, .mover = 0};
    terms->values(terms, &p, values);
    assert_true(values[kn_termset_find(terms, "corner X-----")] == 2); /* along both edges */
    assert_true(values[kn_termset_find(terms, "edge X-----")] == 2);
    assert_true(values[kn_termset_find(terms, "diagonal X---")] == 1);
    assert_true(values[kn_termset_find(terms, "discs")] == 1);
    int others = 0;
    for (int i = 7; i < terms->count; i++) others += values[i] != 0;
    assert_int_equal(others, 3);
    p = (KnOthelloPosition){.own = 0, .their = UINT64_C(1) << 9, .mover = 1}; /* the other's on b2 */
    terms->values(terms, &p, values);
    assert_true(values[kn_termset_find(terms, "corner ----X-")] == -2);
    assert_true(values[kn_termset_find(terms, "second line X-----")] == -2);
    assert_true(values[kn_termset_find(terms, "diagonal -X--")] == -1);
    kn_termset_close(terms);
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
    check_fails(error, KN_INPUT, "no terms \"patterns\"",
                kn_weights_open(six, "othello-patterns", &weights, &error));
    check_ok(error, kn_weights_open(game, "othello-patterns", &weights, &error));
    KnOthelloPosition start, corner, beside;
    game->type->start(game, &start);
    corner = beside = start;
    corner.own |= 1;                /* a1 */
    beside.own |= UINT64_C(1) << 9; /* b2 */
    const double *w = weights->sets[0].weights;
    double plain = kn_linear_sum(weights->terms, w, &start);
    assert_true(kn_linear_sum(weights->terms, w, &corner) > plain + 500);
    assert_true(kn_linear_sum(weights->terms, w, &beside) < plain);
    kn_weights_free(weights);
    kn_game_close(six);
    kn_game_close(game);
}

static int set_up(void **state)
{
    (void)state;
    workbench = test_workbench("patterns");
    return workbench ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    kn_context_free(workbench);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms), cmocka_unit_test(test_facts),
                                       cmocka_unit_test(test_trained)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
