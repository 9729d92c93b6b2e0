/* The journal as files for a paper of one's own: LaTeX tables, CSV, and figures as SVG and PNG.
 *
 * allocation.tex has all tables of a paper. A table or figure is named by its experiment and its own id:
 * tdleaf-fig2-points.csv, gina-fig1-points-figure.svg, .png and .csv. Pictures need gnuplot; without it the
 * rest is written. */
#ifndef KNACK_LAB_EXPORT_H
#define KNACK_LAB_EXPORT_H

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

typedef struct KnExported {
    size_t tables, figures;
    bool pictures; /* whether gnuplot drew */
} KnExported;

/* Writes the papers of a journal (lab/journal.h) to a folder. */
KnStatus kn_lab_export(const json_t *journal, const char *folder, KnExported *exported, KnError *error);

/* The parts of it: a table of the journal as CSV or LaTeX, and the points of a figure as CSV. */
void kn_export_table_csv(const json_t *table, KnText *csv);
void kn_export_table_latex(const json_t *table, KnText *latex);
void kn_export_figure_csv(const json_t *figure, KnText *csv);

#endif
