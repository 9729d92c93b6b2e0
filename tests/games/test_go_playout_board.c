/* The quick Go board agrees with the game: legality, stones after captures, kos, liberties, area. */
#include "support/check.h"

#include <string.h>

#include "games/go/playout_board.h"
#include "games/go/strings.h"
#include "support/boards.h"

/* What the board says of a legal move, against the board of the tactical search after that move. */
static void compare_move(const KnPlayoutBoard *light, KnStrings *strings, int x, int y, int colour)
{
    int point = kn_playout_board_point(light, x, y), at = kn_strings_point(strings, x, y);
    int counted = kn_playout_board_liberties_after(light, point, colour, 4);
    assert_true(kn_strings_play(strings, at, colour));
    const KnString *string = kn_string_of(strings, at);
    assert_int_equal(counted, string->liberties < 4 ? string->liberties : 4);
    assert_int_equal(kn_playout_board_joined(light, point, colour), string->stones);
    assert_int_equal(kn_playout_board_self_atari(light, point, colour), string->liberties < 2);
    assert_int_equal(kn_playout_board_taken(light, point, colour), kn_strings_taken(strings));
    kn_strings_undo(strings);
}

static void compare_liberties(const KnPlayoutBoard *light, KnStrings *strings, int x, int y)
{
    int free[4], head = light->head[kn_playout_board_point(light, x, y)];
    const KnString *string = kn_string_of(strings, kn_strings_point(strings, x, y));
    int count = kn_playout_board_liberties(light, head, 4, free);
    assert_int_equal(count, string->liberties < 4 ? string->liberties : 4);
    assert_int_equal(kn_playout_board_atari(light, head), string->liberties == 1);
    for (int i = 0; i < count; i++) assert_int_equal(light->colour[free[i]], 0);
}

static void compare(const KnPlayoutBoard *light, const KnGame *game, const void *position)
{
    int colour = game->type->mover(game, position) + 1, area[2];
    KnStrings *strings = kn_strings_new(light->size);
    kn_strings_set(strings, game, position);
    kn_go_area(game, position, area);
    assert_int_equal(kn_playout_board_area(light), area[0] - area[1]);
    for (int i = 0; i < game->cells; i++) {
        int x = i % light->size, y = i / light->size, point = kn_playout_board_point(light, x, y);
        assert_int_equal(light->colour[point], game->type->cell(game, position, i));
        assert_int_equal(kn_playout_board_legal(light, point, colour),
                         kn_go_legal(game, position, kn_go_move(game, x, y)));
        if (light->colour[point])
            compare_liberties(light, strings, x, y);
        else if (kn_playout_board_legal(light, point, colour))
            compare_move(light, strings, x, y, colour);
    }
    kn_strings_free(strings);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_games), cmocka_unit_test(test_owners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
