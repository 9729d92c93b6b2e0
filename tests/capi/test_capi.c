/* The C API for bindings: text in, text out, errors by message. tests/house/python_module.py checks more of
 * it; this test runs under the sanitizers. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include <knack/capi.h>

static KnCapi *open_capi(void)
{
    char message[200] = "";
    KnCapi *capi = kn_capi_open("data", message, sizeof message);
    assert_string_equal(message, "");
    assert_non_null(capi);
    assert_int_equal(kn_capi_interface(), KN_CAPI_INTERFACE);
    return capi;
}

/* Takes the text and gives the document. */
static json_t *document(KnCapi *capi, char *text)
{
    if (!text) fail_msg("%s", kn_capi_error(capi));
    json_t *found = json_loads(text, 0, NULL);
    assert_non_null(found);
    kn_capi_free(text);
    return found;
}

static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

#define check_refused(capi, words, call)                                                                     \
    do {                                                                                                     \
        assert_null(call);                                                                                   \
        if (!strstr(kn_capi_error(capi), words)) fail_msg("%s", kn_capi_error(capi));                        \
    } while (0)

static void test_game(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    KnCapiGame *board = kn_capi_game(capi, "tictactoe", NULL);
    assert_non_null(board);
    assert_int_equal(kn_capi_play(board, "a1 b2"), 0);
    assert_int_equal(kn_capi_play(board, "c3 c3"), 3);
    json_t *now = document(capi, kn_capi_state(board));
    assert_int_equal(json_array_size(json_object_get(now, "played")), 2);
    assert_int_equal(json_array_size(json_object_get(json_object_get(now, "moves"), "x")), 7);
    assert_true(json_is_false(json_object_get(now, "over")));
    json_decref(now);
    for (int i = 0; i < 2; i++) assert_int_equal(kn_capi_undo(board), 0);
    assert_int_equal(kn_capi_undo(board), 1);
    check_refused(capi, "human is a person", kn_capi_ask(board, "human", NULL));
    json_decref(document(capi, kn_capi_ask(board, "random", NULL))); /* another player can be asked then */
    kn_capi_game_close(board);

    board = kn_capi_game(capi, "tictactoe", "xx./oo./... x");
    json_t *answer = document(capi, kn_capi_ask(board, "alphabeta(depth=9)", "{\"seed\": 3}"));
    assert_string_equal(member(answer, "score_text"), "wins in 1");
    assert_int_equal(kn_capi_play(board, member(answer, "move")), 0);
    json_decref(answer);
    now = document(capi, kn_capi_state(board));
    assert_true(json_number_value(json_array_get(json_object_get(now, "payoffs"), 0)) > 0);
    json_decref(now);
    check_refused(capi, "the game is over", kn_capi_ask(board, "random", NULL));
    check_refused(capi, "how", kn_capi_ask(board, "random", "{\"dept\": 3}"));
    kn_capi_game_close(board);
    board = kn_capi_game(capi, "dilemma(turns=3)", NULL); /* every role has to move */
    static const char *const bad[] = {"-|D", "C|-", "-|-", "C", "C|D|C", "C|X"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(kn_capi_play(board, bad[i]), 3);
    assert_int_equal(kn_capi_play(board, "C|D D|D"), 0);
    now = document(capi, kn_capi_state(board));
    assert_int_equal(json_array_size(json_object_get(now, "played")), 2);
    json_decref(now);
    kn_capi_game_close(board);
    check_refused(capi, "did you mean othello?", kn_capi_game(capi, "otello", NULL));
    check_refused(capi, "kind", kn_capi_list(capi, "people"));
    assert_int_not_equal(kn_capi_plugin(capi, "nowhere.so"), 0);
    json_decref(document(capi, kn_capi_list(capi, "player")));
    kn_capi_close(capi);
}

static void test_matches(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    json_t *result =
        document(capi, kn_capi_match(capi, "{\"game\": \"tictactoe\", \"players\": [\"alphabeta(depth=3)\", "
                                           "\"random\"], \"games\": 6, \"name\": \"six\"}"));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(result, "result"), "games")), 6);
    json_decref(result);
    json_t *runs = document(capi, kn_capi_runs(capi));
    assert_string_equal(member(json_array_get(runs, 0), "name"), "six");
    json_decref(runs);
    json_t *run = document(capi, kn_capi_run(capi, "six", "json"));
    assert_int_equal(json_array_size(json_object_get(run, "games")), 6);
    json_decref(run);
    json_decref(document(
        capi, kn_capi_tournament(capi, "{\"game\": \"tictactoe\", \"players\": [\"random\", \"legal\", "
                                       "\"uct(playouts=5)\"], \"games\": 2, \"store\": false}")));
    check_refused(capi, "two players",
                  kn_capi_match(capi, "{\"game\": \"tictactoe\", \"players\": [\"random\"]}"));
    check_refused(
        capi, "gamess",
        kn_capi_match(capi,
                      "{\"game\": \"tictactoe\", \"players\": [\"random\", \"legal\"], \"gamess\": 3}"));
    check_refused(capi, "players", kn_capi_match(capi, "{\"game\": \"tictactoe\"}"));
    check_refused(capi, "plan:1", kn_capi_match(capi, "{"));
    check_refused(capi, "plan", kn_capi_match(capi, "[]"));
    check_refused(capi, "nowhere", kn_capi_run(capi, "nowhere", "json"));
    kn_capi_cancel(capi);
    assert_null(kn_capi_match(
        capi,
        "{\"game\": \"checkers\", \"players\": [\"random\", \"legal\"], \"games\": 1000, \"store\": false}"));
    assert_int_equal(kn_capi_status(capi), KN_STOPPED);
    kn_capi_close(capi);
}

static int highest_round(const json_t *tournament)
{
    int highest = 0;
    size_t i;
    json_t *pairing;
    json_array_foreach(json_object_get(tournament, "matches"), i, pairing)
    {
        int round = (int)json_integer_value(json_object_get(pairing, "round"));
        if (round > highest) highest = round;
    }
    return highest;
}

/* Systems of tournaments, what is stored and what is not, and games that are adjudicated. */
static void test_plans(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    size_t before = 0;
    json_t *runs = document(capi, kn_capi_runs(capi));
    before = json_array_size(runs);
    json_decref(runs);
    json_t *swiss = document(
        capi, kn_capi_tournament(capi, "{\"game\": \"tictactoe\", \"players\": [\"random\", \"legal\", "
                                       "\"alphabeta(depth=1)\", \"uct(playouts=5)\"], \"games\": 2, "
                                       "\"system\": \"swiss\", \"rounds\": 2, \"engine_jobs\": 1}"));
    assert_int_equal(highest_round(swiss), 2);
    json_decref(swiss);
    runs = document(capi, kn_capi_runs(capi));
    assert_true(json_array_size(runs) > before);
    json_decref(runs);
    static const struct {
        const char *more, *words;
    } bad[] = {{"\"system\": \"swiss\", \"rounds\": 0", "rounds"},
               {"\"system\": \"knockout\"", "system"},
               {"\"draw\": [1, 2]", "draw"},
               {"\"resign\": \"soon\"", "resign"},
               {"\"engine_jobs\": 0", "engine_jobs"}};
    char plan[300];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(plan, sizeof plan, "{\"game\": \"checkers\", \"players\": [\"random\", \"legal\"], %s}",
                 bad[i].more);
        check_refused(capi, bad[i].words, kn_capi_tournament(capi, plan));
    }
    json_t *drawn =
        document(capi, kn_capi_match(capi, "{\"game\": \"checkers\", \"players\": [\"alphabeta(depth=1)\", "
                                           "\"alphabeta(depth=1)\"], \"games\": 2, \"store\": false, "
                                           "\"draw\": [4, 2, 40]}"));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(drawn, "result"), "draws")), 2);
    json_decref(drawn);
    kn_capi_close(capi);
}

/* Every move judged by a player who knows the game: o did not take the win that x had left. */
static void test_review(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    KnCapiGame *board = kn_capi_game(capi, "tictactoe", NULL);
    assert_int_equal(kn_capi_play(board, "b2 a1 c3 b1 a3 a2 c1"), 0);
    json_t *review = document(capi, kn_capi_review(board, "{\"judge\": \"alphabeta(depth=9)\"}"));
    assert_int_equal(json_array_size(json_object_get(review, "moves")), 7);
    json_decref(review);
    check_refused(capi, "no scores", kn_capi_review(board, "{\"judge\": \"random\"}"));
    check_refused(capi, "seconds", kn_capi_review(board, "{\"seconds\": -1}"));
    kn_capi_game_close(board);
    kn_capi_close(capi);
}

static void test_training(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    static const char *const plans[] = {
        "{\"game\": \"tictactoe\", \"learner\": \"td(games=20, depth=1)\", \"out\": \"td.json\", \"jobs\": "
        "1}",
        "{\"game\": \"tictactoe\", \"learner\": \"experience(games=20, depth=1, opponent=1, epsilon=0.5)\", "
        "\"out\": \"base.mdb\"}",
        "{\"game\": \"tictactoe\", \"learner\": \"allocation(examples=100, enrich=0, relief=0, shallow=1, "
        "extra=1)\", \"out\": \"tree.json\"}",
        "{\"game\": \"tictactoe\", \"learner\": \"hoyle(watch=1, expert=alphabeta(depth=9))\", \"out\": "
        "\"hoyle.json\"}",
        "{\"game\": \"tictactoe\", \"learner\": \"sequences(watch=1, expert=alphabeta(depth=9))\", \"out\": "
        "\"sequences.json\", \"points\": 0, \"explain\": true}"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans;
         i++) { /* what was learned is what the player named by the answer plays by */
        json_t *made = document(capi, kn_capi_train(capi, plans[i]));
        KnCapiGame *board = kn_capi_game(capi, "tictactoe", NULL);
        json_decref(document(capi, kn_capi_ask(board, member(made, "player"), NULL)));
        kn_capi_game_close(board);
        json_decref(made);
    }
    check_refused(capi, "unknown learner",
                  kn_capi_train(capi, "{\"game\": \"tictactoe\", \"learner\": \"magic\", \"out\": \"x\"}"));
    check_refused(capi, "cannot learn",
                  kn_capi_train(capi, "{\"game\": \"dilemma\", \"learner\": \"td\", \"out\": \"x\"}"));
    check_refused(
        capi, "unknown learner \"seqlearner\"",
        kn_capi_train(capi, "{\"game\": \"tictactoe\", \"learner\": \"seqlearner\", \"out\": \"x\"}"));
    check_refused(capi, "give either out",
                  kn_capi_train(capi, "{\"game\": \"tictactoe\", \"learner\": \"td\"}"));
    kn_capi_close(capi);
}

/* A player whose program changes between sessions, and one that uses the library while it is asked. */
static int choose_first(void *user, const char *request)
{
    (void)user, (void)request;
    return 0;
}

static int cancel_and_look(void *user, const char *request)
{
    (void)request;
    KnCapi *capi = user;
    kn_capi_cancel(capi);
    KnCapiGame *board = kn_capi_game(capi, "tictactoe", NULL);
    kn_capi_free(kn_capi_state(board)); /* a short call inside of a long one */
    kn_capi_game_close(board);
    return 0;
}

static void test_own_players(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    assert_int_equal(kn_capi_player(capi, "mine", choose_first, NULL, NULL), KN_OK);
    for (int round = 0; round < 2; round++) {
        json_t *result = document(capi,
                                  kn_capi_match(capi, "{\"game\": \"tictactoe\", \"players\": [\"noisy(mine, "
                                                      "0)\", \"legal\"], \"games\": 4}"));
        const char *doubt = json_string_value(json_object_get(result, "identity_incomplete"));
        assert_non_null(doubt);
        assert_non_null(strstr(doubt, "the calling program registered it"));
        assert_int_equal(
            json_integer_value(json_object_get(json_object_get(result, "timing"), "resumed_games")), 0);
        json_decref(result);
    }
    assert_int_equal(kn_capi_player(capi, "looks", cancel_and_look, NULL, capi), KN_OK);
    static const char plan[] =
        "{\"game\": \"tictactoe\", \"players\": [\"looks\", \"legal\"], \"games\": 1000, \"store\": false}";
    assert_null(kn_capi_match(capi, plan));
    assert_int_equal(kn_capi_status(capi), KN_STOPPED);
    json_decref(document(capi, kn_capi_match(capi, "{\"game\": \"tictactoe\", \"players\": [\"mine\", "
                                                   "\"legal\"], \"games\": 2, \"store\": false}")));
    kn_capi_close(capi);
}

static void test_lab(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    json_t *own = document(capi, kn_capi_lab(capi, "{}"));
    json_t *shown = document(capi, kn_capi_lab(capi, "{\"shipped\": true}"));
    assert_int_equal(json_array_size(own), 0);
    assert_true(json_array_size(shown) > 10);
    assert_string_equal(json_string_value(json_object_get(json_array_get(shown, 0), "origin")), "shipped");
    json_decref(own);
    json_decref(shown);
    kn_capi_close(capi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_game),     cmocka_unit_test(test_matches),
                                       cmocka_unit_test(test_plans),    cmocka_unit_test(test_review),
                                       cmocka_unit_test(test_training), cmocka_unit_test(test_own_players),
                                       cmocka_unit_test(test_lab)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
