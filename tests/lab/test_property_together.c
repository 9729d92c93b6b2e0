/* The grand table at quick scale: every row of every game is there, at the cost that was allowed, and a
 * second run finds everything again. */
#include "support/check.h"
#include "support/laboratory.h"

#include <math.h>
#include <stdlib.h>

static void test_table(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const char *const tables[] = {"game1", "game2", "game3", "game4", "game5"};
    /* The second training of a row differs from the first by its seed alone. */
    static const KnParameter sizes[] = {
        {.name = "seeds", .quick = 2}, {.name = "games", .quick = 1}, {.name = "examples", .quick = 10}, {0}};
    json_t *one = test_lab_run_sized("together.table", 7, 1, true, sizes),
           *again = test_lab_run_sized("together.table", 7, 2, false, sizes);
    for (int g = 0; g < 5; g++) {
        double base = test_lab_measured(one, tables[g], "td", "the base's");
        assert_true(base > 20 && base < 340); /* 240 a move are allowed on average, and carried over */
        assert_true(test_lab_measured(one, tables[g], "td + proof", "positions a move") < 340);
        assert_true(test_lab_measured(one, tables[g], "uct", "positions a move") < 340);
        assert_true(test_lab_measured(one, tables[g], "td", "training games") == 10);
        assert_true(test_lab_measured(one, tables[g], "proof", "training games") == 0);
        double points = test_lab_measured(one, tables[g], "td + allocation + proof + experience", "points");
        assert_true(points >= 0 && points <= 1);
        assert_true(points ==
                    test_lab_measured(again, tables[g], "td + allocation + proof + experience", "points"));
        assert_true(test_lab_measured(one, tables[g], "hoyle + search", "p (Holm)") <= 1);
    }
    assert_true(test_lab_measured(one, "duel", "Draughts", "points") >= 0);
    json_decref(one);
    json_decref(again);
}

/* What trust saves is counted against the same search, and found again. */
static void test_trust(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const char *const tables[] = {"trust1", "trust2", "trust3"};
    static const KnParameter sizes[] = {{.name = "games", .quick = 1},
                                        {.name = "base games", .quick = 10},
                                        {.name = "examples", .quick = 20},
                                        {0}};
    json_t *one = test_lab_run_sized("together.trust", 7, 1, true, sizes),
           *again = test_lab_run_sized("together.trust", 7, 2, false, sizes);
    for (int g = 0; g < 3; g++) {
        double some = test_lab_measured(one, tables[g], "doubt .001", "positions saved"),
               all = test_lab_measured(one, tables[g], "always trusted", "positions saved");
        assert_true(some > -1 && some < 1 && all > -1 && all < 1);
        double points = test_lab_measured(one, tables[g], "doubt .05", "points, spending");
        assert_true(points >= 0 && points <= 1);
        assert_true(points == test_lab_measured(again, tables[g], "doubt .05", "points, spending"));
        assert_true(all == test_lab_measured(again, tables[g], "always trusted", "positions saved"));
    }
    json_decref(one);
    json_decref(again);
}

/* Networks learn on every game of the table, the game description too, and are found again. */
static void test_ntuple(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const KnParameter sizes[] = {{.name = "training games", .quick = 8}, {0}};
    json_t *one = test_lab_run_sized("together.ntuple", 7, 1, true, sizes),
           *again = test_lab_run_sized("together.ntuple", 7, 2, false, sizes);
    static const char *const games[] = {"draughts",          "Othello 8x8", "Othello 6x6",
                                        "five men's morris", "Fives 8x8",   "Connect Four"};
    for (int g = 0; g < 6; g++) {
        double points = test_lab_measured(one, "networks", games[g], "own");
        assert_true(points >= 0 && points <= 1);
        assert_true(points == test_lab_measured(again, "networks", games[g], "own"));
    }
    json_decref(one);
    json_decref(again);
}

/* Networks by the time of training: longer ones have more games, and points repeat. */
static void test_time(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = test_lab_run("together.time", 7, 1, true),
           *again = test_lab_run("together.time", 7, 2, false);
    static const char *const games[] = {"draughts",          "Othello 8x8", "Othello 6x6",
                                        "five men's morris", "Fives 8x8",   "Connect Four"};
    for (int g = 0; g < 6; g++) {
        static const char *const lengths[] = {"about 0.001 s", "about 0.006 s", "about 0.06 s"};
        double most = test_lab_measured(one, "training-games", games[g], lengths[2]);
        assert_true(most >= 45 && most > test_lab_measured(one, "training-games", games[g], lengths[0]));
        assert_true(test_lab_measured(one, "training-seconds", games[g], lengths[2]) > 0);
        for (int i = 0; i < 3; i++) {
            double points = test_lab_measured(one, "time", games[g], lengths[i]);
            assert_true(points >= 0 && points <= 1);
            assert_true(points == test_lab_measured(again, "time", games[g], lengths[i]));
        }
    }
    json_decref(one);
    json_decref(again);
}

/* The perfect side never lets a won position go: what has learned nothing wins fewer than all. */
static void test_perfect(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const KnParameter sizes[] = {{.name = "games", .quick = 2}, {0}};
    json_t *one = test_lab_run_sized("together.perfect", 7, 1, true, sizes),
           *again = test_lab_run_sized("together.perfect", 7, 2, false, sizes);
    static const char *const rows[] = {"no evaluation", "network of 1 games", "network of 64 games"};
    for (int r = 0; r < 3; r++) {
        double won = test_lab_measured(one, "perfect", rows[r], "one ply");
        assert_true(won >= 0 && won <= 1);
        assert_true(won == test_lab_measured(again, "perfect", rows[r], "one ply"));
    }
    assert_true(test_lab_measured(one, "perfect", "no evaluation", "one ply") < 1);
    json_decref(one);
    json_decref(again);
}

/* Perfect play gives nothing away: from every opening and its exchange it has half of the points at least. */
static void test_openings(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = test_lab_run("together.openings", 7, 1, true),
           *again = test_lab_run("together.openings", 7, 2, false);
    static const char *const values[] = {"five men's morris, 4 plies", "five men's morris, 8 plies",
                                         "Connect Four, 20 plies"};
    for (int i = 0; i < 3; i++) {
        double decided = test_lab_measured(one, "values", values[i], "decided");
        assert_true(decided >= 0 && decided <= 1);
        assert_true(fabs(decided - test_lab_measured(one, "values", values[i], "won for who is to move") -
                         test_lab_measured(one, "values", values[i], "lost")) < 1e-9);
        assert_true(decided == test_lab_measured(again, "values", values[i], "decided"));
    }
    static const char *const rows[] = {
        "five men's morris, 4 plies, 40 positions", "five men's morris, 8 plies, 40 positions",
        "five men's morris, 8 plies, 500 positions", "Connect Four, 20 plies, 40 positions"};
    for (int i = 0; i < 4; i++) {
        assert_true(test_lab_measured(one, "bounds", rows[i], "perfect play") >= .5);
        assert_true(test_lab_measured(one, "bounds", rows[i], "the network without mistakes") >= .5);
        double points = test_lab_measured(one, "bounds", rows[i], "the network");
        assert_true(points >= 0 && points <= 1);
        assert_true(points == test_lab_measured(again, "bounds", rows[i], "the network"));
    }
    json_decref(one);
    json_decref(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table),   cmocka_unit_test(test_trust),
                                       cmocka_unit_test(test_ntuple),  cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_perfect), cmocka_unit_test(test_openings)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
