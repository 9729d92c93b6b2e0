/* Games read from text: what is written reads back, what others write is understood, what is wrong is named.
 */
#include "support/check.h"
#include "support/instances.h"

#include <stdlib.h>
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
    {"2 (;GM[Othello]TY[s8r16]PB[a];B[f5]W[f6];)(;GM[Othello]PB[b];B[f5]W[d6];)", "ggf", "othello", "",
     "f5 f6", NULL},
    {"( ; GM [1] SZ [5] KM[ 0,5 ] ;B [cc] )", "sgf", "go(size=5, komi=0.5)", "", "C3", NULL},
    {"(;GM[1]SZ[5]KM[];B[cc])", "sgf", "go(size=5, komi=0)", "", "C3", NULL},
    {"(;GM[1]SZ[5]KM[six];B[cc])", NULL, NULL, NULL, NULL, "line 1, column 16: the komi is a number"},
    {"(;GM[Othello]TY[8a]RE[+20]B[d3]W[c3];)", NULL, NULL, NULL, NULL, "the winner has fewer discs"},
    {"%remark\n{ one } 1. 9-14 *", "pdn", "checkers", "", "9-14", NULL},
    {"game: x\nmoves: 1\ngame: y\nmoves: 2", "lines", "x", "", "1", NULL},
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

/* How many games are in a file, by the splitter; each must parse, and have the moves that are expected. */
static void test_split(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *moves[4];
    } files[] = {
        {"[Event \"1\"][Result \"1-0\"] 1. 11-15 1-0\n[Event \"2\"][Result \"0-1\"] 1. 9-14 0-1",
         {"11-15", "9-14"}},
        {"  [Event \"1\"]\n  [Result \"1-0\"]\n  1. 11-15 1-0\n\n  [Event \"2\"]\n  1. 9-14 *",
         {"11-15", "9-14"}},
        {"[Event \"1\"]\r\r1. 11-15 1-0\r\r[Event \"2\"]\r\r1. 9-14 *\r", {"11-15", "9-14"}},
        {"1. 11-15 1-0\n1. 9-14 0-1\n[Event \"3\"]\n1. 10-15 *", {"11-15", "9-14", "10-15"}},
        {"[Event \"1\"]\n[Event \"2\"]\n1. 9-14 *", {"", "9-14"}},
        {"% one\n[Event \"1\"]\n1. 11-15 ; a [tag] (\n23-19 *\n{ the end }\n% of it", {"11-15 23-19"}},
        {"1. 11-15 {\n[Event \"no\"]\n} 23-19 *\n\n\n[Event \"2\"]\n\n1. 9-14", {"11-15 23-19", "9-14"}},
        {"1 (;GM[Othello]B[f5]W[f6];)\n2 (;GM[Othello]B[f5];)(;GM[Othello]B[d3];)\n", {"f5 f6", "f5", "d3"}},
        {"(;SZ[9]C[(;)];B[aa])\n( ;SZ[9];B[bb])", {"A9", "B8"}},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t count = 0;
        for (const char *at = kn_game_record_first(files[i].text), *next; at; at = next, count++) {
            KnError error;
            KnRecordText record = KN_RECORD_TEXT;
            kn_game_record_next(at, &next);
            char *one = next ? strndup(at, (size_t)(next - at)) : strdup(at);
            if (kn_game_record_read(one, &record, &error) != KN_OK) fail_msg("%s: %s", one, error.text);
            if (count == 4 || !files[i].moves[count]) fail_msg("too many games in %s", files[i].text);
            assert_string_equal(record.moves.data, files[i].moves[count]);
            kn_game_record_text_free(&record);
            free(one);
        }
        if (count < 4 && files[i].moves[count]) fail_msg("%zu games in %s", count, files[i].text);
    }
}

static void test_outcomes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool known;
        double outcome;
    } results[] = {
        {"(;SZ[9]RE[B+3.5])", true, 3.5},
        {"(;SZ[9]RE[W+3,5])", true, -3.5},
        {"(;SZ[9]RE[B+R])", false, 0},
        {"(;SZ[9]RE[B+1/2])", false, 0},
        {"(;SZ[9]RE[Jigo])", true, 0},
        {"(;SZ[9]RE[0])", true, 0},
        {"(;SZ[9]RE[Void])", false, 0},
        {"(;SZ[9]RE[W+2 (moves beyond)])", true, -2},
        {"(;GM[Othello]RE[-2.000:t])", true, -2},
        {"(;GM[Othello]RE[?])", false, 0},
        {"(;GM[Othello]TY[8k]RE[+1.5])", false, 0},
        {"[Result \"1-0\"] *", true, 1},
        {"[Result \"1-0\"][GameType \"21,W\"] *", true, -1},
        {"[Result \"*\"] *", false, 0},
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        KnError error;
        double outcome = 0;
        KnRecordText record = KN_RECORD_TEXT;
        check_ok(error, kn_game_record_read(results[i].text, &record, &error));
        if (kn_game_record_outcome(&record, &outcome) != results[i].known || outcome != results[i].outcome)
            fail_msg("%s: %g", results[i].text, outcome);
        kn_game_record_text_free(&record);
    }
}

/* Names of old archives are in Latin-1: what is no UTF-8 is taken for that. */
static void test_names(void **state)
{
    (void)state;
    static const char *const texts[] = {"[Black \"M\xfcller\"] 1. 9-14 *",
                                        "[Black \"M\xc3\xbcller\"] 1. 9-14 *", "(;SZ[9]PB[M\xfcller])",
                                        "(;GM[Othello]PB[M\xc3\xbcller])"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        KnError error;
        KnRecordText record = KN_RECORD_TEXT;
        check_ok(error, kn_game_record_read(texts[i], &record, &error));
        assert_string_equal(record.players[0].data, "M\xc3\xbcller");
        kn_game_record_text_free(&record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split), cmocka_unit_test(test_outcomes),
                                       cmocka_unit_test(test_names), cmocka_unit_test(test_cases),
                                       cmocka_unit_test(test_round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
