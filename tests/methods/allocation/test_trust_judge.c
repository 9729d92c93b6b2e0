/* Who judges between a known move and a search: the points of games that are over or broken off. */
#include "support/check.h"
#include "support/workbench.h"

#include <unistd.h>

#include "games/replay.h"
#include "methods/allocation/trust.h"
#include "methods/experience/base.h"

static void check_points(KnContext *context, const char *spec, const char *position, double judge,
                         double points)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    unsigned char bytes[game->position_size] __attribute__((aligned(16)));
    check_ok(error, game->type->parse_position(game, position, bytes, &error));
    KnState *state = kn_state_new(game);
    kn_state_reset(state, bytes);
    double found = kn_judged_points(state, judge);
    if (found != points) fail_msg("%s, judge %g: %g, not %g", position, judge, found, points);
    kn_state_free(state);
    kn_game_close(game);
}

static void test_points(void **state)
{
    (void)state;
    KnContext *context = test_workbench("data");
    /* By the rules where the game is over: won, lost, drawn. */
    check_points(context, "tictactoe", "xxx/oo./... o", 1, 1);
    check_points(context, "tictactoe", "xx./ooo/x.. x", 1, 0);
    check_points(context, "tictactoe", "xox/xoo/oxx o", 1, 0.5);
    /* Broken off: the lead in men decides if it is as large as the judge asks, both ways. */
    static const struct {
        const char *position;
        double judge, points;
    } cases[] = {{"B:W30:B1,2,3", 2, 1},    {"B:W30:B1,2,3", 2.1, 0.5}, {"B:W30,31:B1,2,3", 1, 1},
                 {"B:W30,31,32:B1", 2, 0},  {"W:W30,31,32:B1", 2, 0},   {"B:W30,31,32:B1", 2.1, 0.5},
                 {"B:W30,31:B1,2", 1, 0.5}, {"B:W30:B1,2,3", 0, 0.5},   {"B:W30:B1,2,3", -1, 0.5},
                 {"W:W30:B1,2,3", 1.9, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_points(context, "checkers", cases[c].position, cases[c].judge, cases[c].points);
    check_points(context, "tictactoe", "x../.../... o", 1, 0.5); /* nothing to count */
    kn_close(context);
}

static void test_refusals(void **state)
{
    (void)state;
    KnError error;
    static const struct {
        uint64_t nodes, judging;
        bool good;
    } cases[] = {{1, 1, true}, {0, 1, false}, {1, 0, false}, {60, 20, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        KnTrust trust = {.nodes = cases[c].nodes, .judging = cases[c].judging};
        assert_int_equal(kn_trust_check(&trust, &error), cases[c].good ? KN_OK : KN_INPUT);
    }
}

/* The known move loses and the search wins: the search gains the whole point, whoever is to move; and nothing
 * where both name the same move. */
static void test_gain(void **state)
{
    (void)state;
    static const struct {
        const char *position, *known, *searched;
        double gain;
    } cases[] = {{"xx./oo./... x", "a1", "c3", 1},
                 {"xx./oo./x.. o", "c1", "c2", 1},
                 {"xx./oo./... x", "c3", "c3", 0},
                 {"xx./oo./x.. o", "c2", "c2", 0}};
    KnError error;
    KnContext *context = test_workbench("data");
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_player_open(context, game, "alphabeta(memory=1)", &player, &error));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        KnBase *base;
        unlink("judge.mdb");
        check_ok(error, kn_base_open(context, game, "judge.mdb", KN_BASE_MAKE | KN_BASE_WRITE | KN_BASE_LOOSE,
                                     NULL, &base, &error));
        unsigned char bytes[game->position_size] __attribute__((aligned(16)));
        check_ok(error, game->type->parse_position(game, cases[c].position, bytes, &error));
        KnState *played = kn_state_new(game), *scratch = kn_state_new(game);
        KnArena *arena = kn_arena_new();
        KnMove moves[9];
        kn_state_reset(played, bytes);
        check_ok(error, kn_replay(played, cases[c].known, &error));
        while (!kn_state_over(played, NULL)) {
            kn_state_moves(played, game->type->mover(game, kn_state_position(played)), moves);
            check_ok(error, kn_state_play(played, moves[0], &error));
        }
        check_ok(error, kn_base_add(base, played, 0, NULL, NULL, &error));
        kn_state_reset(played, bytes);
        int role = game->type->mover(game, bytes);
        KnRng rng = kn_rng_seeded(1);
        KnRequest request = {.game = game,
                             .position = kn_state_position(played),
                             .history = kn_state_history(played),
                             .role = role,
                             .allowed = moves,
                             .allowed_count = kn_state_moves(played, role, moves),
                             .rng = &rng};
        KnTrust trust = {.nodes = 2000, .judging = 2000, .plies = 20};
        KnTrustTag tag;
        check_ok(error, kn_player_begin(player, role, kn_state_position(played), &error));
        check_ok(error, kn_trust_tag(&trust, base, scratch, player, &request, &tag, &error));
        assert_string_equal(kn_game_move_name(game, bytes, tag.known, arena), cases[c].known);
        assert_string_equal(kn_game_move_name(game, bytes, tag.searched, arena), cases[c].searched);
        assert_true(tag.gain == cases[c].gain);
        kn_arena_free(arena);
        kn_state_free(played);
        kn_state_free(scratch);
        kn_base_close(base);
    }
    unlink("judge.mdb");
    kn_player_close(player);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_gain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
