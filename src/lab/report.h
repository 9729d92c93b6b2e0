/* The report: one page that stands alone, with the verdicts first and what differs before what agrees. */
#ifndef KNACK_LAB_REPORT_H
#define KNACK_LAB_REPORT_H

#include "lab/lab.h"

/* Adds the page for results as kn_lab_results gives them. Experiments that are known to the context but not
 * among the results are named as not measured. A figure that cannot be drawn is left to its data table, with
 * the reason. */
KnStatus kn_lab_report(const KnContext *context, const json_t *results, KnText *page, KnError *error);

/* Text inside an element or a quoted attribute. */
void kn_report_escape(KnText *page, const char *text);

/* A number with so many digits behind the point; a dash for null. */
void kn_report_number(KnText *page, const json_t *value, int decimals);

#endif
