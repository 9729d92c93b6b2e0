/* Two sets of results side by side: what changed beyond chance.
 *
 * Compared are the cells that both sets have: same experiment, table, row and column. Shares are compared by
 * their counts, means and estimates by Welch's test on the errors that their intervals stand for; Holm's
 * method keeps the chance of any false alarm at 5 %. Values without chance (enumerated) have changed when
 * they differ. A single measurement, or one that a clock decides, is not compared.
 *
 * Ownership: documents are new references of the caller's. */
#ifndef KNACK_LAB_COMPARE_H
#define KNACK_LAB_COMPARE_H

#include "lab/lab.h"

/* The results that a word names: "shipped", a seed (of what was measured here), a file of a result, a data
 * folder or a folder of such files. One an experiment, as kn_lab_results chooses; `scale` NULL: any. */
KnStatus kn_lab_named_results(const KnContext *context, const char *word, const KnScale *scale,
                              json_t **results, KnError *error);

/* {"cells": [{experiment, table, row, column, unit, decimals, scales: [a, b], a, b, p, adjusted, changed}],
 * "changed", "exact", "compared", "left_out"}: cells that changed first. `a` and `b` are cells of the
 * results; p and adjusted are null for values without chance. */
KnStatus kn_lab_compare(const json_t *a, const json_t *b, json_t **comparison, KnError *error);

#endif
