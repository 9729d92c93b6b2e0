/* The flat interface, as another language uses it: texts in, texts out, errors by message. python_module.py
 * asks more of it; this runs under the sanitizers. */
#include "support/check.h"

#include <string.h>

#include "base/json.h"
#include "flat.h"

static KnFlat *open_flat(void)
{
    char message[200] = "";
    KnFlat *flat = kn_flat_open("data", message, sizeof message);
    assert_string_equal(message, "");
    assert_non_null(flat);
    assert_int_equal(kn_flat_interface(), KN_FLAT_INTERFACE);
    return flat;
}

/* Takes the text and gives the document. */
static json_t *document(KnFlat *flat, char *text)
{
    if (!text) fail_msg("%s", kn_flat_error(flat));
    json_t *found = json_loads(text, 0, NULL);
    assert_non_null(found);
    kn_flat_free(text);
    return found;
}

static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

#define check_refused(flat, words, call)                                                                     \
    do {                                                                                                     \
        assert_null(call);                                                                                   \
        if (!strstr(kn_flat_error(flat), words)) fail_msg("%s", kn_flat_error(flat));                        \
    } while (0)

static void test_contest(void **state)
{
    (void)state;
    KnFlat *flat = open_flat();
    KnFlatBoard *board = kn_flat_board(flat, "tictactoe", NULL);
    assert_non_null(board);
    assert_int_equal(kn_flat_play(board, "a1 b2"), 0);
    assert_int_equal(kn_flat_play(board, "c3 c3"), 3);
    json_t *now = document(flat, kn_flat_state(board));
    assert_int_equal(json_array_size(json_object_get(now, "played")), 2);
    assert_int_equal(json_array_size(json_object_get(json_object_get(now, "moves"), "x")), 7);
    assert_true(json_is_false(json_object_get(now, "over")));
    json_decref(now);
    for (int i = 0; i < 2; i++) assert_int_equal(kn_flat_undo(board), 0);
    assert_int_equal(kn_flat_undo(board), 1);
    kn_flat_board_close(board);

    board = kn_flat_board(flat, "tictactoe", "xx./oo./... x");
    json_t *answer = document(flat, kn_flat_ask(board, "alphabeta(depth=9)", "{\"seed\": 3}"));
    assert_string_equal(member(answer, "score_text"), "wins in 1");
    assert_int_equal(kn_flat_play(board, member(answer, "move")), 0);
    json_decref(answer);
    now = document(flat, kn_flat_state(board));
    assert_true(json_number_value(json_array_get(json_object_get(now, "payoffs"), 0)) > 0);
    json_decref(now);
    check_refused(flat, "the game is over", kn_flat_ask(board, "random", NULL));
    check_refused(flat, "how", kn_flat_ask(board, "random", "{\"dept\": 3}"));
    kn_flat_board_close(board);
    check_refused(flat, "did you mean othello?", kn_flat_board(flat, "otello", NULL));
    check_refused(flat, "kind", kn_flat_list(flat, "people"));
    assert_int_not_equal(kn_flat_plugin(flat, "nowhere.so"), 0);
    json_decref(document(flat, kn_flat_list(flat, "player")));
    kn_flat_close(flat);
}

static void test_matches(void **state)
{
    (void)state;
    KnFlat *flat = open_flat();
    json_t *result =
        document(flat, kn_flat_match(flat, "{\"game\": \"tictactoe\", \"players\": [\"alphabeta(depth=3)\", "
                                           "\"random\"], \"games\": 6, \"name\": \"six\"}"));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(result, "result"), "games")), 6);
    json_decref(result);
    json_t *runs = document(flat, kn_flat_runs(flat));
    assert_string_equal(member(json_array_get(runs, 0), "name"), "six");
    json_decref(runs);
    json_t *run = document(flat, kn_flat_run(flat, "six", "json"));
    assert_int_equal(json_array_size(json_object_get(run, "games")), 6);
    json_decref(run);
    json_decref(document(
        flat, kn_flat_tournament(flat, "{\"game\": \"tictactoe\", \"players\": [\"random\", \"legal\", "
                                       "\"uct(playouts=5)\"], \"games\": 2, \"store\": false}")));
    check_refused(flat, "two players",
                  kn_flat_match(flat, "{\"game\": \"tictactoe\", \"players\": [\"random\"]}"));
    check_refused(
        flat, "gamess",
        kn_flat_match(flat,
                      "{\"game\": \"tictactoe\", \"players\": [\"random\", \"legal\"], \"gamess\": 3}"));
    check_refused(flat, "players", kn_flat_match(flat, "{\"game\": \"tictactoe\"}"));
    check_refused(flat, "plan:1", kn_flat_match(flat, "{"));
    check_refused(flat, "plan", kn_flat_match(flat, "[]"));
    check_refused(flat, "nowhere", kn_flat_run(flat, "nowhere", "json"));
    kn_flat_cancel(flat);
    assert_null(kn_flat_match(
        flat,
        "{\"game\": \"checkers\", \"players\": [\"random\", \"legal\"], \"games\": 1000, \"store\": false}"));
    assert_int_equal(kn_flat_status(flat), KN_STOPPED);
    kn_flat_close(flat);
}

static void test_training(void **state)
{
    (void)state;
    KnFlat *flat = open_flat();
    static const char *const plans[] = {
        "{\"game\": \"tictactoe\", \"learner\": \"td(games=20, depth=1)\", \"out\": \"td.json\", \"jobs\": "
        "1}",
        "{\"game\": \"tictactoe\", \"learner\": \"experience(games=20, depth=1, opponent=1, epsilon=0.5)\", "
        "\"out\": \"base.mdb\"}",
        "{\"game\": \"tictactoe\", \"learner\": \"allocation(examples=100, enrich=0, relief=0, shallow=1, "
        "extra=1)\", \"out\": \"tree.json\"}",
        "{\"game\": \"tictactoe\", \"learner\": \"hoyle\", \"out\": \"hoyle.json\", \"watch\": 1, "
        "\"agents\": [\"alphabeta(depth=9)\", \"random\"]}",
        "{\"game\": \"tictactoe\", \"learner\": \"seqlearner\", \"out\": \"sequences.json\", \"watch\": 1, "
        "\"agents\": [\"alphabeta(depth=9)\", \"random\"]}"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans;
         i++) { /* what was learned is what the player named by the answer plays by */
        json_t *made = document(flat, kn_flat_train(flat, plans[i]));
        KnFlatBoard *board = kn_flat_board(flat, "tictactoe", NULL);
        json_decref(document(flat, kn_flat_ask(board, member(made, "player"), NULL)));
        kn_flat_board_close(board);
        json_decref(made);
    }
    check_refused(flat, "there is no learner \"magic\"",
                  kn_flat_train(flat, "{\"game\": \"tictactoe\", \"learner\": \"magic\", \"out\": \"x\"}"));
    check_refused(flat, "cannot learn",
                  kn_flat_train(flat, "{\"game\": \"dilemma\", \"learner\": \"td\", \"out\": \"x\"}"));
    check_refused(
        flat, "agents",
        kn_flat_train(flat,
                      "{\"game\": \"tictactoe\", \"learner\": \"hoyle\", \"out\": \"x\", \"agents\": []}"));
    kn_flat_close(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contest), cmocka_unit_test(test_matches),
                                       cmocka_unit_test(test_training)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
