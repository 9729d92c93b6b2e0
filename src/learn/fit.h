/* Nonlinear regression: fits weights so that tanh(weighted sum / scale) has the least squared error against
 * targets from -1 to 1, for each phase, by the Gauss-Newton method with a ridge penalty (Tikhonov
 * regularisation).
 *
 * Ownership: kn_fit_open / kn_fit_close. One thread at a time. */
#ifndef KNACK_LEARN_FIT_H
#define KNACK_LEARN_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct KnFit KnFit;

/* For `count` features and `phases` phases. NULL if memory runs out. */
KnFit *kn_fit_open(int count, int phases);
void kn_fit_close(KnFit *fit);

bool kn_fit_add(KnFit *fit, int phase, const double *values, double target); /* false if memory runs out */

/* Moves weights[phase * count + feature] from their present values to the best fit. The first `fixed` weights
 * of each phase stay, and so does a phase without samples. Stores the mean squared error before and after
 * (may be NULL).
 */
KnStatus kn_fit_solve(const KnFit *fit, double scale, double ridge, int fixed, double *weights,
                      double *before, double *after, KnError *error);

#endif
