/* An opening book finds the one opening that pays, survives interruptions, and is refused by other games. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/learner.h"
#include "arena/match.h"
#include "base/file.h"
#include "methods/experience/base.h"
#include "methods/openings/book.h"
#include "support/workbench.h"

static KnStatus train(const KnContext *context, const char *game, const char *folder,
                      const atomic_bool *cancel, KnTrainResult *result, KnError *error)
{
    KnTrainPlan plan = {.learner = "openings(player=alphabeta(depth=1), games=120, moves=2)",
                        .game = game,
                        .seed = 3,
                        .points = 4,
                        .folder = folder,
                        .cancel = cancel};
    return kn_train(context, &plan, result, error);
}

/* A book makes a search of one ply win most games against the opponent that it was learned against,
 * and its counts add up. */
static void test_learning(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("openings");
    KnTrainResult result;
    check_ok(error, train(context, "othello(size=6)", "book-run", NULL, &result, &error));
    assert_true(result.has_point && result.x == 120);
    KnGame *game;
    KnOpeningBook *book;
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    check_ok(error, kn_opening_book_load(game, result.file, &book, &error));
    assert_int_equal(book->games, 120);
    const KnOpeningPage *start = kn_opening_book_find(book, "");
    assert_non_null(start);
    uint64_t plays = 0;
    for (int i = 0; i < start->count; i++) plays += start->arms[i].plays;
    assert_int_equal(plays, 60); /* the learner begins every second game */
    assert_null(kn_opening_book_find(book, "z9"));
    KnMatchPlan match = {.game = "othello(size=6)",
                         .players = {result.player, "alphabeta(depth=1)"},
                         .games = 40,
                         .seed = 9,
                         .jobs = 1};
    KnMatchResult played;
    check_ok(error, kn_match_run(context, &match, NULL, NULL, &played, &error));
    assert_true(kn_standing_score(&played.standing) > 0.6);
    kn_opening_book_free(book);
    kn_game_close(game);
    kn_train_result_free(&result);
    kn_close(context);
}

/* A run that was stopped, and one whose last point was lost after the book was saved, end with the same
 * bytes. */
static void test_interrupted(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("openings");
    KnTrainResult result;
    KnText whole = KN_TEXT_EMPTY, parts = KN_TEXT_EMPTY, curve = KN_TEXT_EMPTY;
    atomic_bool cancel = true;
    check_ok(error, train(context, "tictactoe", "whole", NULL, &result, &error));
    kn_train_result_free(&result);
    assert_int_equal(train(context, "tictactoe", "parts", &cancel, &result, &error), KN_STOPPED);
    kn_train_result_free(&result);
    check_ok(error, train(context, "tictactoe", "parts", NULL, &result, &error));
    kn_train_result_free(&result);
    check_ok(error, kn_file_read("whole/curve.json", &curve, 1 << 20, &error));
    char *seal = strstr(curve.data, ",\n \"checksum\"");
    assert_non_null(seal);
    memcpy(seal, "}", 2); /* as if it had been written without the last point */
    char *last = strstr(curve.data, ",[120.0"), *end = strstr(curve.data, "]]");
    assert_true(last && end > last); /* take the last point away */
    memmove(last, end + 1, strlen(end));
    char *won = strstr(curve.data, "\"points won\":["), *cut = won ? strrchr(won, ',') : NULL,
         *close = cut ? strchr(cut, ']') : NULL;
    assert_non_null(close);
    memmove(cut, close, strlen(close) + 1);
    char *done = strstr(curve.data, "\"done\":true");
    assert_non_null(done);
    memcpy(done, "\"done\":null", strlen("\"done\":null"));
    check_ok(error, kn_file_write_atomic("whole/curve.json", curve.data, strlen(curve.data), &error));
    check_ok(error, train(context, "tictactoe", "whole", NULL, &result, &error));
    kn_train_result_free(&result);
    for (int i = 0; i < 2; i++) {
        const char *file = i ? "curve.json" : "openings.json";
        char path[64];
        snprintf(path, sizeof path, "whole/%s", file);
        check_ok(error, kn_file_read(path, &whole, 1 << 20, &error));
        snprintf(path, sizeof path, "parts/%s", file);
        check_ok(error, kn_file_read(path, &parts, 1 << 20, &error));
        assert_string_equal(whole.data, parts.data);
    }
    kn_text_free(&whole);
    kn_text_free(&parts);
    kn_text_free(&curve);
    kn_close(context);
}

static void add_game(KnBase *base, KnState *game, const char *moves, double outcome, int times)
{
    KnError error;
    for (int i = 0; i < times; i++) {
        kn_state_reset(game, NULL);
        check_ok(error, kn_state_play_text(game, moves, &error));
        check_ok(error, kn_base_add(base, game, outcome, NULL, NULL, &error));
    }
}

/* A book out of a base: games and points of each move for the side that makes it, and the move of most points
 * where that is wanted. */
static void test_from_base(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("openings");
    KnGame *game;
    KnBase *base;
    KnOpeningBook *book;
    remove("book.mdb");
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_base_open(context, game, "book.mdb", KN_BASE_MAKE | KN_BASE_WRITE,
                                 &(KnBaseKind){.symmetry = false}, &base, &error));
    KnState *played = kn_state_new(game);
    add_game(base, played, "a1 b1 a2 b2 a3", 1, 4);       /* the first player wins */
    add_game(base, played, "b2 a1 c3 b1 a3 c1", -1, 9);   /* and loses, more often */
    add_game(base, played, "c3 a1 c2 b1 a3 b2 c1", 1, 1); /* once */
    KnBookPlan plan = {.plies = 2, .least = 2};
    check_ok(error, kn_opening_book_from_base(base, game, &plan, &book, &error));
    assert_int_equal(book->games, 14);
    assert_true(book->points == 5);
    const KnOpeningPage *start = kn_opening_book_find(book, "");
    assert_int_equal(start->count, 2);
    for (int i = 0; i < 2; i++) {
        bool first = strcmp(start->moves[i], "a1") == 0;
        assert_int_equal(start->arms[i].plays, first ? 4 : 9);
        assert_true(start->arms[i].reward == (first ? 4 : 0));
    }
    const KnOpeningPage *reply = kn_opening_book_find(book, "b2");
    assert_true(reply && reply->count == 1 && reply->arms[0].reward == 9);
    assert_null(kn_opening_book_find(book, "b2 a1"));
    check_ok(error, kn_opening_book_save(book, "from-base.json", &error));
    kn_opening_book_free(book);
    static const char *const chosen[][2] = {{"games", "b2"}, {"points", "a1"}};
    kn_state_reset(played, NULL);
    for (int i = 0; i < 2; i++) {
        char spec[120];
        KnPlayer *player;
        KnAnswer answer = {0};
        snprintf(spec, sizeof spec, "openings(random, file=\"from-base.json\", choose=%s)", chosen[i][0]);
        check_ok(error, kn_player_open(context, game, spec, &player, &error));
        check_ok(error, kn_player_ask(player, played, 0, &(KnAsk){.seed = 1}, &answer, &error));
        char *text = kn_game_move_text(game, kn_state_position(played), answer.move);
        assert_string_equal(text, chosen[i][1]);
        free(text);
        kn_player_close(player);
    }
    plan.least = 10;
    check_fails(error, KN_INPUT, "no first move of 10 games",
                kn_opening_book_from_base(base, game, &plan, &book, &error));
    kn_state_free(played);
    kn_base_close(base);
    kn_game_close(game);
    kn_close(context);
}

static void test_refusals(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("openings");
    KnGame *game;
    KnOpeningBook *book;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"{\"format\": \"knack openings 9\"}", "is not \"knack openings 1\""},
        {"{\"format\": \"knack openings 1\", \"game\": \"chess\"}", "the book is for chess"},
        {"{\"format\": \"knack openings 1\", \"game\": \"tictactoe\", \"games\": 1, \"points\": 0, "
         "\"positions\": [{\"line\": \"\", \"moves\": {\"b2\": [1, 2.5]}}]}",
         "more points than games"},
        {"{\"format\": \"knack openings 1\", \"game\": \"tictactoe\", \"games\": 1, \"points\": 0, "
         "\"positions\": [{\"line\": \"\", \"moves\": {}}]}",
         "has no moves"},
        {"{\"format\": ", "wrong.json:1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_ok(error, kn_file_write_atomic("wrong.json", wrong[i].text, strlen(wrong[i].text), &error));
        check_fails(error, KN_INPUT, wrong[i].part, kn_opening_book_load(game, "wrong.json", &book, &error));
    }
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learning), cmocka_unit_test(test_interrupted),
                                       cmocka_unit_test(test_from_base), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
