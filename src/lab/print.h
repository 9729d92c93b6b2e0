/* A result in text: a table for people, a line of JSON a cell for programs. Nothing in either depends on
 * clocks or on the number of threads, but for the duration in the table's second line. */
#ifndef KNACK_LAB_PRINT_H
#define KNACK_LAB_PRINT_H

#include <jansson.h>

#include "base/text.h"

/* published | measured | interval | n | verdict, by table; what differs first. The result must be a checked
 * one. */
void kn_lab_print_table(const json_t *result, KnText *text);

/* {"column", "experiment", "high", "low", "margin", "measured", "n", "published", "relation", "row", "seed",
 * "table", "unit", "verdict", "why"} a line, in the experiment's own order. What is unknown is null; n is 0
 * for an exact number. */
void kn_lab_print_lines(const json_t *result, KnText *text);

/* What changed between two sets of results (lab/compare.h): a line a cell that changed, and the counts. */
void kn_lab_print_comparison(const json_t *comparison, KnText *text);

#endif
