/* The page is written as well-formed XML that is also HTML, so that any tool can read it back. Results come
 * checked (kn_lab_results), so that fields are read here without asking again. */
#include "lab/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/plot.h"
#include "lab/report_style.h"

/* ---- small things ---- */

void kn_report_escape(KnText *page, const char *text)
{
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '<':
            kn_text_add(page, "&lt;");
            break;
        case '>':
            kn_text_add(page, "&gt;");
            break;
        case '&':
            kn_text_add(page, "&amp;");
            break;
        case '"':
            kn_text_add(page, "&quot;");
            break;
        case '\'':
            kn_text_add(page, "&#39;");
            break;
        default:
            kn_text_add_char(page, (unsigned char)*c < ' ' ? ' ' : *c);
        }
    }
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void add_field(KnText *page, const json_t *object, const char *key)
{
    kn_report_escape(page, string_of(object, key));
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
    kn_verdict_parse(string_of(cell, "verdict"), &verdict, NULL);
    return verdict;
}

static const char *const classes[KN_VERDICTS] = {"differs", "not", "agrees"};

/* Of several, and of one. */
static const char *const words[KN_VERDICTS][2] = {
    {"differ", "differs"}, {"not comparable", "not comparable"}, {"agree", "agrees"}};

static void add_chip(KnText *page, KnVerdict verdict)
{
    kn_text_printf(page, "<span class=\"chip %s\">%s</span>", classes[verdict], kn_verdict_name(verdict));
}

/* ---- cells ---- */

/* The difference drawn against its margin: a dot inside the grey band agrees. */
static void add_strip(KnText *page, const json_t *cell)
{
    double margin = number_of(cell, "margin"), published = number_of(cell, "published"),
           measured = number_of(cell, "measured");
    if (!(margin > 0) || !isfinite(published) || !isfinite(measured)) return;
    double low = number_of(cell, "low"), high = number_of(cell, "high"), unit = 68.0 / 3 / margin;
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
    const char *relation = string_of(cell, "relation");
    double error = number_of(cell, "published_error");
    if (strcmp(relation, "=") != 0) kn_report_escape(page, relation), kn_text_add(page, "\xc2\xa0");
    kn_report_number(page, json_object_get(cell, "published"), decimals);
    if (error > 0)
        kn_text_printf(page, " <span class=\"soft\">\xc2\xb1\xc2\xa0%.*f</span>", decimals, KN_Z95 * error);
}

/* 40000 as 40,000: counts are read, not computed with. */
static void add_count(KnText *page, long long count)
{
    if (count >= 1000) {
        add_count(page, count / 1000);
        kn_text_printf(page, ",%03lld", count % 1000);
    } else
        kn_text_printf(page, "%lld", count);
}

/* Numbers that were enumerated have no interval, nor have those of a single measurement. */
static void add_interval(KnText *page, const json_t *cell, int decimals)
{
    if (strcmp(string_of(cell, "kind"), "exact") == 0 || !json_is_number(json_object_get(cell, "low")))
        return;
    kn_text_add(page, "[");
    kn_report_number(page, json_object_get(cell, "low"), decimals);
    kn_text_add(page, ", ");
    kn_report_number(page, json_object_get(cell, "high"), decimals);
    kn_text_add(page, "]");
}

static void add_sample(KnText *page, const json_t *cell)
{
    const char *kind = string_of(cell, "kind");
    if (strcmp(kind, "exact") == 0)
        kn_text_add(page, "exact");
    else if (strcmp(kind, "none") == 0)
        kn_text_add(page, "no data");
    else
        add_count(page, json_integer_value(json_object_get(cell, "n")));
}

static void add_cell(KnText *page, const json_t *cell, int decimals)
{
    bool remarked = *string_of(cell, "claim") || *string_of(cell, "note");
    kn_text_printf(page, "<tr%s><th scope=\"row\">", remarked ? " class=\"remarked\"" : "");
    add_field(page, cell, "row");
    kn_text_add(page, "</th><td>");
    add_field(page, cell, "column");
    kn_text_add(page, "</td><td class=\"r\">");
    add_published(page, cell, decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    kn_report_number(page, json_object_get(cell, "measured"), decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_interval(page, cell, decimals);
    kn_text_add(page, "</td><td class=\"r\">");
    add_sample(page, cell);
    kn_text_add(page, "</td><td class=\"strip\">");
    add_strip(page, cell);
    kn_text_add(page, "</td><td>");
    add_chip(page, verdict_of(cell));
    if (*string_of(cell, "why")) {
        kn_text_add(page, "<br/><span class=\"soft\">");
        add_field(page, cell, "why");
        kn_text_add(page, "</span>");
    }
    kn_text_add(page, "</td></tr>\n");
    if (!remarked) return;
    kn_text_add(page, "<tr><td colspan=\"8\" class=\"soft\">");
    add_field(page, cell, "claim");
    if (*string_of(cell, "claim") && *string_of(cell, "note")) kn_text_add(page, " ");
    add_field(page, cell, "note");
    kn_text_add(page, "</td></tr>\n");
}

static void open_table(KnText *page) { kn_text_add(page, "<div class=\"scroll\" tabindex=\"0\"><table>"); }

static void add_head(KnText *page, const char *const *names, const char *right)
{
    kn_text_add(page, "<thead><tr>");
    for (size_t i = 0; names[i]; i++)
        kn_text_printf(page, "<th scope=\"col\"%s>", right[i] == 'r' ? " class=\"r\"" : ""),
            kn_report_escape(page, names[i]), kn_text_add(page, "</th>");
    kn_text_add(page, "</tr></thead>\n<tbody>\n");
}

static void close_table(KnText *page) { kn_text_add(page, "</tbody></table></div>\n"); }

static void add_cell_head(KnText *page)
{
    static const char *const names[] = {"Row", "Column",     "Published", "Measured", "95% interval",
                                        "n",   "Difference", "Verdict",   NULL};
    add_head(page, names, "..rrrr..");
}

static void add_table(KnText *page, const json_t *table)
{
    int decimals = (int)json_integer_value(json_object_get(table, "decimals"));
    const char *unit = string_of(table, "unit");
    kn_text_add(page, "<h3>");
    if (*string_of(table, "label")) {
        add_field(page, table, "label");
        kn_text_add(page, strchr("0123456789", *string_of(table, "page"))
                              ? ", p. "
                              : ", "); /* some copies have sections only */
        add_field(page, table, "page");
        kn_text_add(page, ": ");
    }
    add_field(page, table, "title");
    kn_text_add(page, "</h3>\n");
    open_table(page);
    if (*unit) {
        kn_text_add(page, "<caption>In ");
        kn_report_escape(page, strcmp(unit, "%") == 0 ? "percent" : unit);
        kn_text_add(page, "; \xc2\xb1 and intervals at 95%.</caption>");
    }
    add_cell_head(page);
    for (int verdict = 0; verdict < KN_VERDICTS; verdict++) {
        size_t i;
        json_t *cell;
        json_array_foreach(json_object_get(table, "cells"), i, cell) if ((int)verdict_of(cell) == verdict)
            add_cell(page, cell, decimals);
    }
    close_table(page);
    if (*string_of(table, "note")) {
        kn_text_add(page, "<p class=\"soft\">");
        add_field(page, table, "note");
        kn_text_add(page, "</p>\n");
    }
}

/* ---- figures ---- */

static void add_data_table(KnText *page, const json_t *figure)
{
    const json_t *categories = json_object_get(figure, "categories");
    bool map = strcmp(string_of(figure, "kind"), "map") == 0;
    const char *const names[] = {"Series", string_of(figure, "x"), map ? string_of(figure, "y") : "Value",
                                 map ? "Value" : "95% interval", NULL};
    open_table(page);
    add_head(page, names, json_array_size(categories) ? "..rr" : ".rrr");
    size_t s, i;
    json_t *series, *point;
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            kn_text_add(page, "<tr><td>");
            add_field(page, series, "name");
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
    close_table(page);
}

static void add_figure(KnText *page, const json_t *figure, size_t number)
{
    char name[40];
    snprintf(name, sizeof name, "figure%zu", number);
    kn_text_printf(page, "<figure class=\"figure\" id=\"%s\"><div>", name);
    KnError error;
    if (kn_plot_svg(figure, name, page, &error) != KN_OK) {
        kn_text_add(page, "<h3>");
        add_field(page, figure, "title");
        kn_text_add(page, "</h3>\n<p class=\"soft\">Not drawn: ");
        kn_report_escape(page, error.text);
        kn_text_add(page, ". The numbers stand beside.</p>");
    }
    kn_text_add(page, "</div>\n<figcaption>");
    add_data_table(page, figure);
    kn_text_add(page, "</figcaption></figure>\n");
}

/* ---- experiments ---- */

static void add_declaration(KnText *page, const json_t *result)
{
    size_t i;
    json_t *item;
    kn_text_add(page, "<h3>Readings</h3>\n<dl>\n");
    json_array_foreach(json_object_get(result, "readings"), i, item)
    {
        kn_text_add(page, "<dt>");
        add_field(page, item, "open");
        kn_text_add(page, "</dt><dd>");
        add_field(page, item, "chosen");
        if (*string_of(item, "others")) {
            kn_text_add(page, "</dd><dd class=\"soft\">Other readings: ");
            add_field(page, item, "others");
        }
        kn_text_add(page, "</dd>\n");
    }
    kn_text_add(page, "</dl>\n<h3>Sizes and precision</h3>\n<dl>\n");
    json_array_foreach(json_object_get(result, "parameters"), i, item)
    {
        kn_text_add(page, "<dt>");
        add_field(page, item, "name");
        kn_text_printf(page, ": %.10g</dt><dd>", number_of(item, "value"));
        add_field(page, item, "why");
        kn_text_add(page, "</dd>\n");
    }
    json_array_foreach(json_object_get(result, "tolerances"), i, item)
    {
        kn_text_add(page, "<dt>precision asked of ");
        if (strcmp(string_of(item, "column"), "*") == 0)
            kn_text_add(page, "all columns");
        else
            add_field(page, item, "column");
        kn_text_printf(page, ": %g", number_of(item, "absolute"));
        if (number_of(item, "relative") > 0)
            kn_text_printf(page, ", or %g%% of the published value", 100 * number_of(item, "relative"));
        kn_text_add(page, "</dt><dd>");
        add_field(page, item, "why");
        kn_text_add(page, "</dd>\n");
    }
    kn_text_add(page, "</dl>\n");
}

static void add_experiment(KnText *page, const json_t *result, size_t *figures)
{
    size_t counts[KN_VERDICTS], i;
    kn_lab_count(result, counts);
    const json_t *paper = json_object_get(result, "paper");
    kn_text_add(page, "<section>\n<h2 id=\"");
    add_field(page, result, "experiment");
    kn_text_add(page, "\">");
    add_field(page, paper, "cite");
    kn_text_add(page, ": ");
    add_field(page, result, "summary");
    kn_text_add(page, "</h2>\n<p class=\"soft\">");
    add_field(page, paper, "author");
    kn_text_add(page, ": <i>");
    add_field(page, paper, "title");
    kn_text_add(page, "</i>, ");
    add_field(page, paper, "where");
    kn_text_printf(page, ", %d. Measured by <code>knack lab run ", (int)number_of(paper, "year"));
    add_field(page, result, "experiment");
    kn_text_add(page, " --scale ");
    add_field(page, result, "scale");
    kn_text_add(page, "</code>.</p>\n<p>");
    for (int v = 0; v < KN_VERDICTS; v++) {
        if (!counts[v]) continue;
        kn_text_printf(page, "<span class=\"chip %s\">%zu %s</span> ", classes[v], counts[v],
                       words[v][counts[v] == 1]);
    }
    kn_text_add(page, "</p>\n");
    if (json_is_true(json_object_get(result, "nondeterministic")))
        kn_text_add(page, "<p><b>Nondeterministic:</b> clocks or foreign programs took part, so that another "
                          "run gives other numbers.</p>\n");
    json_t *item;
    json_array_foreach(json_object_get(result, "tables"), i,
                       item) if (json_array_size(json_object_get(item, "cells"))) add_table(page, item);
    json_array_foreach(json_object_get(result, "figures"), i, item) add_figure(page, item, ++*figures);
    add_declaration(page, result);
    kn_text_add(page, "</section>\n");
}

/* ---- the page ---- */

static void add_tally(KnText *page, const json_t *results)
{
    size_t total[KN_VERDICTS] = {0}, i;
    json_t *result;
    json_array_foreach(results, i, result)
    {
        size_t counts[KN_VERDICTS];
        kn_lab_count(result, counts);
        for (int v = 0; v < KN_VERDICTS; v++) total[v] += counts[v];
    }
    kn_text_add(page, "<ul class=\"tally\">\n");
    for (int v = 0; v < KN_VERDICTS; v++)
        kn_text_printf(page, "<li class=\"%s\"><b>%zu</b>%s</li>\n", classes[v], total[v],
                       words[v][total[v] == 1]);
    kn_text_add(page, "</ul>\n");
}

/* Every cell that differs, of all experiments, before anything else. */
static void add_differences(KnText *page, const json_t *results)
{
    size_t r, t, c, seen = 0;
    json_t *result, *table, *cell;
    kn_text_add(page, "<section>\n<h2 id=\"differs\">What differs</h2>\n");
    json_array_foreach(results, r, result)
    {
        json_array_foreach(json_object_get(result, "tables"), t, table)
        {
            size_t here = 0;
            json_array_foreach(json_object_get(table, "cells"), c, cell)
            {
                if (verdict_of(cell) != KN_DIFFERS) continue;
                if (!here++) {
                    open_table(page);
                    kn_text_add(page, "<caption>");
                    add_field(page, json_object_get(result, "paper"), "cite");
                    kn_text_add(page, ", ");
                    add_field(page, table, "label");
                    kn_text_add(page, " (<a href=\"#");
                    add_field(page, result, "experiment");
                    kn_text_add(page, "\">");
                    add_field(page, result, "experiment");
                    kn_text_add(page, "</a>)</caption>");
                    add_cell_head(page);
                }
                add_cell(page, cell, (int)json_integer_value(json_object_get(table, "decimals")));
            }
            if (here) close_table(page);
            seen += here;
        }
    }
    if (!seen) kn_text_add(page, "<p>Nothing that was measured differs from what was published.</p>\n");
    kn_text_add(page, "<details><summary>How a verdict is made</summary><p>");
    kn_report_escape(page, kn_verdict_rule);
    kn_text_add(page, " In the column <i>Difference</i> the grey band is the margin around the published "
                      "value, the dot what was "
                      "measured, the line its 95% interval.</p></details>\n</section>\n");
}

static void add_unmeasured(KnText *page, const KnContext *context, const json_t *results)
{
    size_t seen = 0;
    for (size_t i = 0; i < kn_registered(context, KN_KIND_EXPERIMENT); i++) {
        const KnThing *thing = kn_registered_at(context, KN_KIND_EXPERIMENT, i);
        size_t r;
        json_t *result;
        bool measured = false;
        json_array_foreach(results, r, result)
            measured |= strcmp(string_of(result, "experiment"), thing->name) == 0;
        if (measured) continue;
        kn_text_add(page, seen++ ? "</li>\n<li><code>knack lab run "
                                 : "<h2>Not measured yet</h2>\n<ul>\n<li><code>knack lab run ");
        kn_report_escape(page, thing->name);
        kn_text_add(page, "</code>: ");
        kn_report_escape(page, thing->summary);
    }
    if (seen) kn_text_add(page, "</li>\n</ul>\n");
}

static void add_records(KnText *page, const json_t *results)
{
    static const char *const names[] = {"Experiment", "Scale",   "Seed",          "Version", "Compiler",
                                        "Machine",    "Threads", "Started (UTC)", "Took",    NULL};
    kn_text_add(page, "<section>\n<h2>Run record</h2>\n");
    open_table(page);
    add_head(page, names, "..r...r.r");
    size_t i;
    json_t *result;
    json_array_foreach(results, i, result)
    {
        const json_t *record = json_object_get(result, "record"), *seed = json_object_get(result, "seed");
        kn_text_add(page, "<tr><th scope=\"row\">");
        add_field(page, result, "experiment");
        kn_text_add(page, "</th><td>");
        add_field(page, result, "scale");
        kn_text_add(page, "</td><td class=\"r\">");
        if (json_is_string(seed))
            kn_report_escape(page, json_string_value(seed));
        else
            kn_text_printf(page, "%lld", (long long)json_integer_value(seed));
        kn_text_add(page, "</td><td>");
        add_field(page, record, "version");
        kn_text_add(page, "</td><td>");
        add_field(page, record, "compiler");
        kn_text_add(page, "</td><td>");
        add_field(page, record, "processor");
        kn_text_printf(page, ", %d cores, ", (int)number_of(record, "cores"));
        add_field(page, record, "system");
        kn_text_printf(page, "</td><td class=\"r\">%d</td><td>", (int)number_of(record, "jobs"));
        add_field(page, record, "started");
        kn_text_add(page, "</td><td class=\"r\">");
        kn_text_add_duration(page, number_of(record, "seconds"));
        kn_text_add(page, "</td></tr>\n");
    }
    close_table(page);
    kn_text_add(page, "</section>\n");
}

/* Experiments with something that differs come first; otherwise by name, as they are. */
static json_t *in_order(const json_t *results)
{
    json_t *ordered = json_array();
    for (int differing = 1; differing >= 0; differing--) {
        size_t i, counts[KN_VERDICTS];
        json_t *result;
        json_array_foreach(results, i, result)
        {
            kn_lab_count(result, counts);
            if ((counts[KN_DIFFERS] > 0) == differing) json_array_append(ordered, result);
        }
    }
    return ordered;
}

KnStatus kn_lab_report(const KnContext *context, const json_t *results, KnText *page, KnError *error)
{
    json_t *ordered = in_order(results);
    size_t figures = 0, i, cells = 0, counts[KN_VERDICTS];
    json_t *result;
    json_array_foreach(ordered, i, result)
    {
        kn_lab_count(result, counts);
        for (int v = 0; v < KN_VERDICTS; v++) cells += counts[v];
    }
    kn_text_printf(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>Knack's lab: published beside "
        "measured</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n"
        "<header>\n<h1>Published beside measured</h1>\n"
        "<p>%zu value%s of %zu experiment%s, regenerated by Knack. What differs comes first.</p>\n",
        report_style, cells, cells == 1 ? "" : "s", json_array_size(ordered),
        json_array_size(ordered) == 1 ? "" : "s");
    add_tally(page, ordered);
    kn_text_add(page, "</header>\n");
    add_differences(page, ordered);
    json_array_foreach(ordered, i, result) add_experiment(page, result, &figures);
    add_unmeasured(page, context, ordered);
    add_records(page, ordered);
    kn_text_add(page, "</main>\n</body>\n</html>\n");
    json_decref(ordered);
    return kn_text_ok(page) && ordered ? KN_OK : kn_fail_memory(error, "writing the report");
}
