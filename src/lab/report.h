/* The report: a journal of eight pages that stand alone (lab/journal.h). The index has a line a paper; a
 * paper's page has its claims with verdicts first, then its key figure, tables, interpretations, and what we
 * measured beyond it. */
#ifndef KNACK_LAB_REPORT_H
#define KNACK_LAB_REPORT_H

#include "lab/lab.h"

/* The file name of a paper's page, from its part of the journal ("allocation.html"). */
void kn_report_page_name(const json_t *paper, KnText *name);

/* Adds the index for a journal (kn_lab_journal). */
KnStatus kn_report_index(const json_t *journal, KnText *page, KnError *error);

/* Adds the page of one paper. A figure that cannot be drawn is left to its data table, with the reason. */
KnStatus kn_report_paper(const json_t *paper, KnText *page, KnError *error);

/* Writes the index and all papers into a folder, which is made if needed. */
KnStatus kn_report_write(const json_t *journal, const char *folder, KnError *error);

#endif
