/* Nearest contexts: boards that were safe are known in every orientation, lost ones are avoided, and what is
 * unknown goes by the cells it is away. */
#include "support/check.h"

#include <string.h>

#include <knack/base.h>
#include "methods/hoyle/temporal/nearest.h"

static KnContext *context;
static KnGame *game;
static KnBoardView *view;
static KnTemporalBoard *board;

/* A record of placings by turns, from the empty board: numbers of cells from 1, as on a telephone. */
static void fill(KnGameActions *record, uint8_t *cells, KnAction *actions, uint8_t *movers, const char *moves,
                 int outcome)
{
    size_t plies = strlen(moves);
    *record = (KnGameActions){.plies = plies,
                              .cells = cells,
                              .width = 9,
                              .actions = actions,
                              .movers = movers,
                              .outcome = {outcome, -outcome}};
    memset(cells, 0, 9 * (plies + 1));
    for (size_t i = 0; i < plies; i++) {
        int at = moves[i] - '1';
        actions[i] = (KnAction){KN_NO_CELL, (int16_t)at, KN_NO_CELL};
        movers[i] = (uint8_t)(i % 2);
        memcpy(cells + 9 * (i + 1), cells + 9 * i, 9);
        cells[9 * (i + 1) + (size_t)at] = board->men[i % 2];
    }
}

static void watch(KnAdvisors *pairs, const char *moves, int outcome)
{
    KnError error;
    KnGameActions record;
    uint8_t cells[90], movers[9];
    KnAction actions[9];
    fill(&record, cells, actions, movers, moves, outcome);
    check_ok(error, kn_nearest_learn(pairs, &record, &error));
}

static int list(const uint8_t *cells, KnAction *legal)
{
    int count = 0;
    for (int16_t c = 0; c < 9; c++)
        if (cells[c] == board->empty) legal[count++] = (KnAction){KN_NO_CELL, c, KN_NO_CELL};
    return count;
}

static void test_judging(void **state)
{
    (void)state;
    KnAdvisors *pairs = kn_advisors_new(board);
    watch(pairs, "51", 0);    /* a draw: the centre is safe for x, a corner behind it for o */
    watch(pairs, "1928", -1); /* x lost: the corner and the second move are lost for x, o's moves were safe */
    kn_nearest_freeze(pairs);
    assert_int_equal(kn_advisors_count(pairs), 6);
    KnNearest *nearest = kn_nearest_new(pairs);
    assert_non_null(nearest);
    uint8_t cells[9] = {0};
    KnAction legal[9];
    KnNearness verdicts[9];
    bool barred[9] = {false};
    KnRng rng = kn_rng_seeded(1);
    int count = list(cells, legal);
    kn_nearest_judge(nearest, 0, cells, legal, count, verdicts);
    assert_int_equal(verdicts[4].safe, 1);
    assert_int_equal(verdicts[4].from_safe, 0);
    for (int corner = 0; corner < 9; corner += 2)
        if (corner != 4)
            assert_true(verdicts[corner].lost == 1 && !verdicts[corner].safe); /* in every orientation */
    for (int side = 1; side < 9; side += 2) assert_true(!verdicts[side].safe && !verdicts[side].lost);
    for (int i = 0; i < 9; i++) verdicts[i].home = 0;
    assert_int_equal(kn_nearest_best(verdicts, barred, count, &rng), 4);
    barred[4] = true;
    assert_int_not_equal(kn_nearest_best(verdicts, barred, count, &rng), 4);
    assert_int_equal(kn_nearest_home(nearest, 0, cells), 1);
    cells[4] = board->men[0];
    assert_int_equal(kn_nearest_home(nearest, 1, cells), 1);
    assert_int_equal(kn_nearest_home(nearest, 0, cells), 0);
    /* o after the centre: any corner is known */
    count = list(cells, legal);
    kn_nearest_judge(nearest, 1, cells, legal, count, verdicts);
    for (int i = 0; i < count; i++) assert_int_equal(verdicts[i].safe, legal[i].to % 2 == 0);
    /* x in a corner, o in the next one, then unknown to x: two cells from the board that was lost at least,
     * three from one that was safe */
    memset(cells, 0, sizeof cells);
    cells[0] = board->men[0], cells[2] = board->men[1];
    count = list(cells, legal);
    kn_nearest_judge(nearest, 0, cells, legal, count, verdicts);
    for (int i = 0; i < count; i++)
        if (legal[i].to == 4) assert_true(verdicts[i].from_safe == 2 && verdicts[i].from_lost == 2);
    kn_nearest_free(nearest);
    kn_advisors_free(pairs);
}

/* Nothing learned: nothing known, and any move that is not barred may come. */
static void test_nothing(void **state)
{
    (void)state;
    KnAdvisors *pairs = kn_advisors_new(board);
    KnNearest *nearest = kn_nearest_new(pairs);
    uint8_t cells[9] = {0};
    KnAction legal[9];
    KnNearness verdicts[9];
    bool barred[9] = {true, true, true, true, true, true, true, false, true};
    KnRng rng = kn_rng_seeded(1);
    int count = list(cells, legal);
    kn_nearest_judge(nearest, 0, cells, legal, count, verdicts);
    for (int i = 0; i < count; i++) assert_int_equal(verdicts[i].from_safe, 10);
    assert_int_equal(kn_nearest_best(verdicts, barred, count, &rng), 7);
    memset(barred, true, sizeof barred);
    assert_int_equal(kn_nearest_best(verdicts, barred, count, &rng), -1);
    kn_nearest_free(nearest);
    kn_advisors_free(pairs);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK ||
        kn_game_open(context, "tictactoe(lose)", &game, &error) != KN_OK ||
        kn_board_view_open(game, &view, &error) != KN_OK ||
        kn_temporal_board_open(view, &board, &error) != KN_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_judging), cmocka_unit_test(test_nothing)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_temporal_board_close(board);
    kn_board_view_close(view);
    kn_game_close(game);
    kn_close(context);
    return failed;
}
