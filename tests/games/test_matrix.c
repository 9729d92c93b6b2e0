/* Matrix games: the table, totals to the last digit, nature's draw of the end, and what is refused. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "games/game.h"
#include "games/matrix/matrix.h"

enum { CELL_CD = 1 }; /* of two roles with two actions */

typedef struct Fixture {
    KnContext *context;
    KnGame *game;
} Fixture;

static Fixture open_game(const char *spec)
{
    Fixture f = {test_context(), NULL};
    KnError error;
    check_ok(error, kn_game_open(f.context, spec, &f.game, &error));
    return f;
}

static void close_game(Fixture *f)
{
    kn_game_close(f->game);
    kn_close(f->context);
}

static void refused(const char *spec, const char *part)
{
    KnContext *context = test_context();
    KnGame *game;
    KnError error;
    check_fails(error, KN_INPUT, part, kn_game_open(context, spec, &game, &error));
    assert_null(game);
    kn_close(context);
}

/* Plays "C D, D C, ..." by name; every role of the game, nature included, has its word. */
static void play_words(const KnGame *game, KnState *game_state, const char *const *words, int rounds)
{
    KnError error;
    for (int i = 0; i < rounds; i++) {
        KnMove joint[KN_ROLES_MAX];
        for (int role = 0; role < game->roles; role++)
            check_ok(error, kn_game_parse_move(game, kn_state_position(game_state), role,
                                               words[i * game->roles + role], &joint[role], &error));
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
    }
}

static void text_is(const KnGame *game, const void *position, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
}

static void test_dilemma_pays_by_its_letters(void **state)
{
    (void)state;
    Fixture f = open_game("dilemma(turns=4)");
    KnState *game_state = kn_state_new(f.game);
    const char *const words[] = {"C", "C", "C", "D", "D", "C", "D", "D"};
    double payoffs[2];
    text_is(f.game, kn_state_position(game_state), "0 - 0,0");
    play_words(f.game, game_state, words, 3);
    text_is(f.game, kn_state_position(game_state), "3 D,C 8,8");
    assert_false(kn_state_over(game_state, payoffs));
    play_words(f.game, game_state, words + 6, 1);
    assert_true(kn_state_over(game_state, payoffs));
    assert_true(payoffs[0] == 9 && payoffs[1] == 9); /* R+S+T+P each */
    assert_true(f.game->payoff_low == 0 && f.game->payoff_high == 20);
    assert_int_equal(f.game->symmetries, 2);
    assert_int_equal(f.game->traits, KN_GAME_SIMULTANEOUS);
    kn_state_free(game_state);
    close_game(&f);
}

static void test_totals_are_exact(void **state)
{
    (void)state;
    Fixture f = open_game("matrix(payoffs=\"0.1,0.2 0.3,0.7; 0,0 1,1\", turns=1000)");
    KnState *game_state = kn_state_new(f.game);
    const char *const words[] = {"1", "1"};
    double payoffs[2];
    for (int i = 0; i < 1000; i++) play_words(f.game, game_state, words, 1);
    assert_true(kn_state_over(game_state, payoffs));
    assert_true(payoffs[0] == 100 &&
                payoffs[1] == 200); /* adding .1 a thousand times in doubles gives 99.99.. */
    text_is(f.game, kn_state_position(game_state), "1000 1,1 100,200");
    kn_state_free(game_state);
    close_game(&f);
}

/* Rows are the first role's; the second role may have other actions, with names of its own. */
static void test_table_is_row_major(void **state)
{
    (void)state;
    Fixture f =
        open_game("matrix(\"1,2 3,4 5,6; 7,8 9,10 11,12\", actions=\"up,down/left,middle,right\", turns=1)");
    const KnMatrix *matrix = kn_game_matrix(f.game);
    assert_non_null(matrix);
    assert_int_equal(matrix->actions[0], 2);
    assert_int_equal(matrix->actions[1], 3);
    KnState *game_state = kn_state_new(f.game);
    const char *const words[] = {"down", "middle"};
    double payoffs[2];
    play_words(f.game, game_state, words, 1);
    assert_true(kn_state_over(game_state, payoffs));
    assert_true(payoffs[0] == 9 && payoffs[1] == 10);
    assert_int_equal(f.game->symmetries, 1);
    KnMove move;
    KnError error;
    kn_state_reset(game_state, NULL);
    check_fails(error, KN_INPUT, "legal: up down",
                kn_game_parse_move(f.game, kn_state_position(game_state), 0, "left", &move, &error));
    kn_state_free(game_state);
    close_game(&f);
}

/* Three roles, two actions each: the last role's action is the fastest index. */
static void test_three_roles(void **state)
{
    (void)state;
    Fixture f =
        open_game("matrix(\"0,0,0 1,2,3 4,5,6 7,8,9; 10,11,12 13,14,15 16,17,18 19,20,21\", turns=1)");
    assert_int_equal(f.game->roles, 3);
    KnState *game_state = kn_state_new(f.game);
    const char *const words[] = {"2", "1", "2"};
    double payoffs[3];
    play_words(f.game, game_state, words, 1);
    assert_true(kn_state_over(game_state, payoffs));
    assert_true(payoffs[0] == 13 && payoffs[1] == 14 && payoffs[2] == 15);
    kn_state_free(game_state);
    close_game(&f);
}

static void test_nature_draws_the_end(void **state)
{
    (void)state;
    Fixture f = open_game("dilemma(turns=3, continue=0.75)");
    assert_int_equal(f.game->roles, 3);
    assert_int_equal(f.game->nature, 2);
    KnState *game_state = kn_state_new(f.game);
    KnMove moves[2];
    double chances[2], payoffs[3];
    assert_int_equal(kn_state_moves(game_state, 2, moves), 2);
    f.game->type->chances(f.game, kn_state_position(game_state), moves, 2, chances);
    assert_true(chances[0] == 0.75 && chances[1] == 0.25);
    const char *const words[] = {"C", "D", "go", "C", "D", "stop"};
    play_words(f.game, game_state, words, 2);
    assert_true(kn_state_over(game_state, payoffs));
    assert_true(payoffs[0] == 0 && payoffs[1] == 10 && payoffs[2] == 0);
    text_is(f.game, kn_state_position(game_state), "2 C,D 0,10 stopped");
    kn_state_reset(game_state, NULL);
    play_words(f.game, game_state, words, 1);
    play_words(f.game, game_state, words, 1);
    assert_int_equal(kn_state_moves(game_state, 2, moves), 1); /* the last round: it can only stop */
    f.game->type->chances(f.game, kn_state_position(game_state), moves, 1, chances);
    assert_true(chances[0] == 1);
    kn_state_free(game_state);
    close_game(&f);
}

static void test_zero_sum_is_seen(void **state)
{
    (void)state;
    Fixture pennies = open_game("matrix(\"1,-1 -1,1; -1,1 1,-1\")");
    assert_true(pennies.game->traits & KN_GAME_ZERO_SUM);
    assert_int_equal(pennies.game->symmetries, 1); /* the one who wants equals and the one who does not */
    close_game(&pennies);
    Fixture rps =
        open_game("matrix(\"0,0 -1,1 1,-1; 1,-1 0,0 -1,1; -1,1 1,-1 0,0\", actions=\"rock,paper,scissors\")");
    assert_true(rps.game->traits & KN_GAME_ZERO_SUM);
    assert_int_equal(rps.game->symmetries, 2);
    close_game(&rps);
}

/* Two rounds of one table, then another with finer payoffs: totals stay exact, rewards follow the round. */
static void test_payoffs_change_in_mid_play(void **state)
{
    (void)state;
    Fixture f = open_game(
        "matrix(\"3,3 0,5; 5,0 1,1\", actions=\"C,D\", turns=4, later=\"1,1 2.25,2; 2,2.25 0,0\", change=2)");
    KnState *game_state = kn_state_new(f.game);
    const char *const words[] = {"C", "D", "C", "D", "C", "D", "D", "D"};
    double payoffs[2];
    const KnMatrix *matrix = kn_game_matrix(f.game);
    assert_true(matrix->scale == 100 && kn_matrix_payoff(matrix, 1, CELL_CD, 1) == 5 &&
                kn_matrix_payoff(matrix, 2, CELL_CD, 0) == 2.25);
    play_words(f.game, game_state, words, 3);
    text_is(f.game, kn_state_position(game_state), "3 C,D 2.25,12");
    const KnMove joint[] = {kn_matrix_move(0, 0), kn_matrix_move(1, 1)};
    for (size_t ply = 0; ply < 3; ply++) {
        f.game->type->rewards(f.game, kn_state_position_at(game_state, ply), joint, payoffs);
        assert_true(payoffs[0] == (ply < 2 ? 0 : 2.25) && payoffs[1] == (ply < 2 ? 5 : 2));
    }
    play_words(f.game, game_state, words + 6, 1);
    assert_true(kn_state_over(game_state, payoffs) && payoffs[0] == 2.25 && payoffs[1] == 12);
    assert_true(f.game->payoff_low == 0 && f.game->payoff_high == 20 && f.game->symmetries == 2);
    kn_state_free(game_state);
    close_game(&f);
    Fixture pennies = open_game("matrix(later=\"1,1 1,1; 1,1 1,1\", change=1)");
    assert_false(pennies.game->traits & KN_GAME_ZERO_SUM);
    close_game(&pennies);
    refused("matrix(change=3)", "later=\"PAYOFFS\" is missing");
    refused("matrix(later=\"1,1 1,1; 1,1 1,1\")", "change=ROUNDS is missing");
    refused("matrix(later=\"1,1 1,1\", change=2)",
            "later: the later payoffs have 2 cells for 2 roles, the first ones 4 for 2");
    refused("matrix(later=\"1,1 1,x; 1,1 1,1\", change=2)", "later: payoffs \"1,1 1,x");
}

static double goods(const KnGame *game, const int *actions, int player)
{
    KnMove joint[KN_MATRIX_PLAYERS];
    const KnMatrix *matrix = kn_game_matrix(game);
    for (int p = 0; p < matrix->players; p++) joint[p] = kn_matrix_move(p, actions[p]);
    return kn_matrix_payoff(matrix, 0, kn_matrix_cell(matrix, joint), player);
}

static void test_public_goods(void **state)
{
    (void)state;
    Fixture f = open_game("publicgoods(players=4, factor=1.6, endowment=10)");
    assert_int_equal(f.game->roles, 4);
    assert_true(goods(f.game, (int[]){0, 0, 0, 0}, 2) == 16 && goods(f.game, (int[]){1, 1, 1, 1}, 2) == 10);
    assert_true(goods(f.game, (int[]){0, 0, 1, 0}, 2) == 22 && goods(f.game, (int[]){0, 0, 1, 0}, 3) == 12);
    assert_true(goods(f.game, (int[]){1, 1, 0, 1}, 2) == 4);
    close_game(&f);
    f = open_game("publicgoods(players=3, actions=5, factor=2)");
    const KnMatrix *matrix = kn_game_matrix(f.game);
    assert_true(strcmp(matrix->names[1][0], "4") == 0 && strcmp(matrix->names[1][4], "0") == 0);
    assert_true(goods(f.game, (int[]){4, 4, 2}, 2) == .833333 &&
                goods(f.game, (int[]){4, 4, 2}, 0) == 1.333333); /* to 6 digits */
    close_game(&f);
    refused("publicgoods(factor=1)", "no dilemma");
    refused("publicgoods(players=3, factor=3)", "below 3");
    refused("publicgoods(players=9)", "players must lie between");
    refused("publicgoods(players=8, actions=3, factor=2)", "more than 4096 joint moves");
}

static void test_bad_tables_are_refused(void **state)
{
    (void)state;
    refused("matrix(\"3,3 0,5; 5,0\")", "column 13: this row has not as many cells");
    refused("matrix(\"3,3 0,5; 5,0 1\")", "column 14: not as many numbers");
    refused("matrix(\"3,3 0,x; 5,0 1,1\")", "column 7: expected a number");
    refused("matrix(\"\")", "an empty row");
    refused("matrix(\"1,1 1,1;; 1,1 1,1\")", "an empty row");
    refused("matrix(\"1.0000001,1\")", "more than 6 digits");
    refused("matrix(\"1000001,1\")", "beyond a million");
    refused("matrix(\"1,1 2,2; 3,3 4,4\", actions=\"a,b,c\")", "4 cells, but the actions make 9");
    refused("matrix(\"1,1 2,2; 3,3 4,4\", actions=\"a,A\")", "named twice");
    refused("matrix(\"1,1 2,2; 3,3 4,4\", actions=\"a,b/c,d/e,f\")", "more lists than the 2 roles");
    refused("matrix(\"1,1,1 2,2,2; 3,3,3 4,4,4\")", "no equal number of actions");
    refused("matrix(\"1,1,1,1,1,1,1,1,1\")", "at most 8 roles");
    refused("matrix(turns=0)", "turns must lie between");
    refused("dilemma(continue=0)", "continue must lie above 0");
    refused("matrix(\"1000000,0.000001\", turns=1000000)", "cannot be added up exactly");
    refused("dilemma(T=3, R=5)", "T > R > P > S");
    refused("dilemma(P=0)", "T > R > P > S");
    refused("dilemma(T=7, strict)", "2R > T+S");
}

static void test_bad_positions_are_refused(void **state)
{
    (void)state;
    Fixture f = open_game("dilemma(turns=10)");
    static const char *const bad[] = {
        "",          "0",           "0 - 0",        "0 C,D 0,5",         "1 C,D 0,6",
        "1 C,X 0,5", "1 C,D,C 0,5", "11 C,C 33,33", "1 C,D 0,5 stopped", "1 C,D 0,5 x",
        "-1 - 0,0",  "2 D,D 7,1"};
    _Alignas(16) unsigned char position[64];
    KnError error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (f.game->type->parse_position(f.game, bad[i], position, &error) != KN_INPUT)
            fail_msg("\"%s\" was accepted", bad[i]);
    check_ok(error, f.game->type->parse_position(f.game, " 2  d,d 6,1 ", position, &error));
    text_is(f.game, position, "2 D,D 6,1");
    close_game(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dilemma_pays_by_its_letters), cmocka_unit_test(test_totals_are_exact),
        cmocka_unit_test(test_table_is_row_major),          cmocka_unit_test(test_three_roles),
        cmocka_unit_test(test_nature_draws_the_end),        cmocka_unit_test(test_zero_sum_is_seen),
        cmocka_unit_test(test_payoffs_change_in_mid_play),  cmocka_unit_test(test_public_goods),
        cmocka_unit_test(test_bad_tables_are_refused),      cmocka_unit_test(test_bad_positions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
