/* The solver of Connect Four against plain minimax on boards that are nearly full, and against itself. */
#include "support/check.h"

#include "games/connect_four.h"

static bool drop(KnFourBoard *board, int column)
{
    uint64_t cell = (board->all + (1ull << 7 * column)) & 0x3full << 7 * column;
    if (!(cell &= ~board->all)) return false;
    *board = (KnFourBoard){board->mover ^ board->all, board->all | cell};
    return true;
}

/* The score by its definition. */
static int minimax(KnFourBoard board)
{
    int discs = __builtin_popcountll(board.all), best = -100;
    if (kn_connect_four_lost(board)) return -(22 - (discs + 1) / 2);
    for (int column = 0; column < 7; column++) {
        KnFourBoard next = board;
        if (!drop(&next, column)) continue;
        int score = -minimax(next);
        if (score > best) best = score;
    }
    return best == -100 ? 0 : best;
}

/* Random play until so many discs are there; a game that ends before begins again. */
static KnFourBoard draw_board(KnRng *rng, int discs)
{
    KnFourBoard board = {0};
    while (__builtin_popcountll(board.all) < discs) {
        KnFourBoard next = board;
        if (!drop(&next, (int)kn_rng_below(rng, 7))) continue;
        board = kn_connect_four_lost(next) ? (KnFourBoard){0} : next;
    }
    return board;
}

static int sign(int score) { return (score > 0) - (score < 0); }

static void test_minimax(void **state)
{
    (void)state;
    KnConnectFour *solver = kn_connect_four_new(16);
    KnRng rng = kn_rng_seeded(4);
    int seen[3] = {0};
    for (int i = 0; i < 200; i++) {
        KnFourBoard board = draw_board(&rng, 33 + i % 9);
        int score = minimax(board);
        assert_int_equal(kn_connect_four_score(solver, board), score);
        assert_int_equal(kn_connect_four_value(solver, board), sign(score));
        seen[1 + sign(score)]++;
    }
    assert_true(seen[0] > 10 && seen[1] > 2 && seen[2] > 10);
    kn_connect_four_free(solver);
}

/* Where minimax would take too long: a score is the best of those of the moves, seen from the other side, for
 * a solver that has forgotten everything as for one that remembers. */
static void test_consistent(void **state)
{
    (void)state;
    KnConnectFour *solver = kn_connect_four_new(16);
    KnRng rng = kn_rng_seeded(9);
    for (int i = 0; i < 15; i++) {
        KnFourBoard board = draw_board(&rng, 24);
        int best = -100;
        for (int column = 0; column < 7; column++) {
            KnFourBoard next = board;
            if (!drop(&next, column)) continue;
            int score = kn_connect_four_lost(next) ? (43 - __builtin_popcountll(board.all)) / 2
                                                   : -kn_connect_four_score(solver, next);
            if (score > best) best = score;
        }
        KnConnectFour *fresh = kn_connect_four_new(12);
        assert_int_equal(kn_connect_four_score(solver, board), best);
        assert_int_equal(kn_connect_four_score(fresh, board), best);
        assert_int_equal(kn_connect_four_value(fresh, board), sign(best));
        kn_connect_four_free(fresh);
    }
    kn_connect_four_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_minimax), cmocka_unit_test(test_consistent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
