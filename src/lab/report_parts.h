/* The parts that the report's pages are made of. Results come checked (kn_lab_results), so that fields are
 * read here without asking again; a missing string is empty, a missing number is not a number. */
#ifndef KNACK_LAB_REPORT_PARTS_H
#define KNACK_LAB_REPORT_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "lab/verdict.h"
#include "base/text.h"

/* Text inside an element or a quoted attribute. */
void kn_report_escape(KnText *page, const char *text);
/* A number with `decimals` digits after the point; a dash for null. */
void kn_report_number(KnText *page, const json_t *value, int decimals);

const char *kn_report_string(const json_t *object, const char *key);
double kn_report_real(const json_t *object, const char *key);
/* A string of an object, escaped. */
void kn_report_field(KnText *page, const json_t *object, const char *key);

/* A table of one's own: open, head (`right` has an 'r' for columns of numbers), rows, close. */
void kn_report_open_table(KnText *page);
void kn_report_head(KnText *page, const char *const *names, const char *right);
void kn_report_close_table(KnText *page);

/* A table of a result, what differs first. Without `judged` there are neither published values nor verdicts.
 */
void kn_report_table(KnText *page, const json_t *table, bool judged);
/* A table's unit after "in": "percent", "shares of 1", or as it is. */
const char *kn_report_unit(const json_t *table);
void kn_report_count(KnText *page, long long count); /* 40000 as 40,000 */
/* "published > 2.00, measured 4.14 [2.98, 5.30], n = 24". */
void kn_report_value(KnText *page, const json_t *cell, int decimals);
/* The verdict of a cell: a word, a shape and a colour. */
void kn_report_chip(KnText *page, const json_t *cell);
/* A figure with its numbers beside it; without gnuplot the numbers alone. `number` makes its ids its own. */
void kn_report_figure(KnText *page, const json_t *figure, size_t number);

#endif
