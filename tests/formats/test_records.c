/* Game records, word for word. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "arena/play.h"
#include "formats/record.h"

typedef struct Case {
    const char *game, *start, *moves;
    double payoffs[2];
    const char *ending;
    const char *expected;
} Case;

static const Case cases[] = {
    {"checkers",
     NULL,
     "9-14 22-18 5-9 18-15",
     {1, -1},
     NULL,
     "[Event \"club\"]\n[Date \"2026-01-31\"]\n[Round \"1\"]\n[Black \"a \\\"b\\\"\"]\n[White "
     "\"c]\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n"
     "1. 9-14 22-18 2. 5-9 18-15 1-0\n\n"},
    {"checkers",
     "W:W31:B1",
     "31-26 1-6",
     {0, 0},
     "limit",
     "[Event \"club\"]\n[Date \"2026-01-31\"]\n[Round \"1\"]\n[Black \"a \\\"b\\\"\"]\n[White "
     "\"c]\"]\n[Result \"1/2-1/2\"]\n[GameType \"21\"]\n"
     "[SetUp \"1\"]\n[FEN \"W:W31:B1\"]\n\n1... 31-26 2. 1-6 {limit} 1/2-1/2\n\n"},
    {"go(size=5, komi=0.5)", NULL, "C3 A5 J1 pass pass", {1, -1}, NULL, NULL}, /* J1 is not on the board */
    {"go(size=5, komi=0.5)",
     NULL,
     "C3 pass pass",
     {1, -1},
     NULL,
     "(;FF[4]GM[1]CA[UTF-8]AP[knack:" KNACK_VERSION
     "]SZ[5]KM[0.5]EV[club]RO[1]DT[2026-01-31]PB[a \"b\"]PW[c\\]]RE[B+24.5]\n"
     ";B[cc];W[];B[])\n"},
    {"go(size=5, komi=0.5)",
     NULL,
     "C3",
     {-1, 1},
     "resigned",
     "(;FF[4]GM[1]CA[UTF-8]AP[knack:" KNACK_VERSION
     "]SZ[5]KM[0.5]EV[club]RO[1]DT[2026-01-31]PB[a \"b\"]PW[c\\]]RE[W+R]GC[resigned]\n;B[cc])\n"},
    {"go(size=5, komi=0.5)",
     NULL,
     "C3",
     {1, -1},
     "ran out of time: took 3 s",
     "(;FF[4]GM[1]CA[UTF-8]AP[knack:" KNACK_VERSION
     "]SZ[5]KM[0.5]EV[club]RO[1]DT[2026-01-31]PB[a \"b\"]PW[c\\]]RE[B+T]GC[ran out of time: took 3 "
     "s]\n;B[cc])\n"},
    {"go(size=5, komi=0.5)",
     NULL,
     "C3",
     {1, -1},
     "judge",
     "(;FF[4]GM[1]CA[UTF-8]AP[knack:" KNACK_VERSION
     "]SZ[5]KM[0.5]EV[club]RO[1]DT[2026-01-31]PB[a \"b\"]PW[c\\]]RE[B+]GC[judge]\n;B[cc])\n"},
    {"othello(size=4)",
     NULL,
     "b1 a1",
     {-1, 1},
     "resigned",
     "(;GM[Othello]PC[knack]DT[2026-01-31]PB[a \"b\"]PW[c]RE[-16.000:r]TY[4]BO[4 ---- -O*- -*O- ---- "
     "*]B[b1]W[a1];)\n"},
};

static void test_golden_sheets(void **state)
{
    (void)state;
    KnContext *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        KnError error;
        KnGame *game;
        check_ok(error, kn_game_open(context, c->game, &game, &error));
        KnState *game_state = kn_state_new(game);
        if (c->start) {
            unsigned char position[game->position_size] __attribute__((aligned(16)));
            check_ok(error, game->type->parse_position(game, c->start, position, &error));
            kn_state_reset(game_state, position);
        }
        if (!c->expected) {
            check_fails(error, KN_INPUT, "move 3", kn_replay(game_state, c->moves, &error));
        } else {
            check_ok(error, kn_replay(game_state, c->moves, &error));
            KnGameRecord record = {.state = game_state,
                                   .event = "club",
                                   .round = "1",
                                   .date = "2026-01-31",
                                   .players = {"a \"b\"", "c]"},
                                   .payoffs = c->payoffs,
                                   .ending = c->ending};
            const char *extension;
            KnText text = KN_TEXT_EMPTY;
            check_ok(error, kn_game_record_writer(game, &extension)(&record, &text, &error));
            assert_string_equal(text.data, c->expected);
            kn_text_free(&text);
        }
        kn_state_free(game_state);
        kn_game_close(game);
    }
    kn_close(context);
}

static void test_wrong_format(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnError error;
    KnGame *game;
    const char *extension;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    KnState *game_state = kn_state_new(game);
    KnGameRecord record = {.state = game_state, .players = {"a", "b"}};
    KnText text = KN_TEXT_EMPTY;
    assert_null(kn_game_record_writer(game, &extension));
    assert_null(kn_game_record_format("doc"));
    check_fails(error, KN_INPUT, "PDN is for checkers", kn_game_record_format("PDN")(&record, &text, &error));
    assert_int_equal(text.length, 0);
    kn_state_free(game_state);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_sheets),
                                       cmocka_unit_test(test_wrong_format)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
