/* Games that claim the same rules for both roles: with men and move exchanged, everything stays the same. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "games/exchange.h"
#include "games/fives/fives.h"
#include "games/turns.h"
#include "support/instances.h"
#include "support/workbench.h"

/* Positions begin with the men of both roles; the lowest bit of a later byte is the mover. */
static void exchange(const KnGame *game, size_t men, size_t mover, const void *position, void *image)
{
    memcpy(image, position, game->position_size);
    memcpy(image, (const char *)position + men, men);
    memcpy((char *)image + men, position, men);
    ((unsigned char *)image)[mover] ^= 1;
}

typedef struct Pair {
    unsigned char position[128] __attribute__((aligned(16))), image[128] __attribute__((aligned(16)));
} Pair;

static void compare(const KnGame *game, const Pair *pair, const uint16_t *cells, const uint8_t *symbols)
{
    uint8_t one[KN_FIVES_SIDE * KN_FIVES_SIDE], two[KN_FIVES_SIDE * KN_FIVES_SIDE];
    double payoffs[2], image_payoffs[2];
    KnMove moves[512], image_moves[512];
    kn_game_board(game, pair->position, one);
    kn_game_board(game, pair->image, two);
    for (int c = 0; c < game->cells; c++) assert_int_equal(two[cells[c]], symbols[one[c]]);
    assert_int_equal(game->type->mover(game, pair->image), 1 - game->type->mover(game, pair->position));
    int count = game->type->moves(game, pair->position, moves);
    assert_int_equal(game->type->moves(game, pair->image, image_moves), count);
    assert_memory_equal(moves, image_moves, (size_t)count * sizeof *moves);
    if (count) return;
    game->type->payoffs(game, pair->position, payoffs);
    game->type->payoffs(game, pair->image, image_payoffs);
    assert_true(payoffs[0] == image_payoffs[1] && payoffs[1] == image_payoffs[0]);
}

static void check_game(const KnContext *context, const char *spec, size_t men, size_t mover)
{
    KnError error;
    KnGame *game;
    KnMove moves[512];
    uint16_t cells[KN_FIVES_SIDE * KN_FIVES_SIDE];
    uint8_t symbols[3];
    KnRng rng = kn_rng_seeded(3);
    check_ok(error, kn_game_open(context, spec, &game, &error));
    assert_true(kn_game_exchange(game, cells, symbols));
    assert_true(game->position_size <= sizeof(((Pair *)0)->position));
    for (long g = 0; g < check_scaled(50); g++) {
        Pair pair;
        game->type->start(game, pair.position);
        exchange(game, men, mover, pair.position, pair.image);
        for (int ply = 0, count; ply < 100; ply++) {
            compare(game, &pair, cells, symbols);
            if ((count = game->type->moves(game, pair.position, moves)) == 0) break;
            KnMove move = moves[kn_rng_below(&rng, (uint32_t)count)];
            Pair wanted;
            game->type->play(game, pair.position, move);
            game->type->play(game, pair.image, move);
            exchange(game, men, mover, pair.position, wanted.image);
            assert_memory_equal(pair.image, wanted.image, game->position_size);
        }
    }
    kn_game_close(game);
}

static void test_games(void **state)
{
    (void)state;
    KnContext *context = test_context();
    check_game(context, "tictactoe", 2, 4);
    check_game(context, "tictactoe(lose=yes)", 2, 4);
    check_game(context, "fives", 16, 32);
    check_game(context, "fives(width=6, height=6, line=4, overline=ignored)", 8, 16);
    kn_close(context);
}

/* Descriptions: men trade places in Connect Four, and the board is turned over in Breakthrough. */
static void test_descriptions(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool turned;
    } rows[] = {{"gdl(connectfour)", false}, {"gdl(breakthrough)", true}};
    KnContext *context = test_workbench("data");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnError error;
        KnGame *game;
        uint16_t cells[128];
        uint8_t symbols[16];
        check_ok(error, kn_game_open_turns(context, rows[i].spec, &game, &error));
        assert_true(kn_game_exchange(game, cells, symbols));
        assert_int_equal(symbols[1], 2);
        assert_int_equal(symbols[2], 1);
        for (int c = 0; c < game->cells; c++) {
            assert_int_equal(cells[cells[c]], c);
            assert_int_equal(cells[c] != c, rows[i].turned);
        }
        kn_game_close(game);
    }
    kn_close(context);
}

/* Roles with different rules or a symmetry of their own. */
static void test_others(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnError error;
    KnGame *game;
    uint16_t cells[128];
    uint8_t symbols[16];
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    assert_false(kn_game_exchange(game, cells, symbols));
    kn_game_close(game);
    kn_close(context);
}

/* The whole board of a view says what its cells say one by one. */
static void test_boards_of_views(void **state)
{
    (void)state;
    static const char *const specs[] = {"gdl:connectfour", "gdl:breakthrough", "gdl:tictactoe", "gdl:hex5"};
    KnContext *context = test_workbench("views");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnError error;
        KnGame *game;
        KnRng rng = kn_rng_seeded(i);
        check_ok(error, kn_game_open_turns(context, specs[i], &game, &error));
        assert_true(game->cells > 0 && game->type->board);
        KnState *play = kn_state_new(game);
        KnMove moves[game->max_moves];
        uint8_t cells[game->cells];
        int men = 0;
        for (bool over = false; !over; over = kn_state_over(play, NULL)) {
            kn_game_board(game, kn_state_position(play), cells);
            men = 0;
            for (int c = 0; c < game->cells; c++) {
                assert_int_equal(cells[c], game->type->cell(game, kn_state_position(play), c));
                men += cells[c] != 0;
            }
            int count = kn_state_moves(play, kn_state_mover(play), moves);
            check_ok(error, kn_state_play(play, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
        }
        assert_true(men > 3);
        kn_state_free(play);
        kn_game_close(game);
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_games), cmocka_unit_test(test_descriptions),
                                       cmocka_unit_test(test_others), cmocka_unit_test(test_boards_of_views)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
