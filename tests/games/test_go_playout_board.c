/* The quick Go board agrees with the game: legality, stones after captures, kos, area; and playouts end with
 * every empty point an eye. */
#include "support/check.h"

#include <string.h>

#include "games/go/playout_board.h"
#include "methods/widening/tactical_tree.h"
#include "support/boards.h"

static void compare(const KnPlayoutBoard *light, const KnGame *game, const void *position)
{
    int colour = game->type->mover(game, position) + 1;
    for (int i = 0; i < game->cells; i++) {
        int x = i % light->size, y = i / light->size, point = kn_playout_board_point(light, x, y);
        assert_int_equal(light->colour[point], game->type->cell(game, position, i));
        assert_int_equal(kn_playout_board_legal(light, point, colour),
                         kn_go_legal(game, position, kn_go_move(game, x, y)));
    }
}

static void test_random_games(void **state)
{
    (void)state;
    static const char *const specs[] = {"go(5, superko=none)", "go(9, superko=none)", "go(19, superko=none)"};
    for (int g = 0; g < 3; g++) {
        KnGame *game = test_game(specs[g]);
        for (long n = 0; n < check_scaled(g == 2 ? 1 : 20); n++) {
            KnRng rng = kn_rng_stream(5, (uint64_t)n);
            _Alignas(16) unsigned char position[game->position_size];
            KnPlayoutBoard light, again;
            game->type->start(game, position);
            kn_playout_board_set(&light, game, position);
            for (int ply = 0; ply < 2 * game->cells; ply++) {
                KnMove moves[game->max_moves];
                int count = game->type->moves(game, position, moves),
                    colour = game->type->mover(game, position) + 1;
                if (!count) break;
                KnMove move = moves[kn_rng_below(&rng, (uint32_t)count)];
                if (move == KN_GO_PASS && count > 1) continue;
                kn_playout_board_play(&light, kn_playout_board_from_move(&light, game, move), colour);
                game->type->play(game, position, move);
                compare(&light, game, position);
            }
            kn_playout_board_set(&again, game, position); /* set up from the stones: the same board */
            compare(&again, game, position);
            assert_int_equal(again.empties, light.empties);
        }
        test_game_close(game);
    }
}

static void test_playouts(void **state)
{
    (void)state;
    KnGame *game = test_game("go(9, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    game->type->start(game, position);
    KnRng rng = kn_rng_seeded(3);
    long black = 0, ended = 0, playouts = check_scaled(300);
    for (long n = 0; n < playouts; n++) {
        KnPlayoutBoard light;
        uint8_t first[KN_PLAYOUT_POINTS] = {0}, cells[KN_GO_CELLS_MAX];
        KnError error;
        int area[2];
        kn_playout_board_set(&light, game, position);
        int moves = kn_playout_board_run(&light, 1, &rng, first);
        assert_in_range(moves, 20, 3 * 81);
        for (int i = 0; i < game->cells; i++)
            cells[i] = light.colour[kn_playout_board_point(&light, i % 9, i / 9)];
        _Alignas(16) unsigned char last[game->position_size];
        check_ok(error, kn_go_set_up(game, cells, 0, KN_GO_PASS, last, &error));
        kn_go_area(game, last, area);
        if (light.passes == 2) assert_int_equal(kn_playout_board_margin(&light), area[0] - area[1]), ended++;
        black += kn_playout_board_margin(&light) > 0;
    }
    assert_true(ended * 10 > playouts * 9);
    assert_true(black > playouts / 3 && black < playouts * 4 / 5); /* who begins is a little ahead */
    test_game_close(game);
}

/* Hints steer a tree that has few playouts; without them the same generator gives the same move. */
static void test_tree(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    KnMove moves[game->max_moves];
    game->type->start(game, position);
    int count = game->type->moves(game, position, moves);
    KnGoTree *tree = kn_go_tree_new(game, 1 << 20);
    KnGoHint hint = {kn_go_move(game, 0, 0), 200, 1};
    KnGoTreeResult results[3];
    for (int i = 0; i < 3; i++) {
        KnRng rng = kn_rng_seeded(8);
        KnGoTreeRequest ask = {.position = position,
                               .allowed = moves,
                               .allowed_count = count,
                               .hints = &hint,
                               .hint_count = i == 2,
                               .playouts = 60,
                               .rng = &rng};
        kn_go_tree_run(tree, &ask, &results[i]);
        assert_int_equal(results[i].playouts, 60);
        assert_true(results[i].nodes > 60 && results[i].result >= 0 && results[i].result <= 1);
        for (int r = 1; r < results[i].row_count; r++)
            assert_true(results[i].rows[r - 1].visits >= results[i].rows[r].visits);
    }
    assert_true(results[0].move == results[1].move && results[0].nodes == results[1].nodes);
    assert_true(results[2].move == hint.move && results[0].move != hint.move);
    kn_go_tree_free(tree);
    test_game_close(game);
}

/* An empty point belongs to whom it touches, from whatever side, and to nobody between both. */
static void test_owners(void **state)
{
    (void)state;
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    KnGame *game = test_game("go(5, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    game->type->start(game, position);
    for (int side = 0; side < 4; side++) {
        KnPlayoutBoard board;
        kn_playout_board_set(&board, game, position);
        int middle = kn_playout_board_point(&board, 2, 2), other = (side + 1) % 4;
        assert_int_equal(kn_playout_board_owner(&board, middle), 0);
        kn_playout_board_play(&board, kn_playout_board_point(&board, 2 + dx[side], 2 + dy[side]), 2);
        assert_int_equal(kn_playout_board_owner(&board, middle), 2);
        kn_playout_board_play(&board, kn_playout_board_point(&board, 2 + dx[other], 2 + dy[other]), 1);
        assert_int_equal(kn_playout_board_owner(&board, middle), 0);
    }
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_games), cmocka_unit_test(test_playouts),
                                       cmocka_unit_test(test_tree), cmocka_unit_test(test_owners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
