/* Games read from text: what is written reads back, what others write is understood, what is wrong is named.
 */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "arena/play.h"
#include "formats/parser.h"
#include "formats/record.h"

typedef struct Case {
    const char *text;
    const char *format, *game, *start, *moves;
    const char *complaint;
} Case;

static const Case cases[] = {
    {"[Event \"x\"]\n[Black \"A \\\"B\\\"\"]\n[GameType \"21\"]\n\n1. 11-15 {good} 22x18 (1... 23-19 2. "
     "8-11) 2.15:22! 25x18 $1 ; rest\n3. 8-11 *\n\n[Event \"next\"]\n1. 9-13 *",
     "pdn", "checkers", "", "11-15 22x18 15x22 25x18 8-11", NULL},
    {"1. 9-14 22-18 1-0", "pdn", "checkers", "", "9-14 22-18", NULL},
    {"[SetUp \"1\"]\n[FEN \"W:W31:B1\"]\n\n1... 31-26 2. 1-6 1/2-1/2", "pdn", "checkers", "W:W31:B1",
     "31-26 1-6", NULL},
    {"[GameType \"20\"]\n1. 32-28 *", NULL, NULL, NULL, NULL, "another kind of draughts"},
    {"1. 9-14\n2. hello", NULL, NULL, NULL, NULL, "line 2: \"hello\" is no move"},
    {"1. 9-14 {never", NULL, NULL, NULL, NULL, "the comment that begins here has no end"},
    {"(;FF[4]GM[1]SZ[5]KM[0.5]PB[a\\]b];B[cc](;W[];B[])(;W[aa]))", "sgf", "go(size=5, komi=0.5)", "",
     "C3 pass pass", NULL},
    {"(;GM[1]SZ[9]KM[6.5]HA[2]AB[cg][gc]PL[W];W[ee];B[ai])", "sgf", "go(size=9, komi=6.5)",
     "........./........./......x../........./........./........./..x....../........./......... w", "E5 A1",
     NULL},
    {"(;SZ[19];B[ia];W[ja];B[ss])", "sgf", "go(size=19, komi=0)", "", "J19 K19 T1", NULL},
    {"(;SZ[9];B[aa];B[bb])", NULL, NULL, NULL, NULL, "line 1, column 17: the same side moves twice"},
    {"(;SZ[9];B[zz])", NULL, NULL, NULL, NULL, "two letters of points"},
    {"(;SZ[99])", NULL, NULL, NULL, NULL, "2 to 19"},
    {"(;GM[1];B[aa", NULL, NULL, NULL, NULL, "no end"},
    {"(;GM[Othello]PB[me]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- "
     "*]B[F5/0.1/3]W[d6]B[c3];)",
     "ggf", "othello", "", "f5 d6 c3", NULL},
    {"(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[b1]W[PA];)", "ggf", "othello(size=4)", "", "b1 pass", NULL},
    {"(;GM[Othello]BO[4 ---- -OO- -*O- ---- O]W[b4];)", "ggf", "othello(size=4)", "-----OO--XO----- O", "b4",
     NULL},
    {"(;GM[Othello]BO[8 ---])", NULL, NULL, NULL, NULL, "incomplete"},
    {"game: morris(men=6)\r\n# a remark\nmoves: 1 2\nmoves: 3\n", "lines", "morris(men=6)", "", "1 2 3",
     NULL},
    {"game: x\nfoo: bar", NULL, NULL, NULL, NULL, "line 2"},
    {"hello", NULL, NULL, NULL, NULL, "neither PDN"},
    {"  ", NULL, NULL, NULL, NULL, "empty"},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        KnError error;
        KnRecordText record = KN_RECORD_TEXT;
        KnStatus status = kn_game_record_read(c->text, &record, &error);
        if (c->complaint)
            check_fails(error, KN_INPUT, c->complaint, status);
        else {
            if (status != KN_OK) fail_msg("%s: %s", c->text, error.text);
            assert_string_equal(record.format, c->format);
            assert_string_equal(record.game.data, c->game);
            assert_string_equal(record.start.data, c->start);
            assert_string_equal(record.moves.data, c->moves);
        }
        kn_game_record_text_free(&record);
    }
}

/* Random games of the three games, written and read back, are the same games. */
static void test_round_trip(void **state)
{
    (void)state;
    static const char *const games[] = {"checkers", "go(size=5, komi=0.5)", "go(size=19, komi=7.5)",
                                        "othello", "othello(size=6)"};
    KnContext *context = test_context();
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        KnError error;
        KnGame *game;
        check_ok(error, kn_game_open(context, games[g], &game, &error));
        KnState *game_state = kn_state_new(game);
        KnRng rng = kn_rng_seeded(g + 1);
        KnMove moves[game->max_moves];
        for (int ply = 0; ply < 60 && !kn_state_over(game_state, NULL); ply++) {
            int role = game->type->mover(game, kn_state_position(game_state));
            int count = kn_state_moves(game_state, role, moves);
            check_ok(error, kn_state_play(game_state, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
        }
        KnGameRecord written = {
            .state = game_state, .event = "e", .round = "1", .date = "2026-01-31", .players = {"a", "b\\]"}};
        const char *extension;
        KnText text = KN_TEXT_EMPTY, expected = KN_TEXT_EMPTY;
        check_ok(error, kn_game_record_writer(game, &extension)(&written, &text, &error));
        KnRecordText read = KN_RECORD_TEXT;
        check_ok(error, kn_game_record_read(text.data, &read, &error));
        kn_moves_text(game_state, &expected);
        assert_string_equal(read.moves.data, expected.data);
        assert_string_equal(read.game.data, games[g]);
        assert_string_equal(read.start.data, "");
        assert_string_equal(read.players[0].data, "a");
        kn_game_record_text_free(&read);
        kn_text_free(&text);
        kn_text_free(&expected);
        kn_state_free(game_state);
        kn_game_close(game);
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
