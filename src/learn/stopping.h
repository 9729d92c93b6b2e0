/* When to spend a scarce resource: optimal stopping with several choices, by dynamic programming (backward
 * induction; Gilbert and Mosteller 1966).
 *
 * A sequence makes at most one offer in each step, whose value is known when it comes. At most `deep` of
 * `steps` offers can be taken, and a sequence may end before its last step. Past sequences give the
 * distribution of the offers at each step and how often there is one. The value of d remaining choices before
 * step i is
 *
 *         V(d, i) = mean over sequences of max(offer + V(d - 1, i + 1), V(d, i + 1)),
 *     V(0, i) = V(d, steps) = 0,
 *
 * where a sequence without an offer counts V(d, i + 1). The optimal policy takes an offer if its value is at
 * least the threshold b(d, i) = V(d, i + 1) - V(d - 1, i + 1), the value of a choice that is saved for later.
 *
 * Equation 5 of Markovitch and Sella (1996) also has higher thresholds where fewer choices remain, but it
 * ignores that sequences end early and that the offers differ between steps.
 *
 * Ownership: kn_stopping_new / kn_stopping_free. */
#ifndef KNACK_LEARN_STOPPING_H
#define KNACK_LEARN_STOPPING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct KnStopping {
    int steps;
    double *b; /* [d - 1] [i]: steps times steps */
} KnStopping;

KnStopping *kn_stopping_new(int steps, KnError *error); /* all thresholds 0 */
void kn_stopping_free(KnStopping *stopping);

/* Computes all thresholds. value[k] and step[k] are the value and the step of offer k of `offers`, from
 * `sequences` sequences. Offers beyond the last step are ignored. */
KnStatus kn_stopping_plan(KnStopping *stopping, const double *value, const uint16_t *step, size_t offers,
                          uint64_t sequences, KnError *error);

/* The threshold with d choices left (at least 1; more than `steps` count as `steps`) before step i (from 0).
 */
double kn_stopping_threshold(const KnStopping *stopping, int d, int i);

#endif
