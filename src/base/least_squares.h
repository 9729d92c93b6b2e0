/* Linear least squares, a sample at a time: only sums are kept, so that the number of samples does not
 * matter.
 *
 * Columns are centred and held to a small ridge relative to their own variance, so that one that never varies
 * gets the weight 0 and two that say the same share theirs. A plain value; it owns nothing. Start from
 * {.columns = n}. */
#ifndef KNACK_BASE_LEAST_SQUARES_H
#define KNACK_BASE_LEAST_SQUARES_H

#include <stdint.h>

enum { KN_SQUARES_COLUMNS = 8 };

typedef struct KnSquares {
    int columns;
    uint64_t count;
    double mean[KN_SQUARES_COLUMNS + 1];                          /* the target's last */
    double cross[KN_SQUARES_COLUMNS + 1][KN_SQUARES_COLUMNS + 1]; /* of deviations from the means */
} KnSquares;

void kn_squares_add(KnSquares *squares, const double *values, double target);

/* Weights, and what to add; returns the share of the target's variance that they explain (0 where there is
 * none). */
double kn_squares_solve(const KnSquares *squares, double ridge, double *weights, double *bias);

#endif
