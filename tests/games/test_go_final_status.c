/* The end of a game of Go: unconditional life, dead stones, seki, territory. */
#include "support/check.h"

#include <string.h>

#include "games/go/final_status.h"
#include "support/boards.h"

static void read_board(KnGame **game, const char *spec, const char *text, unsigned char *position)
{
    *game = test_game(spec);
    test_position(*game, text, position);
}

/* Two walls that divide the board, with a lone white stone inside of Black's side. */
static void test_dead_stone(void **state)
{
    (void)state;
    KnGame *game;
    _Alignas(16) unsigned char position[512];
    read_board(&game, "go(7, komi=0.5)", "...xo../...xo../.o.xo../...xo../...xo../.x.xo../...xo.. b",
               position);
    KnGoFinal final;
    kn_go_final(game, position, &final);
    for (int i = 0; i < 49; i++) {
        int held = game->type->cell(game, position, i);
        int expected = !held ? KN_GO_EMPTY : i == 2 * 7 + 1 ? KN_GO_DEAD : KN_GO_ALIVE;
        assert_int_equal(final.status[i], expected);
        assert_int_equal(final.owner[i], i % 7 < 4 ? 1 : 2);
    }
    assert_int_equal(final.area[0], 28);
    assert_int_equal(final.area[1], 21);
    assert_true(final.points == 6.5);
    KnGoFinal again;
    kn_go_final(game, position, &again);
    assert_memory_equal(&final, &again, sizeof final);
    test_game_close(game);
}

/* Walls with a gap: by the rules no empty point is territory yet, but most are as good as that. */
static void test_open_border(void **state)
{
    (void)state;
    KnGame *game;
    KnGoFinal final;
    _Alignas(16) unsigned char position[512];
    read_board(&game, "go(7, komi=0.5)", "...xo../...xo../...xo../...xo../...xo../...xo../....... b",
               position);
    kn_go_final(game, position, &final);
    for (int i = 0; i < 5 * 7; i++) assert_int_equal(final.owner[i], i % 7 < 4 ? 1 : 2);
    assert_int_equal(final.owner[6 * 7 + 3], 0);
    test_game_close(game);
}

/* A group with two eyes lives whatever is played; a wall does not, by Benson's standard. */
static void test_benson(void **state)
{
    (void)state;
    KnGame *game;
    bool alive[KN_GO_CELLS_MAX];
    _Alignas(16) unsigned char position[512];
    read_board(&game, "go(5)", ".x..x/xxxxx/ooooo/...../..... b", position);
    kn_go_benson(game, position, alive);
    for (int i = 0; i < 25; i++) assert_int_equal(alive[i], game->type->cell(game, position, i) == 1);
    test_game_close(game);
    read_board(&game, "go(5)", ".x..x/xxxxx/ooooo/...../..... b", position);
    kn_go_benson(game, position, alive);
    assert_true(alive[1]);   /* A5, and C5-D5: both points of the second eye are liberties */
    assert_false(alive[10]); /* White has one large region */
    test_game_close(game);
    read_board(&game, "go(5)", ".xx.o/xx.xo/ooooo/...../..... b", position);
    kn_go_benson(game, position, alive);
    for (int i = 0; i < 25; i++) assert_false(alive[i]); /* an eye that D4 alone holds, which may be taken */
    test_game_close(game);
}

/* Neither side can approach: both strings stay, and neither has territory. */
static void test_seki(void **state)
{
    (void)state;
    KnGame *game;
    KnGoFinal final;
    _Alignas(16) unsigned char position[512];
    read_board(&game, "go(7, komi=0.5)", ".ox.ox./ooxxoxx/.oxxox./ooxxoxx/ooxxoxx/ooxxoxx/oox.oxx b",
               position);
    kn_go_final(game, position, &final);
    for (int i = 0; i < 49; i++) {
        int held = game->type->cell(game, position, i), x = i % 7;
        assert_int_equal(final.status[i], !held ? KN_GO_EMPTY : x >= 2 && x <= 4 ? KN_GO_SEKI : KN_GO_ALIVE);
        if (!held) assert_int_equal(final.owner[i], x == 0 ? 2 : x == 6 ? 1 : 0);
    }
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dead_stone), cmocka_unit_test(test_open_border),
                                       cmocka_unit_test(test_benson), cmocka_unit_test(test_seki)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
