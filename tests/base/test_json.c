#include "support/check.h"
#include "base/file.h"
#include "base/json.h"

#include <string.h>
#include <unistd.h>

static json_t *load(const char *text)
{
    json_t *value = NULL;
    KnError error;
    check_ok(error, kn_json_load_bytes(text, strlen(text), "test", &value, &error));
    return value;
}

static void test_load_names_the_place(void **state)
{
    (void)state;
    KnError error;
    json_t *value;
    const char bad[] = "{\n  \"a\": 1,\n  \"b\": }";
    check_fails(error, KN_INPUT,
                "runs.json:3:8: ", kn_json_load_bytes(bad, strlen(bad), "runs.json", &value, &error));
    assert_null(value);
    check_fails(error, KN_INPUT, "duplicate",
                kn_json_load_bytes("{\"a\":1,\"a\":2}", 13, "x", &value, &error));
    check_fails(error, KN_INPUT, "x:1:", kn_json_load_bytes("", 0, "x", &value, &error));
    check_fails(error, KN_INPUT, "x:1:", kn_json_load_bytes("[1] 2", 5, "x", &value, &error));
    check_fails(error, KN_INPUT, "unable to decode byte 0xff",
                kn_json_load_bytes("\"\xff\"", 3, "x", &value, &error));
    char deep[100000]; /* must not exhaust the stack */
    memset(deep, '[', sizeof deep);
    check_fails(error, KN_INPUT, "depth", kn_json_load_bytes(deep, sizeof deep, "x", &value, &error));

    check_fails(error, KN_SYSTEM, "no-such.json: cannot open",
                kn_json_load_file("no-such.json", &value, &error));
    check_ok(error, kn_file_write_atomic("knack-json.json", "[1,\n2", 5, &error));
    check_fails(error, KN_INPUT,
                "knack-json.json:2:1: ", kn_json_load_file("knack-json.json", &value, &error));
    check_ok(error, kn_file_write_atomic("knack-json.json", "[1,\n2]", 6, &error));
    check_ok(error, kn_json_load_file("knack-json.json", &value, &error));
    assert_int_equal(json_array_size(value), 2);
    json_decref(value);
    unlink("knack-json.json");
}

static void test_getters(void **state)
{
    (void)state;
    json_t *value = load(
        "{\"name\":\"fives\",\"n\":7,\"x\":0.5,\"on\":true,\"gone\":null,\"list\":[{\"a\":[1,2]}],"
        "\"seed\":\"18446744073709551615\"}");
    KnJson root = kn_json_root(value, "f.json"), list, item, inner;
    KnError error;
    const char *string = NULL;
    int64_t integer = 0;
    double real = 0;
    bool on = false;
    uint64_t seed = 0;
    check_ok(error, kn_json_string(&root, "name", &string, &error));
    assert_string_equal(string, "fives");
    check_ok(error, kn_json_integer(&root, "n", 0, 7, &integer, &error));
    assert_int_equal(integer, 7);
    check_ok(error, kn_json_real(&root, "x", &real, &error));
    assert_true(real == 0.5);
    check_ok(error, kn_json_real(&root, "n", &real, &error));
    assert_true(real == 7);
    check_ok(error, kn_json_bool(&root, "on", &on, &error));
    assert_true(on);
    check_ok(error, kn_json_uint64(&root, "seed", &seed, &error));
    assert_true(seed == UINT64_MAX);
    check_ok(error, kn_json_uint64(&root, "n", &seed, &error));
    assert_int_equal(seed, 7);
    assert_true(kn_json_has(&root, "n"));
    assert_false(kn_json_has(&root, "gone"));
    assert_false(kn_json_has(&root, "never"));
    check_ok(error, kn_json_array(&root, "list", &list, &error));
    assert_int_equal(kn_json_size(&list), 1);
    item = kn_json_item(&list, 0);
    check_ok(error, kn_json_array(&item, "a", &inner, &error));
    KnJson second = kn_json_item(&inner, 1);
    check_ok(error, kn_json_integer(&second, NULL, 0, 10, &integer, &error));
    assert_int_equal(integer, 2);
    json_decref(value);
}

static void test_messages_name_the_field(void **state)
{
    (void)state;
    json_t *value = load("{\"runs\":[0,1,2,{\"seed\":\"x\",\"n\":-1,\"in\":{\"deep\":[true]}}]}");
    KnJson root = kn_json_root(value, "f.json"), nameless = kn_json_root(value, NULL), runs, out;
    KnError error;
    int64_t integer = 0;
    double real;
    const char *string;
    uint64_t seed;
    check_ok(error, kn_json_array(&root, "runs", &runs, &error));
    KnJson run = kn_json_item(&runs, 3);
    assert_int_equal(kn_json_integer(&run, "seed", 0, 1, &integer, &error), KN_INPUT);
    assert_string_equal(error.text, "f.json: runs[3].seed: expected an integer, found a string");
    kn_json_integer(&run, "n", 0, 100, &integer, &error);
    assert_string_equal(error.text, "f.json: runs[3].n: -1 is not between 0 and 100");
    kn_json_string(&run, "name", &string, &error);
    assert_string_equal(error.text, "f.json: runs[3].name: missing; expected a string");
    KnJson one = kn_json_item(&runs, 1);
    kn_json_string(&one, NULL, &string, &error);
    assert_string_equal(error.text, "f.json: runs[1]: expected a string, found an integer");
    kn_json_real(&one, "x", &real, &error);
    assert_string_equal(error.text, "f.json: runs[1]: expected an object, found an integer");
    kn_json_object(&nameless, "runs", &out, &error);
    assert_string_equal(error.text, "runs: expected an object, found an array");
    kn_json_array(&root, NULL, &out, &error);
    assert_string_equal(error.text, "f.json: expected an array, found an object");
    KnJson in, deep;
    check_ok(error, kn_json_object(&run, "in", &in, &error));
    check_ok(error, kn_json_array(&in, "deep", &deep, &error));
    KnJson truth = kn_json_item(&deep, 0);
    kn_json_real(&truth, NULL, &real, &error);
    assert_string_equal(error.text, "f.json: runs[3].in.deep[0]: expected a number, found true or false");
    check_fails(error, KN_INPUT, "runs[3].seed: expected a whole number",
                kn_json_uint64(&run, "seed", &seed, &error));
    check_fails(error, KN_INPUT, "runs[3].n: expected a whole number",
                kn_json_uint64(&run, "n", &seed, &error));
    kn_json_only(&run, (const char *const[]){"seed", "in", NULL}, &error);
    assert_string_equal(error.text, "f.json: runs[3].n: unknown field; known: seed, in");
    check_ok(error, kn_json_only(&run, (const char *const[]){"seed", "in", "n", NULL}, &error));
    assert_int_equal(kn_json_integer(&run, "seed", 0, 1, &integer, NULL), KN_INPUT);
    json_decref(value);
}

static void check_canonical(const char *in, const char *out)
{
    json_t *value = load(in);
    KnText text = KN_TEXT_EMPTY;
    kn_json_canonical(value, &text);
    assert_true(kn_text_ok(&text));
    assert_string_equal(text.data, out);
    json_t *back = load(text.data);
    assert_true(json_equal(value, back));
    json_decref(value);
    json_decref(back);
    kn_text_free(&text);
}

static void test_canonical(void **state)
{
    (void)state;
    check_canonical("{ \"b\" : [ 1, 2.0, 1e2 ], \"a\":{\"z\":null,\"y\":true} }",
                    "{\"a\":{\"y\":true,\"z\":null},\"b\":[1,2.0,100.0]}");
    check_canonical("[0.1, -0.0, 1e300, 0.30000000000000004, 5e-324]",
                    "[0.1,-0.0,1e+300,0.30000000000000004,5e-324]");
    check_canonical("\"\\u00e9\\n\\\"\\u0001\"", "\"\xc3\xa9\\n\\\"\\u0001\"");
    check_canonical("{\"a\":{},\"B\":[]}", "{\"B\":[],\"a\":{}}");
    check_canonical("false", "false");
}

static void test_uint64_round_trip(void **state)
{
    (void)state;
    const uint64_t values[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    for (int i = 0; i < 5; i++) {
        json_t *value = kn_json_from_uint64(values[i]);
        KnJson root = kn_json_root(value, NULL);
        KnError error;
        uint64_t back = 5;
        check_ok(error, kn_json_uint64(&root, NULL, &back, &error));
        assert_true(back == values[i]);
        json_decref(value);
    }
    const char *bad[] = {"\"\"", "\"-1\"", "\" 1\"", "\"18446744073709551616\"", "1.5", "null", "\"1x\""};
    for (int i = 0; i < 7; i++) {
        json_t *value = load(bad[i]);
        KnJson root = kn_json_root(value, NULL);
        KnError error;
        uint64_t back;
        check_fails(error, KN_INPUT, "whole number", kn_json_uint64(&root, NULL, &back, &error));
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_names_the_place),    cmocka_unit_test(test_getters),
        cmocka_unit_test(test_messages_name_the_field), cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_uint64_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
