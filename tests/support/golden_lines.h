/* What something came to when it was last looked at: a line for each case in a file of the source, with a
 * digest of all that it said. The same seed gives the same bytes everywhere, so that a line changes only when
 * what makes it changes. A change that is meant to renews the file:
 *
 *     KNACK_GOLDEN=write build/tests/methods_test_golden_learners
 *
 * and the difference of the file shows which cases it touches. What each case said stays in the test's
 * folder, golden-N.txt for line N. */
#ifndef KNACK_TESTS_GOLDEN_LINES_H
#define KNACK_TESTS_GOLDEN_LINES_H

#include <stdbool.h>

#include "base/text.h"

typedef struct GoldenLines {
    const char *path; /* below tests/ */
    bool renews;
    int count;
    KnText kept, now;
} GoldenLines;

GoldenLines golden_open(const char *path);

/* One case: its name and what it said. The test fails if it said something else last time. */
void golden_check(GoldenLines *golden, const char *name, const char *said);

/* Looks for lines too many, or writes the file. */
void golden_close(GoldenLines *golden);

#endif
