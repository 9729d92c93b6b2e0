/* Scripts for gnuplot: the look of the lab's figures.
 *
 * Two strong colours, grey and the page's own; every series also differs in the shape of its mark. Values by
 * name (published beside measured) stand in rows, names at the left, where long ones have room. A curve has
 * its interval as a band and its name at its end, where names are short enough; else there is a key. The
 * title is not part of the picture: it stands in the caption. */
#include "lab/plot.h"

#include <math.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* In single quotes gnuplot expands nothing; a quote is doubled. Control characters would end the line. */
static void add_quoted(KnText *script, const char *string, bool format)
{
    kn_text_add_char(script, '\'');
    for (const char *c = string; *c; c++) {
        if (*c == '%' && format) {
            kn_text_add(script, "percent");
            continue;
        }
        if (*c == '\'') kn_text_add_char(script, '\'');
        kn_text_add_char(script, (unsigned char)*c < ' ' ? ' ' : *c);
    }
    kn_text_add_char(script, '\'');
}

static void add_string(KnText *script, const char *string) { add_quoted(script, string, false); }

enum { NAME_LETTERS = 34, KEYS_BESIDE = 3 };

/* A long name in lines of its own, parted at spaces, so that it leaves room for the plot. Names of tics are
 * formats, in which % has a meaning. */
static void add_name(KnText *script, const char *name)
{
    char line[NAME_LETTERS + 1];
    while (strlen(name) > NAME_LETTERS) {
        size_t length = NAME_LETTERS;
        while (length > 0 && name[length] != ' ') length--;
        if (!length) break; /* one long word */
        memcpy(line, name, length);
        line[length] = 0;
        add_quoted(script, line, true);
        kn_text_add(script, ".\"\\n\".");
        name += length + 1;
    }
    add_quoted(script, name, true);
}

/* A coordinate; NaN, which gnuplot leaves out, where there is none. */
static void add_coordinate(KnText *script, const json_t *value, double factor, double shift)
{
    if (json_is_number(value))
        kn_text_printf(script, "%.10g ", factor * json_number_value(value) + shift);
    else
        kn_text_add(script, "NaN ");
}

static bool has_bars(const json_t *points)
{
    size_t i;
    json_t *point;
    json_array_foreach(points, i, point)
    {
        const json_t *low = json_array_get(point, 2), *high = json_array_get(point, 3);
        if (json_is_number(low) && json_is_number(high) && json_number_value(low) < json_number_value(high))
            return true;
    }
    return false;
}

typedef struct Range {
    double least, most;
} Range;

/* The lowest and highest of what is drawn: points alone, or with their intervals. */
static Range find_range(const json_t *figure, bool intervals)
{
    Range range = {INFINITY, -INFINITY};
    size_t s, i;
    json_t *series, *point;
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            for (size_t k = 1; k < (intervals ? 4 : 2); k++) {
                const json_t *value = json_array_get(point, k);
                if (!json_is_number(value)) continue;
                range.least = fmin(range.least, json_number_value(value));
                range.most = fmax(range.most, json_number_value(value));
            }
        }
    }
    return range;
}

/* Axes of quantities that are never negative start at 0. Shares in percent lie within 0 and 100, even if an
 * interval for few runs reaches beyond. */
static void add_range(KnText *script, const json_t *figure, char axis)
{
    Range points = find_range(figure, false), all = find_range(figure, true);
    bool shares = strchr(string_of(figure, "y"), '%') && points.least >= 0 && points.most <= 100,
         from_zero = shares || all.least >= 0, whole = shares && all.most > 80;
    if (axis == 'y')
        kn_text_printf(script, "set offsets graph 0.03, graph 0.03, graph %s, graph %s\nset autoscale xfix\n",
                       whole ? "0" : "0.06", from_zero ? "0" : "0.04");
    if (from_zero) kn_text_printf(script, "set %crange [0:%s]\n", axis, whole ? "100" : "*");
}

static const char *colour_of(size_t series)
{
    static const char *const colours[] = {"#D55E00", "#0072B2", "#777777", "#010203"};
    return colours[series % 4];
}

static const char reference_colour[] = "#010203";

/* Series differ in colour, in the shape of the mark and in the dashes of the line. */
static void add_style(KnText *script, size_t s)
{
    static const int marks[] = {4, 7, 8, 10, 6, 12}; /* hollow square, disc, triangle, ... */
    kn_text_printf(script, "lc rgb '%s' pt %d ps 0.8 lw 1.6 dt %zu ", colour_of(s), marks[s % 6], 1 + s / 4);
}

/* ---- values by name ---- */

/* Rows from top to bottom; series of one row stand above each other. */
static void add_rows(KnText *script, const json_t *figure, const json_t *names)
{
    const json_t *all = json_object_get(figure, "series");
    size_t s, i, count = json_array_size(all), rows = json_array_size(names);
    json_t *series, *point, *name;
    add_range(script, figure, 'x');
    kn_text_add(script, "unset grid\nset grid xtics lc rgb '#999999' lw 0.4 dt 3\nset ytics (");
    json_array_foreach(names, i, name)
    {
        if (i) kn_text_add(script, ", ");
        add_name(script, json_string_value(name));
        kn_text_printf(script, " %zu", rows - 1 - i);
    }
    kn_text_printf(script, ")\nset yrange [-0.6:%zu.6]\n", rows - 1);
    if (count <= KEYS_BESIDE) /* beginning at the picture's edge: long names of rows leave a narrow plot */
        kn_text_add(script,
                    "set key at screen 0.01, screen 0.98 left top horizontal maxrows 1\nset tmargin 3\n");
    json_array_foreach(all, s, series)
    {
        kn_text_printf(script, "$s%zu << END\n", s);
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            for (size_t k = 1; k < 4; k++) add_coordinate(script, json_array_get(point, k), 1, 0);
            double step = count > 1 ? fmin(0.26, 0.8 / (double)count) : 0;
            add_coordinate(script, json_array_get(point, 0), -1,
                           (double)rows - 1 - step * ((double)s - (double)(count - 1) / 2));
            kn_text_add(script, "\n");
        }
        kn_text_add(script, "END\n");
    }
    kn_text_add(script, "plot ");
    json_array_foreach(all, s, series)
    {
        bool bars = has_bars(json_object_get(series, "points"));
        kn_text_printf(script, "%s$s%zu using 1:4%s with %s ", s ? ", " : "", s, bars ? ":2:3" : "",
                       bars ? "xerrorbars" : "points");
        add_style(script, s);
        kn_text_add(script, "title ");
        add_string(script, string_of(series, "name"));
    }
    kn_text_add(script, "\n");
}

/* ---- curves ---- */

enum { LABELS_MOST = 5, LABEL_LETTERS = 30 };

/* Names stand at the ends of curves where they are few and short, and every curve ends with a number. */
static bool labels_fit(const json_t *figure, size_t *longest)
{
    const json_t *all = json_object_get(figure, "series");
    size_t s, count = json_array_size(all);
    json_t *series;
    *longest = 0;
    json_array_foreach(all, s, series)
    {
        const json_t *points = json_object_get(series, "points");
        const json_t *last = json_array_get(points, json_array_size(points) - 1);
        size_t length = strlen(string_of(series, "name"));
        if (length > LABEL_LETTERS || !json_array_size(points) || !json_is_number(json_array_get(last, 0)) ||
            !json_is_number(json_array_get(last, 1)))
            return false;
        if (length > *longest) *longest = length;
    }
    return count > 0 && count <= LABELS_MOST;
}

/* A label at the height of its curve's end, or as near as the others leave room. */
static void add_labels(KnText *script, const json_t *figure, size_t longest)
{
    const json_t *all = json_object_get(figure, "series");
    size_t count = json_array_size(all), order[LABELS_MOST];
    double y[LABELS_MOST] = {0};
    Range range = find_range(figure, true);
    double gap = 0.075 * (fmax(range.most, 0) - fmin(range.least, 0));
    for (size_t s = 0; s < count; s++) {
        const json_t *points = json_object_get(json_array_get(all, s), "points");
        y[s] = json_number_value(json_array_get(json_array_get(points, json_array_size(points) - 1), 1));
        size_t at = s;
        for (; at > 0 && y[order[at - 1]] > y[s]; at--) order[at] = order[at - 1];
        order[at] = s;
    }
    /* Upwards where they would touch, and back down where the highest has left the plot. */
    for (size_t i = 1; i < count; i++) y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + gap);
    y[order[count - 1]] = fmin(y[order[count - 1]], range.most);
    for (size_t i = count - 1; i > 0; i--) y[order[i - 1]] = fmin(y[order[i - 1]], y[order[i]] - gap);
    for (size_t s = 0; s < count; s++) {
        kn_text_add(script, "set label ");
        add_string(script, string_of(json_array_get(all, s), "name"));
        bool reference = json_is_true(json_object_get(json_array_get(all, s), "reference"));
        kn_text_printf(script, " at graph 1, first %.10g left offset 0.6,0 textcolor rgb '%s'\n", y[s],
                       reference ? reference_colour : colour_of(s));
    }
    kn_text_printf(script, "unset key\nset rmargin %zu\n",
                   longest * 4 / 5 + 3); /* most letters are narrower than a digit */
}

/* Places along x that go up by factors are named where the first series has points. */
static void add_steps(KnText *script, const json_t *figure)
{
    const json_t *first = json_object_get(json_array_get(json_object_get(figure, "series"), 0), "points");
    size_t i;
    json_t *point;
    kn_text_add(script, "set logscale x\nunset mxtics\nset xtics (");
    json_array_foreach(first, i, point)
    {
        double x = json_number_value(json_array_get(point, 0));
        kn_text_printf(script, "%s'%g' %g", i ? ", " : "", x, x);
    }
    kn_text_add(script, ")\n");
}

static void add_points(KnText *script, const json_t *figure)
{
    size_t s, i;
    json_t *series, *point;
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        kn_text_printf(script, "$s%zu << END\n", s);
        json_array_foreach(json_object_get(series, "points"), i, point)
        {
            for (size_t k = 0; k < 4; k++) add_coordinate(script, json_array_get(point, k), 1, 0);
            kn_text_add(script, "\n");
        }
        kn_text_add(script, "END\n");
    }
}

static void add_curves(KnText *script, const json_t *figure)
{
    bool joined = strcmp(string_of(figure, "kind"), "lines") == 0;
    size_t s, longest, drawn = 0;
    json_t *series;
    add_range(script, figure, 'y');
    if (json_is_true(json_object_get(figure, "steps"))) add_steps(script, figure);
    bool labelled = joined && labels_fit(figure, &longest);
    if (labelled) add_labels(script, figure, longest);
    add_points(script, figure);
    kn_text_add(script, "plot ");
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        if (!joined || !has_bars(json_object_get(series, "points"))) continue;
        kn_text_printf(script,
                       "%s$s%zu using 1:3:4 with filledcurves fs transparent solid 0.18 noborder lc rgb '%s' "
                       "notitle",
                       drawn++ ? ", " : "", s, colour_of(s));
    }
    json_array_foreach(json_object_get(figure, "series"), s, series)
    {
        bool bars = !joined && has_bars(json_object_get(series, "points"));
        if (json_is_true(json_object_get(series, "reference"))) { /* a published value across the plot */
            kn_text_printf(script, "%s$s%zu using 1:2 with lines lc rgb '%s' dt 2 lw 1.4 title ",
                           drawn++ ? ", " : "", s, reference_colour);
            add_string(script, string_of(series, "name"));
            continue;
        }
        kn_text_printf(script, "%s$s%zu using 1:2%s with %s ", drawn++ ? ", " : "", s, bars ? ":3:4" : "",
                       bars     ? "yerrorbars"
                       : joined ? "linespoints"
                                : "points");
        add_style(script, s);
        kn_text_add(script, "title ");
        add_string(script, string_of(series, "name"));
    }
    kn_text_add(script, "\n");
}

static void add_map(KnText *script, const json_t *figure)
{
    add_points(script, figure);
    kn_text_add(script,
                "set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 "
                "'#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725')\nset colorbox\nunset key\n"
                "set autoscale noextend\nplot $s0 using 1:2:3 with image\n");
}

/* ---- all of it ---- */

/* In how many lines the longest of the names stands (add_name). */
static size_t longest_lines(const json_t *names)
{
    size_t i, lines = 1;
    json_t *name;
    json_array_foreach(names, i, name)
    {
        size_t length = json_string_length(name);
        if (length / (NAME_LETTERS - 6) + 1 > lines) lines = length / (NAME_LETTERS - 6) + 1;
    }
    return lines;
}

void kn_plot_script(const json_t *figure, KnPlotFormat format, KnText *script)
{
    const json_t *names = json_object_get(figure, "categories");
    size_t rows = json_array_size(names), series = json_array_size(json_object_get(figure, "series"));
    size_t least = 20 + 22 * longest_lines(names); /* of a row: its name must not touch the next one */
    size_t height = rows ? 140 + rows * (series > 2 && 18 * series > least ? 18 * series : least) : 450;
    if (height > 2400) height = 2400;
    if (format == KN_PLOT_SVG)
        kn_text_printf(script, "set terminal svg size 720,%zu dynamic noenhanced font 'sans-serif,17'\n",
                       height);
    else
        kn_text_printf(script,
                       "set terminal pngcairo size 1440,%zu noenhanced font 'sans-serif,17' fontscale 1.6 "
                       "linewidth 2 pointscale 2\n",
                       2 * height);
    kn_text_add(script, "set encoding utf8\nset border 3 lc rgb '#010203' lw 1\nset tics nomirror out scale "
                        "0.5 textcolor rgb '#010203'\n"
                        "set grid ytics lc rgb '#999999' lw 0.4 dt 3\nset key tmargin left horizontal "
                        "reverse Left textcolor rgb '#010203' samplen 1.5\n"
                        "set errorbars 0.6 lw 1.6\nset pointintervalbox 0\nset xlabel ");
    add_string(script, string_of(figure, rows ? "y" : "x"));
    kn_text_add(script, " textcolor rgb '#010203'\nset ylabel ");
    add_string(script, string_of(figure, rows ? "x" : "y"));
    kn_text_add(script, " textcolor rgb '#010203'\n");
    if (rows)
        add_rows(script, figure, names);
    else if (strcmp(string_of(figure, "kind"), "map") == 0)
        add_map(script, figure);
    else
        add_curves(script, figure);
}
