#include "lab/print.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/sealed.h"
#include "lab/lab.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

void kn_lab_print_lines(const json_t *result, KnText *text)
{
    static const char *const copied[] = {"row",  "column",  "published", "measured", "low", "high", "n",
                                         "kind", "verdict", "relation",  "margin",   "why", NULL};
    size_t t, c;
    json_t *table, *cell;
    json_array_foreach(json_object_get(result, "tables"), t, table)
    {
        json_array_foreach(json_object_get(table, "cells"), c, cell)
        {
            json_t *line = json_pack("{ss ss ss sO}", "experiment", text_of(result, "experiment"), "table",
                                     text_of(table, "id"), "unit", text_of(table, "unit"), "seed",
                                     json_object_get(result, "seed"));
            for (const char *const *key = copied; *key; key++)
                json_object_set(line, *key, json_object_get(cell, *key));
            kn_json_canonical(line, text);
            kn_text_add_char(text, '\n');
            json_decref(line);
        }
    }
}

/* Letters, not bytes, so that columns line up. */
static int width_of(const char *string)
{
    int width = 0;
    for (; *string; string++) width += (*string & 0xc0) != 0x80;
    return width;
}

static void add_padded(KnText *text, const char *string, int width)
{
    kn_text_add(text, string);
    for (int i = width_of(string); i < width; i++) kn_text_add_char(text, ' ');
}

static void format_number(char *text, size_t size, const json_t *value, int decimals)
{
    if (json_is_number(value))
        snprintf(text, size, "%.*f", decimals, json_number_value(value));
    else
        snprintf(text, size, "-");
}

static void add_cell(KnText *text, const json_t *cell, int decimals, int row_width, int column_width)
{
    char published[40], measured[40], low[40], high[40], interval[90] = "", n[32];
    format_number(published, sizeof published, json_object_get(cell, "published"), decimals);
    format_number(measured, sizeof measured, json_object_get(cell, "measured"), decimals);
    format_number(low, sizeof low, json_object_get(cell, "low"), decimals);
    format_number(high, sizeof high, json_object_get(cell, "high"), decimals);
    const char *kind = text_of(cell, "kind");
    bool counted = strcmp(kind, "none") != 0 && strcmp(kind, "exact") != 0;
    if (json_is_number(json_object_get(cell, "low")) && counted)
        snprintf(interval, sizeof interval, "[%s, %s]", low, high);
    if (counted)
        snprintf(n, sizeof n, "%lld", (long long)json_integer_value(json_object_get(cell, "n")));
    else
        snprintf(n, sizeof n, "%s", strcmp(kind, "exact") == 0 ? "exact" : "no data");
    const char *relation = text_of(cell, "relation");
    kn_text_add(text, "  ");
    add_padded(text, text_of(cell, "row"), row_width);
    kn_text_add(text, "  ");
    add_padded(text, text_of(cell, "column"), column_width);
    kn_text_printf(text, " %s%9s %9s  %-18s %8s  %s", *relation == '=' ? " " : relation, published, measured,
                   interval, n, text_of(cell, "verdict"));
    if (*text_of(cell, "why")) kn_text_printf(text, " (%s)", text_of(cell, "why"));
    kn_text_add_char(text, '\n');
}

static void add_table(KnText *text, const json_t *result, const json_t *table)
{
    int decimals = (int)json_integer_value(json_object_get(table, "decimals")), row_width = 3,
        column_width = 6;
    const json_t *cells = json_object_get(table, "cells");
    size_t i;
    json_t *cell;
    json_array_foreach(cells, i, cell)
    {
        int row = width_of(text_of(cell, "row")), column = width_of(text_of(cell, "column"));
        if (row > row_width) row_width = row;
        if (column > column_width) column_width = column;
    }
    if (*text_of(table, "label"))
        kn_text_printf(text, "\n%s, %s, %s%s", text_of(json_object_get(result, "paper"), "cite"),
                       text_of(table, "label"), strchr("0123456789", *text_of(table, "page")) ? "p. " : "",
                       text_of(table, "page"));
    else
        kn_text_printf(text, "\n%s", text_of(table, "title"));
    if (*text_of(table, "unit")) kn_text_printf(text, ", in %s", text_of(table, "unit"));
    kn_text_printf(text, "\n  %-*s  %-*s  %9s %9s  %-18s %8s  verdict\n", row_width, "row", column_width,
                   "column", "published", "measured", "95% interval", "n");
    for (int verdict = 0; verdict < KN_VERDICTS; verdict++) {
        json_array_foreach(
            cells, i, cell) if (strcmp(text_of(cell, "verdict"), kn_verdict_name((KnVerdict)verdict)) == 0)
            add_cell(text, cell, decimals, row_width, column_width);
    }
}

void kn_lab_print_table(const json_t *result, KnText *text)
{
    size_t counts[KN_VERDICTS], i;
    kn_lab_count(result, counts);
    const json_t *seed = json_object_get(result, "seed");
    kn_text_printf(text, "%s: %s\n%s scale, seed ", text_of(result, "experiment"), text_of(result, "summary"),
                   text_of(result, "scale"));
    if (json_is_string(seed))
        kn_text_add(text, json_string_value(seed));
    else
        kn_text_printf(text, "%lld", (long long)json_integer_value(seed));
    kn_text_add(text, ", ");
    kn_text_add_duration(text,
                         json_number_value(json_object_get(json_object_get(result, "record"), "seconds")));
    kn_text_printf(text, ": %zu differ%s, %zu not comparable, %zu agree%s\n", counts[KN_DIFFERS],
                   counts[KN_DIFFERS] == 1 ? "s" : "", counts[KN_NOT_COMPARABLE], counts[KN_AGREES],
                   counts[KN_AGREES] == 1 ? "s" : "");
    if (kn_sealed_stamped(result))
        kn_text_add(text, "NOTE: the file was edited by hand or damaged: it does not fit its checksum\n");
    json_t *table;
    json_array_foreach(json_object_get(result, "tables"), i,
                       table) if (json_array_size(json_object_get(table, "cells")))
        add_table(text, result, table);
    kn_text_add_char(text, '\n');
}

/* ---- comparisons ---- */

/* "0.52 [0.44, 0.60]". */
static void add_value(KnText *text, const json_t *cell, int decimals, int width)
{
    char low[40], high[40], value[140];
    const json_t *bound = json_object_get(cell, "low");
    format_number(value, sizeof value, json_object_get(cell, "measured"), decimals);
    if (json_is_number(bound) && strcmp(text_of(cell, "kind"), "exact") != 0) {
        format_number(low, sizeof low, bound, decimals);
        format_number(high, sizeof high, json_object_get(cell, "high"), decimals);
        size_t length = strlen(value);
        snprintf(value + length, sizeof value - length, " [%s, %s]", low, high);
    }
    add_padded(text, value, width);
}

static void add_change(KnText *text, const json_t *cell)
{
    int decimals = (int)json_integer_value(json_object_get(cell, "decimals"));
    kn_text_printf(text, "%s, %s: %s, %s\n    ", text_of(cell, "experiment"), text_of(cell, "table"),
                   text_of(cell, "row"), text_of(cell, "column"));
    add_value(text, json_object_get(cell, "a"), decimals, 26);
    kn_text_add(text, " -> ");
    add_value(text, json_object_get(cell, "b"), decimals, 26);
    const json_t *adjusted = json_object_get(cell, "adjusted");
    if (json_is_number(adjusted))
        kn_text_printf(text, " p = %.2g after Holm", json_number_value(adjusted));
    else
        kn_text_add(text, " exact");
    const json_t *scales = json_object_get(cell, "scales");
    const char *one = json_string_value(json_array_get(scales, 0)),
               *two = json_string_value(json_array_get(scales, 1));
    if (one && two && strcmp(one, two) != 0) kn_text_printf(text, " (scales %s and %s)", one, two);
    kn_text_add_char(text, '\n');
}

void kn_lab_print_comparison(const json_t *comparison, KnText *text)
{
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(comparison, "cells"), i, cell)
    {
        if (json_is_true(json_object_get(cell, "changed"))) add_change(text, cell);
    }
    long long changed = json_integer_value(json_object_get(comparison, "changed")),
              compared = json_integer_value(json_object_get(comparison, "compared")),
              exact = json_integer_value(json_object_get(comparison, "exact")),
              left = json_integer_value(json_object_get(comparison, "left_out"));
    kn_text_printf(text,
                   "%lld of %lld cells changed beyond chance, %lld of them without any chance in them; %lld "
                   "were not compared (a single measurement, a clock, or no number).\n",
                   changed, compared, exact, left);
}
