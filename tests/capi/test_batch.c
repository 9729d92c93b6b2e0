/* Batches of games against single ones, and what every number of a plan may be. */
#include "support/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <knack/base.h>
#include <knack/capi.h>

static KnCapi *open_capi(void)
{
    char message[200] = "";
    KnCapi *capi = kn_capi_open("data", message, sizeof message);
    assert_non_null(capi);
    return capi;
}

/* Takes the text and gives the document. */
static json_t *document(KnCapi *capi, char *text)
{
    if (!text) fail_msg("%s", kn_capi_error(capi));
    json_t *found = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(found);
    kn_capi_free(text);
    return found;
}

enum { GAMES = 7, CELLS_MOST = 64 };

/* What a batch says of each game is what the game played alone says. */
static void check_like_alone(KnCapi *capi, KnCapiBatch *batch, KnCapiGame **alone, int cells)
{
    int32_t movers[GAMES], counts[GAMES];
    uint8_t seen[GAMES * CELLS_MOST];
    double payoffs[GAMES * 2];
    kn_capi_batch_read(batch, movers, counts, seen, payoffs);
    for (int i = 0; i < GAMES; i++) {
        json_t *now = document(capi, kn_capi_state(alone[i])), *names = json_object_get(now, "roles"),
               *moves = json_object_get(now, "moves"), *paid = json_object_get(now, "payoffs"),
               *listed = document(capi, kn_capi_batch_moves(batch, i)),
               *layout = document(capi, kn_capi_layout(alone[i]));
        bool over = json_is_true(json_object_get(now, "over"));
        assert_int_equal(json_array_size(listed), counts[i]);
        assert_int_equal(movers[i] < 0, over);
        if (!over) {
            const char *name = json_string_value(json_array_get(names, (size_t)movers[i]));
            assert_true(json_equal(json_object_get(moves, name), listed));
        } else
            assert_int_equal(counts[i], 0);
        for (size_t role = 0; role < 2; role++)
            assert_true(payoffs[2 * i + (int)role] ==
                        (over ? json_number_value(json_array_get(paid, role)) : 0));
        for (int c = 0; c < cells; c++)
            assert_int_equal(seen[i * cells + c],
                             json_integer_value(json_array_get(json_object_get(layout, "cells"), (size_t)c)));
        json_decref(layout);
        json_decref(listed);
        json_decref(now);
    }
}

/* Random games side by side: some are left alone now and then, some begin again. */
static void play_batch(KnCapi *capi, const char *game, int cells, int rounds, KnRng *rng)
{
    KnCapiBatch *batch = kn_capi_batch(capi, game, GAMES);
    if (!batch) fail_msg("%s", kn_capi_error(capi));
    KnCapiGame *alone[GAMES];
    for (int i = 0; i < GAMES; i++) alone[i] = kn_capi_game(capi, game, NULL);
    json_t *about = document(capi, kn_capi_batch_about(batch)),
           *layout = document(capi, kn_capi_layout(alone[0]));
    assert_int_equal(json_integer_value(json_object_get(about, "games")), GAMES);
    assert_int_equal(json_integer_value(json_object_get(about, "cells")), cells);
    assert_int_equal(json_array_size(json_object_get(about, "roles")), 2);
    static const char *const same[] = {"symbols", "places", "payoffs"};
    for (int k = 0; k < 3; k++)
        assert_true(json_equal(json_object_get(about, same[k]), json_object_get(layout, same[k])));
    json_decref(layout);
    json_decref(about);
    for (int round = 0; round < rounds; round++) {
        int32_t counts[GAMES], actions[GAMES];
        uint8_t again[GAMES];
        kn_capi_batch_read(batch, NULL, counts, NULL, NULL);
        for (int i = 0; i < GAMES; i++) {
            again[i] = kn_rng_below(rng, 20) == 0;
            actions[i] = counts[i] && kn_rng_below(rng, 5) ? (int32_t)kn_rng_below(rng, (uint32_t)counts[i])
                                                           : -1;
            if (actions[i] < 0) continue;
            json_t *listed = document(capi, kn_capi_batch_moves(batch, i));
            assert_int_equal(
                kn_capi_play(alone[i], json_string_value(json_array_get(listed, (size_t)actions[i]))), 0);
            json_decref(listed);
        }
        assert_int_equal(kn_capi_batch_step(batch, actions), 0);
        check_like_alone(capi, batch, alone, cells);
        kn_capi_batch_reset(batch, again);
        for (int i = 0; i < GAMES; i++)
            while (again[i] && kn_capi_undo(alone[i]) == 0) continue;
    }
    kn_capi_batch_reset(batch, NULL);
    for (int i = 0; i < GAMES; i++)
        while (kn_capi_undo(alone[i]) == 0) continue;
    check_like_alone(capi, batch, alone, cells);
    for (int i = 0; i < GAMES; i++) kn_capi_game_close(alone[i]);
    kn_capi_batch_close(batch);
}

static void test_batches(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    KnRng rng = kn_rng_seeded(5);
    play_batch(capi, "tictactoe", 9, 40, &rng);
    play_batch(capi, "othello(size=4)", 16, 30, &rng);
    kn_capi_close(capi);
}

#define check_refused(capi, words, call)                                                                     \
    do {                                                                                                     \
        assert_null(call);                                                                                   \
        if (!strstr(kn_capi_error(capi), words)) fail_msg("%s", kn_capi_error(capi));                        \
    } while (0)

/* One action that is out of range, and none is played. */
static void test_batches_refused(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    check_refused(capi, "1 to 1048576 games, not 0", kn_capi_batch(capi, "tictactoe", 0));
    check_refused(capi, "not -1", kn_capi_batch(capi, "tictactoe", -1));
    check_refused(capi, "not 1048577", kn_capi_batch(capi, "tictactoe", 1048577));
    check_refused(capi, "1048576 games of phutball", kn_capi_batch(capi, "phutball", 1048576));
    check_refused(capi, "at the same time", kn_capi_batch(capi, "dilemma", 2));
    check_refused(capi, "did you mean", kn_capi_batch(capi, "tictacto", 2));
    KnCapiBatch *one = kn_capi_batch(capi, "tictactoe", 1), *two = kn_capi_batch(capi, "tictactoe", 2);
    assert_true(one && two);
    check_refused(capi, "no game -1; the batch has 2", kn_capi_batch_moves(two, -1));
    check_refused(capi, "no game 2", kn_capi_batch_moves(two, 2));
    check_refused(capi, "no game 1; the batch has 1", kn_capi_batch_moves(one, 1));
    static const int32_t bad[][2] = {{0, 9}, {0, -2}, {9, 0}, {-2, -1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int32_t counts[2];
        assert_int_equal(kn_capi_batch_step(two, bad[i]), 3);
        assert_non_null(strstr(kn_capi_error(capi), "9 legal moves (0 to 8"));
        kn_capi_batch_read(two, NULL, counts, NULL, NULL);
        assert_true(counts[0] == 9 && counts[1] == 9);
    }
    assert_int_equal(kn_capi_batch_step(two, (const int32_t[]){8, 0}), 0);
    kn_capi_batch_close(one);
    kn_capi_batch_close(two);
    kn_capi_close(capi);
}

/* ---- Numbers ---- */

typedef char *(*Call)(KnCapi *capi, const char *text);

static char *review_of(KnCapi *capi, const char *how)
{
    KnCapiGame *board = kn_capi_game(capi, "tictactoe", NULL);
    char *answer = kn_capi_review(board, how);
    kn_capi_game_close(board);
    return answer;
}

static char *ask_of(KnCapi *capi, const char *how)
{
    KnCapiGame *board = kn_capi_game(capi, "tictactoe", "xx./oo./... x");
    char *answer = kn_capi_ask(board, "random", how);
    kn_capi_game_close(board);
    return answer;
}

/* Whether a number is taken. What comes after it is refused in any case, so that nothing long is run. */
static bool is_taken(KnCapi *capi, Call call, const char *form, const char *key, const char *number)
{
    char text[300];
    snprintf(text, sizeof text, form, key, number);
    char *answer = call(capi, text);
    bool taken = answer || !strstr(kn_capi_error(capi), key);
    kn_capi_free(answer);
    return taken;
}

static void test_bounds_of_numbers(void **state)
{
    (void)state;
    static const char match[] = "{\"game\": \"tictactoe\", \"players\": [\"random\"], \"%s\": %s}",
                      train[] = "{\"game\": \"tictactoe\", \"learner\": \"td\", \"%s\": %s}",
                      lab[] = "{\"scale\": \"huge\", \"%s\": %s}",
                      how[] = "{\"%s\": %s, \"judge\": \"random\"}", asked[] = "{\"%s\": %s}";
    static const struct {
        Call call;
        const char *form, *key;
        int64_t low, high;
    } rows[] = {
        {kn_capi_match, match, "games", 1, 100000000},
        {kn_capi_match, match, "jobs", 0, 1024},
        {kn_capi_match, match, "random_plies", 0, 1000},
        {kn_capi_match, match, "plies", 0, 1000000},
        {kn_capi_match, match, "depth", 1, 200},
        {kn_capi_match, match, "nodes", 1, INT64_MAX},
        {kn_capi_match, match, "challengers", 1, 1000},
        {kn_capi_match, match, "rounds", 1, 1000},
        {kn_capi_match, match, "opening_plies", 1, 10000},
        {kn_capi_match, match, "engine_jobs", 1, 1024},
        {kn_capi_match, match, "seconds", 0, 1000000},
        {kn_capi_match, match, "judge", 0, INT64_MAX},
        {kn_capi_train, train, "jobs", 0, 1024},
        {kn_capi_train, train, "points", 0, 10000},
        {kn_capi_lab, lab, "jobs", 0, 1024},
        {review_of, how, "role", 0, 1},
        {review_of, how, "depth", 1, 200},
        {review_of, how, "nodes", 1, INT64_MAX},
        {review_of, how, "seconds", 0, 1000000},
        {ask_of, asked, "depth", 1, 200},
        {ask_of, asked, "nodes", 1, INT64_MAX},
        {ask_of, asked, "seconds", 0, INT64_MAX},
    };
    KnCapi *capi = open_capi();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct {
            int64_t number;
            bool taken;
        } tried[] = {
            {rows[i].low - 1, false}, {rows[i].low, true}, {rows[i].high, true}, {rows[i].high, false}};
        for (int k = 0; k < 4 && (k < 3 || rows[i].high < INT64_MAX); k++) {
            char number[40];
            snprintf(number, sizeof number, "%" PRId64, tried[k].number + (k == 3));
            if (is_taken(capi, rows[i].call, rows[i].form, rows[i].key, number) != tried[k].taken)
                fail_msg("%s %s: %s", rows[i].key, number, kn_capi_error(capi));
        }
    }
    static const struct {
        const char *key, *value;
        bool taken;
    } lists[] = {{"resign", "[0, 1000000]", true},
                 {"resign", "[-1, 5]", false},
                 {"resign", "[5, 1000001]", false},
                 {"resign", "[5]", false},
                 {"draw", "[0, 1000000, 5]", true},
                 {"draw", "[0, 3, -1]", false},
                 {"draw", "[1, 2, 3, 4]", false},
                 {"sprt", "[0, 5]", true},
                 {"sprt", "[0]", false},
                 {"sprt", "[0, 5, 6]", false}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (is_taken(capi, kn_capi_match, match, lists[i].key, lists[i].value) != lists[i].taken)
            fail_msg("%s %s: %s", lists[i].key, lists[i].value, kn_capi_error(capi));
    kn_capi_close(capi);
}

/* Every setting of a plan stands in the document of its match. */
static void test_settings_arrive(void **state)
{
    (void)state;
    KnCapi *capi = open_capi();
    json_t *result = document(
        capi,
        kn_capi_match(capi, "{\"game\": \"tictactoe\", \"players\": [\"alphabeta(depth=1)\", \"random\"], "
                            "\"games\": 4, \"seed\": 9223372036854775807, \"random_plies\": 2, \"plies\": "
                            "8, \"depth\": 3, \"nodes\": 500, \"seconds\": 60, \"judge\": 0.5, \"resign\": "
                            "[3, 5], \"draw\": [4, 2, 1], \"sprt\": [-3, 8], \"alpha\": 0.1, \"beta\": 0.2, "
                            "\"sprt_model\": \"normalized\", \"store\": false, \"jobs\": 1}"));
    static const char wanted[] =
        "{\"game\": \"tictactoe\", \"players\": [\"alphabeta(depth=1)\", \"random\"], \"seed\": "
        "9223372036854775807, \"ply_limit\": 8, \"random_plies\": 2, \"depth\": 3, \"nodes\": 500, "
        "\"seconds\": "
        "60.0, \"judge\": 0.5, \"move_limit\": 0.0, \"resign\": {\"moves\": 3, \"below\": 5.0, \"agreed\": "
        "false}, "
        "\"draw\": {\"from\": 4, \"moves\": 2, \"within\": 1.0}}";
    json_t *settings = json_loads(wanted, 0, NULL);
    assert_non_null(settings);
    char *told = json_dumps(json_object_get(result, "settings"), JSON_SORT_KEYS | JSON_REAL_PRECISION(10));
    if (!json_equal(settings, json_object_get(result, "settings"))) fail_msg("%s", told);
    kn_capi_free(told);
    json_t *test = json_object_get(result, "sprt");
    assert_true(json_number_value(json_object_get(test, "elo0")) == -3);
    assert_true(json_number_value(json_object_get(test, "elo1")) == 8);
    assert_true(json_number_value(json_object_get(test, "alpha")) == 0.1);
    assert_true(json_number_value(json_object_get(test, "beta")) == 0.2);
    assert_string_equal(json_string_value(json_object_get(test, "model")), "normalized");
    json_decref(settings);
    json_decref(result);
    kn_capi_close(capi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_batches_refused),
        cmocka_unit_test(test_bounds_of_numbers),
        cmocka_unit_test(test_settings_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
