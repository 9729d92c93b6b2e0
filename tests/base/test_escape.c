/* Text inside HTML and SVG. */
#include "support/check.h"

#include <string.h>

#include "base/escape.h"

static void test_nothing_ends_a_tag_or_a_quote(void **state)
{
    (void)state;
    KnText out = KN_TEXT_EMPTY;
    static const char text[] = "<a href=\"x\">Tom & Jerry's\nold\tch\xc3\xa2teau</a>";
    kn_text_escape(&out, text, strlen(text));
    assert_string_equal(out.data,
                        "&lt;a href=&quot;x&quot;&gt;Tom &amp; Jerry&#39;s\nold ch\xc3\xa2teau&lt;/a&gt;");
    kn_text_clear(&out);
    kn_text_escape(&out, text, 2);
    assert_string_equal(out.data, "&lt;a");
    kn_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_ends_a_tag_or_a_quote)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
