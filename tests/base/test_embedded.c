#include "support/check.h"
#include "base/embedded.h"
#include "base/file.h"

#include <string.h>

/* Where a row's file lies: see cmake/embed.cmake. */
static void path_of(const char *name, KnText *path)
{
    static const struct {
        const char *name, *file;
    } apart[] = {{"page/vendor/uPlot.js", KNACK_SOURCE_DIR "/node_modules/uplot/dist/uPlot.iife.min.js"},
                 {"page/vendor/uPlot.css", KNACK_SOURCE_DIR "/node_modules/uplot/dist/uPlot.min.css"},
                 {"page/vendor/uPlot-LICENSE.txt", KNACK_SOURCE_DIR "/node_modules/uplot/LICENSE"},
                 {"page/js/main.js", KNACK_BUILD_DIR "/embedded/js/main.js"}, /* bundled by esbuild */
                 {"page/js/later.js", KNACK_BUILD_DIR "/embedded/js/later.js"},
                 {"page/css/page.css", KNACK_BUILD_DIR "/embedded/page.css"}};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (strcmp(name, apart[i].name) == 0) {
            kn_text_add(path, apart[i].file);
            return;
        }
    size_t length = strlen(name);
    if (strncmp(name, "page/", 5) == 0 && strcmp(name + length - 3, ".gz") == 0) { /* packed by gzip */
        kn_text_add(path, KNACK_BUILD_DIR "/embedded/");
        for (const char *c = name + 5; c < name + length - 3; c++)
            kn_text_add_char(path, *c == '/' || *c == '.' || *c == '-' ? '_' : *c);
        kn_text_add(path, ".gz");
    } else if (strncmp(name, "page/", 5) == 0)
        kn_text_printf(path, KNACK_SOURCE_DIR "/src/web/%s", name);
    else if (strncmp(name, "gdl/", 4) == 0)
        kn_text_printf(path, KNACK_SOURCE_DIR "/data/%s", name);
    else if (strncmp(name, "examples/", 9) == 0) {
        kn_path_join(path, KNACK_SOURCE_DIR, name);
        if (kn_file_exists(path->data)) return;
        kn_text_clear(path);
        kn_path_join(path, KNACK_SOURCE_DIR "/examples/plugins", name + 9);
    } else
        kn_path_join(path, KNACK_SOURCE_DIR "/data/embed", name);
}

/* Every row carries the very bytes of its file, and a zero behind them. */
static void test_bytes_are_those_of_the_files(void **state)
{
    (void)state;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
        KnError error;
        path_of(row->name, &path);
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
