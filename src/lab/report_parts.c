/* Cells, tables and figures of the report, as well-formed XML that is also HTML. */
#include "lab/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/escape.h"
#include "lab/plot.h"

/* ---- small things ---- */

void kn_report_escape(KnText *page, const char *text) { kn_text_escape(page, text, strlen(text)); }

const char *kn_report_string(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double kn_report_real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

void kn_report_field(KnText *page, const json_t *object, const char *key)
{
    kn_report_escape(page, kn_report_string(object, key));
}

void kn_report_number(KnText *page, const json_t *value, int decimals)
{
    if (!json_is_number(value)) {
        kn_text_add(page, "\xe2\x80\x93");
        return;
    }
    double number = json_number_value(value);
    if (number < 0) kn_text_add(page, "\xe2\x88\x92");
    kn_text_printf(page, "%.*f", decimals, fabs(number));
}

static KnVerdict verdict_of(const json_t *cell)
{
    KnVerdict verdict = KN_NOT_COMPARABLE;
    kn_verdict_parse(kn_report_string(cell, "verdict"), &verdict, NULL);
    return verdict;
}

static const char *const classes[KN_VERDICTS] = {"differs", "not", "agrees"};

/* Whether a larger sample could give a verdict: the values can be compared, but not decided yet. */
static bool is_undecided(const json_t *cell)
{
    static const char *const signs[] = {"needs --scale", "too small", "undecided", "fewer than"};
    const char *why = kn_report_string(cell, "why");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(why, signs[i])) return true;
    return false;
}

void kn_report_chip(KnText *page, const json_t *cell)
{
    KnVerdict verdict = verdict_of(cell);
    bool undecided = verdict == KN_NOT_COMPARABLE && is_undecided(cell);
    kn_text_printf(page, "<span class=\"chip %s\">%s</span>", classes[verdict],
                   undecided ? "undecided" : kn_verdict_name(verdict));
}

/* ---- cells ---- */

/* The difference drawn against its margin: a dot inside the grey band agrees. */
static void add_strip(KnText *page, const json_t *cell)
{
    double margin = kn_report_real(cell, "margin"), published = kn_report_real(cell, "published"),
           measured = kn_report_real(cell, "measured");
    if (!(margin > 0) || !isfinite(published) || !isfinite(measured)) return;
    double low = kn_report_real(cell, "low"), high = kn_report_real(cell, "high"), unit = 68.0 / 3 / margin;
    double x = fmin(fmax((measured - published) * unit, -66), 66);
    double from = isfinite(low) ? fmin(fmax((low - published) * unit, -68), 68) : -68;
    double to = isfinite(high) ? fmin(fmax((high - published) * unit, -68), 68) : 68;
    kn_text_printf(
        page,
        "<svg class=\"%s\" viewBox=\"-70 -9 140 18\" role=\"img\" aria-label=\"%s by %.3g, margin %.3g\">",
        verdict_of(cell) == KN_DIFFERS ? "out" : "in", measured < published ? "lower" : "higher",
        fabs(measured - published), margin);
    kn_text_printf(page,
                   "<rect class=\"band\" x=\"-22.7\" y=\"-8\" width=\"45.4\" height=\"16\"/>"
                   "<line class=\"zero\" x1=\"0\" y1=\"-8\" x2=\"0\" y2=\"8\"/>"
                   "<line class=\"whisker\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"0\"/>",
                   from, to);
    bool beyond = fabs(measured - published) * unit > 66;
    if (beyond && x > 0)
        kn_text_add(page, "<path class=\"dot\" d=\"M60-5 70 0 60 5z\"/>");
    else if (beyond)
        kn_text_add(page, "<path class=\"dot\" d=\"M-60-5-70 0-60 5z\"/>");
    else
        kn_text_printf(page, "<circle class=\"dot\" cx=\"%.1f\" cy=\"0\" r=\"4.5\"/>", x);
    kn_text_add(page, "</svg>");
}

static void add_published(KnText *page, const json_t *cell, int decimals)
{
    const char *relation = kn_report_string(cell, "relation");
    double error = kn_report_real(cell, "published_error");
    if (strcmp(relation, "=") != 0) kn_report_escape(page, relation), kn_text_add(page, "\xc2\xa0");
    kn_report_number(page, json_object_get(cell, "published"), decimals);
    if (error > 0)
        kn_text_printf(page, " <span class=\"soft\">\xc2\xb1\xc2\xa0%.*f</span>", decimals, KN_Z95 * error);
}

/* 40000 as 40,000: counts are read, not computed with. */
void kn_report_count(KnText *page, long long count)
{
    if (count >= 1000) {
        kn_report_count(page, count / 1000);
        kn_text_printf(page, ",%03lld", count % 1000);
    } else
        kn_text_printf(page, "%lld", count);
}

/* Numbers that were enumerated have no interval, nor have those of a single measurement. */
static void add_interval(KnText *page, const json_t *cell, int decimals)
{
    if (strcmp(kn_report_string(cell, "kind"), "exact") == 0 || !json_is_number(json_object_get(cell, "low")))
        return;
    kn_text_add(page, "[");
    kn_report_number(page, json_object_get(cell, "low"), decimals);
    kn_text_add(page, ", ");
    kn_report_number(page, json_object_get(cell, "high"), decimals);
    kn_text_add(page, "]");
}

static void add_sample(KnText *page, const json_t *cell)
{
    const char *kind = kn_report_string(cell, "kind");
    if (strcmp(kind, "exact") == 0)
        kn_text_add(page, "exact");
    else if (strcmp(kind, "none") == 0)
        kn_text_add(page, "no data");
    else
        kn_report_count(page, json_integer_value(json_object_get(cell, "n")));
}

/* A measurement of our own has neither a published value nor a verdict. */
static void add_own_cell(KnText *page, const json_t *cell, int decimals)
{
    kn_text_add(page, "<tr><th scope=\"row\">");
    kn_report_field(page, cell, "row");
    kn_text_add(page, "</th><td>");
    kn_report_field(page, cell, "column");
    kn_text_add(page, "</td><td class=\"r\">");
    kn_report_number(page, json_object_get(cell, "measured"), decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_interval(page, cell, decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_sample(page, cell);
    kn_text_add(page, "</td><td class=\"soft\">");
    kn_report_field(page, cell, "note");
    kn_text_add(page, "</td></tr>\n");
}

/* What the cells of a table have in common. */
typedef struct TableLook {
    int decimals;
    bool strips;     /* whether differences can be drawn: not of claims without a number */
    const char *why; /* the one reason of three values or more that have no verdict, said once; "" if reasons
                        differ */
} TableLook;

static TableLook look_at(const json_t *table)
{
    TableLook look = {.decimals = (int)json_integer_value(json_object_get(table, "decimals")), .why = ""};
    bool differ = false;
    size_t i, alike = 0;
    json_t *cell;
    json_array_foreach(json_object_get(table, "cells"), i, cell)
    {
        look.strips |= kn_report_real(cell, "margin") > 0;
        const char *why = kn_report_string(cell, "why");
        if (!*why) continue;
        if (!alike++) look.why = why;
        differ |= strcmp(why, look.why) != 0;
    }
    if (alike < 3 || differ) look.why = "";
    return look;
}

/* What another run of the same experiment measured: a line below, without a published value of its own. */
static void add_beside(KnText *page, const json_t *cell, TableLook look)
{
    int decimals = look.decimals;
    kn_text_add(page, "<tr class=\"soft\"><td></td><td>the other run</td><td></td><td class=\"r\">");
    kn_report_number(page, json_object_get(cell, "measured"), decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_interval(page, cell, decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_sample(page, cell);
    if (look.strips) {
        kn_text_add(page, "</td><td class=\"strip\">");
        add_strip(page, cell);
    }
    kn_text_add(page, "</td><td>");
    kn_report_field(page, cell, "verdict");
    kn_text_add(page, "</td></tr>\n");
}

/* "Shipped, paper scale, seed 2027" or "Measured here, ...". */
static void add_source(KnText *page, const json_t *source, bool first)
{
    const json_t *seed = json_object_get(source, "seed");
    bool shipped = strcmp(kn_report_string(source, "origin"), "shipped") == 0;
    kn_text_add(page,
                first ? (shipped ? "Shipped" : "Measured here") : (shipped ? "shipped" : "measured here"));
    kn_text_add(page, ", ");
    kn_report_field(page, source, "scale");
    kn_text_add(page, " scale, seed ");
    if (json_is_string(seed))
        kn_report_escape(page, json_string_value(seed));
    else
        kn_text_printf(page, "%lld", (long long)json_integer_value(seed));
}

/* A sentence that may or may not end as one. */
static void add_sentence(KnText *page, const char *text)
{
    size_t length = strlen(text);
    kn_report_escape(page, text);
    if (length && text[length - 1] != '.') kn_text_add(page, ".");
}

/* What the paper claims here, and a note of ours. */
static void add_remark(KnText *page, const json_t *cell)
{
    const char *claim = kn_report_string(cell, "claim"), *note = kn_report_string(cell, "note");
    if (*claim) {
        kn_text_add(page, "Claim: ");
        add_sentence(page, claim);
        kn_text_add(page, " ");
    }
    kn_report_escape(page, note);
}

static void add_cell(KnText *page, const json_t *cell, TableLook look)
{
    int decimals = look.decimals;
    bool remarked = *kn_report_string(cell, "claim") || *kn_report_string(cell, "note");
    const json_t *beside = json_object_get(cell, "beside");
    kn_text_printf(page, "<tr%s><th scope=\"row\">", remarked ? " class=\"remarked\"" : "");
    kn_report_field(page, cell, "row");
    kn_text_add(page, "</th><td>");
    kn_report_field(page, cell, "column");
    kn_text_add(page, "</td><td class=\"r\">");
    add_published(page, cell, decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    kn_report_number(page, json_object_get(cell, "measured"), decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_interval(page, cell, decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_sample(page, cell);
    if (look.strips) {
        kn_text_add(page, "</td><td class=\"strip\">");
        add_strip(page, cell);
    }
    kn_text_add(page, "</td><td>");
    kn_report_chip(page, cell);
    if (*kn_report_string(cell, "why") && !*look.why) {
        kn_text_add(page, "<br/><span class=\"soft\">");
        kn_report_field(page, cell, "why");
        kn_text_add(page, "</span>");
    }
    kn_text_add(page, "</td></tr>\n");
    if (beside) add_beside(page, beside, look);
    if (!remarked) return;
    kn_text_printf(page, "<tr><td colspan=\"%d\" class=\"soft\">", look.strips ? 8 : 7);
    add_remark(page, cell);
    kn_text_add(page, "</td></tr>\n");
}

void kn_report_open_table(KnText *page) { kn_text_add(page, "<div class=\"scroll\" tabindex=\"0\"><table>"); }

void kn_report_head(KnText *page, const char *const *names, const char *right)
{
    kn_text_add(page, "<thead><tr>");
    for (size_t i = 0; names[i]; i++)
        kn_text_printf(page, "<th scope=\"col\"%s>", right[i] == 'r' ? " class=\"r\"" : ""),
            kn_report_escape(page, names[i]), kn_text_add(page, "</th>");
    kn_text_add(page, "</tr></thead>\n<tbody>\n");
}

void kn_report_close_table(KnText *page) { kn_text_add(page, "</tbody></table></div>\n"); }

static void add_cell_head(KnText *page, bool judged, bool strips)
{
    static const char *const own[] = {"Row", "Column", "Measured", "95% interval", "n", "", NULL};
    static const char *const names[] = {"Row", "Column",     "Published", "Measured", "95% interval",
                                        "n",   "Difference", "Verdict",   NULL};
    static const char *const claims[] = {"Row",          "Column", "Published", "Measured",
                                         "95% interval", "n",      "Verdict",   NULL};
    kn_report_head(page, !judged ? own : strips ? names : claims, judged ? "..rrrr.." : "..rrr.");
}

static void add_heading(KnText *page, const json_t *table)
{
    const char *label = kn_report_string(table, "label"), *where = kn_report_string(table, "page");
    if (*label) {
        kn_report_escape(page, label);
        bool number = strchr("0123456789", *where); /* some copies have sections only */
        if (number || strncasecmp(label, "section", 7) != 0) {
            kn_text_add(page, number ? ", p. " : ", ");
            kn_report_escape(page, where);
        }
        kn_text_add(page, ": ");
    }
    kn_report_field(page, table, "title");
}

/* "27 differ, 6 open, 9 agree", for a table that is folded. */
static void add_tally(KnText *page, const json_t *table)
{
    static const char *const words[KN_VERDICTS] = {"differ", "without a verdict", "agree"};
    size_t i, counts[KN_VERDICTS] = {0};
    json_t *cell;
    json_array_foreach(json_object_get(table, "cells"), i, cell) counts[verdict_of(cell)]++;
    const char *separator = " <span class=\"soft\">(";
    for (int v = 0; v < KN_VERDICTS; v++) {
        if (!counts[v]) continue;
        kn_text_printf(page, "%s%zu %s", separator, counts[v], words[v]);
        separator = ", ";
    }
    kn_text_add(page, ")</span>");
}

/* Tables that would fill a screen are folded: their heading says what came out. */
enum { ROWS_SHOWN = 12 };

/* How a table was measured, its unit, and the reason that its values without a verdict share. */
static void add_table_caption(KnText *page, const json_t *table, TableLook look, bool judged)
{
    kn_text_add(page, "<caption>");
    add_source(page, json_object_get(table, "source"), true);
    if (json_object_get(table, "beside")) {
        kn_text_add(page, "; the other run: ");
        add_source(page, json_object_get(table, "beside"), false);
    }
    kn_text_add(page, ".");
    if (*kn_report_unit(table)) {
        kn_text_add(page, " In ");
        kn_report_escape(page, kn_report_unit(table));
        kn_text_add(page, "; \xc2\xb1 and intervals at 95%.");
    }
    if (judged && *look.why) {
        kn_text_add(page, " No verdict: ");
        add_sentence(page, look.why);
    }
    kn_text_add(page, "</caption>");
}

const char *kn_report_unit(const json_t *table)
{
    const char *unit = kn_report_string(table, "unit");
    return strcmp(unit, "%") == 0 ? "percent" : strcmp(unit, "share") == 0 ? "shares of 1" : unit;
}

void kn_report_table(KnText *page, const json_t *table, bool judged)
{
    TableLook look = look_at(table);
    bool folded = judged && json_array_size(json_object_get(table, "cells")) > ROWS_SHOWN;
    kn_text_add(page, folded ? "<details class=\"table\"><summary><b>" : "<h3>");
    add_heading(page, table);
    kn_text_add(page, folded ? "</b>" : "</h3>\n");
    if (folded) {
        add_tally(page, table);
        kn_text_add(page, "</summary>\n");
    }
    kn_report_open_table(page);
    add_table_caption(page, table, look, judged);
    add_cell_head(page, judged, look.strips);
    for (int verdict = 0; verdict < KN_VERDICTS; verdict++) {
        size_t i;
        json_t *cell;
        json_array_foreach(json_object_get(table, "cells"), i, cell)
        {
            if ((int)verdict_of(cell) != verdict) continue;
            if (judged)
                add_cell(page, cell, look);
            else
                add_own_cell(page, cell, look.decimals);
        }
    }
    kn_report_close_table(page);
    if (*kn_report_string(table, "note")) {
        kn_text_add(page, "<p class=\"soft\">");
        kn_report_field(page, table, "note");
        kn_text_add(page, "</p>\n");
    }
    if (folded) kn_text_add(page, "</details>\n");
}

void kn_report_value(KnText *page, const json_t *cell, int decimals)
{
    kn_text_add(page, "published ");
    add_published(page, cell, decimals);
    kn_text_add(page, ", measured ");
    kn_report_number(page, json_object_get(cell, "measured"), decimals);
    if (strcmp(kn_report_string(cell, "kind"), "exact") == 0) {
        kn_text_add(page, " (exact)");
        return;
    }
    if (json_is_number(json_object_get(cell, "low"))) kn_text_add(page, " ");
    add_interval(page, cell, decimals);
    kn_text_add(page, ", n\xc2\xa0=\xc2\xa0");
    add_sample(page, cell);
}

/* ---- figures ---- */

static void add_data_table(KnText *page, const json_t *figure)
{
    const json_t *categories = json_object_get(figure, "categories");
    bool map = strcmp(kn_report_string(figure, "kind"), "map") == 0;
    const char *const names[] = {"Series", kn_report_string(figure, "x"),
                                 map ? kn_report_string(figure, "y") : "Value",
                                 map ? "Value" : "95% interval", NULL};
    kn_report_open_table(page);
    kn_report_head(page, names, json_array_size(categories) ? "..rr" : ".rrr");
    size_t s, i;
    json_t *series, *point;
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            kn_text_add(page, "<tr><td>");
            kn_report_field(page, series, "name");
            const json_t *x = json_array_get(point, 0);
            const json_t *name = json_is_number(x)
                                     ? json_array_get(categories, (size_t)fmax(json_number_value(x), 0))
                                     : NULL;
            kn_text_add(page, name ? "</td><td>" : "</td><td class=\"r\">");
            if (name)
                kn_report_escape(page, json_string_value(name));
            else if (json_is_number(x))
                kn_text_printf(page, "%.6g", json_number_value(x));
            kn_text_add(page, "</td><td class=\"r\">");
            kn_report_number(page, json_array_get(point, 1), 2);
            kn_text_add(page, "</td><td class=\"r\">");
            double low = json_number_value(json_array_get(point, 2)),
                   high = json_number_value(json_array_get(point, 3));
            if (map)
                kn_text_printf(page, "%.4g", low);
            else if (low < high)
                kn_text_printf(page, "[%.2f, %.2f]", low, high);
            kn_text_add(page, "</td></tr>\n");
        }
    }
    kn_report_close_table(page);
}

void kn_report_figure(KnText *page, const json_t *figure, size_t number)
{
    char name[40];
    snprintf(name, sizeof name, "figure%zu", number);
    kn_text_printf(page, "<figure id=\"%s\">", name);
    KnError error;
    if (kn_plot_svg(figure, name, page, &error) != KN_OK) {
        kn_text_add(page, "<h3>");
        kn_report_field(page, figure, "title");
        kn_text_add(page, "</h3>\n<p class=\"soft\">Not drawn: ");
        kn_report_escape(page, error.text);
        kn_text_add(page, ". The numbers stand below.</p>");
    }
    kn_text_printf(page, "\n<figcaption class=\"soft\">Figure %zu. ", number);
    kn_report_field(page, figure, "title");
    kn_text_add(page, strcmp(kn_report_string(figure, "kind"), "map") == 0
                          ? ". One point a pair of values.</figcaption>"
                          : ". Bars and bands are 95 % intervals.</figcaption>");
    kn_text_add(page, "<details><summary>The numbers of this figure</summary>\n");
    add_data_table(page, figure);
    kn_text_add(page, "</details></figure>\n");
}
