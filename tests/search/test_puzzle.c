/* Puzzles: shortest ways, proofs by exhaustion, bounds; on game descriptions and on made-up games that
 * minimax can search whole. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/minimax.h"
#include "search/puzzle.h"

static KnGame *opened(const KnContext *context, const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    return game;
}

/* Solves from the start and checks that the solution is legal and ends with its payoff. */
static KnPuzzleResult solve(const KnGame *game, size_t bytes, KnBudget budget)
{
    KnError error;
    KnPuzzle *puzzle = kn_puzzle_new(game, bytes, &error);
    assert_non_null(puzzle);
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memset(at, 0, sizeof at);
    game->type->start(game, at);
    KnPuzzleResult result;
    check_ok(error, kn_puzzle_solve(puzzle, at, &budget, NULL, &result, &error));
    for (int i = 0; i < result.length; i++) {
        KnMove moves[game->max_moves];
        int count = kn_game_moves_of(game, at, 0, moves), legal = 0;
        for (int k = 0; k < count; k++) legal += moves[k] == result.moves[i];
        assert_int_equal(legal, 1);
        kn_game_play_joint(game, at, &result.moves[i]);
    }
    double payoff;
    if (result.found) {
        assert_true(kn_game_over(game, at));
        game->type->payoffs(game, at, &payoff);
        assert_true(payoff == result.payoff);
    }
    kn_puzzle_free(puzzle);
    return result;
}

static void sheets_are_solved(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnGame *frogs = opened(context, "gdl:frogs"), *eight = opened(context, "gdl:eightpuzzle"),
           *lights = opened(context, "gdl:lightsout");
    KnPuzzleResult result = solve(frogs, 1 << 20, (KnBudget){0});
    assert_true(result.proved && result.payoff == 100 && result.length == 8);
    result = solve(eight, 64 << 20, (KnBudget){0});
    assert_true(result.proved && result.payoff == 100);
    int shortest = result.length;
    /* The step counter is recognised: otherwise there would be about ten times as many positions. */
    assert_true(shortest > 10 && result.stored < 181440);
    /* With too little memory, nodes or time nothing is proved, and the bounds hold. */
    result = solve(eight, 1 << 20, (KnBudget){0});
    assert_true(!result.proved && result.stop == KN_STOP_MEMORY && result.stored < 20000);
    result = solve(eight, 64 << 20, (KnBudget){.nodes = 1000});
    assert_true(!result.proved && result.stop == KN_STOP_NODES && result.nodes <= 1000);
    result = solve(lights, 1 << 20, (KnBudget){.nodes = 100000});
    assert_true(!result.proved);
    kn_game_close(frogs);
    kn_game_close(eight);
    kn_game_close(lights);
    kn_close(context);
}

/* Random games of one role with many ends: the solver finds the best end and proves it by exhaustion. */
static void made_up_puzzles_agree_with_minimax(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnError error;
    check_ok(error, kn_register(context, KN_KIND_GAME, &test_toy.head, &error));
    for (int seed = 1; seed <= check_scaled(60); seed++) {
        char spec[64];
        snprintf(spec, sizeof spec, "toy(roles=1, width=9, payoffs=7, seed=%d)", seed);
        KnGame *game = opened(context, spec);
        KnEvaluation *zero;
        check_ok(error, kn_evaluation_open_text(context, game, "zero", &zero, &error));
        KnMinimax *minimax = kn_minimax_new(game, zero, false, &error);
        unsigned char at[game->position_size] __attribute__((aligned(16)));
        memset(at, 0, sizeof at);
        game->type->start(game, at);
        KnSearchResult truth;
        check_ok(error, kn_minimax_run(minimax, at, NULL, &(KnSearchRequest){0}, &truth, &error));
        KnPuzzleResult result = solve(game, 1 << 20, (KnBudget){0});
        assert_true(result.found && result.proved);
        KnScore score = kn_score_of_payoff(game, result.payoff, result.length);
        if (truth.score > KN_SCORE_PROVEN)
            assert_int_equal(score, truth.score); /* the nearest win */
        else
            assert_int_equal(kn_score_of_payoff(game, result.payoff, 0),
                             truth.score < -KN_SCORE_PROVEN ? -KN_SCORE_WIN : truth.score);
        kn_minimax_free(minimax);
        kn_evaluation_close(zero);
        kn_game_close(game);
    }
    kn_close(context);
}

static void others_are_refused(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnError error;
    KnGame *game = opened(context, "tictactoe");
    assert_null(kn_puzzle_new(game, 1 << 20, &error));
    assert_non_null(strstr(error.text, "one role"));
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheets_are_solved),
                                       cmocka_unit_test(made_up_puzzles_agree_with_minimax),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
