/* Playouts: they end, fill no eye, answer ataris, and play their moves as often as they should. */
#include "support/check.h"

#include <string.h>

#include "games/go/playout_policy.h"
#include "support/boards.h"

static KnPlayoutPolicy policies[3];

static void set_up(const KnGame *game, const char *words, KnPlayoutBoard *board)
{
    _Alignas(16) unsigned char position[game->position_size];
    test_position(game, words, position);
    kn_playout_board_set(board, game, position);
}

/* Every move of every policy is legal and fills no eye; playouts end, and are counted as the rules do. */
static void test_playouts(void **state)
{
    (void)state;
    KnGame *game = test_game("go(9, superko=none)");
    for (int kind = KN_PLAYOUT_UNIFORM; kind <= KN_PLAYOUT_FUEGO; kind++) {
        KnRng rng = kn_rng_seeded(3);
        long black = 0, ended = 0, playouts = 60;
        for (long n = 0; n < playouts; n++) {
            KnPlayoutBoard board;
            int colour = 1, moves = 0;
            set_up(
                game,
                "........./........./........./........./........./........./........./........./......... b",
                &board);
            for (; board.passes < 2 && moves < 3 * 81; moves++, colour = 3 - colour) {
                int point = kn_playout_policy_choose(&policies[kind], &board, colour, &rng);
                if (point) assert_true(kn_playout_board_legal(&board, point, colour));
                if (point) assert_false(kn_playout_board_eye(&board, point, colour));
                kn_playout_board_play(&board, point, colour);
            }
            ended += board.passes == 2;
            if (board.passes == 2 && kind != KN_PLAYOUT_FUEGO)
                assert_int_equal(kn_playout_board_margin(&board), kn_playout_board_area(&board));
            black += kn_playout_board_margin(&board) > 0;
        }
        assert_true(ended * 10 > playouts * 9);
        assert_true(black > playouts / 3 && black < playouts * 4 / 5); /* who begins is a little ahead */
    }
    test_game_close(game);
}

/* kn_playout_policy_run makes the moves that kn_playout_policy_choose chooses. */
static void test_run(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    for (int kind = KN_PLAYOUT_UNIFORM; kind <= KN_PLAYOUT_FUEGO; kind++) {
        KnPlayoutBoard one, other;
        KnRng rngs[2] = {kn_rng_seeded(9), kn_rng_seeded(9)};
        uint8_t first[KN_PLAYOUT_POINTS] = {0}, expected[KN_PLAYOUT_POINTS] = {0};
        set_up(game, "......./......./..x.o../......./..o.x../......./....... w", &one);
        other = one;
        int moves = kn_playout_policy_run(&policies[kind], &one, 2, &rngs[0], first), colour = 2;
        for (int i = 0; i < moves; i++, colour = 3 - colour) {
            int point = kn_playout_policy_choose(&policies[kind], &other, colour, &rngs[1]);
            kn_playout_board_play(&other, point, colour);
            if (point && !expected[point]) expected[point] = (uint8_t)colour;
        }
        assert_memory_equal(first, expected, sizeof first);
        assert_memory_equal(one.colour, other.colour, sizeof one.colour);
    }
    test_game_close(game);
}

enum { SIZE = 7 };

/* A point under one of the eight symmetries of the board. */
static void turn(int symmetry, int *x, int *y)
{
    if (symmetry & 1) *x = SIZE - 1 - *x;
    if (symmetry & 2) *y = SIZE - 1 - *y;
    if (!(symmetry & 4)) return;
    int old = *x;
    *x = *y, *y = old;
}

/* How often a policy plays at (x, y), in percent, in the symmetry where it does so least (or most). The last
 * move was at (lx, ly). */
static int percent_at(const char *words, int kind, int colour, int lx, int ly, int x, int y, bool most)
{
    KnGame *game = test_game("go(7, superko=none)");
    int found[8] = {0}, extreme = 0;
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        char turned[64];
        KnPlayoutBoard board;
        KnRng rng = kn_rng_seeded(17);
        strcpy(turned, words);
        for (int i = 0; i < SIZE * SIZE; i++) {
            int to_x = i % SIZE, to_y = i / SIZE;
            turn(symmetry, &to_x, &to_y);
            turned[to_y * (SIZE + 1) + to_x] = words[i / SIZE * (SIZE + 1) + i % SIZE];
        }
        set_up(game, turned, &board);
        int last_x = lx, last_y = ly, at_x = x, at_y = y;
        turn(symmetry, &last_x, &last_y);
        turn(symmetry, &at_x, &at_y);
        board.last = kn_playout_board_point(&board, last_x, last_y);
        for (int i = 0; i < 1000; i++)
            found[symmetry] += kn_playout_policy_choose(&policies[kind], &board, colour, &rng) ==
                               kn_playout_board_point(&board, at_x, at_y);
        if ((found[symmetry] > found[extreme]) == most && found[symmetry] != found[extreme])
            extreme = symmetry;
    }
    test_game_close(game);
    return found[extreme] / 10;
}

/* In all symmetries the policy plays there from `low` to `high` percent of the time. */
#define check_percent(low, high, ...)                                                                        \
    do {                                                                                                     \
        assert_true(percent_at(__VA_ARGS__, false) >= (low));                                                \
        assert_true(percent_at(__VA_ARGS__, true) <= (high));                                                \
    } while (0)

/* White has just put a stone of Black's in atari: Black extends, except for the share that is left to chance;
 * a capture comes before that. */
static void test_ataris(void **state)
{
    (void)state;
    static const char extends[] = "......./......./..o..../.ox..../..o..../......./....... b",
                      captures[] = "......./......./......./...x.../..xo.../...x.../....... b",
                      hopeless[] = "......./......./......./......./......./oo...../x.o.... b";
    check_percent(85, 99, extends, KN_PLAYOUT_MOGO, 1, 2, 4, 3, 3);
    check_percent(85, 99, extends, KN_PLAYOUT_FUEGO, 1, 2, 4, 3, 3);
    check_percent(0, 10, extends, KN_PLAYOUT_UNIFORM, 1, 2, 4, 3, 3);
    check_percent(85, 100, captures, KN_PLAYOUT_MOGO, 1, 3, 4, 4, 4); /* its stone is in atari */
    check_percent(0, 10, hopeless, KN_PLAYOUT_FUEGO, 1, 1, 5, 1, 6);
}

/* The middle of three points in the corner decides whether White lives there. */
static void test_nakade(void **state)
{
    (void)state;
    static const char eye[] = "...ox../oooox../xxxxx../......./......./......./....... b";
    check_percent(90, 100, eye, KN_PLAYOUT_FUEGO, 1, 3, 0, 1, 0);
    check_percent(0, 50, eye, KN_PLAYOUT_MOGO, 1, 3, 0, 1, 0);
}

/* A chain of six stones is never put in atari by its owner, if the policy looks at that. */
static void test_self_atari(void **state)
{
    (void)state;
    static const char large[] = "xxxxx../ooooox./.oooox./oooo.x./xxxxxx./......./....... w";
    check_percent(1, 50, large, KN_PLAYOUT_UNIFORM, 2, 6, 6, 4, 3);
    check_percent(0, 0, large, KN_PLAYOUT_FUEGO, 2, 6, 6, 4, 3);
}

int main(void)
{
    for (int kind = KN_PLAYOUT_UNIFORM; kind <= KN_PLAYOUT_FUEGO; kind++)
        kn_playout_policy_fill(&policies[kind], (KnPlayoutKind)kind);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_playouts), cmocka_unit_test(test_run),
                                       cmocka_unit_test(test_ataris), cmocka_unit_test(test_nakade),
                                       cmocka_unit_test(test_self_atari)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
