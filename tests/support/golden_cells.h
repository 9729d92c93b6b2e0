/* What experiments came to when they were last looked at: a line a table in tests/lab/golden.txt, with the
 * number of its cells, a digest of which cells there are (rows, columns, kinds, published values) and, where
 * only published rules play, a digest of what was measured, but for times; and a line a figure, with its
 * series and their points.
 *
 * A test of an experiment asks for what must hold whatever is measured; this notices the rest: a cell that is
 * left out, a sum over one game too few. A change that is meant to change results renews the file:
 *
 *     KNACK_GOLDEN=write build/tests/lab_test_property_progress
 *
 * and the difference of the file shows which tables it touches. */
#ifndef KNACK_TESTS_GOLDEN_CELLS_H
#define KNACK_TESTS_GOLDEN_CELLS_H

#include <jansson.h>
#include <stdint.h>

#include "lab/experiment.h"

/* Compares the tables and figures of a result with those of the file, and looks whether intervals hold their
 * values; `parameters` are those of the run, and decide with name and seed what is in the file. */
void check_golden_cells(const json_t *result, const char *name, uint64_t seed, const KnParameter *parameters);

/* Fails where a number leaves the bounds of its unit (kn_unit_bounds), in tables or figures: 103 % is none.
 * Claims are left out: many are differences. */
void check_within_units(const json_t *result, const char *name);

#endif
