/* The allocating player: its accounts, its policies that learn nothing, its explanation, and what it refuses.
 */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How one game went for the player in seat 0, against a random player. */
typedef struct Played {
    int moves, deep, forced_deep;
    char pattern[200]; /* D or s for each of its moves, f for a forced one */
} Played;

static KnMove ask(KnPlayer *player, const KnState *game_state, KnRng *rng, unsigned wants, KnArena *arena,
                  KnAnswer *answer)
{
    const KnGame *game = kn_state_game(game_state);
    KnMove moves[game->max_moves];
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .history = kn_state_history(game_state),
                         .role = 0,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(game_state, 0, moves),
                         .rng = rng,
                         .wants = wants,
                         .arena = arena};
    *answer = (KnAnswer){0};
    KnError error;
    check_ok(error, kn_player_choose(player, &request, answer, &error));
    return answer->move;
}

static KnMove any(const KnState *game_state, KnRng *rng)
{
    KnMove moves[256];
    int count = kn_state_moves(game_state, 1, moves);
    return moves[kn_rng_below(rng, (uint32_t)count)];
}

/* Plays a game of Othello, where no search below the end is final before its depth. */
static Played play(const char *spec, uint64_t seed, bool ask_twice)
{
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
    KnState *game_state = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    KnRng mine = kn_rng_stream(seed, 0), theirs = kn_rng_stream(seed, 1);
    Played played = {0};
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    while (!kn_state_over(game_state, NULL) && kn_state_plies(game_state) < 44) {
        KnMove moves[256], joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        int choices = kn_state_moves(game_state, 0, moves);
        if (choices) {
            KnAnswer answer;
            if (ask_twice) {
                KnRng hint = mine;
                ask(player, game_state, &hint, KN_WANT_EXPLANATION, arena, &answer);
            }
            joint[0] = ask(player, game_state, &mine, 0, NULL, &answer);
            bool deep = answer.depth == 3;
            played.pattern[played.moves++] = choices == 1 ? 'f' : deep ? 'D' : 's';
            played.deep += deep;
            played.forced_deep += deep && choices == 1;
        } else
            joint[1] = any(game_state, &theirs);
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(player, game_state, joint, &error));
    }
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
    return played;
}

#define INNER "alphabeta(table=off, memory=1)"

static void test_bounds(void **state)
{
    (void)state;
    Played never = play("allocate(" INNER ", k=1, n=2, policy=never)", 1, false);
    assert_int_equal(never.deep, 0);
    Played always = play("allocate(" INNER ", k=1, n=2, deep=1, moves=20, policy=always)", 1, false);
    assert_int_equal(always.deep + (int)strspn("f", always.pattern),
                     always.moves); /* beyond its budget, as the paper has it */
    assert_true(always.moves > 15);
}

static void test_static_schedules(void **state)
{
    (void)state;
    Played played = play("allocate(" INNER ", k=1, n=2, deep=4, moves=10, policy=static(\"2,5-7\"))", 3,
                         false);
    assert_true(strncmp(played.pattern, "sDssDDDsss", 10) == 0);
    assert_true(strncmp(played.pattern + 10, "sDssDDDsss", 10) == 0 ||
                strchr(played.pattern, 'f')); /* a new budget */
    played = play("allocate(" INNER ", k=1, n=2, deep=3, moves=9, policy=static)", 3, false);
    assert_true(strncmp(played.pattern, "DssDssDss", 9) == 0);
}

/* Exactly `deep` of `moves`, at random each of them as often. */
static void test_random_uses_its_budget(void **state)
{
    (void)state;
    int at[10] = {0}, counted = 0, wanted = (int)check_scaled(200);
    for (uint64_t seed = 0; counted < wanted; seed++) {
        Played played = play("allocate(" INNER ", k=1, n=2, deep=3, moves=10, policy=random)", seed,
                             seed & 1);
        if (strcspn(played.pattern, "f") < 10) continue; /* what falls on a forced move is lost */
        counted++;
        int deep = 0;
        for (int i = 0; i < 10; i++) {
            deep += played.pattern[i] == 'D';
            at[i] += played.pattern[i] == 'D';
        }
        assert_int_equal(deep, 3);
        assert_int_equal(played.forced_deep, 0);
    }
    double expected = 0.3 * wanted, deviation = 0;
    for (int i = 0; i < 10; i++) deviation += (at[i] - expected) * (at[i] - expected) / expected;
    assert_true(deviation < 30); /* chi square, 9 degrees of freedom */
}

/* Never more than the budget, and each deep search is one that changes the set of best moves. */
static void test_oracle(void **state)
{
    (void)state;
    Played played = play("allocate(" INNER ", k=1, n=2, deep=5, moves=40, policy=oracle)", 2, true);
    assert_int_equal(played.deep, 5);
    /* Where all moves are worth the same to both searches, extra depth is worth nothing. */
    played =
        play("allocate(alphabeta(eval=zero, table=off, memory=1), k=1, n=2, deep=5, moves=40, policy=oracle)",
             2, false);
    assert_true(played.deep <= 1); /* but for the very end, where wins come into sight */
}

/* A game that is taken up in the middle: the schedule goes on where it would be. */
static void test_taken_up_in_the_middle(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "checkers", &game, &error));
    check_ok(error, kn_player_open(workbench, game,
                                   "allocate(" INNER ", k=1, n=2, deep=3, moves=8, policy=static(\"1,2,4\"))",
                                   &player, &error));
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(6);
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    for (int ply = 0; ply < 4; ply++) {
        static const char *const opening[] = {"9-13", "24-20", "11-15", "28-24"}; /* nothing is forced */
        KnMove joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        check_ok(error, kn_game_parse_move(game, kn_state_position(game_state), ply & 1, opening[ply],
                                           &joint[ply & 1], &error));
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(player, game_state, joint, &error));
    }
    KnArena *arena = kn_arena_new();
    KnAnswer answer;
    ask(player, game_state, &rng, KN_WANT_EXPLANATION, arena, &answer);
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_print(answer.explanation, &text);
    assert_non_null(strstr(text.data, "1 of 3 deep searches, for 6 of 8 moves"));
    assert_non_null(strstr(text.data, "shallow, 1 plies: by the schedule"));
    kn_text_free(&text);
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
}

static void refused(const char *spec, const char *part)
{
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "checkers", &game, &error));
    check_fails(error, KN_INPUT, part, kn_player_open(workbench, game, spec, &player, &error));
    assert_null(player);
    kn_game_close(game);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("allocate(alphabeta, k=0)", "k must lie between 1 and 200, not at 0");
    refused("allocate(alphabeta, n=0)", "n must lie between 1");
    refused("allocate(alphabeta, deep=41)", "deep=41 deep searches cannot be made in moves=40 moves");
    refused("allocate(random)", "random does not look ahead by depth");
    refused("allocate(alphabeta(depth=5))",
            "alphabeta, column 10: its own depth=5 is less than 6, which it may be asked for");
    refused("allocate(alphabeta(3))", "depth=3 is less than 6");
    refused("allocate(alphabeta, policy=sometimes)", "unknown policy \"sometimes\"");
    refused("allocate(alphabeta, policy=static(\"1,x\"))", "no list of moves");
    refused("allocate(alphabeta, policy=static(\"5-3\"))", "no list of moves");
    refused("allocate(alphabeta, policy=static(\"0\"))", "move 0 is not one of the moves 1 to 40");
    refused("allocate(alphabeta, policy=static(\"39-41\"))", "move 41 is not one of the moves 1 to 40");
    refused("allocate(alphabeta, deep=2, policy=static(\"1-3\"))",
            "3 moves are listed, and the budget is deep=2");
    refused("allocate", "inner must be given");
    refused("allocate(alphabeta, k=3, policy=learned)", "the policy of the program was learned for k=4, n=2");
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "othello", &game, &error));
    check_fails(error, KN_INPUT, "there is no policy for othello yet",
                kn_player_open(workbench, game, "allocate(alphabeta, policy=learned)", &player, &error));
    kn_game_close(game);
}

/* A player inside a player: the depth reaches the one that searches. */
static void test_depth_reaches_the_searcher(void **state)
{
    (void)state;
    Played played = play("allocate(reasonable(0, rest=" INNER
                         "), k=1, n=2, deep=2, moves=40, policy=static(\"1-2\"))",
                         4, false);
    assert_true(strncmp(played.pattern, "DDss", 4) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_static_schedules),
        cmocka_unit_test(test_random_uses_its_budget),
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_taken_up_in_the_middle),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_depth_reaches_the_searcher),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
