/* Games seen as cells: symmetries carry cells as the game carries positions, actions say what moves do, texts
 * come back. */
#include "support/check.h"
#include <knack/base.h>
#include "methods/hoyle/board_view.h"
#include "games/game.h"
#include "methods/hoyle/played_game.h"

#include <string.h>

static KnContext *context;

static KnGame *open_game(const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    return game;
}

static KnBoardView *open_scene(const KnGame *game)
{
    KnError error;
    KnBoardView *view;
    check_ok(error, kn_board_view_open(game, &view, &error));
    return view;
}

static void check_position(const KnBoardView *view, const void *position)
{
    const KnGame *game = view->game;
    unsigned char image[game->position_size] __attribute__((aligned(16))),
        normal[game->position_size] __attribute__((aligned(16)));
    uint8_t cells[KN_BOARD_CELLS], turned[KN_BOARD_CELLS], seen[KN_BOARD_CELLS];
    KnMove moves[game->max_moves];
    KnAction actions[game->max_moves];
    int count = game->type->moves(game, position, moves);
    kn_board_view_actions(view, position, moves, count, actions);
    kn_board_view_cells(view, position, cells);
    int symmetry = kn_board_view_normalise(view, position, normal);
    for (int t = 0; t < view->symmetries; t++) {
        kn_board_view_transform(view, t, position, image);
        kn_board_view_transform_cells(view, t, cells, turned);
        kn_board_view_cells(view, image, seen);
        assert_memory_equal(turned, seen, (size_t)view->cells);
        assert_true(memcmp(normal, image, game->position_size) <= 0);
        if (t == symmetry) assert_memory_equal(normal, image, game->position_size);
        for (int i = 0; i < count; i++) {
            KnMove there = game->type->transform_move(game, view->number[t], position, moves[i]);
            KnAction action = kn_board_view_transform_action(view, t, actions[i]);
            assert_true(kn_action_equal(action, kn_board_view_action(view, image, there)));
            assert_true(
                kn_action_equal(actions[i], kn_board_view_transform_action(view, view->inverse[t], action)));
        }
    }
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    for (int i = 0; i < count; i++) {
        assert_true(kn_board_view_move(view, position, actions[i], moves, count) != KN_MOVE_NONE);
        kn_text_clear(&text);
        kn_action_text(view, actions[i], &text);
        KnAction back;
        check_ok(error, kn_action_parse(view, text.data, &back, &error));
        assert_true(kn_action_equal(back, actions[i]));
    }
    kn_text_clear(&text);
    kn_cells_text(view, cells, &text);
    check_ok(error, kn_cells_parse(view, text.data, seen, &error));
    assert_memory_equal(cells, seen, (size_t)view->cells);
    kn_text_free(&text);
}

static void check_game(const char *spec, int symmetries)
{
    KnGame *game = open_game(spec);
    KnBoardView *view = open_scene(game);
    assert_int_equal(view->symmetries, symmetries);
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    KnRng rng = kn_rng_seeded(5);
    for (int g = 0; g < 3; g++) {
        game->type->start(game, position);
        for (int ply = 0, count;
             ply < (game->cells > 64 ? 12 : 60) && (count = game->type->moves(game, position, moves)) > 0;
             ply++) {
            check_position(view, position);
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    kn_board_view_close(view);
    kn_game_close(game);
}

static void test_games(void **state)
{
    (void)state;
    check_game("tictactoe(lose)", 8);
    check_game("morris(men=5)", 8);
    check_game("morris(men=9)", 16);
    check_game("othello(size=6)", 8);
    check_game("checkers", 1);
    check_game("fives", 8);
}

static KnAction action_of(const KnBoardView *view, const char *position_text, const char *move_text)
{
    const KnGame *game = view->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnError error;
    KnMove move;
    check_ok(error, game->type->parse_position(game, position_text, position, &error));
    check_ok(error,
             kn_game_parse_move(game, position, game->type->mover(game, position), move_text, &move, &error));
    return kn_board_view_action(view, position, move);
}

/* White closes the upper side of the outer square from 10 to 3 and takes 9, since 14, 15 and 16 are a mill.
 */
static void test_morris(void **state)
{
    (void)state;
    KnGame *game = open_game("morris(men=5)");
    KnBoardView *view = open_scene(game);
    assert_int_equal(view->owner[1], 0);
    assert_int_equal(view->owner[2], 1);
    KnAction action = action_of(view, "WW./.W./..BW/.../BBB w", "10-3x9");
    assert_true(kn_action_equal(action, (KnAction){9, 2, 8}));
    kn_board_view_close(view);
    kn_game_close(game);
}

static void check_drawn(const char *spec, const char *cells_text, const char *wanted)
{
    KnGame *game = open_game(spec);
    KnBoardView *view = open_scene(game);
    uint8_t cells[KN_BOARD_CELLS];
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_cells_parse(view, cells_text, cells, &error));
    kn_cells_draw(view, cells, 2, &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
    kn_board_view_close(view);
    kn_game_close(game);
}

/* A line a row, cells where they lie on the board. */
static void test_drawn(void **state)
{
    (void)state;
    check_drawn("tictactoe(lose)", "x.#/.o./..x", "  x . # \n  . o . \n  . . x \n");
    check_drawn("morris(men=5)", "WW.#B#..BW...BBB",
                "  W   W   . \n    # B # \n  . .   B W \n    . . . \n  B   B   B \n");
}

/* The empty board is the same in every frame, a corner in two of them. */
static void test_frames(void **state)
{
    (void)state;
    KnGame *game = open_game("tictactoe(lose)");
    KnBoardView *view = open_scene(game);
    unsigned char position[game->position_size] __attribute__((aligned(16))),
        normal[game->position_size] __attribute__((aligned(16)));
    int symmetries[KN_BOARD_SYMMETRIES];
    game->type->start(game, position);
    assert_int_equal(kn_board_view_normalise_all(view, position, normal, symmetries), 8);
    game->type->play(game, position, 0);
    assert_int_equal(kn_board_view_normalise_all(view, position, normal, symmetries), 2);
    kn_board_view_close(view);
    kn_game_close(game);
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnBoardView *view;
    KnGame *game = open_game("dilemma");
    check_fails(error, KN_INPUT, "take turns", kn_board_view_open(game, &view, &error));
    kn_game_close(game);
    game = open_game("tictactoe");
    view = open_scene(game);
    KnGame *lose = open_game("tictactoe(lose)"), *five = open_game("morris"),
           *same = open_game("morris(men=5)");
    KnBoardView *a = open_scene(five), *b = open_scene(same), *c = open_scene(lose);
    assert_string_equal(a->identity, b->identity);
    assert_string_not_equal(view->identity, c->identity);
    KnAction action;
    uint8_t cells[KN_BOARD_CELLS];
    check_fails(error, KN_INPUT, "no action", kn_action_parse(view, "z9", &action, &error));
    check_fails(error, KN_INPUT, "no action", kn_action_parse(view, "", &action, &error));
    check_fails(error, KN_INPUT, "no action", kn_action_parse(view, "a1x", &action, &error));
    check_fails(error, KN_INPUT, "column 4", kn_cells_parse(view, "xo.", cells, &error));
    check_fails(error, KN_INPUT, "longer", kn_cells_parse(view, "xo./.../..#.", cells, &error));
    check_ok(error, kn_cells_parse(view, "xo.......", cells, &error));
    kn_board_view_close(view), kn_board_view_close(a), kn_board_view_close(b), kn_board_view_close(c);
    kn_game_close(game), kn_game_close(lose), kn_game_close(five), kn_game_close(same);
}

static void test_watched(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = open_game("tictactoe(lose)");
    KnState *game_state = kn_state_new(game);
    static const KnMove moves[] = {0, 3, 1, 4, 2};
    for (int i = 0; i < 5; i++) check_ok(error, kn_state_play(game_state, moves[i], &error));
    double payoffs[2];
    assert_true(kn_state_over(game_state, payoffs));
    KnPlayedGame watched;
    check_ok(error, kn_played_game_from(game_state, payoffs, 1, 0, &watched, &error));
    assert_int_equal(watched.plies, 5);
    assert_int_equal(kn_played_game_outcome(&watched, 0), -1);
    assert_int_equal(kn_played_game_outcome(&watched, 1), 1);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(watched.moves[i], moves[i]);
        assert_int_equal(kn_played_game_mover(&watched, i), i & 1);
    }
    kn_played_game_free(&watched);
    kn_state_free(game_state);
    kn_game_close(game);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_games),   cmocka_unit_test(test_drawn),
                                       cmocka_unit_test(test_morris),  cmocka_unit_test(test_frames),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_watched)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_close(context);
    return failed;
}
