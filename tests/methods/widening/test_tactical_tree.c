/* The tree of the tactical player: hints and priors steer it, it repeats itself, and stops when it is
 * decided.
 */
#include "support/check.h"

#include "methods/widening/tactical_prior.h"
#include "methods/widening/tactical_tree.h"
#include "support/boards.h"

static const KnGoTreeOptions usual = {
    .bytes = 1 << 20, .playout = KN_PLAYOUT_FUEGO, .rave = 3500, .expand = 4};

static void run(const KnGame *game, const KnGoTreeOptions *options, const char *words, const KnGoHint *hint,
                uint64_t playouts, KnGoTreeResult *result)
{
    _Alignas(16) unsigned char position[game->position_size];
    KnMove moves[game->max_moves];
    KnRng rng = kn_rng_seeded(8);
    if (words)
        test_position(game, words, position);
    else
        game->type->start(game, position);
    KnGoTree *tree = kn_go_tree_new(game, options);
    KnGoTreeRequest ask = {.position = position,
                           .allowed = moves,
                           .allowed_count = game->type->moves(game, position, moves),
                           .hints = hint,
                           .hint_count = hint != NULL,
                           .last = KN_GO_PASS,
                           .playouts = playouts,
                           .rng = &rng};
    kn_go_tree_run(tree, &ask, result);
    assert_true(result->playouts <= playouts && result->nodes >= result->playouts);
    assert_true(result->result >= 0 && result->result <= 1);
    for (int r = 1; r < result->row_count; r++)
        assert_true(result->rows[r - 1].visits >= result->rows[r].visits);
    kn_go_tree_free(tree);
}

/* Hints steer a tree that has few playouts; without them the same generator gives the same move. */
static void test_hints(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    KnGoHint hint = {kn_go_move(game, 0, 0), 200, 1};
    KnGoTreeResult results[3];
    for (int i = 0; i < 3; i++) run(game, &usual, NULL, i == 2 ? &hint : NULL, 60, &results[i]);
    assert_true(results[0].move == results[1].move && results[0].nodes == results[1].nodes);
    assert_true(results[2].move == hint.move && results[0].move != hint.move);
    test_game_close(game);
}

/* In a seki who moves loses stones: pass. That is so clear that the search ends before its playouts are used
 * up. */
static void test_pass(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none, komi=0.5)");
    KnGoTreeResult result;
    run(game, &usual, ".ox.ox./ooxxoxx/.oxxox./ooxxoxx/ooxxoxx/ooxxoxx/oox.oxx b", NULL, 400, &result);
    assert_true(result.move == KN_GO_PASS && result.playouts < 400 && result.tried > 200);
    test_game_close(game);
}

/* A caller who allows one move wants to know what it is worth: in a seki a move loses, a pass wins. */
static void test_single(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none, komi=0.5)");
    _Alignas(16) unsigned char position[game->position_size];
    double worth[2];
    test_position(game, ".ox.ox./ooxxoxx/.oxxox./ooxxoxx/ooxxoxx/ooxxoxx/oox.oxx b", position);
    KnGoTree *tree = kn_go_tree_new(game, &usual);
    for (int i = 0; i < 2; i++) {
        KnRng rng = kn_rng_seeded(5);
        KnMove only = i ? KN_GO_PASS : kn_go_move(game, 3, 0);
        KnGoTreeResult result;
        KnGoTreeRequest ask = {.position = position,
                               .allowed = &only,
                               .allowed_count = 1,
                               .last = KN_GO_PASS,
                               .playouts = 50,
                               .rng = &rng};
        kn_go_tree_run(tree, &ask, &result);
        assert_true(result.move == only && result.playouts == 50 && result.tried == 50);
        worth[i] = result.result;
    }
    assert_true(worth[0] < 0.3 && worth[1] > 0.5);
    kn_go_tree_free(tree);
    test_game_close(game);
}

/* Distances on the common fate graph: a chain is as near as its nearest stone. */
static void test_distances(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    KnPlayoutBoard board;
    uint8_t distance[KN_PLAYOUT_POINTS];
    test_position(game, "......./......./oxxxx../......./......./......./....... b", position);
    kn_playout_board_set(&board, game, position);
    kn_go_distances(&board, distance);
    assert_int_equal(distance[kn_playout_board_point(&board, 3, 3)], KN_GO_FAR); /* no last move */
    board.last = kn_playout_board_point(&board, 0, 2);
    kn_go_distances(&board, distance);
    assert_int_equal(distance[board.last], 0);
    assert_int_equal(distance[kn_playout_board_point(&board, 0, 1)], 1);
    assert_int_equal(distance[kn_playout_board_point(&board, 4, 2)], 1); /* along the chain */
    assert_int_equal(distance[kn_playout_board_point(&board, 5, 2)], 2);
    assert_int_equal(distance[kn_playout_board_point(&board, 6, 2)], 3);
    assert_int_equal(distance[kn_playout_board_point(&board, 6, 6)], KN_GO_FAR);
    test_game_close(game);
}

/* Priors: a capture is liked more than an empty point, a self-atari less. */
static void test_priors(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    KnPlayoutBoard board;
    static KnPlayoutPolicy policy;
    uint8_t distance[KN_PLAYOUT_POINTS];
    double values[3];
    static const int points[3][2] = {{3, 3}, {4, 4}, {6, 0}}; /* a capture, an open point, a self-atari */
    kn_playout_policy_fill(&policy, KN_PLAYOUT_FUEGO);
    test_position(game, ".....o./......o/..x..../.xo..../..x..../......./....... b", position);
    kn_playout_board_set(&board, game, position);
    kn_go_distances(&board, distance);
    for (int i = 0; i < 3; i++) {
        int point = kn_playout_board_point(&board, points[i][0], points[i][1]);
        KnGoPrior prior = kn_go_prior(&policy, &board, distance, point, 1);
        values[i] = prior.wins / prior.visits;
    }
    assert_true(values[0] > values[1] && values[1] > values[2]);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hints), cmocka_unit_test(test_pass),
                                       cmocka_unit_test(test_single), cmocka_unit_test(test_distances),
                                       cmocka_unit_test(test_priors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
