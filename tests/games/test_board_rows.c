/* Boards as rows of letters, for pictures. */
#include "support/check.h"
#include "support/workbench.h"

#include <string.h>

#include "games/board_rows.h"

static void shows(const char *game, const char *position, const char *wanted)
{
    KnError error;
    KnGame *opened;
    KnText rows = KN_TEXT_EMPTY;
    check_ok(error, kn_game_open(workbench, game, &opened, &error));
    assert_int_equal(kn_board_rows_of(opened, position, &rows), wanted != NULL);
    if (wanted) assert_string_equal(rows.data, wanted);
    kn_text_free(&rows);
    kn_game_close(opened);
}

static void test_positions(void **state)
{
    (void)state;
    shows("tictactoe", "x../.o./... x", "x../.o./...");
    /* The light squares of draughts are no cells. */
    shows("checkers", "B:WK1,28:B4,K31",
          "#W#.#.#b/.#.#.#.#/#.#.#.#./.#.#.#.#/#.#.#.#./.#.#.#.#/#.#.#.#w/.#.#B#.#");
    shows("checkers", "nonsense", NULL);
    shows("dilemma", "0", NULL); /* it has no board */
}

static void test_some_cells(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnText rows = KN_TEXT_EMPTY;
    const uint8_t cells[9] = {0};
    const bool shown[9] = {true, [4] = true};
    check_ok(error, kn_game_open(workbench, "tictactoe", &game, &error));
    assert_true(kn_board_rows(game, cells, shown, &rows));
    assert_int_equal(strlen(rows.data), 11);
    int hidden = 0;
    for (const char *c = rows.data; *c; c++) hidden += *c == '#';
    assert_int_equal(hidden, 7);
    kn_text_free(&rows);
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions), cmocka_unit_test(test_some_cells)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
