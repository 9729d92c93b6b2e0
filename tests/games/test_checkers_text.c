/* Draughts in text: PDN's moves and positions, and the drawn board. */
#include "support/boards.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned char Room[64] __attribute__((aligned(16)));

static void check_reads_as(const KnGame *game, const char *text, const char *canonical)
{
    Room position;
    memset(position, 0xA5, sizeof position);
    test_position(game, text, position);
    assert_string_equal(test_position_text(game, position), canonical);
}

static void test_positions_are_read_tolerantly(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const char start[] = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    check_reads_as(game, start, start);
    check_reads_as(game, "B:B1-12:W21-32.", start);
    check_reads_as(game, "B:W21,22,K30:B1,2,K3", "B:W21,22,K30:B1,2,K3");
    check_reads_as(game, "  w : b k3 , 2,1 :\tW K 30,22,21 . ", "W:W21,22,K30:B1,2,K3");
    check_reads_as(game, "W:WK1-3:B", "W:WK1,K2,K3:B");
    check_reads_as(game, "W:W:BK3:H12", "W:W:BK3:H12");
    check_reads_as(game, "W:H12:W:BK3:F40", "W:W:BK3:H12");
    check_reads_as(game, "W:WK9:BK3:H0:F1.", "W:WK9:BK3");
    check_reads_as(game, "W:WK9:BK3:H80", "W:WK9:BK3:H80");
    test_game_close(game);
    game = test_game("checkers(draw=0)"); /* no rule, nothing to count */
    check_reads_as(game, "W:WK9:BK3:H1000", "W:WK9:BK3");
    test_game_close(game);
}

static void test_bad_positions_are_refused_with_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "column 1: expected B or W"},
        {"X:W1:B2", "column 1: expected B or W"},
        {"B", "column 2: expected the squares of both sides"},
        {"B:W21", "column 6: expected the squares of both sides"},
        {"B:W21:B", NULL},
        {"B:W:B", "at least one piece"},
        {"B:W21:Q3", "column 7: expected W or B"},
        {"B:W21:", "column 7: expected W or B"},
        {"B:W21:W22:B1", "column 7: this part has been given already"},
        {"B:W33:B1", "column 4: expected a square from 1 to 32"},
        {"B:W0:B1", "column 4: expected a square from 1 to 32"},
        {"B:W4294967297:B1", "column 4: expected a square from 1 to 32"},
        {"B:W21,:B1", "column 7: expected a square from 1 to 32"},
        {"B:W21,K:B1", "column 8: expected a square from 1 to 32"},
        {"B:W21,x:B1", "column 7: expected a square from 1 to 32"},
        {"B:W21 22:B1", "column 7: expected a comma, a colon or the end"},
        {"B:W21,21:B1", "column 7: this square is taken already"},
        {"B:W21:B1,K21", "column 10: this square is taken already"},
        {"B:W21,4:B1", "column 7: a man here would have been crowned"},
        {"B:W21:B1,29", "column 10: a man here would have been crowned"},
        {"B:W24-21:B1", "column 7: expected the last square of a range"},
        {"B:W20-32:B1", "column 4: a side has at most 12 pieces"},
        {"B:W21:B1:H81", "column 11: expected the number of plies"},
        {"B:W21:B1:H", "column 11: expected the number of plies"},
        {"B:W21:B1:H-1", "column 11: expected the number of plies"},
        {"B:W21:B1:F", "column 11: expected the number of the move"},
        {"B:W21:B1..", "column 10: expected a comma, a colon or the end"},
        {"B:W21:B1 and more", "column 10: expected a comma, a colon or the end"},
    };
    KnGame *game = test_game("checkers");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Room position;
        KnError error = {.text = ""};
        KnStatus status = game->type->parse_position(game, bad[i].text, position, &error);
        if (!bad[i].message) {
            check_ok(error, status);
            continue;
        }
        if (status != KN_INPUT || !strstr(error.text, bad[i].message))
            fail_msg("\"%s\": expected \"%s\", got status %d: %s", bad[i].text, bad[i].message, status,
                     error.text);
    }
    test_game_close(game);
}

static KnMove read_move(const KnGame *game, const char *position_text, const char *text)
{
    Room position;
    KnMove move = KN_MOVE_NONE;
    KnError error;
    test_position(game, position_text, position);
    check_ok(error, game->type->parse_move(game, position, text, &move, &error));
    return move;
}

static void check_move_refused(const KnGame *game, const char *position_text, const char *text,
                               const char *message)
{
    Room position;
    KnMove move;
    KnError error = {.text = ""};
    test_position(game, position_text, position);
    KnStatus status = game->type->parse_move(game, position, text, &move, &error);
    if (status != KN_INPUT || !strstr(error.text, message))
        fail_msg("\"%s\": expected \"%s\", got status %d: %s", text, message, status, error.text);
}

static void test_moves_are_read_in_all_their_forms(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const char start[] = "B:W21-32:B1-12", jumps[] = "B:W18,27:B14";
    KnMove step = read_move(game, start, "9-14"), jump = read_move(game, jumps, "14x32");
    static const char *const steps[] = {"9-14", " 9 - 14 ", "09-14", "9 14", "9:14", "9x14"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_true(read_move(game, start, steps[i]) == step);
    static const char *const captures[] = {"14x32",    "14x23x32", "14X23X32", "14:23:32",
                                           "14-23-32", "14*32",    "14 23 32"};
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++)
        assert_true(read_move(game, jumps, captures[i]) == jump);
    test_game_close(game);
}

static void test_bad_moves_are_refused_with_the_reason(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const char start[] = "B:W21-32:B1-12", jumps[] = "B:W18,27:B14,1";
    check_move_refused(game, start, "", "column 1: expected a square");
    check_move_refused(game, start, "9", "expected the squares from and to");
    check_move_refused(game, start, "9-", "column 3: expected a square");
    check_move_refused(game, start, "9-33", "column 3: the squares are numbered from 1 to 32");
    check_move_refused(game, start, "0-14", "column 1: the squares are numbered from 1 to 32");
    check_move_refused(game, start, "9--14", "column 3: expected a square");
    check_move_refused(game, start, "9-14!", "column 5: expected a square");
    check_move_refused(game, start, "99999999999999999999-14", "column 1: the squares");
    check_move_refused(game, start, "1-2-3-4-5-6-7-8-9-10-11-12-13-14", "too many squares for one move");
    check_move_refused(game, start, "9-15", "is no legal move here; legal: ");
    check_move_refused(game, start, "9-15", "11-16");
    check_move_refused(game, start, "9-13-14", "is no legal move here");
    check_move_refused(game, jumps, "1-5", "a capture is compulsory; legal: 14x32");
    check_move_refused(game, jumps, "14x23", "a capture is compulsory; legal: 14x32");
    check_move_refused(game, jumps, "14x24x32", "no legal move");
    check_move_refused(game, "W:W21:B14,17", "21-17", "legal: none");
    test_game_close(game);
}

/* Two captures with the same ends are told apart by their squares. */
static void test_ambiguous_captures_are_written_in_full(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const char diamond[] = "B:W6,7,14,15:B2";
    Room position;
    test_position(game, diamond, position);
    KnMove left = read_move(game, diamond, "2x9x18"), right = read_move(game, diamond, "2x11x18");
    assert_true(left != right);
    assert_string_equal(test_move_text(game, position, left), "2x9x18");
    assert_string_equal(test_move_text(game, position, right), "2x11x18");
    check_move_refused(game, diamond, "2x18", "could be any of several captures; give all squares: ");
    check_move_refused(game, diamond, "2x18", "2x9x18");

    /* The squares of the short way are also on the long one: as they stand they mean the short way. */
    static const char detour[] = "B:W6,7,14,15,22,23:BK25";
    test_position(game, detour, position);
    KnMove straight = read_move(game, detour, "25x18x27"), around = read_move(game, detour, "25x2x27");
    assert_true(straight != around);
    assert_string_equal(test_move_text(game, position, straight), "25x18x27");
    assert_true(read_move(game, detour, "25x18x9x2x11x18x27") == around);
    assert_true(read_move(game, detour, test_move_text(game, position, around)) == around);
    check_move_refused(game, detour, "25x27", "several captures");
    test_game_close(game);
}

static void test_the_board_is_drawn(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    test_position(game, "B:W21,26,K4:B12,K25", position);
    KnText text = KN_TEXT_EMPTY;
    game->type->draw(game, position, false, &text);
    assert_string_equal(text.data, " 1    .   .   .   W   4\n"
                                   " 5  .   .   .   .     8\n"
                                   " 9    .   .   .   b  12\n"
                                   "13  .   .   .   .    16\n"
                                   "17    .   .   .   .  20\n"
                                   "21  w   .   .   .    24\n"
                                   "25    B   w   .   .  28\n"
                                   "29  .   .   .   .    32\n");
    kn_text_free(&text);
    test_game_close(game);
}

/* Cells: number i is square i + 1, in its place on the 8x8 board. */
static void test_cells(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    double x, y;
    test_position(game, "B:W21,K4:B12,K25", position);
    static const struct {
        int square;
        char symbol;
        double x, y;
    } cells[] = {{1, '.', 1, 0},  {4, 'W', 7, 0},  {5, '.', 0, 1}, {12, 'b', 7, 2},
                 {21, 'w', 0, 5}, {25, 'B', 1, 6}, {32, '.', 6, 7}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        KnText name = KN_TEXT_EMPTY;
        assert_int_equal(game->cell_symbols[game->type->cell(game, position, cells[i].square - 1)],
                         cells[i].symbol);
        game->type->cell_place(game, cells[i].square - 1, &x, &y);
        assert_true(x == cells[i].x && y == cells[i].y);
        game->type->cell_name(game, cells[i].square - 1, &name);
        assert_int_equal(strtol(name.data, NULL, 10), cells[i].square);
        kn_text_free(&name);
    }
    test_game_close(game);
}

static void test_check_refuses_what_is_no_position(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    KnError error;
    Room position;
    int others = 0;
    for (int bit = 0; bit < 128; bit++) { /* no bits are ignored: each position is one pattern of bytes */
        test_position(game, "B:W21,K4:B12,K25", position);
        position[bit / 8] ^= (unsigned char)(1 << bit % 8);
        Room again;
        if (game->type->check(game, position, &error) != KN_OK) continue;
        test_position(game, test_position_text(game, position), again);
        assert_memory_equal(again, position, game->position_size);
        others++;
    }
    assert_true(others > 50); /* a man or king more on most squares, or one less */
    memset(position, 0xff, sizeof position);
    check_fails(error, KN_INPUT, "no checkers position", game->type->check(game, position, &error));
    memset(position, 0, sizeof position);
    check_fails(error, KN_INPUT, "at least one piece", game->type->check(game, position, &error));
    test_position(game, "B:W21-32:BK1", position);
    position[15] = 1; /* of the mover */
    check_fails(error, KN_INPUT, "no checkers position", game->type->check(game, position, &error));
    KnGame *strict = test_game("checkers(draw=2)");
    test_position(game, "B:WK21:BK1:H5", position);
    check_ok(error, game->type->check(game, position, &error));
    check_fails(error, KN_INPUT, "counter of quiet plies, 5", strict->type->check(strict, position, &error));
    test_game_close(strict);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_are_read_tolerantly),
        cmocka_unit_test(test_bad_positions_are_refused_with_the_column),
        cmocka_unit_test(test_moves_are_read_in_all_their_forms),
        cmocka_unit_test(test_bad_moves_are_refused_with_the_reason),
        cmocka_unit_test(test_ambiguous_captures_are_written_in_full),
        cmocka_unit_test(test_the_board_is_drawn),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_check_refuses_what_is_no_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
