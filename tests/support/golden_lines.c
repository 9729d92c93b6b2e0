#include "support/golden_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "support/check.h"

GoldenLines golden_open(const char *path)
{
    GoldenLines golden = {.path = path, .kept = KN_TEXT_EMPTY, .now = KN_TEXT_EMPTY};
    KnError error;
    KnText whole = KN_TEXT_EMPTY;
    const char *wish = getenv("KNACK_GOLDEN");
    golden.renews = wish && strcmp(wish, "write") == 0;
    kn_text_printf(&whole, "%s/tests/%s", KNACK_SOURCE_DIR, path);
    if (!golden.renews) check_ok(error, kn_file_read(whole.data, &golden.kept, 1 << 20, &error));
    kn_text_free(&whole);
    return golden;
}

void golden_check(GoldenLines *golden, const char *name, const char *said)
{
    KnText line = KN_TEXT_EMPTY;
    char file[40], hex[KN_HEX128];
    snprintf(file, sizeof file, "golden-%d.txt", ++golden->count);
    FILE *out = fopen(file, "w"); /* for a reader only: it need not be safe on the disk */
    assert_true(out && fputs(said, out) >= 0 && fclose(out) == 0);
    kn_hash128_hex(kn_hash128(said, strlen(said)), hex);
    kn_text_printf(&line, "%s: %s\n", name, hex);
    if (!golden->renews && !strstr(golden->kept.data, line.data))
        fail_msg("it says something else than when tests/%s was written (%s); if that is meant, "
                 "KNACK_GOLDEN=write "
                 "renews the file: %s",
                 golden->path, file, line.data);
    kn_text_add(&golden->now, line.data);
    kn_text_free(&line);
}

void golden_close(GoldenLines *golden)
{
    KnError error;
    KnText whole = KN_TEXT_EMPTY;
    kn_text_printf(&whole, "%s/tests/%s", KNACK_SOURCE_DIR, golden->path);
    if (golden->renews)
        check_ok(error, kn_file_write_atomic(whole.data, golden->now.data, golden->now.length, &error));
    else
        assert_int_equal(golden->now.length, golden->kept.length);
    kn_text_free(&whole);
    kn_text_free(&golden->kept);
    kn_text_free(&golden->now);
}
