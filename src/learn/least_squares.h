/* Online linear least squares: only sums are stored, so the memory does not depend on the number of samples.
 *
 * Columns are centred and have a small ridge penalty relative to their variance (ridge regression, Hoerl and
 * Kennard 1970): a constant column gets the weight 0, and equal columns share their weight. A plain value
 * that owns nothing; initialise it with {.columns = n}. */
#ifndef KNACK_LEARN_LEAST_SQUARES_H
#define KNACK_LEARN_LEAST_SQUARES_H

#include <stdint.h>

enum { KN_SQUARES_COLUMNS = 8 };

typedef struct KnSquares {
    int columns;
    uint64_t count;
    double mean[KN_SQUARES_COLUMNS + 1]; /* the last is that of the target */
    double cross[KN_SQUARES_COLUMNS + 1]
                [KN_SQUARES_COLUMNS + 1]; /* sums of products of deviations from the means */
} KnSquares;

void kn_squares_add(KnSquares *squares, const double *values, double target);

/* Stores the weights and the bias. Returns the share of the target's variance that they explain, R squared (0
 * if the target is constant). */
double kn_squares_solve(const KnSquares *squares, double ridge, double *weights, double *bias);

#endif
