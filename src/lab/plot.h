/* Figures as SVG and PNG, drawn by gnuplot in a process of its own.
 *
 * The picture is meant to stand inside a page: it takes the page's text colour (so that it follows light and
 * dark), has no ids that could meet those of another picture, and no fixed size. */
#ifndef KNACK_LAB_PLOT_H
#define KNACK_LAB_PLOT_H

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

/* Adds the picture of a figure of a checked result (lab.h). `name` makes its ids its own. KN_NO, with the
 * reason, where gnuplot is not installed; KN_SYSTEM where it failed or took too long. */
KnStatus kn_plot_svg(const json_t *figure, const char *name, KnText *svg, KnError *error);

/* Adds the same picture as the bytes of a PNG file. */
KnStatus kn_plot_png(const json_t *figure, KnText *png, KnError *error);

/* The script for gnuplot (plot_script.c). Values by name are drawn as rows of points with their intervals,
 * the names at the left; curves with a band for the interval and their names at their ends. */
typedef enum KnPlotFormat { KN_PLOT_SVG, KN_PLOT_PNG } KnPlotFormat;
void kn_plot_script(const json_t *figure, KnPlotFormat format, KnText *script);

/* Runs a program with `input` on its standard input and adds what it prints to `output`; it is ended after
 * `seconds`. KN_NO if there is no such program. */
KnStatus kn_plot_pipe(const char *const *arguments, const char *input, double seconds, KnText *output,
                      KnError *error);

#endif
