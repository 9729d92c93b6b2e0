#include "support/check.h"

#include <string.h>

#include <knack/base.h>
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

/* Lines of random words are as full as they can be: the next word would not have fitted. */
static void test_lines_are_full(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(1);
    for (size_t width = 6; width < 40; width++) {
        KnText text = KN_TEXT_EMPTY, out = KN_TEXT_EMPTY;
        for (int word = 0; word < 60; word++)
            kn_text_printf(&text, "%s%.*s", word ? " " : "", 1 + (int)kn_rng_below(&rng, 6), "wwwwww");
        kn_wrap(text.data, width, &out);
        for (const char *line = out.data; *line;) {
            size_t length = strcspn(line, "\n");
            assert_true(length <= width);
            if (!line[length]) break;
            const char *next = line + length + 1;
            assert_true(length + 1 + strcspn(next, " \n") > width);
            line = next;
        }
        kn_text_free(&text);
        kn_text_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_lines_are_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
