#include "support/check.h"
#include "base/embedded.h"
#include "base/file.h"

#include <string.h>

/* Every row carries the very bytes of its file, and a zero behind them. */
static void test_bytes_are_those_of_the_files(void **state)
{
    (void)state;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
        KnError error;
        kn_path_join(&path, KNACK_SOURCE_DIR "/data/embed", row->name);
        check_ok(error, kn_file_read(path.data, &text, 1 << 28, &error));
        assert_int_equal(*row->size, text.length);
        assert_memory_equal(row->bytes, text.data, text.length + 1);
        assert_ptr_equal(kn_embedded_find(row->name), row);
        kn_text_free(&path);
        kn_text_free(&text);
    }
}

static void test_unknown_names(void **state)
{
    (void)state;
    assert_null(kn_embedded_find("no/such/file"));
    assert_null(kn_embedded_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_those_of_the_files),
        cmocka_unit_test(test_unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
