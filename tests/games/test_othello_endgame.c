/* The endgame solver of Othello: every margin is minimax's, on every board, by both kernels; limits and flags
 * stop it; the published scores of the FFO endgame tests. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/othello/endgame_solver.h"

/* Plain alpha-beta over the game's own rules. */
static int minimax(const KnGame *game, const KnOthelloPosition *p, int alpha, int beta)
{
    KnMove list[64];
    int n = game->type->moves(game, p, list), best = -100;
    if (n == 0) return (int)game->type->points(game, p, (int)p->mover);
    for (int i = 0; i < n && best < beta; i++) {
        KnOthelloPosition next = *p;
        game->type->play(game, &next, list[i]);
        int value = -minimax(game, &next, -beta, best > alpha ? -best : -alpha);
        if (value > best) best = value;
    }
    return best;
}

/* A random position with `empties` empty squares where one side can move. */
static int random_ending(const KnGame *game, KnRng *rng, int empties, KnOthelloPosition *p, KnMove *moves)
{
    for (;;) {
        int count;
        game->type->start(game, p);
        while ((count = game->type->moves(game, p, moves)) && kn_othello_empties(game, p) > empties)
            game->type->play(game, p, moves[kn_rng_below(rng, (uint32_t)count)]);
        if (count) return count;
    }
}

/* Both kernels, with open and null windows. */
static void check_windows(KnOthelloSolver *s, const KnOthelloPosition *p, int value)
{
    for (int fast = 0; fast < 2; fast++) {
        if (fast && s->game->evaluations == kn_othello_evaluations_plain) continue;
        int (*ask)(KnOthelloSolver *, uint64_t, uint64_t, int, int) = kn_solver_value_plain;
#if defined(__x86_64__)
        if (fast) ask = kn_solver_value_avx2;
#endif
        s->stopped = false;
        s->limit = s->look = UINT64_MAX;
        kn_solver_table_clear(&s->table);
        assert_true(ask(s, p->own, p->their, value - 1, value) >= value);
        assert_true(ask(s, p->own, p->their, value, value + 1) <= value);
        assert_true(ask(s, p->own, p->their, value + 4, value + 9) <= value + 4);
        assert_true(ask(s, p->own, p->their, value - 9, value - 4) >= value - 4);
        assert_int_equal(ask(s, p->own, p->their, -65, 65), value);
    }
}

static void check_ending(KnOthelloSolver *s, const KnOthelloPosition *p, const KnMove *moves, int count)
{
    const KnGame *game = s->game;
    int margins[64], best = -100;
    KnOthelloSolving all = {.moves = moves, .count = count, .margins = margins},
                     one = {.moves = moves, .count = count};
    assert_int_equal(kn_othello_solve(s, p, &all), KN_OK);
    for (int i = 0; i < count; i++) {
        KnOthelloPosition next = *p;
        game->type->play(game, &next, moves[i]);
        int value = -minimax(game, &next, -100, 100);
        assert_int_equal(margins[i], value);
        if (value > best) best = value;
    }
    assert_int_equal(all.margin, best);
    assert_int_equal(kn_othello_solve(s, p, &one), KN_OK);
    assert_int_equal(one.margin, best);
    assert_true(one.best == all.best);
    uint64_t nodes = one.nodes;
    assert_int_equal(kn_othello_solve(s, p, &one), KN_OK);
    assert_true(one.nodes == nodes); /* nothing is kept */
    check_windows(s, p, best);
}

static void check_game(const char *spec, int least, int most, long positions)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(workbench, spec, &game, &error));
    KnOthelloSolver *solver = kn_othello_solver_new(game, (size_t)1 << 20, &error);
    assert_non_null(solver);
    KnRng rng = kn_rng_seeded(7);
    for (long i = 0; i < positions; i++)
        for (int empties = least; empties <= most; empties++) {
            KnOthelloPosition p;
            KnMove moves[64];
            int count = random_ending(game, &rng, empties, &p, moves);
            check_ending(solver, &p, moves, count);
        }
    kn_othello_solver_free(solver);
    kn_game_close(game);
}

static void test_margins_are_minimax(void **state)
{
    (void)state;
    check_game("othello", 1, 9, check_scaled(60));
    check_game("othello", 10, 10, check_scaled(15));
    check_game("othello(empties=nobody)", 1, 8, check_scaled(50));
    check_game("othello(size=6)", 1, 9, check_scaled(40));
    check_game("othello(size=4)", 1, 11, check_scaled(20));
}

/* Positions where a side has no disc left, or must pass at the root. */
static void test_corner_cases(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int margin;
    } cases[] = {
        {"XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXO- X", 64},
        {"XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXO- O", -64},
        {"--------/--------/--------/---XO---/--------/--------/--------/-------- X", 64},
        {"--------/--------/--------/---XO---/--------/--------/--------/-------- O", 64},
    };
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    KnOthelloSolver *solver = kn_othello_solver_new(game, 0, &error);
    assert_non_null(solver);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnOthelloPosition p;
        KnMove moves[64];
        check_ok(error, kn_game_parse_position(game, cases[i].text, &p, &error));
        KnOthelloSolving ask = {.moves = moves, .count = game->type->moves(game, &p, moves)};
        assert_int_equal(kn_othello_solve(solver, &p, &ask), KN_OK);
        assert_int_equal(ask.margin, cases[i].margin);
    }
    kn_othello_solver_free(solver);
    kn_game_close(game);
}

static void test_limits(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    KnOthelloSolver *solver = kn_othello_solver_new(game, 0, &error);
    assert_non_null(solver);
    KnOthelloPosition p;
    KnMove moves[64];
    game->type->start(game, &p);
    KnOthelloSolving ask = {.moves = moves, .count = game->type->moves(game, &p, moves), .node_limit = 50000};
    assert_int_equal(kn_othello_solve(solver, &p, &ask), KN_NO);
    assert_true(ask.nodes >= 50000 && ask.nodes < 60000);
    atomic_bool cancel = true;
    ask.node_limit = 0;
    ask.cancel = &cancel;
    assert_int_equal(kn_othello_solve(solver, &p, &ask), KN_STOPPED);
    ask.cancel = NULL;
    ask.deadline = 1e-9;
    assert_int_equal(kn_othello_solve(solver, &p, &ask), KN_NO);
    assert_true(ask.nodes < 10000);
    double started = kn_clock_cpu();
    ask.processor = true;
    ask.deadline = started + 0.02;
    assert_int_equal(kn_othello_solve(solver, &p, &ask), KN_NO);
    assert_true(kn_clock_cpu() >= ask.deadline && kn_clock_cpu() < started + 0.2);
    kn_othello_solver_free(solver);
    kn_game_close(game);
}

/* The table keeps bounds apart by position and forgets them when cleared, more often than its epochs last. */
static void test_table(void **state)
{
    (void)state;
    KnSolverTable table = {0};
    assert_true(kn_solver_table_open(&table, 1));
    kn_solver_store(&table, 1, 2, 10, 3, 4, 6, 5);
    kn_solver_store(&table, 1, 2, 10, 7, 8, 7, 9);
    const KnSolverEntry *entry = kn_solver_probe(&table, 1, 2);
    assert_non_null(entry);
    assert_int_equal(entry->lower, 6);
    assert_int_equal(entry->upper, 7);
    assert_int_equal(entry->moves[0], 5); /* a move that failed low teaches nothing */
    assert_null(kn_solver_probe(&table, 2, 1));
    for (int i = 0; i < 600; i++) {
        kn_solver_table_clear(&table);
        assert_null(kn_solver_probe(&table, 1, 2));
        if (i == 3) kn_solver_store(&table, 1, 2, 10, 3, 4, 6, 5);
        if (i == 3) assert_non_null(kn_solver_probe(&table, 1, 2));
    }
    kn_solver_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margins_are_minimax),
        cmocka_unit_test(test_corner_cases),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
