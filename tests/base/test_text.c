#include "support/check.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_grows(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    assert_string_equal(text.data, "");
    for (int i = 0; i < 10000; i++) kn_text_printf(&text, "%d,", i % 10);
    assert_int_equal(text.length, 20000);
    assert_int_equal(strlen(text.data), 20000);
    assert_memory_equal(text.data, "0,1,2,3,4,5,6,7,8,9,0,", 22);
    assert_memory_equal(text.data + 19996, "8,9,", 5);
    assert_true(kn_text_ok(&text));
    kn_text_clear(&text);
    assert_string_equal(text.data, "");
    kn_text_add(&text, "again");
    assert_string_equal(text.data, "again");
    kn_text_free(&text);
    assert_string_equal(text.data, "");
    kn_text_clear(&text); /* of an empty one */
    kn_text_free(&text);
}

static void test_bytes_may_hold_zeros(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_bytes(&text, "a\0b", 3);
    kn_text_add_char(&text, 'c');
    assert_int_equal(text.length, 4);
    assert_memory_equal(text.data, "a\0bc", 5);
    kn_text_free(&text);
}

static void test_quotes(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_quoted(&text, "a \"b\" \\ \n\t\x01 \xc3\xa9");
    assert_string_equal(text.data, "\"a \\\"b\\\" \\\\ \\n\\t\\u0001 \xc3\xa9\"");
    kn_text_free(&text);
}

static void test_reals_are_short_and_exact(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},
                {1, "1"},
                {-2.5, "-2.5"},
                {0.1, "0.1"},
                {1.0 / 3, "0.3333333333333333"},
                {1e300, "1e+300"},
                {123456789, "123456789"},
                {40, "40"},
                {-1000000, "-1000000"},
                {1e15, "1e+15"},
                {-0.0, "-0"},
                {1e-7, "1e-07"},
                {5e-324, "5e-324"},
                {0.1 + 0.2, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnText text = KN_TEXT_EMPTY;
        kn_text_add_real(&text, rows[i].value);
        assert_string_equal(text.data, rows[i].text);
        assert_true(strtod(text.data, NULL) == rows[i].value);
        kn_text_free(&text);
    }
}

/* A request that memory cannot meet is remembered, and the text before it stays whole. */
static void test_failure_is_remembered(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, "kept");
    kn_text_add_bytes(&text, "x", SIZE_MAX / 2);
    assert_false(kn_text_ok(&text));
    kn_text_add(&text, "more");
    assert_string_equal(text.data, "kept");
    kn_text_clear(&text);
    assert_true(kn_text_ok(&text));
    kn_text_add_bytes(&text, "x", SIZE_MAX - 2); /* the sum wraps around */
    assert_false(kn_text_ok(&text));
    kn_text_free(&text);
}

/* What is no UTF-8 is read as Latin-1, byte by byte. */
static void test_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"plain", "plain"},
        {"M\xc3\xbcller", "M\xc3\xbcller"},
        {"M\xfcller", "M\xc3\xbcller"},
        {"\xe2\x82\xac", "\xe2\x82\xac"},
        {"\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82"},
        {"\xed\xa0\x80", "\xc3\xad\xc2\xa0\xc2\x80"},
        {"\xc0\xaf", "\xc3\x80\xc2\xaf"},
        {"\xf4\x90\x80\x80", "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80"},
        {"\xc3", "\xc3\x83"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnText text = KN_TEXT_EMPTY;
        kn_text_add(&text, "<");
        kn_text_add_utf8(&text, cases[i].bytes, strlen(cases[i].bytes));
        assert_string_equal(text.data + 1, cases[i].text);
        kn_text_free(&text);
    }
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_utf8(&text, "a\0b", 3);
    assert_string_equal(text.data, "a b");
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows),
        cmocka_unit_test(test_bytes_may_hold_zeros),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_reals_are_short_and_exact),
        cmocka_unit_test(test_failure_is_remembered),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
