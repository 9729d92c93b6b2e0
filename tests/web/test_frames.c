/* What pictures are drawn from: positions along moves, and maps of outcomes. */
#include "support/check.h"
#include "support/desk.h"

#include <stdlib.h>
#include <string.h>

static Desk desk;

static void test_line(void **state)
{
    (void)state;
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/frames", "{\"game\": \"checkers\", \"moves\": \"11-15 22-18 15x22\"}"),
        200);
    assert_int_equal(json_array_size(desk_at(&desk, "frames")), 4);
    assert_string_equal(desk_text(&desk, "board/kind"), "grid");
    assert_int_equal(json_array_size(desk_at(&desk, "frames/0/cells")), 32);
    assert_string_equal(desk_text(&desk, "frames/0/text"), "");
    assert_int_equal(json_array_size(desk_at(&desk, "frames/0/path")), 0);
    assert_int_equal(desk_number(&desk, "frames/0/movers/0"), 0);
    assert_string_equal(desk_text(&desk, "frames/3/text"), "15x22");
    assert_int_equal(desk_number(&desk, "frames/3/path/0"), 14);
    assert_int_equal(desk_number(&desk, "frames/3/path/1"), 21);
    assert_int_equal(desk_number(&desk, "frames/3/movers/0"), 1);
    assert_int_equal(desk_number(&desk, "frames/3/cells/14"), 0);
    assert_int_equal(desk_number(&desk, "frames/3/cells/17"), 0); /* the man on 18 is taken */
    assert_int_equal(desk_number(&desk, "frames/3/cells/21"), desk_number(&desk, "frames/0/cells/10"));
    assert_true(strlen(desk_text(&desk, "frames/3/drawing")) > 32);
    assert_null(desk_at(&desk, "error"));
}

/* From a position, and as a list; the position that a frame tells can be asked from again. */
static void test_position(void **state)
{
    (void)state;
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/frames", "{\"game\": \"tictactoe\", \"moves\": [\"a1\", \"b2\"]}"),
        200);
    json_t *body = json_pack("{ss sO s[s]}", "game", "tictactoe", "position",
                             desk_at(&desk, "frames/2/position"), "moves", "c3");
    char *text = json_dumps(body, 0);
    assert_int_equal(desk_ask(&desk, "POST", "/api/frames", text), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "frames")), 2);
    assert_int_equal(desk_number(&desk, "frames/1/movers/0"), 1);
    free(text);
    json_decref(body);
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/frames", "{\"game\": \"tictactoe\", \"moves\": \"a1 a2 b1 b2 c1\"}"),
        200);
    assert_int_equal(json_array_size(desk_at(&desk, "frames/5/movers")), 0); /* it is over */
}

static void test_joint_moves(void **state)
{
    (void)state;
    assert_int_equal(desk_ask(&desk, "POST", "/api/frames",
                              "{\"game\": \"dilemma(turns=2)\", \"moves\": [[\"C\", \"D\"], \"D|D\"]}"),
                     200);
    assert_int_equal(json_array_size(desk_at(&desk, "frames")), 3);
    assert_string_equal(desk_text(&desk, "frames/1/text"), "C|D");
    assert_int_equal(json_array_size(desk_at(&desk, "frames/1/movers")), 2);
    assert_string_equal(desk_text(&desk, "board/kind"), "table");
}

static void test_wrong(void **state)
{
    (void)state;
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/frames", "{\"game\": \"checkers\", \"moves\": \"11-15 1-2 22-18\"}"),
        200);
    assert_int_equal(json_array_size(desk_at(&desk, "frames")), 2); /* as far as it is legal */
    assert_non_null(strstr(desk_text(&desk, "error"), "1-2"));
    static const struct {
        const char *body, *field;
        int status;
    } cases[] = {
        {"{}", "game", 400},
        {"{\"game\": \"chess\"}", "game", 422},
        {"{\"game\": \"checkers\", \"position\": \"nowhere\"}", "position", 422},
        {"{\"game\": \"checkers\", \"moves\": 3}", "moves", 400},
        {"{\"game\": \"checkers\", \"moves\": [3]}", "moves", 400},
        {"{\"game\": \"gdl(\\\"/etc/passwd\\\")\"}", "game", 422},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (desk_ask(&desk, "POST", "/api/frames", cases[i].body) != cases[i].status)
            fail_msg("%s: %d %s", cases[i].body, desk.status, desk.text);
        assert_string_equal(desk_text(&desk, "field"), cases[i].field);
    }
}

/* ---- maps of satisficing agents ---- */

static void test_map(void **state)
{
    (void)state;
    /* Figure 4a of the paper: from mutual defection, high aspirations lead to cooperation. */
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/satisfice/map",
                 "{\"words\": [\"sigma=.8\", \"delta=.7\", \"lambda=.9\", \"start=DD\"], \"size\": 9}"),
        200);
    assert_int_equal(json_array_size(desk_at(&desk, "points")), 81);
    assert_string_equal(desk_text(&desk, "x/number"), "alpha");
    assert_int_equal(desk_number(&desk, "points/80/0"), 1); /* both aspire high: cooperation */
    assert_int_equal(desk_number(&desk, "points/0/1"), 1);  /* both are content: defection */
    long trials = 0;
    for (size_t i = 0; i < 81; i++)
        for (size_t k = 0; k < 5; k++)
            trials += json_integer_value(json_array_get(json_array_get(desk_at(&desk, "points"), i), k));
    assert_int_equal(trials, 81);
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/satisfice/map",
                 "{\"x\": \"sigma=.5..1\", \"y\": \"lambda=0..1\", \"size\": 3, \"trials\": 20}"),
        200);
    assert_string_equal(desk_text(&desk, "y/number"), "lambda");
    static const struct {
        const char *body, *field;
        int status;
    } cases[] = {
        {"{\"words\": \"sigma=.8\"}", "words", 400},         {"{\"words\": [\"sigma\"]}", "words", 422},
        {"{\"words\": [\"sigma>2\"]}", "words", 422}, /* it would be drawn for without end */
        {"{\"words\": [\"lambda=7\"]}", "words", 422},       {"{\"x\": \"gamma=0..1\"}", "x", 422},
        {"{\"y\": \"delta=0..sigma\"}", "y", 422},           {"{\"size\": 1000}", "size", 400},
        {"{\"size\": 100, \"trials\": 100}", "trials", 422},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (desk_ask(&desk, "POST", "/api/satisfice/map", cases[i].body) != cases[i].status)
            fail_msg("%s: %d %s", cases[i].body, desk.status, desk.text);
        assert_string_equal(desk_text(&desk, "field"), cases[i].field);
    }
}

static int set_up(void **state)
{
    (void)state;
    desk_open(&desk, "frames", &(KnWebOptions){.engines = 1});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    desk_close(&desk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),  cmocka_unit_test(test_position), cmocka_unit_test(test_joint_moves),
        cmocka_unit_test(test_wrong), cmocka_unit_test(test_map),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
