/* Puzzles: shortest ways, proofs by exhaustion, bounds; on game descriptions and on made-up games that
 * minimax can search whole. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "search/minimax.h"
#include "search/puzzle.h"

static KnGame *opened(const KnContext *context, const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    return game;
}

static KnPuzzleResult solve_by(const KnGame *game, size_t bytes, KnBudget budget, KnPuzzleSearch search);

static KnPuzzleResult solve(const KnGame *game, size_t bytes, KnBudget budget)
{
    return solve_by(game, bytes, budget, KN_PUZZLE_AUTO);
}

/* Solves from the start and checks that the solution is legal and ends with its payoff. */
static KnPuzzleResult solve_by(const KnGame *game, size_t bytes, KnBudget budget, KnPuzzleSearch search)
{
    KnError error;
    KnPuzzle *puzzle = kn_puzzle_new(game, bytes, &error);
    assert_non_null(puzzle);
    check_ok(error, kn_puzzle_use(puzzle, search, &error));
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

#define SHEETS "gdl:" KNACK_SOURCE_DIR "/tests/games/descriptions/"

/* A* is led by a bound, so it agrees with breadth-first search and sees fewer positions; greedy search finds
 * the highest payoff where breadth-first search does not, and claims nothing of the way. */
static void heuristics_lead(void **state)
{
    (void)state;
    KnContext *context = test_context();
    const char *const specs[] = {"gdl:frogs", "gdl:eightpuzzle", SHEETS "fifteen.kif"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnGame *game = opened(context, specs[i]);
        KnPuzzleResult breadth = solve_by(game, 32 << 20, (KnBudget){0}, KN_PUZZLE_BREADTH),
                       star = solve_by(game, 32 << 20, (KnBudget){0}, KN_PUZZLE_A_STAR),
                       patterns = solve_by(game, 32 << 20, (KnBudget){0}, KN_PUZZLE_PATTERNS);
        assert_true(breadth.proved && star.proved && star.payoff == 100 && breadth.payoff == 100);
        assert_true(breadth.shortest && star.shortest);
        assert_int_equal(breadth.length, star.length);
        assert_true(star.stored <= breadth.stored);
        assert_true(patterns.proved && patterns.shortest && patterns.length == star.length);
        assert_true(patterns.stored < breadth.stored);
        kn_game_close(game);
    }
    KnGame *knight = opened(context, SHEETS "knight.kif");
    KnBudget budget = {.nodes = 100000};
    KnPuzzleResult breadth = solve_by(knight, 32 << 20, budget, KN_PUZZLE_BREADTH);
    assert_false(breadth.proved);
    KnPuzzleResult found = solve(knight, 32 << 20, budget);
    assert_true(found.proved && found.payoff == 100 && found.length == 35 && !found.shortest);
    assert_int_equal(found.search, KN_PUZZLE_GREEDY);
    kn_game_close(knight);
    kn_close(context);
}

/* Who sees through step counters may miss a shorter way, and must not say that there is none. */
static void shortest_is_not_said_in_vain(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnGame *game = opened(context, SHEETS "detour.kif");
    for (KnPuzzleSearch search = KN_PUZZLE_AUTO; search <= KN_PUZZLE_PATTERNS; search++) {
        KnPuzzleResult result = solve_by(game, 1 << 20, (KnBudget){0}, search);
        assert_true(result.proved && result.payoff == 100);
        assert_true(result.length == 3 || !result.shortest);
    }
    kn_game_close(game);
    kn_close(context);
}

/* A payoff that the relaxation cannot reach is none to wait for. */
static void what_is_out_of_reach_is_left_out(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnGame *game = opened(context, SHEETS "unreachable.kif");
    for (KnPuzzleSearch search = KN_PUZZLE_AUTO; search <= KN_PUZZLE_PATTERNS; search++) {
        KnPuzzleResult result = solve_by(game, 1 << 20, (KnBudget){0}, search);
        assert_true(result.proved && result.payoff == 60);
        assert_true(result.stored < 300);
    }
    kn_game_close(game);
    kn_close(context);
}

/* ---- Random puzzles ---- */

enum { FACTS = 5, MOVES = 4, LAST = 7 };

static void add_conditions(KnText *text, KnRng *rng, uint32_t most)
{
    for (uint32_t i = 1 + kn_rng_below(rng, most); i > 0; i--) {
        bool holds = kn_rng_below(rng, 2), step = kn_rng_below(rng, 8) == 0;
        kn_text_printf(text, holds ? " (true (%s %u))" : " (not (true (%s %u)))", step ? "step" : "f",
                       kn_rng_below(rng, step ? LAST : FACTS));
    }
}

/* Facts that moves and other facts change, a step counter that ends the game and that some rules ask for. */
static void random_puzzle(KnText *text, KnRng *rng)
{
    kn_text_clear(text);
    kn_text_add(text,
                "(role x)(init (step 0))(legal x wait)(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n");
    for (int i = 0; i < LAST; i++) kn_text_printf(text, "(succ %d %d)", i, i + 1);
    for (int i = 0; i < FACTS; i++) {
        if (kn_rng_below(rng, 2)) kn_text_printf(text, "(init (f %d))", i);
        kn_text_printf(text, "(<= (next (f %d)) (does x (m %u))", i, kn_rng_below(rng, MOVES));
        add_conditions(text, rng, 2);
        kn_text_printf(text, ")\n(<= (next (f %d)) (true (f %d)) (not (does x (m %u))))\n", i, i,
                       kn_rng_below(rng, MOVES));
    }
    for (int i = 0; i < MOVES; i++) {
        kn_text_printf(text, "(<= (legal x (m %d))", i);
        add_conditions(text, rng, 2);
        kn_text_add(text, ")\n");
    }
    static const char *const heads[] = {"win", "middle", "over"};
    for (int i = 0; i < 3; i++) {
        kn_text_printf(text, "(<= %s", heads[i]);
        add_conditions(text, rng, 4);
        kn_text_add(text, ")\n");
    }
    kn_text_printf(
        text,
        "(<= terminal (true (step %d)))(<= terminal over)%s(<= (goal x 100) win)(<= (goal x 60) (not "
        "win) middle)(<= (goal x 0) (not win) (not middle))",
        LAST, kn_rng_below(rng, 2) ? "(<= terminal win)" : "");
}

/* The highest payoff and the fewest moves to it, by trying everything. */
static void try_all(const KnGame *game, const unsigned char *at, int depth, double *payoff, int *length)
{
    KnMove moves[game->max_moves];
    int count = kn_game_moves_of(game, at, 0, moves);
    if (!count) {
        double here;
        game->type->payoffs(game, at, &here);
        if (here < *payoff || (here == *payoff && depth >= *length)) return;
        *payoff = here;
        *length = depth;
    }
    for (int i = 0; i < count; i++) {
        unsigned char after[game->position_size] __attribute__((aligned(16)));
        memcpy(after, at, game->position_size);
        kn_game_play_joint(game, after, &moves[i]);
        try_all(game, after, depth + 1, payoff, length);
    }
}

/* Every search finds the highest payoff and proves it; a way that is said to be shortest is. */
static void random_puzzles_agree(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnText text = KN_TEXT_EMPTY;
    int shortest[KN_PUZZLE_PATTERNS + 1] = {0}, won = 0;
    long sheets = check_scaled(150);
    for (long s = 0; s < sheets; s++) {
        KnRng rng = kn_rng_stream(41, (uint64_t)s);
        KnError error;
        KnGame *game;
        KnGdlDescription *description;
        random_puzzle(&text, &rng);
        check_ok(error, kn_gdl_read("random", text.data, text.length, false, &description, &error));
        check_ok(error,
                 kn_gdl_open(context, description, &(KnGdlLimits){.facts = 64, .moves = 16}, &game, &error));
        unsigned char at[game->position_size] __attribute__((aligned(16)));
        memset(at, 0, sizeof at);
        game->type->start(game, at);
        double payoff = -1;
        int length = 0;
        try_all(game, at, 0, &payoff, &length);
        won += payoff == 100;
        for (KnPuzzleSearch search = KN_PUZZLE_AUTO; search <= KN_PUZZLE_PATTERNS; search++) {
            KnPuzzleResult result = solve_by(game, 1 << 20, (KnBudget){0}, search);
            if (!result.proved || result.payoff != payoff || result.length < length ||
                (result.shortest && result.length != length))
                fail_msg("search %d: %g in %d moves, proved %d, shortest %d; %g in %d\n%s", (int)search,
                         result.payoff, result.length, result.proved, result.shortest, payoff, length,
                         text.data);
            shortest[search] += result.shortest;
        }
        kn_game_close(game);
    }
    assert_true(won > sheets / 4 && won < sheets);
    assert_true(shortest[KN_PUZZLE_BREADTH] > sheets / 3 && shortest[KN_PUZZLE_A_STAR] > sheets / 4);
    assert_true(shortest[KN_PUZZLE_PATTERNS] > sheets / 4);
    kn_text_free(&text);
    kn_close(context);
}

/* A position without moves is an end too, so that its payoff is not out of reach. */
static void ends_without_moves_count(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnGame *game = opened(context, SHEETS "stuck.kif");
    for (KnPuzzleSearch search = KN_PUZZLE_AUTO; search <= KN_PUZZLE_PATTERNS; search++) {
        KnPuzzleResult result = solve_by(game, 1 << 20, (KnBudget){0}, search);
        assert_true(result.proved && result.payoff == 100 && result.length == 3);
    }
    kn_game_close(game);
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
    game = opened(context, "gdl(frogs, reasoner=prover)");
    KnPuzzle *puzzle = kn_puzzle_new(game, 1 << 20, &error);
    assert_non_null(puzzle);
    assert_int_equal(kn_puzzle_use(puzzle, KN_PUZZLE_A_STAR, &error), KN_INPUT);
    assert_non_null(strstr(error.text, "search=breadth"));
    kn_puzzle_free(puzzle);
    assert_true(solve(game, 1 << 20, (KnBudget){0}).proved);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheets_are_solved),
                                       cmocka_unit_test(made_up_puzzles_agree_with_minimax),
                                       cmocka_unit_test(heuristics_lead),
                                       cmocka_unit_test(shortest_is_not_said_in_vain),
                                       cmocka_unit_test(what_is_out_of_reach_is_left_out),
                                       cmocka_unit_test(random_puzzles_agree),
                                       cmocka_unit_test(ends_without_moves_count),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
