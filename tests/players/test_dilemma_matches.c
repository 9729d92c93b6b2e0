/* Whole matches of 200 turns against results of an independent library: 20 strategies, every ordered pair.
 * The payoffs are T=5, R=3, P=1, S=0; nobody knows the length of the match unless a test says so. */
#include "support/check.h"
#include "support/workbench.h"

#include <string.h>

#include "players/dilemma/duel.h"

enum { STRATEGIES = 20 };

static const char *const names[STRATEGIES] = {"Cooperator",
                                              "Defector",
                                              "Alternator",
                                              "TitForTat",
                                              "TitFor2Tats",
                                              "TwoTitsForTat",
                                              "SuspiciousTitForTat",
                                              "AntiTitForTat",
                                              "Grudger",
                                              "WinStayLoseShift",
                                              "GoByMajority",
                                              "HardGoByMajority",
                                              "Gradual",
                                              "CyclerCCD",
                                              "Punisher",
                                              "Forgiver",
                                              "FirstByDavis",
                                              "FirstByShubik",
                                              "Handshake",
                                              "Prober"};

/* Points of the row's strategy against the column's. */
static const short points[STRATEGIES][STRATEGIES] = {
    {600, 0, 300, 600, 600, 600, 597, 3, 600, 600, 600, 597, 600, 402, 600, 600, 600, 600, 3, 6},
    {1000, 200, 600, 204, 208, 204, 200, 1000, 204, 600, 204, 200, 252, 736, 204, 204, 240, 276, 204, 208},
    {800, 100, 400, 503, 800, 107, 500, 400, 107, 450, 800, 500, 179, 569, 171, 107, 135, 206, 796, 503},
    {600, 199, 498, 600, 600, 600, 500, 450, 600, 600, 600, 500, 600, 534, 600, 600, 600, 600, 201, 599},
    {600, 198, 300, 600, 600, 600, 597, 360, 600, 600, 600, 597, 600, 402, 600, 600, 600, 600, 200, 201},
    {600, 199, 597, 600, 600, 600, 203, 560, 600, 600, 600, 203, 600, 666, 600, 600, 600, 600, 201, 210},
    {602, 200, 500, 500, 602, 203, 200, 450, 203, 401, 500, 200, 601, 536, 203, 203, 221, 257, 203, 600},
    {998, 0, 400, 450, 560, 360, 450, 400, 9, 602, 470, 465, 126, 602, 225, 90, 49, 162, 992, 450},
    {600, 199, 597, 600, 600, 600, 203, 989, 600, 600, 600, 203, 600, 731, 600, 600, 600, 600, 201, 207},
    {600, 100, 450, 600, 600, 600, 401, 267, 600, 600, 600, 104, 600, 567, 600, 600, 600, 600, 102, 401},
    {600, 199, 300, 600, 600, 600, 500, 465, 600, 600, 600, 500, 600, 402, 600, 600, 600, 600, 200, 599},
    {602, 200, 500, 500, 602, 203, 200, 470, 203, 599, 500, 200, 601, 404, 203, 203, 212, 274, 203, 501},
    {600, 187, 569, 600, 600, 600, 596, 846, 600, 600, 600, 596, 600, 692, 600, 600, 600, 600, 189, 599},
    {732, 66, 399, 534, 732, 336, 531, 267, 76, 402, 732, 729, 162, 468, 226, 76, 99, 192, 69, 531},
    {600, 199, 581, 600, 600, 600, 203, 725, 600, 600, 600, 203, 600, 666, 600, 600, 600, 600, 201, 207},
    {600, 199, 597, 600, 600, 600, 203, 890, 600, 600, 600, 203, 600, 731, 600, 600, 600, 600, 201, 207},
    {600, 190, 585, 600, 600, 600, 221, 949, 600, 600, 600, 257, 600, 719, 600, 600, 600, 600, 193, 196},
    {600, 181, 561, 600, 600, 600, 257, 802, 600, 600, 600, 189, 600, 682, 600, 600, 600, 600, 183, 599},
    {998, 199, 301, 206, 210, 206, 203, 7, 206, 602, 210, 203, 254, 734, 206, 206, 238, 278, 598, 207},
    {996, 198, 498, 599, 216, 205, 595, 450, 202, 401, 599, 496, 599, 536, 202, 202, 236, 599, 202, 204},
};

/* How often the row's strategy cooperates against the column's. */
static const short cooperations[STRATEGIES][STRATEGIES] = {
    {200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100},
    {200, 1, 101, 200, 200, 200, 100, 100, 200, 200, 200, 100, 200, 134, 200, 200, 200, 200, 2, 199},
    {200, 2, 200, 200, 200, 200, 200, 120, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 3, 5},
    {200, 1, 2, 200, 200, 200, 1, 80, 200, 200, 200, 1, 200, 68, 200, 200, 200, 200, 2, 2},
    {199, 0, 100, 100, 199, 1, 0, 100, 1, 67, 100, 0, 198, 133, 1, 1, 10, 19, 1, 198},
    {1, 200, 100, 100, 80, 120, 100, 100, 198, 67, 100, 101, 172, 67, 150, 180, 190, 164, 2, 100},
    {200, 1, 2, 200, 200, 200, 1, 2, 200, 200, 200, 1, 200, 3, 200, 200, 200, 200, 2, 1},
    {200, 100, 100, 200, 200, 200, 67, 134, 200, 200, 200, 100, 200, 101, 200, 200, 200, 200, 101, 67},
    {200, 1, 200, 200, 200, 200, 100, 101, 200, 200, 200, 100, 200, 200, 200, 200, 200, 200, 3, 199},
    {199, 0, 100, 100, 199, 1, 0, 100, 1, 1, 100, 0, 198, 199, 1, 1, 19, 2, 1, 99},
    {200, 13, 22, 200, 200, 200, 199, 28, 200, 200, 200, 199, 200, 28, 200, 200, 200, 200, 14, 199},
    {134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134, 134},
    {200, 1, 18, 200, 200, 200, 1, 50, 200, 200, 200, 1, 200, 46, 200, 200, 200, 200, 2, 1},
    {200, 1, 2, 200, 200, 200, 1, 20, 200, 200, 200, 1, 200, 3, 200, 200, 200, 200, 2, 1},
    {200, 10, 10, 200, 200, 200, 10, 10, 200, 200, 200, 10, 200, 10, 200, 200, 200, 200, 10, 10},
    {200, 19, 29, 200, 200, 200, 19, 36, 200, 200, 200, 19, 200, 36, 200, 200, 200, 200, 20, 199},
    {1, 1, 199, 1, 1, 1, 1, 199, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 199, 1},
    {2, 2, 101, 199, 2, 3, 199, 100, 2, 67, 199, 100, 199, 133, 2, 2, 2, 199, 2, 2},
};

static int set_up(void **state)
{
    (void)state;
    return test_workbench_open_game("dilemma");
}

/* Plays one match; `length` is what the strategies know, or 0. */
static KnDuel play(const char *first, const char *second, long length)
{
    KnPlayer *players[2] = {test_workbench_player(first), test_workbench_player(second)};
    KnDuelRules rules = {.matrix = kn_game_matrix(workbench_game), .known_length = length};
    KnRng streams[KN_DUEL_STREAMS];
    for (uint64_t s = 0; s < KN_DUEL_STREAMS; s++) streams[s] = kn_rng_stream(1, s);
    KnDuel duel;
    kn_duel(kn_player_agent(players[0]), kn_player_agent(players[1]), &rules, streams, &duel);
    for (int side = 0; side < 2; side++) kn_player_close(players[side]);
    return duel;
}

static long score(const KnDuel *duel, int side)
{
    const KnMatrix *matrix = kn_game_matrix(workbench_game);
    return (long)(kn_duel_score(duel, matrix, side) / matrix->scale);
}

static void test_published_matches(void **state)
{
    (void)state;
    for (int i = 0; i < STRATEGIES; i++)
        for (int j = 0; j < STRATEGIES; j++) {
            KnDuel duel = play(names[i], names[j], 0);
            assert_int_equal(duel.turns, 200);
            if (score(&duel, 0) != points[i][j] || score(&duel, 1) != points[j][i] ||
                kn_duel_cooperations(&duel, 0) != cooperations[i][j] ||
                kn_duel_cooperations(&duel, 1) != cooperations[j][i])
                fail_msg("%s against %s: %ld:%ld, not %d:%d", names[i], names[j], score(&duel, 0),
                         score(&duel, 1), points[i][j], points[j][i]);
        }
}

/* The opponent's defections count again from the first C of a fresh start, not from the second. */
static void test_fresh_start(void **state)
{
    (void)state;
    KnDuel duel = play("FirstByTidemanAndChieruzzi", "Fortress4", 200);
    assert_int_equal(score(&duel, 0), 378);
    assert_int_equal(score(&duel, 1), 193);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published_matches),
                                       cmocka_unit_test(test_fresh_start)};
    return cmocka_run_group_tests(tests, set_up, test_workbench_close);
}
