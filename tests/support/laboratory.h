/* For tests of experiments: runs one at quick scale and reads its cells. */
#ifndef KNACK_TESTS_LABORATORY_H
#define KNACK_TESTS_LABORATORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "lab/experiment.h"

/* Group fixtures: a whole context with its data in the test's own folder. */
int test_lab_open(void **state);
int test_lab_close(void **state);
const KnContext *test_lab_context(void);

/* The result of an experiment, checked; to be released by the caller. Not fresh: what earlier runs kept is
 * used. */
json_t *test_lab_run(const char *name, uint64_t seed, int jobs, bool fresh);

/* The same with other sizes than at quick scale, where what is checked holds at any: parameters by name,
 * ended by a row without one. */
json_t *test_lab_run_sized(const char *name, uint64_t seed, int jobs, bool fresh, const KnParameter *sizes);

/* The cell of a row and column, or what was measured there, in the table of this id (NULL: in any); fails if
 * there is none. */
const json_t *test_lab_cell(const json_t *result, const char *table, const char *row, const char *column);
double test_lab_measured(const json_t *result, const char *table, const char *row, const char *column);

#endif
