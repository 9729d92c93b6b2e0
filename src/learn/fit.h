/* Fitting weights to outcomes: least squares of tanh(sum / scale) against targets from -1 to 1, phase by
 * phase, by Gauss-Newton steps with a ridge that draws weights to 0. It knows no game.
 *
 * Ownership: kn_fit_open / kn_fit_close. One thread at a time. */
#ifndef KNACK_LEARN_FIT_H
#define KNACK_LEARN_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct KnFit KnFit;

/* For `count` terms by `phases`. NULL if memory runs out. */
KnFit *kn_fit_open(int count, int phases);
void kn_fit_close(KnFit *fit);

bool kn_fit_add(KnFit *fit, int phase, const double *values, double target); /* false if memory runs out */
size_t kn_fit_samples(const KnFit *fit, int phase);

/* Moves weights[phase * count + term] from where they are to the best fit; the first `fixed` terms of each
 * phase stay. Gives the mean square before and after (may be NULL). A phase without samples stays as it is.
 */
KnStatus kn_fit_solve(const KnFit *fit, double scale, double ridge, int fixed, double *weights,
                      double *before, double *after, KnError *error);

#endif
