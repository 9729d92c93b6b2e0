/* Exercises: the problems, what a try is told, and proofs as trees. */
#include "support/check.h"
#include "support/desk.h"

#include <string.h>

static Desk desk;

static void test_list(void **state)
{
    (void)state;
    assert_int_equal(desk_ask(&desk, "GET", "/api/problems", NULL), 200);
    assert_true(json_array_size(desk.json) >= 300);
    assert_int_equal(desk_number(&desk, "0/volume"), 1);
    for (size_t i = 1; i < json_array_size(desk.json); i++) {
        json_t *before = json_array_get(desk.json, i - 1), *row = json_array_get(desk.json, i);
        assert_true(json_integer_value(json_object_get(before, "volume")) <=
                    json_integer_value(json_object_get(row, "volume")));
        assert_null(json_object_get(row, "answer")); /* nothing is given away */
    }
    assert_int_equal(desk_ask(&desk, "GET", "/api/problems/s2001-8-J6", NULL), 200);
    assert_string_equal(desk_text(&desk, "question"),
                        "Black to move: can the white string at J6 be captured?");
    assert_string_equal(desk_text(&desk, "target/name"), "J6");
    assert_int_equal(desk_number(&desk, "target/cell"), 35);
    assert_string_equal(desk_text(&desk, "before"), "s2001-3-J8");
    assert_int_equal(desk_number(&desk, "legal/0/path/0"), 1); /* A9 is taken, B9 free */
    assert_null(desk_at(&desk, "answer"));
    assert_null(desk_at(&desk, "moves"));
}

/* The prover answers every try: moves of the two sides take turns, and each branch ends, or says that it goes
 * on. */
static void check_tree(json_t *rows, bool prover)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        json_t *replies = json_object_get(row, "replies");
        assert_int_equal(json_is_true(json_object_get(row, "prover")), prover);
        if (prover) assert_int_equal(json_array_size(rows), 1);
        if (!json_array_size(replies))
            assert_true(json_is_true(json_object_get(row, "ended")) ||
                        json_is_true(json_object_get(row, "open")));
        check_tree(replies, !prover);
    }
}

static void test_proofs(void **state)
{
    (void)state;
    assert_int_equal(desk_ask(&desk, "GET", "/api/problems/s2001-8-J6/proof", NULL), 200);
    assert_non_null(strstr(desk_text(&desk, "text"), "The string at J6 is captured"));
    assert_string_equal(desk_text(&desk, "tree/0/replies/0/replies/0/move"), "H5");
    check_tree(desk_at(&desk, "tree"), true);
    assert_int_equal(desk_ask(&desk, "GET", "/api/problems/s2001-2-A5/proof", NULL), 200);
    assert_true(json_array_size(desk_at(&desk, "tree")) > 2);
    check_tree(desk_at(&desk, "tree"), false);
}

static void test_tries(void **state)
{
    (void)state;
    static const struct {
        const char *id, *body, *right, *text, *proof;
    } cases[] = {
        {"s2001-8-J6", "{\"move\": \"J8\"}", "true", "Right.", "is lost even if its owner moves first"},
        {"s2001-8-J6", "{\"move\": \"h7\"}", "true", "Right.", "is lost"},
        {"s2001-8-J6", "{\"move\": \"A1\"}", "false", "the other side has a reply", "is saved"},
        {"s2001-8-J6", "{}", "false", "there is a move", NULL},
        {"s2001-8-J6", "{\"line\": \"J8\", \"move\": \"J7\"}", "false", "the other side has a reply",
         "is captured"},
        {"s2001-8-J6", "{\"line\": \"J8 J7\", \"move\": \"H7\"}", "true", "That works.", "is lost"},
        {"s2001-8-J6", "{\"line\": \"J8 J7\", \"move\": \"A1\"}", "false", "has a reply", "is saved"},
        {"s2001-8-J6", "{\"line\": \"A1\", \"move\": \"H7\"}", "true", "That works.", "cannot be captured"},
        {"s2001-2-A5", "{}", "true", "cannot be done", "is lost"},
        {"s2001-2-A5", "{\"move\": \"A6\"}", "false", "the other side has a reply", "is captured"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        snprintf(path, sizeof path, "/api/problems/%s/try", cases[i].id);
        if (desk_ask(&desk, "POST", path, cases[i].body) != 200)
            fail_msg("%s %s: %s", path, cases[i].body, desk.text);
        const char *right = json_is_true(desk_at(&desk, "right"))    ? "true"
                            : json_is_false(desk_at(&desk, "right")) ? "false"
                                                                     : "null";
        assert_string_equal(right, cases[i].right);
        assert_non_null(strstr(desk_text(&desk, "text"), cases[i].text));
        if (cases[i].proof)
            assert_non_null(strstr(desk_text(&desk, "proof/text"), cases[i].proof));
        else
            assert_null(desk_at(&desk, "proof"));
    }
}

static void test_wrong(void **state)
{
    (void)state;
    assert_int_equal(desk_ask(&desk, "GET", "/api/problems/none", NULL), 404);
    assert_non_null(strstr(desk_text(&desk, "error"), "there is no problem none"));
    assert_int_equal(desk_ask(&desk, "POST", "/api/problems/s2001-8-J6/try", "{\"move\": \"J6\"}"), 422);
    assert_string_equal(desk_text(&desk, "field"), "move");
    assert_int_equal(desk_ask(&desk, "POST", "/api/problems/s2001-8-J6/try", "{\"move\": \"Z99\"}"), 422);
    assert_int_equal(desk_ask(&desk, "POST", "/api/problems/s2001-8-J6/try", "{\"move\": \"pass\"}"), 422);
    assert_int_equal(desk_ask(&desk, "POST", "/api/problems/s2001-8-J6/try", "{\"move\": 3}"), 400);
    assert_int_equal(desk_ask(&desk, "POST", "/api/problems/s2001-8-J6/try", "{\"line\": \"J8\"}"), 422);
    assert_string_equal(desk_text(&desk, "field"), "move");
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/problems/s2001-8-J6/try", "{\"line\": \"J8 J8\", \"move\": \"A1\"}"),
        422);
    assert_string_equal(desk_text(&desk, "field"), "line");
}

static int open_desk(void **state)
{
    (void)state;
    desk_open(&desk, "problems", NULL);
    return 0;
}

static int close_desk(void **state)
{
    (void)state;
    desk_close(&desk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_tries),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, open_desk, close_desk);
}
