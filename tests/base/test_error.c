#include "support/check.h"

#include <errno.h>
#include <string.h>

static void test_fail_fills_and_returns(void **state)
{
    (void)state;
    KnError error;
    assert_int_equal(kn_fail(&error, KN_INPUT, "line %d: no such square \"%s\"", 3, "z9"), KN_INPUT);
    assert_int_equal(error.status, KN_INPUT);
    assert_string_equal(error.text, "line 3: no such square \"z9\"");
    assert_int_equal(kn_fail(NULL, KN_USAGE, "dropped"), KN_USAGE);
}

static void test_prefix_on_the_way_up(void **state)
{
    (void)state;
    KnError error;
    kn_fail(&error, KN_INPUT, "expected an integer");
    assert_int_equal(kn_fail_within(&error, "%s[%d]", "runs", 3), KN_INPUT);
    assert_string_equal(error.text, "runs[3]: expected an integer");
    kn_fail_within(&error, "file.json");
    assert_string_equal(error.text, "file.json: runs[3]: expected an integer");
    assert_int_equal(error.status, KN_INPUT);
    assert_int_equal(kn_fail_within(NULL, "x"), KN_SYSTEM);
}

static void test_system_errors(void **state)
{
    (void)state;
    KnError error;
    errno = ENOENT;
    assert_int_equal(kn_fail_errno(&error, "%s: cannot open", "a.pdn"), KN_SYSTEM);
    assert_string_equal(error.text, "a.pdn: cannot open: No such file or directory");
    assert_int_equal(kn_fail_memory(&error, "reading"), KN_SYSTEM);
    assert_string_equal(error.text, "out of memory while reading");
}

/* Whatever the lengths, the text ends inside its array. */
static void test_long_messages_are_cut(void **state)
{
    (void)state;
    char line[3 * KN_ERROR_TEXT];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    KnError error;
    kn_fail(&error, KN_INPUT, "%s", line);
    assert_int_equal(strlen(error.text), KN_ERROR_TEXT - 1);
    kn_fail_within(&error, "prefix");
    assert_int_equal(strlen(error.text), KN_ERROR_TEXT - 1);
    assert_memory_equal(error.text, "prefix: aaa", 11);
    kn_fail_within(&error, "%s", line);
    assert_int_equal(strlen(error.text), KN_ERROR_TEXT - 1);
    errno = ENOENT;
    kn_fail_errno(&error, "%s", line);
    assert_int_equal(strlen(error.text), KN_ERROR_TEXT - 1);
}

/* JSON takes every message: bytes of others, and characters that the cut halves, are replaced. */
static void test_messages_are_utf8(void **state)
{
    (void)state;
    KnError error;
    kn_fail(&error, KN_INPUT, "\"%s\" and \"%.3s\"", "\xff\xc3\xbc", "M\xc3\xbcx");
    assert_string_equal(error.text, "\"?\xc3\xbc\" and \"M\xc3\xbc\"");
    kn_fail(&error, KN_INPUT, "%.2s", "M\xc3\xbcx");
    assert_string_equal(error.text, "M?");
    kn_fail_within(&error, "\xfc");
    assert_string_equal(error.text, "?: M?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_fills_and_returns), cmocka_unit_test(test_prefix_on_the_way_up),
        cmocka_unit_test(test_system_errors),          cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_messages_are_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
