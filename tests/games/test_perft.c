/* Counting trees: published counts, and every way of counting against a plain one. */
#include "support/boards.h"
#include "support/check.h"

#include <string.h>

#include "base/file.h"
#include "games/game.h"
#include "games/perft.h"

typedef unsigned char Room[64] __attribute__((aligned(16)));

static uint64_t count(const KnGame *game, const char *text, int depth, unsigned flags, int jobs)
{
    Room position;
    KnError error;
    uint64_t found = 0;
    KnPerft how = {.flags = flags, .jobs = jobs};
    if (text)
        test_position(game, text, position);
    else
        game->type->start(game, position);
    check_ok(error, kn_perft(game, position, depth, &how, &found, &error));
    return found;
}

/* The published counts take captures by path; up to depth 11 there are none with two paths. */
static void test_published_counts_of_draughts(void **state)
{
    (void)state;
    static const uint64_t published[] = {1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564};
    KnGame *game = test_game("checkers");
    int deepest = check_scaled(10) == 10 ? 10 : 7;
    for (int depth = 0; depth <= deepest; depth++) {
        assert_int_equal(count(game, NULL, depth, KN_PERFT_PATHS, 1), published[depth]);
        assert_int_equal(count(game, NULL, depth, 0, 1), published[depth]);
    }
    test_game_close(game);
}

/* Two ways around, and what follows is counted for each. */
static void test_paths_are_counted_where_asked(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const char text[] = "B:W6,7,14,15,32:BK2";
    static const uint64_t below[] = {1, 1, 2, 4};
    for (int depth = 1; depth <= 3; depth++) {
        assert_int_equal(count(game, text, depth, 0, 1), below[depth]);
        assert_int_equal(count(game, text, depth, KN_PERFT_PATHS, 1), 2 * below[depth]);
        assert_int_equal(count(game, text, depth, KN_PERFT_PATHS | KN_PERFT_HISTORY, 1), 2 * below[depth]);
    }
    test_game_close(game);
}

static void test_threads_do_not_change_the_count(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *text;
        int depth;
        unsigned flags;
    } rows[] = {{"checkers", NULL, 7, 0},
                {"checkers", "B:W6,7,14,15,32:BK2,1", 7, KN_PERFT_PATHS},
                {"checkers(repetition=2)", "B:WK32:BK1", 7, KN_PERFT_HISTORY},
                {"tictactoe", NULL, 9, 0},
                {"tictactoe", NULL, 5, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnGame *game = test_game(rows[i].spec);
        uint64_t alone = count(game, rows[i].text, rows[i].depth, rows[i].flags, 1);
        assert_int_equal(count(game, rows[i].text, rows[i].depth, rows[i].flags, 2), alone);
        assert_int_equal(count(game, rows[i].text, rows[i].depth, rows[i].flags, 7), alone);
        test_game_close(game);
    }
}

static void test_complete_games_of_tictactoe(void **state)
{
    (void)state;
    static const uint64_t sequences[] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0};
    KnGame *game = test_game("tictactoe");
    Room position;
    KnError error;
    game->type->start(game, position);
    for (int depth = 0; depth <= 10; depth++)
        assert_int_equal(count(game, NULL, depth, 0, 1), sequences[depth]);
    for (int jobs = 1; jobs <= 3; jobs++) {
        KnPerft how = {.jobs = jobs};
        KnPerftGames games;
        check_ok(error, kn_perft_games(game, position, 20, &how, &games, &error));
        assert_int_equal(games.complete, 255168);
        assert_int_equal(games.unfinished, 0);
        assert_int_equal(games.longest, 9);
        check_ok(error, kn_perft_games(game, position, 6, &how, &games, &error));
        assert_int_equal(games.complete, 1440 + 5328); /* won at the fifth and at the sixth move */
        assert_int_equal(games.unfinished, 54720 - 5328);
        assert_int_equal(games.longest, 6);
    }
    test_game_close(game);
}

/* Sequences by a game, which knows the history. */
static uint64_t count_with_history(KnState *game_state, int depth)
{
    if (depth == 0) return 1;
    KnMove moves[64];
    KnError error;
    uint64_t total = 0;
    int number = 0;
    for (int role = 0; role < 2 && !number; role++) number = kn_state_moves(game_state, role, moves);
    for (int i = 0; i < number; i++) {
        check_ok(error, kn_state_play(game_state, moves[i], &error));
        total += count_with_history(game_state, depth - 1);
        assert_true(kn_state_undo(game_state));
    }
    return total;
}

static void test_history_is_obeyed_where_asked(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers(repetition=2)");
    static const char text[] = "B:WK32:BK1";
    Room position;
    test_position(game, text, position);
    KnState *game_state = kn_state_new(game);
    kn_state_reset(game_state, position);
    for (int depth = 0; depth <= 6; depth++)
        assert_int_equal(count(game, text, depth, KN_PERFT_HISTORY, 1),
                         count_with_history(game_state, depth));
    assert_true(count(game, text, 6, 0, 1) > count(game, text, 6, KN_PERFT_HISTORY, 1));
    kn_state_free(game_state);
    test_game_close(game);
}

/* ---- A simultaneous game: three rounds; the first role always has 2 moves, the second 3, save that in the
 * second round the first does not move. ---- */

static uint32_t rounds_movers(const KnGame *game, const void *position)
{
    (void)game;
    int round = *(const uint8_t *)position;
    return round == 3 ? 0 : round == 1 ? 2 : 3;
}

static int rounds_moves_of(const KnGame *game, const void *position, int role, KnMove *moves)
{
    if (!(rounds_movers(game, position) >> role & 1)) return 0;
    for (int i = 0; i < 2 + role; i++) moves[i] = (KnMove)i;
    return 2 + role;
}

static void rounds_play(const KnGame *game, void *position, const KnMove *joint)
{
    int round = (*(uint8_t *)position)++;
    (void)game;
    assert_true(joint[1] < 3 && (round == 1 ? joint[0] == KN_MOVE_NONE : joint[0] < 2));
}

static void test_joint_moves_are_multiplied(void **state)
{
    (void)state;
    static const KnGameType type = {
        .movers = rounds_movers, .moves_of = rounds_moves_of, .play_joint = rounds_play};
    KnGame game = {
        .type = &type, .position_size = 1, .max_moves = 3, .roles = 2, .traits = KN_GAME_SIMULTANEOUS};
    static const uint64_t expected[] = {1, 6, 18, 108, 0};
    Room position = {0};
    KnError error;
    for (int depth = 0; depth <= 4; depth++) {
        uint64_t found = 0;
        check_ok(error, kn_perft(&game, position, depth, NULL, &found, &error));
        assert_int_equal(found, expected[depth]);
    }
    KnPerftGames games;
    check_ok(error, kn_perft_games(&game, position, 9, &(KnPerft){.jobs = 2}, &games, &error));
    assert_int_equal(games.complete, 108);
    assert_int_equal(games.unfinished, 0);
    check_ok(error, kn_perft_games(&game, position, 2, NULL, &games, &error));
    assert_int_equal(games.complete, 0);
    assert_int_equal(games.unfinished, 18);
}

static void test_it_can_be_stopped_and_refuses_nonsense(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    KnError error;
    uint64_t found = 77;
    atomic_bool cancel = true;
    game->type->start(game, position);
    for (int jobs = 1; jobs <= 2; jobs++) {
        KnPerft how = {.jobs = jobs, .cancel = &cancel};
        check_fails(error, KN_STOPPED, "stopped", kn_perft(game, position, 30, &how, &found, &error));
    }
    check_fails(error, KN_USAGE, "-1", kn_perft(game, position, -1, NULL, &found, &error));
    check_fails(error, KN_USAGE, "1001", kn_perft(game, position, 1001, NULL, &found, &error));
    assert_int_equal(found, 77);
    test_game_close(game);
}

/* As many roles as there may be, two of whom have a choice. */
static void test_many_roles(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    for (int role = 0; role < KN_ROLES_MAX; role++)
        kn_text_printf(&text, "(role r%d) (legal r%d wait) (goal r%d 50)\n", role, role, role);
    kn_text_printf(&text,
                   "(init (turn 1)) (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))"
                   "(<= terminal (true (turn 3)))"
                   "(legal r0 go) (legal r%d go) (legal r%d stop)",
                   KN_ROLES_MAX - 1, KN_ROLES_MAX - 1);
    KnError error;
    check_ok(error, kn_file_write_atomic("many.kif", text.data, text.length, &error));
    kn_text_free(&text);
    KnGame *game = test_game("gdl:./many.kif");
    assert_int_equal(game->roles, KN_ROLES_MAX);
    assert_int_equal(count(game, NULL, 2, 0, 1), 2 * 3 * 2 * 3);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_counts_of_draughts),
        cmocka_unit_test(test_paths_are_counted_where_asked),
        cmocka_unit_test(test_threads_do_not_change_the_count),
        cmocka_unit_test(test_complete_games_of_tictactoe),
        cmocka_unit_test(test_history_is_obeyed_where_asked),
        cmocka_unit_test(test_joint_moves_are_multiplied),
        cmocka_unit_test(test_many_roles),
        cmocka_unit_test(test_it_can_be_stopped_and_refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
