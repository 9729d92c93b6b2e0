#include "support/check.h"

#include "base/wrap.h"

static void check_wrapped(const char *text, size_t width, const char *expected)
{
    KnText out = KN_TEXT_EMPTY;
    kn_wrap(text, width, &out);
    assert_string_equal(out.data, expected);
    kn_text_free(&out);
}

static void test_lines(void **state)
{
    (void)state;
    check_wrapped("one two three\n", 0, "one two three\n");
    check_wrapped("one two three\n", 13, "one two three\n");
    check_wrapped("one two three\n", 12, "one two\nthree\n");
    check_wrapped("one two three\nfour five", 7, "one two\nthree\nfour\nfive");
    check_wrapped("  label: one two three", 14, "  label: one\n    two three");
    check_wrapped("  uct     tree sampling by games", 20,
                  "  uct     tree\n          sampling\n          by games");
    check_wrapped("a ########/######## b", 8, "a\n########/########\nb");
    check_wrapped("●● ●● ●●", 5, "●● ●●\n●●");
    check_wrapped("", 5, "");
    check_wrapped("\n\n", 5, "\n\n");
    check_wrapped("          ends in blanks          ", 12, "          ends\nin blanks          ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
