/* The pages are written as well-formed XML that is also HTML, so that any tool can read them back. */
#include "lab/report.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "lab/journal.h"
#include "lab/report_parts.h"
#include "lab/report_style.h"

static void open_page(KnText *page, const char *title)
{
    kn_text_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    kn_report_escape(page, title);
    kn_text_printf(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

static KnStatus close_page(KnText *page, KnError *error)
{
    kn_text_add(page, "</main>\n</body>\n</html>\n");
    return kn_text_ok(page) ? KN_OK : kn_fail_memory(error, "writing the report");
}

/* ---- claims ---- */

/* A verdict on a claim, or the number of claims with it: a word, a shape and a colour. */
static void add_claim_chip(KnText *page, const char *verdict, size_t count)
{
    const char *look = strcmp(verdict, "reproduced") == 0       ? "agrees"
                       : strcmp(verdict, "not reproduced") == 0 ? "differs"
                       : strstr(verdict, "partly")              ? "partly"
                                                                : "not";
    kn_text_printf(page, "<span class=\"chip %s\">", look);
    if (count) kn_text_printf(page, "%zu ", count);
    kn_report_escape(page, verdict);
    kn_text_add(page, "</span>");
}

/* "27 of 42 values differ, 9 agree, 6 are open": the larger part first. */
static void add_counts(KnText *page, int agree, int differ, int values)
{
    struct {
        int count;
        const char *one, *many;
    } parts[] = {{agree, "agrees", "agree"},
                 {differ, "differs", "differ"},
                 {values - agree - differ, "is open", "are open"}};
    if (differ > agree) {
        parts[0].count = differ, parts[0].one = "differs", parts[0].many = "differ";
        parts[1].count = agree, parts[1].one = "agrees", parts[1].many = "agree";
    }
    if (parts[0].count == values) {
        if (values == 1)
            kn_text_printf(page, "The value %s", parts[0].one);
        else if (values == 2)
            kn_text_printf(page, "Both values %s", parts[0].many);
        else
            kn_text_printf(page, "All %d values %s", values, parts[0].many);
        return;
    }
    kn_text_printf(page, "%d of %d values %s", parts[0].count, values,
                   parts[0].count == 1 ? parts[0].one : parts[0].many);
    for (int i = 1; i < 3; i++)
        if (parts[i].count)
            kn_text_printf(page, ", %d %s", parts[i].count,
                           parts[i].count == 1 ? parts[i].one : parts[i].many);
}

static void add_claim(KnText *page, const json_t *claim)
{
    kn_text_add(page, "<li>");
    add_claim_chip(page, kn_report_string(claim, "verdict"), 0);
    kn_text_add(page, "<p>");
    kn_report_field(page, claim, "text");
    kn_text_add(page, "<br/><span class=\"soft\">");
    const json_t *value = json_object_get(claim, "value");
    int agree = (int)kn_report_real(claim, "agree"), differ = (int)kn_report_real(claim, "differ"),
        values = (int)kn_report_real(claim, "values");
    if (value)
        kn_report_value(page, value, (int)kn_report_real(claim, "decimals"));
    else if (*kn_report_string(claim, "command")) {
        kn_text_add(page, "Not measured yet: <code>");
        kn_report_field(page, claim, "command");
        kn_text_add(page, "</code>");
    } else if (!(kn_report_real(claim, "measured") > 0))
        kn_text_add(page, "Not measured yet.");
    else if (!agree && !differ)
        kn_text_printf(page, "%d of %d values measured, none decided", (int)kn_report_real(claim, "measured"),
                       values);
    else
        add_counts(page, agree, differ, values);
    const json_t *example = json_object_get(claim, "example"), *differing = json_object_get(example, "cell");
    if (differing) {
        kn_text_add(page, "; for example ");
        kn_report_field(page, differing, "row");
        kn_text_add(page, ", ");
        kn_report_field(page, differing, "column");
        kn_text_add(page, ": ");
        kn_report_value(page, differing, (int)kn_report_real(example, "decimals"));
    }
    if (!agree && !differ && *kn_report_string(claim, "why")) {
        kn_text_add(page, ": ");
        kn_report_field(page, claim, "why");
    }
    kn_text_add(page, "</span></p></li>\n");
}

static void add_claims(KnText *page, const json_t *paper)
{
    size_t i;
    json_t *claim;
    kn_text_add(page, "<h2>Claims</h2>\n<ul class=\"claims\">\n");
    json_array_foreach(json_object_get(paper, "claims"), i, claim) add_claim(page, claim);
    kn_text_add(page, "</ul>\n");
}

/* ---- the sections of a paper ---- */

static void add_tables(KnText *page, const json_t *tables, const char *title, const char *lead, bool judged)
{
    size_t i;
    json_t *table;
    if (!json_array_size(tables)) return;
    kn_text_printf(page, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n", title, lead);
    json_array_foreach(tables, i, table) kn_report_table(page, table, judged);
}

static void add_figures(KnText *page, const json_t *paper, size_t *number)
{
    size_t i;
    json_t *figure;
    if (!json_array_size(json_object_get(paper, "figures"))) return;
    kn_text_add(page, "<h2>Other figures</h2>\n");
    json_array_foreach(json_object_get(paper, "figures"), i, figure)
    {
        kn_text_add(page, "<details><summary>");
        kn_report_field(page, figure, "title");
        kn_text_add(page, "</summary>\n");
        kn_report_figure(page, figure, ++*number);
        kn_text_add(page, "</details>\n");
    }
}

static void add_interpretations(KnText *page, const json_t *paper)
{
    size_t i;
    json_t *item;
    const char *last = "";
    if (!json_array_size(json_object_get(paper, "interpretations"))) return;
    kn_text_add(page, "<h2>How we interpret the paper</h2>\n<p class=\"soft\">What the paper leaves "
                      "open, chosen on seeds that are not those of the "
                      "results.</p>\n<details><summary>Questions and choices</summary><dl>\n");
    json_array_foreach(json_object_get(paper, "interpretations"), i, item)
    {
        /* Experiments of one table share their interpretations. */
        if (strcmp(kn_report_string(item, "open"), last) == 0) continue;
        last = kn_report_string(item, "open");
        kn_text_add(page, "<dt>");
        kn_report_field(page, item, "open");
        kn_text_add(page, "</dt><dd>");
        kn_report_field(page, item, "chosen");
        if (*kn_report_string(item, "others")) {
            kn_text_add(page, "</dd><dd class=\"soft\">Alternatives: ");
            kn_report_field(page, item, "others");
        }
        kn_text_add(page, "</dd>\n");
    }
    kn_text_add(page, "</dl></details>\n");
}

static void add_extensions(KnText *page, const json_t *paper, size_t *figures)
{
    size_t e, i;
    json_t *extension, *item;
    const json_t *extensions = json_object_get(paper, "extensions");
    if (!json_array_size(extensions)) return;
    kn_text_add(page, "<h2>Beyond the paper</h2>\n<p class=\"soft\">Our own measurements. Nothing is "
                      "published beside them, so they have no verdict.</p>\n");
    json_array_foreach(extensions, e, extension)
    {
        kn_text_add(page, "<details><summary>");
        kn_report_field(page, extension, "summary");
        kn_text_add(page, " <code>");
        kn_report_field(page, extension, "experiment");
        kn_text_add(page, "</code></summary>\n");
        json_array_foreach(json_object_get(extension, "figures"), i, item)
            kn_report_figure(page, item, ++*figures);
        json_array_foreach(json_object_get(extension, "tables"), i, item) kn_report_table(page, item, false);
        kn_text_add(page, "</details>\n");
    }
}

static void add_runs(KnText *page, const json_t *paper)
{
    static const char *const names[] = {"Command",       "Where", "Version", "Processor",
                                        "Started (UTC)", "Took",  NULL};
    size_t i;
    json_t *run;
    if (json_array_size(json_object_get(paper, "runs"))) {
        kn_text_add(page, "<h2>How it was measured</h2>\n");
        kn_report_open_table(page);
        kn_report_head(page, names, ".....r");
        json_array_foreach(json_object_get(paper, "runs"), i, run)
        {
            kn_text_add(page, "<tr><td><code>");
            kn_report_field(page, run, "command");
            kn_text_add(page, "</code>");
            if (*kn_report_string(run, "note")) {
                kn_text_add(page, "<br/><strong>");
                kn_report_field(page, run, "note");
                kn_text_add(page, "</strong>");
            }
            kn_text_add(page, strcmp(kn_report_string(run, "origin"), "shipped") == 0
                                  ? "</td><td>shipped</td><td>"
                                  : "</td><td>here</td><td>");
            kn_report_field(page, run, "version");
            kn_text_add(page, "</td><td>");
            kn_report_field(page, run, "processor");
            kn_text_add(page, "</td><td>");
            kn_report_field(page, run, "started");
            kn_text_add(page, "</td><td class=\"r\">");
            kn_text_add_duration(page, kn_report_real(run, "seconds"));
            kn_text_add(page, "</td></tr>\n");
        }
        kn_report_close_table(page);
    }
    const json_t *missing = json_object_get(paper, "missing");
    if (!json_array_size(missing)) return;
    kn_text_add(page, "<h2>Not measured yet</h2>\n<ul>\n");
    json_array_foreach(missing, i, run)
    {
        kn_text_add(page, "<li><code>knack lab run ");
        kn_report_field(page, run, "experiment");
        kn_text_add(page, "</code>: ");
        kn_report_field(page, run, "summary");
        kn_text_add(page, "</li>\n");
    }
    kn_text_add(page, "</ul>\n");
}

/* ---- the pages ---- */

void kn_report_page_name(const json_t *paper, KnText *name)
{
    kn_text_printf(name, "%s.html", kn_report_string(paper, "system"));
}

KnStatus kn_report_paper(const json_t *paper, KnText *page, KnError *error)
{
    size_t figures = 0;
    open_page(page, kn_report_string(paper, "name"));
    kn_text_add(page, "<p><a href=\"index.html\">All papers</a></p>\n<header>\n<h1>");
    kn_report_field(page, paper, "name");
    kn_text_add(page, "</h1>\n<p class=\"soft\">");
    kn_report_field(page, paper, "author");
    kn_text_add(page, ": <i>");
    kn_report_field(page, paper, "title");
    kn_text_add(page, "</i>, ");
    kn_report_field(page, paper, "where");
    kn_text_printf(page, ", %d.</p>\n<p class=\"lead\">", (int)kn_report_real(paper, "year"));
    kn_report_field(page, paper, "says");
    kn_text_add(page, " ");
    kn_report_field(page, paper, "found");
    kn_text_add(page, " ");
    kn_report_field(page, paper, "sure");
    kn_text_add(page, "</p>\n</header>\n");
    const json_t *figure = json_object_get(paper, "figure");
    add_claims(page, paper);
    if (json_is_object(figure)) {
        kn_text_add(page, "<h2>Key figure</h2>\n");
        kn_report_figure(page, figure, ++figures);
    }
    add_tables(page, json_object_get(paper, "tables"), "Published values beside ours",
               "What differs comes first in each table. In the column <i>Difference</i> the grey band is the "
               "margin around the published value, the dot what was measured, the line its 95 % interval.",
               true);
    kn_text_add(page, "<details><summary>How a value gets its verdict</summary><p>");
    kn_report_escape(page, kn_verdict_rule);
    kn_text_add(page, "</p></details>\n");
    add_figures(page, paper, &figures);
    add_interpretations(page, paper);
    add_tables(page, json_object_get(paper, "variants"), "Under other interpretations",
               "How much another choice moves the result. These values count for no claim.", true);
    add_extensions(page, paper, &figures);
    add_runs(page, paper);
    return close_page(page, error);
}

/* How many claims of a paper have each verdict. */
static void add_claim_counts(KnText *page, const json_t *paper)
{
    for (int v = 0; v < KN_CLAIM_VERDICTS; v++) {
        const char *name = kn_claim_verdict_name((KnClaimVerdict)v);
        size_t i, count = 0;
        json_t *claim;
        json_array_foreach(json_object_get(paper, "claims"), i, claim)
            count += strcmp(kn_report_string(claim, "verdict"), name) == 0;
        if (!count) continue;
        add_claim_chip(page, name, count);
        kn_text_add(page, " ");
    }
}

/* The one value that stands for the paper, published and measured. */
static void add_headline(KnText *page, const json_t *headline)
{
    const json_t *cell = json_object_get(headline, "cell");
    if (!json_is_object(cell)) return;
    kn_text_add(page, "<p>In one number: ");
    kn_report_field(page, headline, "text");
    kn_text_add(page, ": ");
    kn_report_value(page, cell, (int)kn_report_real(headline, "decimals"));
    kn_text_add(page, ". ");
    if (strcmp(kn_report_string(cell, "verdict"), kn_verdict_name(KN_NOT_COMPARABLE)) == 0)
        kn_text_add(page, "Too few to decide.");
    else
        kn_report_chip(page, cell);
    kn_text_add(page, "</p>");
}

/* What surprises: the claims that are not reproduced, in the paper's words. */
static void add_surprises(KnText *page, const json_t *paper)
{
    const char *not_reproduced = kn_claim_verdict_name(KN_CLAIM_NOT_REPRODUCED);
    size_t i, count = 0;
    json_t *claim;
    json_array_foreach(json_object_get(paper, "claims"), i, claim)
    {
        if (strcmp(kn_report_string(claim, "verdict"), not_reproduced) != 0) continue;
        kn_text_add(page, count++ ? " " : "<p>Not reproduced: <i>");
        kn_report_field(page, claim, "text");
    }
    if (count) kn_text_add(page, "</i></p>");
}

static void add_index_line(KnText *page, const json_t *paper)
{
    kn_text_add(page, "<li><h2><a href=\"");
    kn_report_field(page, paper, "system");
    kn_text_add(page, ".html\">");
    kn_report_field(page, paper, "name");
    kn_text_add(page, "</a> <span class=\"soft\">");
    kn_report_field(page, paper, "cite");
    kn_text_add(page, "</span></h2><p>");
    kn_report_field(page, paper, "question");
    kn_text_add(page, " ");
    kn_report_field(page, paper, "says");
    kn_text_add(page, "</p>");
    add_surprises(page, paper);
    add_headline(page, json_object_get(paper, "headline"));
    kn_text_add(page, "<p>");
    add_claim_counts(page, paper);
    kn_text_add(page, "</p></li>\n");
}

KnStatus kn_report_index(const json_t *journal, KnText *page, KnError *error)
{
    size_t i;
    json_t *paper;
    open_page(page, "Knack's lab: seven papers, measured again");
    kn_text_add(page,
                "<header>\n<h1>Seven papers, measured again</h1>\n<p class=\"lead\">Each paper's claims "
                "with a verdict from our own measurements, its published values beside ours, and the "
                "command that measures each of them. <i>Differs</i> and <i>not reproduced</i> say that our "
                "number is another one, with the interpretations that each page lists; they do not say that "
                "the paper was wrong.</p>\n</header>\n<ol class=\"papers\">\n");
    json_array_foreach(journal, i, paper) add_index_line(page, paper);
    kn_text_add(page, "</ol>\n");
    return close_page(page, error);
}

static KnStatus write_page(const char *folder, const char *name, const KnText *page, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, folder, name);
    KnStatus status = kn_text_ok(&path) ? kn_file_write_atomic(path.data, page->data, page->length, error)
                                        : kn_fail_memory(error, "writing the report");
    kn_text_free(&path);
    return status;
}

KnStatus kn_report_write(const json_t *journal, const char *folder, KnError *error)
{
    KnText page = KN_TEXT_EMPTY;
    KnStatus status = kn_mkdirs(folder, error);
    if (status == KN_OK) status = kn_report_index(journal, &page, error);
    if (status == KN_OK) status = write_page(folder, "index.html", &page, error);
    kn_text_free(&page);
    size_t i;
    json_t *paper;
    json_array_foreach(journal, i, paper)
    {
        KnText name = KN_TEXT_EMPTY;
        page = KN_TEXT_EMPTY;
        kn_report_page_name(paper, &name);
        if (status == KN_OK) status = kn_report_paper(paper, &page, error);
        if (status == KN_OK) status = write_page(folder, name.data, &page, error);
        kn_text_free(&name);
        kn_text_free(&page);
    }
    return status;
}
