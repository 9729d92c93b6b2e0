#include "support/golden_cells.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <knack/base.h>
#include "base/file.h"
#include "support/check.h"

#define GOLDEN KNACK_SOURCE_DIR "/tests/lab/golden.txt"

enum { LINE_MOST = 400, FILE_MOST = 1 << 20 };

/* Experiments that play by published rules alone. The searchers and learners of the others are still being
 * made stronger, which changes their values and is no mistake; their cells must be there all the same. */
static const char *const settled[] = {"satisficing.", "gina."};

static bool is_settled(const char *name)
{
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
        if (strncmp(name, settled[i], strlen(settled[i])) == 0) return true;
    return false;
}

/* Tables of our own do not say which of their columns are times. */
static bool is_timed(const json_t *cell)
{
    const char *column = json_string_value(json_object_get(cell, "column"));
    return json_is_true(json_object_get(cell, "timed")) || strstr(column, "time") ||
           strstr(column, "speed") || strstr(column, "second");
}

static void add_number(KnText *text, const json_t *cell, const char *key)
{
    const json_t *value = json_object_get(cell, key);
    if (json_is_number(value)) kn_text_printf(text, " %s %.9g", key, json_number_value(value));
}

static void add_word(KnText *text, const json_t *cell, const char *key)
{
    const char *word = json_string_value(json_object_get(cell, key));
    kn_text_printf(text, " %s", word ? word : "-");
}

/* The two sides of a table as text, a line a cell. */
static void describe(const json_t *table, bool values, KnText *shape, KnText *measured)
{
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(table, "cells"), i, cell)
    {
        add_word(shape, cell, "row");
        add_word(shape, cell, "column");
        add_word(shape, cell, "kind");
        add_number(shape, cell, "published");
        kn_text_add_char(shape, '\n');
        if (!values || is_timed(cell)) continue;
        add_number(measured, cell, "n");
        add_number(measured, cell, "measured");
        add_number(measured, cell, "low");
        add_number(measured, cell, "high");
        kn_text_add_char(measured, '\n');
    }
}

/* The same of a figure, a line a series. */
static void describe_figure(const json_t *figure, bool values, KnText *shape, KnText *measured)
{
    size_t i, k, n;
    json_t *series, *point, *number;
    json_array_foreach(json_object_get(figure, "series"), i, series)
    {
        const json_t *points = json_object_get(series, "points");
        add_word(shape, series, "name");
        kn_text_printf(shape, " %zu points\n", json_array_size(points));
        if (!values) continue;
        json_array_foreach(points, k, point)
        {
            json_array_foreach(point, n, number) kn_text_printf(measured, " %.9g", json_number_value(number));
            kn_text_add_char(measured, '\n');
        }
    }
}

/* An interval holds what was measured. */
static void check_interval(const json_t *cell, const char *name)
{
    const json_t *low = json_object_get(cell, "low"), *high = json_object_get(cell, "high"),
                 *value = json_object_get(cell, "measured");
    if (json_is_number(value) &&
        ((json_is_number(low) && json_number_value(low) > json_number_value(value)) ||
         (json_is_number(high) && json_number_value(high) < json_number_value(value))))
        fail_msg("%s: the interval of cell (%s, %s) does not hold its value", name,
                 json_string_value(json_object_get(cell, "row")),
                 json_string_value(json_object_get(cell, "column")));
}

static void key_of(const char *name, uint64_t seed, const KnParameter *parameters, const char *what,
                   const char *id, KnText *key)
{
    kn_text_printf(key, "%s seed %llu", name, (unsigned long long)seed);
    for (; parameters && parameters->name; parameters++)
        kn_text_printf(key, ", %s %g", parameters->name, parameters->quick);
    kn_text_printf(key, ", %s %s: ", what, id);
}

/* Where the line that begins with the key stands in the file, or NULL. */
static char *find(const KnText *file, const KnText *key)
{
    for (char *at = file->data; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, key->data, key->length) == 0) return at;
    return NULL;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Puts a line in the place of an older one with the same key; lines are sorted. */
static void renew(const KnText *key, const char *line)
{
    enum { LINES_MOST = 4000 };
    KnError error;
    KnText file = KN_TEXT_EMPTY, out = KN_TEXT_EMPTY;
    int lock = open(KNACK_SOURCE_DIR "/tests/lab", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(lock >= 0 && flock(lock, LOCK_EX) == 0); /* other tests of the lab write too */
    if (kn_file_exists(GOLDEN)) check_ok(error, kn_file_read(GOLDEN, &file, FILE_MOST, &error));
    char *lines[LINES_MOST], *rest = file.data;
    size_t count = 0;
    for (char *word; file.length && (word = strsep(&rest, "\n"));)
        if (*word && strncmp(word, key->data, key->length) != 0) {
            assert_true(count + 1 < LINES_MOST);
            lines[count++] = word;
        }
    char *own = strdup(line);
    lines[count++] = own;
    qsort(lines, count, sizeof *lines, by_text);
    for (size_t i = 0; i < count; i++) kn_text_printf(&out, "%s\n", lines[i]);
    check_ok(error, kn_file_write_atomic(GOLDEN, out.data, out.length, &error));
    free(own);
    close(lock);
    kn_text_free(&file);
    kn_text_free(&out);
}

/* A table, or a figure, which has series instead of cells. */
static void check_part(const json_t *part, const char *what, int nth, const char *name, uint64_t seed,
                       const KnParameter *parameters)
{
    KnError error;
    KnText key = KN_TEXT_EMPTY, shape = KN_TEXT_EMPTY, measured = KN_TEXT_EMPTY, file = KN_TEXT_EMPTY;
    bool values = is_settled(name);
    bool table = strcmp(what, "table") == 0;
    char id[80];
    const char *own = json_string_value(json_object_get(part, "id"));
    if (nth)
        snprintf(id, sizeof id, "%s (%d)", own, nth + 1);
    else
        snprintf(id, sizeof id, "%s", own);
    key_of(name, seed, parameters, what, id, &key);
    (table ? describe : describe_figure)(part, values, &shape, &measured);
    char line[LINE_MOST];
    snprintf(line, sizeof line, "%s%zu %s %08llx", key.data,
             json_array_size(json_object_get(part, table ? "cells" : "series")), table ? "cells" : "series",
             (unsigned long long)kn_hash64(shape.data, shape.length, 0) & 0xffffffff);
    if (values && measured.length)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", values %08llx",
                 (unsigned long long)kn_hash64(measured.data, measured.length, 0) & 0xffffffff);
    const char *wanted = getenv("KNACK_GOLDEN");
    if (wanted && strcmp(wanted, "write") == 0)
        renew(&key, line);
    else {
        check_ok(error, kn_file_read(GOLDEN, &file, FILE_MOST, &error));
        char *at = find(&file, &key);
        if (at) at[strcspn(at, "\n")] = '\0';
        if (!at || strcmp(at, line) != 0)
            fail_msg("%s: now %s; before %s (support/golden_cells.h says how a change that is meant renews "
                     "tests/lab/golden.txt); the cells are now\n%s%s",
                     name, line, at ? at : "it was not there", shape.data, measured.data);
    }
    kn_text_free(&key);
    kn_text_free(&shape);
    kn_text_free(&measured);
    kn_text_free(&file);
}

/* How many of the parts before one have its id: tables of several games may share theirs. */
static int nth_of(const json_t *parts, size_t index)
{
    const char *id = json_string_value(json_object_get(json_array_get(parts, index), "id"));
    int before = 0;
    for (size_t i = 0; i < index; i++) {
        const json_t *part = json_array_get(parts, i), *cells = json_object_get(part, "cells");
        if (cells && !json_array_size(cells)) continue; /* nothing of it is compared */
        before += strcmp(json_string_value(json_object_get(part, "id")), id) == 0;
    }
    return before;
}

/* A table or figure that is missing as a whole: the file has as many of this run as were compared. */
static void check_count(size_t count, const char *name, uint64_t seed, const KnParameter *parameters)
{
    KnError error;
    KnText key = KN_TEXT_EMPTY, file = KN_TEXT_EMPTY;
    const char *wanted = getenv("KNACK_GOLDEN");
    if (wanted && strcmp(wanted, "write") == 0) return;
    key_of(name, seed, parameters, "", "", &key);
    key.data[key.length - strlen("  : ")] = '\0'; /* up to the comma before table or figure */
    size_t length = strlen(key.data), before = 0;
    check_ok(error, kn_file_read(GOLDEN, &file, FILE_MOST, &error));
    for (const char *at = file.data; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        before += strncmp(at, key.data, length) == 0 &&
                  (strncmp(at + length, " table ", 7) == 0 || strncmp(at + length, " figure ", 8) == 0);
    if (before != count) fail_msg("%s: %zu tables and figures; there were %zu", name, count, before);
    kn_text_free(&key);
    kn_text_free(&file);
}

static void check_within(const json_t *number, KnInterval bounds, const char *name, const char *where)
{
    double value = json_number_value(number), room = 1e-9;
    if (json_is_number(number) && (value < bounds.low - room || value > bounds.high + room))
        fail_msg("%s, %s: %g is outside [%g, %g]", name, where, value, bounds.low, bounds.high);
}

static void check_figure_within(const json_t *figure, const char *name)
{
    KnInterval bounds = kn_unit_bounds(json_string_value(json_object_get(figure, "y")));
    size_t i, k, c;
    json_t *series, *point;
    if (strcmp(json_string_value(json_object_get(figure, "kind")), "map") == 0) return;
    json_array_foreach(json_object_get(figure, "series"), i, series)
    {
        json_array_foreach(json_object_get(series, "points"), k, point)
        {
            for (c = 1; c < 4; c++)
                check_within(json_array_get(point, c), bounds, name,
                             json_string_value(json_object_get(figure, "id")));
        }
    }
}

void check_within_units(const json_t *result, const char *name)
{
    static const char *const numbers[] = {"low", "measured", "high"};
    size_t i, k;
    json_t *part, *cell;
    json_array_foreach(json_object_get(result, "figures"), i, part) check_figure_within(part, name);
    json_array_foreach(json_object_get(result, "tables"), i, part)
    {
        KnInterval bounds = kn_unit_bounds(json_string_value(json_object_get(part, "unit")));
        json_array_foreach(json_object_get(part, "cells"), k, cell)
        {
            if (*json_string_value(json_object_get(cell, "relation")) != '=') continue;
            for (size_t n = 0; n < 3; n++)
                check_within(json_object_get(cell, numbers[n]), bounds, name,
                             json_string_value(json_object_get(cell, "row")));
        }
    }
}

void check_golden_cells(const json_t *result, const char *name, uint64_t seed, const KnParameter *parameters)
{
    size_t i, k, count = json_array_size(json_object_get(result, "figures"));
    json_t *part, *cell;
    check_within_units(result, name);
    json_array_foreach(json_object_get(result, "tables"), i, part)
    {
        const json_t *cells = json_object_get(part, "cells");
        json_array_foreach(cells, k, cell) check_interval(cell, name);
        if (!json_array_size(cells)) continue;
        check_part(part, "table", nth_of(json_object_get(result, "tables"), i), name, seed, parameters);
        count++;
    }
    json_array_foreach(json_object_get(result, "figures"), i, part)
        check_part(part, "figure", nth_of(json_object_get(result, "figures"), i), name, seed, parameters);
    check_count(count, name, seed, parameters);
}
