/* The journal and its pages: claims judged from the values that test them, pages that any XML reader takes
 * whatever the results contain, what differs first; and the pictures, with and without gnuplot. */
#include "support/check.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include <knack/base.h>
#include "lab/export.h"
#include "lab/journal.h"
#include "lab/plot.h"
#include "lab/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a small, strict reader of tags ---- */

enum { DEEP = 64, MANY = 2000 };

typedef struct Reader {
    char names[DEEP][32];
    int depth;
    char ids[MANY][64];
    int id_count;
} Reader;

static void note_ids(Reader *reader, const char *tag, size_t length)
{
    for (const char *at = tag; at < tag + length; at++) {
        if (strncmp(at, " id=", 4) != 0) continue;
        char id[64];
        assert_true(at[4] == '"' || at[4] == '\'');
        snprintf(id, sizeof id, "%.*s", (int)strcspn(at + 5, "\"'"), at + 5);
        for (int i = 0; i < reader->id_count; i++)
            if (strcmp(reader->ids[i], id) == 0) fail_msg("id \"%s\" occurs twice", id);
        assert_true(reader->id_count < MANY);
        snprintf(reader->ids[reader->id_count++], 64, "%s", id);
    }
}

/* Every tag is closed in order, every attribute quoted, every & begins an entity, every id is unique. */
static void check_well_formed(const char *page)
{
    Reader *reader = calloc(1, sizeof *reader);
    assert_non_null(reader);
    for (const char *at = page; *at;) {
        if (*at == '&') {
            size_t length = strcspn(at, "; <");
            assert_true(length < 10 && at[length] == ';');
        }
        assert_true((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t');
        if (*at != '<') {
            at++;
            continue;
        }
        const char *end = at + 1;
        for (char quote = 0; *end && (quote || *end != '>'); end++) {
            if (quote ? *end == quote : *end == '"' || *end == '\'') quote = quote ? 0 : *end;
            assert_true(*end != '<');
        }
        assert_true(*end == '>');
        size_t length = (size_t)(end - at);
        if (at[1] == '!') {
            at = end + 1;
            continue;
        }
        bool closing = at[1] == '/', empty = end[-1] == '/';
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1 + closing, " \n\t/>"), at + 1 + closing);
        assert_true(isalpha((unsigned char)name[0]));
        if (!closing) note_ids(reader, at, length);
        if (closing) {
            assert_true(reader->depth > 0);
            if (strcmp(reader->names[--reader->depth], name) != 0)
                fail_msg("</%s> closes <%s>", name, reader->names[reader->depth]);
        } else if (!empty) {
            assert_true(reader->depth < DEEP);
            snprintf(reader->names[reader->depth++], 32, "%s", name);
        }
        at = end + 1;
        if (strcmp(name, "style") == 0 && !closing) at = strstr(at, "</style>");
    }
    assert_int_equal(reader->depth, 0);
    free(reader);
}

/* ---- results ---- */

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, 0, &error);
    if (!value) fail_msg("%s", error.text);
    return value;
}

static json_t *make_cell(const char *row, const char *verdict, double published, double measured)
{
    return json_pack("{ss ss ss sf sf sf sf sf sf sf si ss ss ss ss ss ss}", "row", row, "column",
                     "as published", "relation", "=", "published", published, "published_error", 0.5,
                     "tolerance", 1.0, "margin", 1.5, "measured", measured, "low", measured - 0.4, "high",
                     measured + 0.4, "n", 4000, "kind", "share", "verdict", verdict, "why", "", "note", "",
                     "claim", "", "page", "7");
}

static json_t *make_result(const char *experiment, const char *hostile)
{
    json_t *result = parse(
        "{\"format\":2,\"scale\":\"quick\",\"seed\":3,\"nondeterministic\":false,"
        "\"parameters\":[{\"name\":\"games\",\"value\":4000,\"why\":\"w\"}],"
        "\"tolerances\":[{\"column\":\"*\",\"absolute\":1,\"relative\":0,\"why\":\"w\"}],"
        "\"record\":{\"version\":\"9.9.9\",\"compiler\":\"cc 1\",\"system\":\"Linux\",\"processor\":\"Z80\","
        "\"cores\":2,\"jobs\":1,\"started\":\"2026-01-02T03:04:05Z\",\"seconds\":75,\"cpu_seconds\":70}}");
    json_object_set_new(result, "experiment", json_string(experiment));
    json_object_set_new(result, "summary", json_string(hostile));
    json_object_set_new(result, "paper",
                        json_pack("{ss ss ss ss si}", "cite", "Stimpson, Goodrich and Walters 2001", "title",
                                  hostile, "author", "A", "where", "W", "year", 1999));
    json_object_set_new(result, "readings",
                        json_pack("[{ss ss ss}]", "open", hostile, "chosen", "so", "others", "or so"));
    json_t *cells = json_array();
    json_array_append_new(cells, make_cell("CC", "agrees", 50, 50.5));
    json_array_append_new(cells, make_cell("DD", "not comparable", 50, 52));
    json_array_append_new(cells, make_cell("Random", "differs", 50, 30));
    json_array_append_new(cells, make_cell(hostile, "agrees", 50, 50));
    json_object_set_new(result, "tables",
                        json_pack("[{ss ss ss ss ss si ss so}]", "id", "table2", "label", "Table 4", "page",
                                  "7", "title", hostile, "unit", "%", "decimals", 1, "note", "", "cells",
                                  cells));
    json_t *figures = parse(
        "[{\"id\":\"f\",\"kind\":\"points\",\"x\":\"\",\"y\":\"%\",\"categories\":[\"a, 5 "
        "%\",\"b\"],\"series\":["
        "{\"name\":\"published\",\"points\":[[0,1,0.5,1.5],[1,2,null,null]]},"
        "{\"name\":\"measured\",\"points\":[[0,1.25,1,1.5],[1,null,2,2]]}]},"
        "{\"id\":\"g\",\"kind\":\"lines\",\"x\":\"n\",\"y\":\"m\",\"categories\":[],\"series\":["
        "{\"name\":\"s\",\"points\":[[0,1,0,2],[10,3,3,3]]}]},"
        "{\"id\":\"h\",\"kind\":\"map\",\"x\":\"n\",\"y\":\"m\",\"categories\":[],\"series\":["
        "{\"name\":\"s\",\"points\":[[0,0,1,0],[1,0,2,0],[0,1,3,0],[1,1,4,0]]}]}]");
    size_t i;
    json_t *figure;
    json_array_foreach(figures, i, figure)
    {
        json_object_set_new(figure, "title", json_string(hostile));
        json_object_set_new(figure, "y", json_string(hostile));
    }
    json_object_set_new(result, "figures", figures);
    KnError error;
    check_ok(error, kn_lab_check_result(result, "made", &error));
    return result;
}

static const char nasty[] = "<script>'x' \"y\" & `date` \\ $(z) %s ]]> </style> id='gpDot'\t\x01";

/* The journal of these results, which it takes over. */
static json_t *make_journal(json_t *results)
{
    KnError error;
    KnContext *context;
    json_t *journal;
    check_ok(error, kn_open("report", &context, &error));
    check_ok(error, kn_lab_journal(context, results, &journal, &error));
    kn_close(context);
    json_decref(results);
    return journal;
}

static const json_t *part_of(const json_t *journal, const char *system)
{
    size_t i;
    json_t *paper;
    json_array_foreach(journal, i, paper)
    {
        if (strcmp(json_string_value(json_object_get(paper, "system")), system) == 0) return paper;
    }
    fail_msg("the journal has no part %s", system);
    return NULL;
}

/* The page of the paper that made-up results belong to. */
static char *write_page(json_t *results)
{
    KnError error;
    KnText page = KN_TEXT_EMPTY;
    json_t *journal = make_journal(results);
    check_ok(error, kn_report_paper(part_of(journal, "satisficing"), &page, &error));
    json_decref(journal);
    return page.data;
}

static const char *find(const char *page, const char *part)
{
    const char *at = strstr(page, part);
    if (!at) fail_msg("the page lacks \"%s\"", part);
    return at;
}

static void test_page_is_well_formed(void **state)
{
    (void)state;
    char *page = write_page(json_pack("[o]", make_result("a.one", nasty)));
    check_well_formed(page);
    assert_null(strstr(page, "<script"));
    find(page, "&lt;script&gt;&#39;x&#39;");
    find(page, "prefers-color-scheme:dark");
    assert_null(strstr(page, "http://www.gnuplot"));
    free(page);
}

/* Claims before values, and of the values those that differ before those that agree. */
static void test_differences_come_first(void **state)
{
    (void)state;
    char *page = write_page(json_pack("[o]", make_result("a.one", "loud")));
    const char *claims = find(page, "<h2>Claims</h2>"), *values = find(page, "Published values beside ours");
    assert_true(claims < values);
    const char *bad = find(values, ">Random<"), *vague = find(values, ">DD<"), *fine = find(values, ">CC<");
    assert_true(bad < vague && vague < fine);
    /* A row that the paper does not print counts as another interpretation. */
    assert_true(fine < find(values, "Under other interpretations"));
    find(find(values, "Under other interpretations"), ">loud<");
    free(page);
}

static void test_page_tells_all(void **state)
{
    (void)state;
    char *page = write_page(json_pack("[o]", make_result("a.one", "sum")));
    find(page, "1 of 8 values agrees, 1 differs, 6 are open; for example Random, ");
    find(page, "Table 4, p. 7");
    find(page, "[49.6, 50.4]");
    find(page, "50.0 <span class=\"soft\">\xc2\xb1\xc2\xa0"
               "1.0</span>"); /* 1.96 x 0.5 */
    find(page, ">4,000<");
    find(page, "Alternatives: or so");
    find(page, "knack lab run a.one --scale quick --seed 3");
    find(page, "Z80");
    find(page, "2026-01-02T03:04:05Z");
    find(page, "1 min 15 s");
    find(page, "Not measured yet"); /* the built-in ones are not among these results */
    find(page, "knack lab run satisficing.table2");
    free(page);
}

static void test_claims_are_judged(void **state)
{
    (void)state;
    static const struct {
        size_t values, agree, differ, open, in_full;
        KnClaimVerdict verdict;
    } cases[] = {
        {1, 1, 0, 0, 0, KN_CLAIM_REPRODUCED}, {1, 0, 1, 0, 1, KN_CLAIM_NOT_REPRODUCED},
        {1, 0, 0, 1, 0, KN_CLAIM_NOT_TESTED}, {1, 0, 0, 1, 1, KN_CLAIM_UNDECIDED},
        {8, 0, 0, 0, 0, KN_CLAIM_NOT_TESTED}, {8, 0, 0, 8, 7, KN_CLAIM_NOT_TESTED},
        {8, 8, 0, 0, 8, KN_CLAIM_REPRODUCED}, {8, 7, 0, 1, 8, KN_CLAIM_PARTLY},
        {8, 7, 1, 0, 8, KN_CLAIM_PARTLY},     {8, 0, 1, 7, 8, KN_CLAIM_NOT_REPRODUCED},
        {9, 4, 0, 0, 4, KN_CLAIM_PARTLY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnClaimCounts counts = {.values = cases[i].values, .at_paper_scale = cases[i].in_full};
        counts.verdicts[KN_AGREES] = cases[i].agree;
        counts.verdicts[KN_DIFFERS] = cases[i].differ;
        counts.verdicts[KN_NOT_COMPARABLE] = cases[i].open;
        assert_int_equal(kn_claim_judge(&counts), cases[i].verdict);
    }
}

/* LaTeX of a table with `rows` like rows. */
static char *write_latex(size_t rows)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < rows; i++)
        json_array_append_new(cells, json_pack("{ss ss ss sf sf sf sf sf si ss ss}", "row", "50 % & more",
                                               "column", "points", "relation", "=", "published", 0.25,
                                               "published_error", 0.1, "measured", 0.5, "low", 0.4, "high",
                                               0.6, "n", 90, "kind", "share", "verdict", "differs"));
    json_t *table = json_pack("{ss ss ss si so s{ss si}}", "label", "Table 1", "title", "Points", "unit",
                              "share", "decimals", 2, "cells", cells, "source", "scale", "paper", "seed", 7);
    KnText latex = KN_TEXT_EMPTY;
    kn_export_table_latex(table, &latex);
    json_decref(table);
    return latex.data;
}

static void test_latex(void **state)
{
    (void)state;
    char *latex = write_latex(2);
    find(latex, "Table 1: Points, in shares of 1. $\\pm$ and intervals at 95\\,\\%; paper scale, seed 7.}");
    find(latex,
         "50 \\% \\& more & points & $0.25$ $\\pm 0.20$ & $0.50$ & $[0.40, 0.60]$ & 90 & differs \\\\\n");
    find(latex, "\\end{tabular}\n\\end{table}");
    assert_null(strstr(latex, "longtable"));
    free(latex);
    latex = write_latex(41); /* more than a page holds */
    find(latex, "\\begin{longtable}{llrrrrl}\n\\caption{");
    find(find(latex, "\\endhead"), "\\end{longtable}");
    assert_null(strstr(latex, "tabular"));
    free(latex);
}

static bool misses(const json_t *paper, const char *experiment)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(paper, "missing"), i, item)
    {
        if (strcmp(json_string_value(json_object_get(item, "experiment")), experiment) == 0) return true;
    }
    return false;
}

/* Claims stand in the order of their verdicts: what surprises comes first. */
static void test_claims_are_sorted(void **state)
{
    (void)state;
    json_t *journal = make_journal(json_pack("[o]", make_result("a.one", "sum"))), *paper, *claim;
    size_t i, c;
    json_array_foreach(journal, i, paper)
    {
        int before = 0;
        json_array_foreach(json_object_get(paper, "claims"), c, claim)
        {
            int verdict = 0;
            while (strcmp(json_string_value(json_object_get(claim, "verdict")),
                          kn_claim_verdict_name((KnClaimVerdict)verdict)) != 0)
                verdict++;
            assert_true(verdict >= before);
            before = verdict;
        }
    }
    json_decref(journal);
}

/* Commands that claims name for what was not measured are experiments of their paper. */
static void test_commands_of_claims(void **state)
{
    (void)state;
    json_t *journal = make_journal(json_array()), *paper, *claim;
    size_t i, c, commands = 0;
    json_array_foreach(journal, i, paper)
    {
        json_array_foreach(json_object_get(paper, "claims"), c, claim)
        {
            char experiment[60];
            const char *command = json_string_value(json_object_get(claim, "command"));
            if (!command) continue;
            commands++;
            assert_int_equal(sscanf(command, "knack lab run %59s --scale middle", experiment), 1);
            assert_true(misses(paper, experiment));
        }
    }
    assert_true(commands > 0);
    json_decref(journal);
}

/* Key figures made from a table: a bound is drawn as a bound, not as a published value, and the caption has
 * the sample. */
static void test_key_figure_of_claims(void **state)
{
    (void)state;
    json_t *table = json_pack("{ss ss ss ss si s[{ss ss ss sf sf sn sn si ss ss}]}", "id", "claims", "label",
                              "Claims", "title", "What", "unit", "", "decimals", 2, "cells", "row",
                              "memory of breadth-first search, each level over the one before", "column",
                              "all games", "relation", ">", "published", 1.0, "measured", 3.0, "low", "high",
                              "n", 1234, "kind", "mean", "verdict", "agrees");
    json_t *result = json_pack("{ss s{ss} ss si s[o] s[] s[]}", "experiment", "ggp.search-claims", "paper",
                               "cite", "Genesereth, incomplete search", "scale", "quick", "seed", 3, "tables",
                               table, "figures", "readings");
    json_t *journal = make_journal(json_pack("[o]", result));
    const json_t *figure = json_object_get(part_of(journal, "general"), "figure"),
                 *series = json_object_get(figure, "series");
    assert_int_equal(json_array_size(series), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(series, 0), "name")),
                        "claimed: above this");
    assert_string_equal(json_string_value(json_object_get(json_array_get(series, 1), "name")), "measured");
    assert_string_equal(json_string_value(json_object_get(figure, "y")), "times");
    find(json_string_value(json_object_get(figure, "title")), "(measured with n = 1,234)");
    json_decref(journal);
}

/* Every pattern of data/embed/journal.json names published values, and every headline an
 * experiment of its paper; without results nothing is said to be tested. */
static void test_journal_without_results(void **state)
{
    (void)state;
    json_t *journal = make_journal(json_array()), *paper, *claim;
    size_t i, c, headlines = 0;
    assert_int_equal(json_array_size(journal), 8); /* seven papers and one question of our own */
    json_array_foreach(journal, i, paper)
    {
        assert_true(json_array_size(json_object_get(paper, "missing")) > 0);
        assert_true(json_is_null(json_object_get(paper, "figure")));
        const json_t *headline = json_object_get(paper, "headline");
        headlines += headline && json_is_null(json_object_get(headline, "cell"));
        if (headline) assert_true(misses(paper, json_string_value(json_object_get(headline, "experiment"))));
        find(json_string_value(json_object_get(paper, "found")), "Nothing has been measured yet");
        json_array_foreach(json_object_get(paper, "claims"), c, claim)
        {
            assert_string_equal(json_string_value(json_object_get(claim, "verdict")),
                                "not tested at this scale");
            assert_true(json_integer_value(json_object_get(claim, "values")) > 0);
        }
    }
    assert_int_equal(headlines, 7);
    json_decref(journal);
}

static void test_index_and_folder(void **state)
{
    (void)state;
    KnError error;
    json_t *journal = make_journal(json_pack("[o]", make_result("a.one", nasty)));
    check_ok(error, kn_report_write(journal, "pages/journal", &error));
    json_t *paper;
    size_t i;
    KnText page = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("pages/journal/index.html", &page, 1 << 20, &error));
    check_well_formed(page.data);
    find(page.data, "1 partly reproduced");
    json_array_foreach(journal, i, paper)
    {
        kn_text_clear(&path);
        kn_report_page_name(paper, &path);
        find(page.data, path.data);
    }
    kn_text_free(&page);
    kn_text_free(&path);
    check_fails(error, KN_SYSTEM, "index.html", kn_report_write(journal, "pages/journal/index.html", &error));
    json_decref(journal);
}

static int find_gnuplot(void) { return system("command -v gnuplot >/dev/null 2>&1"); }

static void test_pictures(void **state)
{
    (void)state;
    if (find_gnuplot() != 0) skip();
    json_t *result = make_result("a.one", nasty);
    for (size_t i = 0; i < 3; i++) {
        KnText svg = KN_TEXT_EMPTY;
        KnError error;
        check_ok(error,
                 kn_plot_svg(json_array_get(json_object_get(result, "figures"), i), "pic", &svg, &error));
        assert_int_equal(strncmp(svg.data, "<svg", 4), 0);
        find(svg.data, "currentColor"); /* text follows the page's colour */
        find(svg.data, "&lt;script>");  /* a bare > is fine in XML */
        assert_null(strstr(svg.data, "color=\"black\""));
        assert_null(strstr(svg.data, "rgb(  1,   2,   3)"));
        check_well_formed(svg.data);
        kn_text_clear(&svg);
        check_ok(error, kn_plot_png(json_array_get(json_object_get(result, "figures"), i), &svg, &error));
        assert_memory_equal(svg.data, "\x89PNG", 4);
        kn_text_free(&svg);
    }
    json_decref(result);
}

/* Without gnuplot the numbers remain, and the page says what is missing. */
static void test_without_gnuplot(void **state)
{
    (void)state;
    char *before = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    char *page = write_page(json_pack("[o]", make_result("a.one", "sum")));
    setenv("PATH", before, 1);
    free(before);
    check_well_formed(page);
    find(page, "gnuplot is not installed");
    find(page, "[0.50, 1.50]");
    free(page);
}

static void test_pipes(void **state)
{
    (void)state;
    KnError error;
    KnText out = KN_TEXT_EMPTY;
    static const char *const cat[] = {"cat", NULL}, *const sleeping[] = {"sleep", "60", NULL},
                             *const no[] = {"no-such-program", NULL};
    static const char *const failing[] = {"false", NULL}, *const deaf[] = {"sh", "-c",
                                                                           "exec <&-; exec >&-; sleep 60",
                                                                           NULL};
    static const char *const closing[] = {"sh", "-c", "exec <&-; echo done", NULL};
    size_t size = 1 << 20;
    char *big = malloc(size + 1);
    memset(big, 'x', size);
    big[size] = 0;
    check_ok(error, kn_plot_pipe(cat, big, 20, &out, &error)); /* larger than any pipe's buffer */
    assert_int_equal(out.length, size);
    assert_string_equal(out.data, big);
    kn_text_clear(&out);
    check_ok(error, kn_plot_pipe(closing, big, 20, &out, &error)); /* does not read: no signal ends us */
    assert_string_equal(out.data, "done\n");
    free(big);
    check_fails(error, KN_NO, "not installed", kn_plot_pipe(no, "", 1, &out, &error));
    check_fails(error, KN_SYSTEM, "false failed", kn_plot_pipe(failing, "", 5, &out, &error));
    double start = kn_clock_now();
    check_fails(error, KN_SYSTEM, "too long", kn_plot_pipe(sleeping, "", 0.2, &out, &error));
    check_fails(error, KN_SYSTEM, "failed", kn_plot_pipe(deaf, "x", 0.2, &out, &error));
    assert_true(kn_clock_now() - start < 45);
    kn_text_free(&out);
}

/* Text that could mean something to gnuplot stays text. */
static void test_script_quotes(void **state)
{
    (void)state;
    json_t *result = make_result("a.one", "it's `date`\n\"set output\"");
    KnText script = KN_TEXT_EMPTY;
    kn_plot_script(json_array_get(json_object_get(result, "figures"), 0), KN_PLOT_SVG, &script);
    assert_null(strstr(script.data, "logscale"));
    json_t *steps = json_deep_copy(json_array_get(json_object_get(result, "figures"), 1));
    json_object_set_new(steps, "steps", json_true());
    KnText by_factors = KN_TEXT_EMPTY;
    kn_plot_script(steps, KN_PLOT_PNG, &by_factors);
    assert_non_null(strstr(by_factors.data, "set logscale x"));
    kn_text_free(&by_factors);
    json_decref(steps);
    find(script.data, "set xlabel 'it''s `date` \"set output\"'");
    kn_text_free(&script);
    json_decref(result);
}

static void test_results_are_checked(void **state)
{
    (void)state;
    KnError error;
    json_t *result = make_result("a.one", "sum");
    json_t *cell =
        json_array_get(json_object_get(json_array_get(json_object_get(result, "tables"), 0), "cells"), 1);
    json_object_set_new(cell, "verdict", json_string("maybe"));
    check_fails(error, KN_INPUT, "tables[0].cells[1].verdict", kn_lab_check_result(result, "r.json", &error));
    json_object_set_new(cell, "verdict", json_string("agrees"));
    json_object_set_new(cell, "low", json_string("1"));
    check_fails(error, KN_INPUT, "low", kn_lab_check_result(result, "r.json", &error));
    json_object_set_new(cell, "low", json_null());
    check_ok(error, kn_lab_check_result(result, "r.json", &error));
    json_object_set_new(cell, "kind", json_string("mean")); /* equal samples are no interval */
    json_object_set_new(cell, "low", json_real(14));
    json_object_set_new(cell, "high", json_real(14));
    check_ok(error, kn_lab_check_result(result, "r.json", &error));
    assert_true(json_is_null(json_object_get(cell, "low")) && json_is_null(json_object_get(cell, "high")));
    json_object_set_new(cell, "kind", json_string("exact"));
    json_object_set_new(cell, "low", json_real(14));
    json_object_set_new(cell, "high", json_real(14));
    check_ok(error, kn_lab_check_result(result, "r.json", &error));
    assert_true(json_is_number(json_object_get(cell, "low")));
    json_object_set_new(result, "format", json_integer(3));
    check_fails(error, KN_INPUT, "format", kn_lab_check_result(result, "r.json", &error));
    json_decref(result);
    json_t *list = json_array();
    check_fails(error, KN_INPUT, "object", kn_lab_check_result(list, "r.json", &error));
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_is_well_formed),
        cmocka_unit_test(test_differences_come_first),
        cmocka_unit_test(test_page_tells_all),
        cmocka_unit_test(test_claims_are_judged),
        cmocka_unit_test(test_claims_are_sorted),
        cmocka_unit_test(test_latex),
        cmocka_unit_test(test_commands_of_claims),
        cmocka_unit_test(test_key_figure_of_claims),
        cmocka_unit_test(test_journal_without_results),
        cmocka_unit_test(test_index_and_folder),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_without_gnuplot),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_script_quotes),
        cmocka_unit_test(test_results_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
