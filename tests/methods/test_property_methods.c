/* Every method on every game that it says it runs on: a short training and a game from each seat. The
 * games are split over several tests, so that each is short; `knack methods --try` does the same at the
 * command line. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "base/text.h"
#include "players/sequential_view.h"
#include "support/workbench.h"

static const char *const at_once[] = {"heuristics", "uct", "satisficing", NULL};

static bool named(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

/* All methods but those of `filled` must say what they need; those of it must train and play. NULL: all but
 * satisficing, which is for repeated games. */
static void check_game(const char *spec, const char *const *filled)
{
    KnError error;
    KnContext *context = test_workbench("methods");
    KnGame *game;
    static unsigned pair;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    for (KnMethod method = {0}; kn_method_next(context, &method);) {
        bool runs = kn_method_suits(context, &method, game, &error) == KN_OK;
        if (runs != (filled ? named(filled, method.name) : strcmp(method.name, "satisficing") != 0))
            fail_msg("%s on %s: %s", method.name, spec,
                     runs ? "runs, which the test does not know" : error.text);
        if (!runs) {
            assert_true(strlen(error.text) > 10);
            continue;
        }
        if (getenv("KNACK_TEST_SCALE") && pair++ % 3) continue; /* each method meets some of the games */
        double points;
        check_ok(error, kn_method_try(context, &method, spec, 12, 7, NULL, &points, &error));
        assert_true(points >= 0 && points <= 2);
    }
    kn_game_close(game);
    kn_close(context);
}

static void test_draughts(void **state)
{
    (void)state;
    check_game("checkers", NULL);
}

static void test_othello(void **state)
{
    (void)state;
    check_game("othello", NULL);
    check_game("othello(size=6)", NULL);
}

static void test_morris(void **state)
{
    (void)state;
    check_game("morris(men=5)", NULL);
    check_game("morris(men=9)", NULL);
}

static void test_lines(void **state)
{
    (void)state;
    check_game("fives", NULL);
    check_game("tictactoe", NULL);
    check_game("tictactoe(lose)", NULL);
}

static void test_sheets(void **state)
{
    (void)state;
    check_game("gdl:connectfour", NULL);
    check_game("gdl:tictactoe", NULL);
    check_game("gdl:breakthrough", NULL);
    check_game("gdl:roshambo", (const char *const[]){"heuristics", "uct", NULL});
}

static void test_go(void **state)
{
    (void)state;
    check_game("go(size=5)", NULL);
}

static void test_matrix(void **state)
{
    (void)state;
    check_game("matrix(turns=20)", at_once);
    check_game("dilemma(turns=20)", at_once);
    check_game("publicgoods(turns=10)", at_once);
}

/* Every registered game has its columns, and each of them opens. */
static void test_columns(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("methods");
    for (size_t i = 0; i < kn_registered(context, KN_KIND_GAME); i++) {
        const char *name = kn_registered_at(context, KN_KIND_GAME, i)->name;
        assert_true(kn_method_game(name, 0) || strcmp(name, "pipe") == 0);
        for (int v = 0; kn_method_game(name, v); v++) {
            KnGame *game;
            check_ok(error, kn_game_open(context, kn_method_game(name, v), &game, &error));
            kn_game_close(game);
        }
    }
    kn_close(context);
}

/* A description in turns plays the same game as the description: the same moves of the same search from the
 * same seed.
 */
static void test_sequential_view(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("methods");
    KnGame *game;
    KnPlayer *plain, *turned;
    check_ok(error, kn_game_open(context, "gdl:connectfour", &game, &error));
    check_ok(error,
             kn_player_open(context, game, "alphabeta(depth=3, eval=mobility(who=both))", &plain, &error));
    check_ok(error, kn_player_open(context, game,
                                   "noisy(allocate(alphabeta(eval=mobility(who=both)), k=3, n=1, "
                                   "policy=never), epsilon=0, ties=first)",
                                   &turned, &error));
    KnState *game_state = kn_state_new(game);
    KnPlayer *both[2] = {plain, turned};
    check_ok(error, kn_player_begin(plain, 0, kn_state_position(game_state), &error));
    check_ok(error, kn_player_begin(turned, 1, kn_state_position(game_state), &error));
    int asked = 0;
    while (!kn_state_over(game_state, NULL)) {
        KnMove joint[2], moves[game->max_moves];
        for (int role = 0; role < 2; role++) {
            int count = kn_state_moves(game_state, role, moves);
            KnRng rng = kn_rng_seeded(3);
            KnRequest request = {.game = game,
                                 .position = kn_state_position(game_state),
                                 .history = kn_state_history(game_state),
                                 .role = role,
                                 .allowed = moves,
                                 .allowed_count = count,
                                 .rng = &rng};
            KnAnswer answer = {0};
            check_ok(error, kn_player_choose(both[role], &request, &answer, &error));
            joint[role] = answer.move;
            asked += role == 1 && count > 1;
        }
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        for (int role = 0; role < 2; role++)
            check_ok(error, kn_player_observe(both[role], game_state, joint, &error));
    }
    assert_true(asked > 2);
    kn_state_free(game_state);
    kn_player_close(plain);
    kn_player_close(turned);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),  cmocka_unit_test(test_sequential_view),
        cmocka_unit_test(test_draughts), cmocka_unit_test(test_othello),
        cmocka_unit_test(test_morris),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_sheets),   cmocka_unit_test(test_go),
        cmocka_unit_test(test_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
