/* PDN files of many games: each is read by itself, what others write is understood, and what is wrong is
 * named by line. */
#include "support/boards.h"
#include "support/check.h"

#include <string.h>

#include "arena/play.h"
#include <knack/base.h>
#include "formats/pdn_parser.h"
#include "formats/record.h"

static const char many[] =
    "; a file\n"
    "[Event \"one\"]\n[Black \"A\"]\n[White \"B\"]\n[Result \"0-1\"]\n[GameType \"21,W,8,8,N1,0\"]\n\n"
    "1. 11-15 {a {brace} 22-18 (1... 23-19 (1... 24-19) 2. 8-11)\n"
    "2. 15X22! $7 25x18 (!) 3. 8-11?? 0-1\n\n"
    "[Event \"two\"]\n\n1. 11-15 23-19\n2. oops\n3. 9-14 *\n\n"
    "[Event \"three\"]\n[FEN \"W:W31:B1\"]\n\n1... 31-26 2. 1-6 1/2-1/2\n"
    "1. 9-13 22-17 *\n"
    "[Event \"tags only\"]\n"
    "[Event \"unfinished\"]\n1.9-14 22-18 2.\n5-9\n"
    "[Event \"last\"]\n\n1. 12-16 {never closed\n";

static void test_games_one_by_one(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *moves, *start, *result, *complaint;
    } wanted[] = {
        {2, "11-15 22-18 15x22 25x18 8-11", "", "0-1", NULL},
        {11, NULL, NULL, NULL, "line 14: \"oops\" is no move"},
        {17, "31-26 1-6", "W:W31:B1", "1/2-1/2", NULL},
        {21, "9-13 22-17", "", "*", NULL},
        {22, "", "", "", NULL},
        {23, "9-14 22-18 5-9", "", "", NULL},
        {26, NULL, NULL, NULL, "line 28: the comment that begins here has no end"},
    };
    KnPdnReader reader = kn_pdn_reader(many);
    KnPdnGame game = KN_PDN_GAME;
    KnError error;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        KnStatus status = kn_pdn_next(&reader, &game, &error);
        assert_int_equal(game.line, wanted[i].line);
        if (wanted[i].complaint) {
            check_fails(error, KN_INPUT, wanted[i].complaint, status);
            continue;
        }
        if (status != KN_OK) fail_msg("game %zu: %s", i, error.text);
        assert_string_equal(game.record.moves.data, wanted[i].moves);
        assert_string_equal(game.record.start.data, wanted[i].start);
        assert_string_equal(game.record.result.data, wanted[i].result);
        if (i == 0) {
            static const int lines[] = {8, 8, 9, 9, 9};
            assert_int_equal(game.moves, 5);
            assert_memory_equal(game.lines, lines, sizeof lines);
            assert_string_equal(game.record.players[0].data, "A");
            assert_string_equal(game.record.players[1].data, "B");
        }
    }
    assert_int_equal(kn_pdn_next(&reader, &game, &error), KN_NO);
    assert_int_equal(kn_pdn_next(&reader, &game, &error), KN_NO);
    kn_pdn_game_free(&game);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *complaint;
    } cases[] = {
        {"[GameType \"210\"]\n1. 1-5", "line 1: GameType 210"},
        {"[Event \"x\"]\n[White]\n", "line 2: a tag looks like"},
        {"[Event \"x\"\n1. 9-14", "the tag Event is not closed"},
        {"[\"x\"]", "a tag looks like"},
        {"1. 9-14 )", "line 1: \")\" does not belong here"},
        {"1. 9-14 }", "does not belong here"},
        {"1. 9-14\n(2. 22-18", "line 2: the variation that begins here has no end"},
        {"1. 9-14 /FEN \"W:W31:B1\"/", "among the moves"},
        {"1. c3-d4", "\"c3-d4\" is no move"},
        {"1. 9-14q", "is no move"},
        {"1. 9", "is no move"},
        {"1. 9!14", "is no move"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnPdnReader reader = kn_pdn_reader(cases[i].text);
        KnPdnGame game = KN_PDN_GAME;
        KnError error;
        check_fails(error, KN_INPUT, cases[i].complaint, kn_pdn_next(&reader, &game, &error));
        kn_pdn_game_free(&game);
    }
}

/* English draughts: Black moves first, and the archives write Black's score first. */
static void test_result_is_the_first_players(void **state)
{
    (void)state;
    static const struct {
        const char *tags, *result;
        bool decided;
        double outcome; /* for Black */
    } cases[] = {
        {"", "1-0", true, 1},
        {"", "0-1", true, -1},
        {"", "1/2-1/2", true, 0},
        {"", "2-0", true, 1},
        {"", "0-2", true, -1},
        {"", "1-1", true, 0},
        {"", "0-0", false, 0},
        {"", "*", false, 0},
        {"[GameType \"21\"]\n", "1-0", true, 1},
        {"[GameType \"21,B,8,8,N1,0\"]\n", "1-0", true, 1},
        {"[GameType \"21,W,8,8,N1,0\"]\n", "1-0", true, -1},
        {"[GameType \"21,W\"]\n", "0-2", true, 1},
        {"[GameType \"21,W\"]\n", "1-1", true, 0},
        {"[FEN \"W:W31:B1\"]\n", "1-0", true, 1}, /* Black's, whoever is to move */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnText text = KN_TEXT_EMPTY;
        KnRecordText record = KN_RECORD_TEXT;
        KnError error;
        double outcome = 9;
        kn_text_printf(&text, "[Event \"e\"]\n%s[Result \"%s\"]\n\n%s %s\n", cases[i].tags, cases[i].result,
                       strstr(cases[i].tags, "FEN") ? "1... 31-26" : "1. 11-15", cases[i].result);
        check_ok(error, kn_game_record_read(text.data, &record, &error));
        assert_int_equal(kn_game_record_outcome(&record, &outcome), cases[i].decided);
        if (cases[i].decided) assert_true(outcome == cases[i].outcome);
        kn_game_record_text_free(&record);
        kn_text_free(&text);
    }
}

/* Random games from random places, written one after the other, read back as they were. */
static void test_written_games_read_back(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    KnText file = KN_TEXT_EMPTY, moves[20], starts[20];
    KnError error;
    for (int i = 0; i < 20; i++) {
        KnRng rng = kn_rng_stream(8, (uint64_t)i);
        KnState *game_state = kn_state_new(game);
        KnMove legal[64];
        for (int ply = 0; ply < 90 && !kn_state_over(game_state, NULL); ply++) {
            int count = kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)),
                                       legal);
            check_ok(error, kn_state_play(game_state, legal[kn_rng_below(&rng, (uint32_t)count)], &error));
            if (i % 2 && ply == 20 + i) { /* forget the beginning: the rest starts from a position */
                _Alignas(16) unsigned char here[64];
                memcpy(here, kn_state_position(game_state), game->position_size);
                kn_state_reset(game_state, here);
            }
        }
        double payoffs[2] = {i % 3 - 1, 1 - i % 3};
        KnGameRecord record = {.state = game_state,
                               .event = "a \"quoted\" event",
                               .players = {"one", "two \\ three"},
                               .payoffs = payoffs};
        check_ok(error, kn_pdn_write(&record, &file, &error));
        moves[i] = starts[i] = KN_TEXT_EMPTY;
        kn_moves_text(game_state, &moves[i]);
        if (i % 2) game->type->position_text(game, kn_state_position_at(game_state, 0), &starts[i]);
        kn_state_free(game_state);
    }
    KnPdnReader reader = kn_pdn_reader(file.data);
    KnPdnGame read = KN_PDN_GAME;
    for (int i = 0; i < 20; i++) {
        check_ok(error, kn_pdn_next(&reader, &read, &error));
        assert_string_equal(read.record.moves.data, moves[i].data);
        assert_string_equal(read.record.start.data, starts[i].data);
        assert_string_equal(read.record.players[1].data, "two \\ three");
        double outcome;
        assert_true(kn_game_record_outcome(&read.record, &outcome));
        assert_true(outcome == i % 3 - 1);
        kn_text_free(&moves[i]);
        kn_text_free(&starts[i]);
    }
    assert_int_equal(kn_pdn_next(&reader, &read, &error), KN_NO);
    kn_pdn_game_free(&read);
    kn_text_free(&file);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_one_by_one),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_result_is_the_first_players),
        cmocka_unit_test(test_written_games_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
