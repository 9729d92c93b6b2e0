#include "lab/export.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "lab/plot.h"
#include "lab/report_parts.h"

/* ---- CSV ---- */

/* In quotes where RFC 4180 asks for them. A text that a spreadsheet would take for a formula gets a space. */
static void add_field(KnText *csv, const char *text)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) kn_text_add_char(csv, '"');
    if (*text && strchr("=+@", *text)) kn_text_add_char(csv, ' ');
    for (const char *c = text; *c; c++) {
        if (*c == '"') kn_text_add_char(csv, '"');
        kn_text_add_char(csv, *c);
    }
    if (quoted) kn_text_add_char(csv, '"');
}

static void add_number(KnText *csv, const json_t *value)
{
    if (json_is_number(value)) kn_text_printf(csv, "%.10g", json_number_value(value));
}

void kn_export_table_csv(const json_t *table, KnText *csv)
{
    static const char *const numbers[] = {"published", "measured", "low", "high", "n", NULL};
    size_t i;
    json_t *cell;
    kn_text_add(csv, "row,column,relation,published,measured,low,high,n,unit,verdict\n");
    json_array_foreach(json_object_get(table, "cells"), i, cell)
    {
        add_field(csv, kn_report_string(cell, "row"));
        kn_text_add(csv, ",");
        add_field(csv, kn_report_string(cell, "column"));
        kn_text_add(csv, ",");
        kn_text_add(csv, kn_report_string(cell, "relation"));
        for (const char *const *key = numbers; *key; key++) {
            kn_text_add(csv, ",");
            add_number(csv, json_object_get(cell, *key));
        }
        kn_text_add(csv, ",");
        add_field(csv, kn_report_string(table, "unit"));
        kn_text_add(csv, ",");
        add_field(csv, kn_report_string(cell, "verdict"));
        kn_text_add(csv, "\n");
    }
}

void kn_export_figure_csv(const json_t *figure, KnText *csv)
{
    const json_t *names = json_object_get(figure, "categories");
    bool map = strcmp(kn_report_string(figure, "kind"), "map") == 0;
    size_t s, i;
    json_t *series, *point;
    kn_text_add(csv, map ? "series,x,y,value\n" : "series,x,y,low,high\n");
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            const json_t *x = json_array_get(point, 0);
            const json_t *name = json_is_number(x)
                                     ? json_array_get(names, (size_t)fmax(json_number_value(x), 0))
                                     : NULL;
            add_field(csv, kn_report_string(series, "name"));
            kn_text_add(csv, ",");
            if (name)
                add_field(csv, json_string_value(name));
            else
                add_number(csv, x);
            for (size_t k = 1; k < (map ? 3 : 4); k++) {
                kn_text_add(csv, ",");
                add_number(csv, json_array_get(point, k));
            }
            kn_text_add(csv, "\n");
        }
    }
}

/* ---- LaTeX ---- */

static void add_latex(KnText *latex, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("&%$#_{}", *c))
            kn_text_printf(latex, "\\%c", *c);
        else if (strchr("<>|", *c))
            kn_text_printf(latex, "$%c$", *c);
        else if (*c == '\\')
            kn_text_add(latex, "\\textbackslash{}");
        else if (*c == '~' || *c == '^')
            kn_text_printf(latex, "\\%c{}", *c);
        else
            kn_text_add_char(latex, (unsigned char)*c < ' ' ? ' ' : *c);
    }
}

static void add_latex_number(KnText *latex, const json_t *value, int decimals)
{
    if (json_is_number(value)) kn_text_printf(latex, "$%.*f$", decimals, json_number_value(value));
}

static void add_latex_cell(KnText *latex, const json_t *cell, int decimals)
{
    const char *relation = kn_report_string(cell, "relation"), *kind = kn_report_string(cell, "kind");
    bool exact = strcmp(kind, "exact") == 0;
    add_latex(latex, kn_report_string(cell, "row"));
    kn_text_add(latex, " & ");
    add_latex(latex, kn_report_string(cell, "column"));
    kn_text_add(latex, " & ");
    if (*relation && *relation != '=') kn_text_printf(latex, "$%s$ ", relation);
    add_latex_number(latex, json_object_get(cell, "published"), decimals);
    double error = kn_report_real(cell, "published_error");
    if (error > 0) kn_text_printf(latex, " $\\pm %.*f$", decimals, KN_Z95 * error);
    kn_text_add(latex, " & ");
    add_latex_number(latex, json_object_get(cell, "measured"), decimals);
    kn_text_add(latex, " & ");
    if (!exact && json_is_number(json_object_get(cell, "low")) &&
        json_is_number(json_object_get(cell, "high")))
        kn_text_printf(latex, "$[%.*f, %.*f]$", decimals, kn_report_real(cell, "low"), decimals,
                       kn_report_real(cell, "high"));
    kn_text_add(latex, " & ");
    if (exact)
        kn_text_add(latex, "exact");
    else if (strcmp(kind, "none") != 0)
        kn_text_printf(latex, "%lld", (long long)json_integer_value(json_object_get(cell, "n")));
    kn_text_add(latex, " & ");
    add_latex(latex, kn_report_string(cell, "verdict"));
    kn_text_add(latex, " \\\\\n");
}

enum { LINES_OF_A_PAGE = 40 };

static void add_latex_seed(KnText *latex, const json_t *seed)
{
    if (json_is_string(seed))
        add_latex(latex, json_string_value(seed));
    else
        kn_text_printf(latex, "%lld", (long long)json_integer_value(seed));
}

/* A table that fits a page floats; a longer one is a longtable, which repeats its head. */
void kn_export_table_latex(const json_t *table, KnText *latex)
{
    static const char columns[] = "{llrrrrl}\n",
                      head[] = "\\hline\nrow & column & published & measured & interval & "
                               "$n$ & verdict \\\\\n\\hline\n";
    const json_t *source = json_object_get(table, "source");
    size_t i;
    json_t *cell;
    bool longer = json_array_size(json_object_get(table, "cells")) > LINES_OF_A_PAGE;
    kn_text_add(latex, longer ? "\\begin{longtable}" : "\\begin{table}\n\\centering\n");
    if (longer) kn_text_add(latex, columns);
    kn_text_add(latex, "\\caption{");
    if (*kn_report_string(table, "label")) {
        add_latex(latex, kn_report_string(table, "label"));
        kn_text_add(latex, ": ");
    }
    add_latex(latex, kn_report_string(table, "title"));
    if (*kn_report_string(table, "unit")) {
        kn_text_add(latex, ", in ");
        add_latex(latex, kn_report_unit(table));
    }
    kn_text_add(latex, ". $\\pm$ and intervals at 95\\,\\%; ");
    add_latex(latex, kn_report_string(source, "scale"));
    kn_text_add(latex, " scale, seed ");
    add_latex_seed(latex, json_object_get(source, "seed"));
    kn_text_add(latex, longer ? ".} \\\\\n" : ".}\n\\begin{tabular}");
    if (!longer) kn_text_add(latex, columns);
    kn_text_add(latex, head);
    if (longer) kn_text_add(latex, "\\endhead\n");
    json_array_foreach(json_object_get(table, "cells"), i, cell)
        add_latex_cell(latex, cell, (int)json_integer_value(json_object_get(table, "decimals")));
    kn_text_add(latex,
                longer ? "\\hline\n\\end{longtable}\n\n" : "\\hline\n\\end{tabular}\n\\end{table}\n\n");
}

/* ---- files ---- */

typedef struct Export {
    const char *folder;
    KnExported *exported;
} Export;

/* FOLDER/NAME.ENDING, the name without anything that a file system or LaTeX could take amiss. */
static KnStatus write_file(const Export *to, const char *name, const char *ending, const KnText *text,
                           KnError *error)
{
    KnText file = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    kn_text_add(&file, name);
    for (size_t i = 0; kn_text_ok(&file) && i < file.length; i++)
        if (!isalnum((unsigned char)file.data[i])) file.data[i] = '-';
    kn_text_printf(&file, ".%s", ending);
    kn_path_join(&path, to->folder, file.data);
    KnStatus status = kn_text_ok(text) && kn_text_ok(&path)
                          ? kn_file_write_atomic(path.data, text->data, text->length, error)
                          : kn_fail_memory(error, "exporting");
    kn_text_free(&file);
    kn_text_free(&path);
    return status;
}

static KnStatus export_tables(const Export *to, const json_t *tables, KnText *latex, KnError *error)
{
    KnStatus status = KN_OK;
    size_t i;
    json_t *table;
    json_array_foreach(tables, i, table)
    {
        KnText csv = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
        if (status != KN_OK) break;
        kn_export_table_csv(table, &csv);
        kn_export_table_latex(table, latex);
        kn_text_printf(&name, "%s-%s", kn_report_string(table, "experiment"), kn_report_string(table, "id"));
        status = write_file(to, name.data, "csv", &csv, error);
        to->exported->tables++;
        kn_text_free(&csv);
        kn_text_free(&name);
    }
    return status;
}

/* Without gnuplot the numbers remain. */
static KnStatus export_pictures(const Export *to, const json_t *figure, const char *name, KnError *error)
{
    KnText picture = KN_TEXT_EMPTY;
    kn_text_add(&picture, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    KnStatus status = kn_plot_svg(figure, "figure", &picture, error);
    if (status == KN_OK) status = write_file(to, name, "svg", &picture, error);
    kn_text_clear(&picture);
    if (status == KN_OK) status = kn_plot_png(figure, &picture, error);
    if (status == KN_OK) status = write_file(to, name, "png", &picture, error);
    kn_text_free(&picture);
    if (status == KN_NO) {
        to->exported->pictures = false;
        return KN_OK;
    }
    return status;
}

static KnStatus export_figure(const Export *to, const json_t *figure, KnError *error)
{
    KnText csv = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
    if (!json_is_object(figure)) return KN_OK;
    kn_text_printf(&name, "%s-%s-figure", kn_report_string(figure, "experiment"),
                   kn_report_string(figure, "id"));
    kn_export_figure_csv(figure, &csv);
    KnStatus status = write_file(to, name.data, "csv", &csv, error);
    if (status == KN_OK && to->exported->pictures) status = export_pictures(to, figure, name.data, error);
    to->exported->figures++;
    kn_text_free(&csv);
    kn_text_free(&name);
    return status;
}

static KnStatus export_figures(const Export *to, const json_t *figures, KnError *error)
{
    KnStatus status = KN_OK;
    size_t i;
    json_t *figure;
    json_array_foreach(figures, i, figure) if (status == KN_OK) status = export_figure(to, figure, error);
    return status;
}

static KnStatus export_paper(const Export *to, const json_t *paper, KnError *error)
{
    KnText latex = KN_TEXT_EMPTY;
    size_t i;
    json_t *extension;
    kn_text_add(&latex, "% ");
    add_latex(&latex, kn_report_string(paper, "cite"));
    kn_text_add(&latex, ": published values beside measured ones. Written by knack lab export.\n"
                        "% \\usepackage{longtable} in the preamble.\n\n");
    KnStatus status = export_tables(to, json_object_get(paper, "tables"), &latex, error);
    json_array_foreach(json_object_get(paper, "extensions"), i, extension)
    {
        if (status == KN_OK) status = export_tables(to, json_object_get(extension, "tables"), &latex, error);
        if (status == KN_OK) status = export_figures(to, json_object_get(extension, "figures"), error);
    }
    if (status == KN_OK) status = write_file(to, kn_report_string(paper, "system"), "tex", &latex, error);
    if (status == KN_OK) status = export_figure(to, json_object_get(paper, "figure"), error);
    if (status == KN_OK) status = export_figures(to, json_object_get(paper, "figures"), error);
    kn_text_free(&latex);
    return status;
}

KnStatus kn_lab_export(const json_t *journal, const char *folder, KnExported *exported, KnError *error)
{
    *exported = (KnExported){.pictures = true};
    KnStatus status = kn_mkdirs(folder, error);
    size_t i;
    json_t *paper;
    json_array_foreach(journal, i, paper)
    {
        Export to = {folder, exported};
        if (status == KN_OK) status = export_paper(&to, paper, error);
    }
    return status;
}
