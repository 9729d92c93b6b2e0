/* When to spend something scarce: optimal stopping by dynamic programming.
 *
 * A sequence makes one offer a step, worth something that is known when it comes; at most `deep` of `steps`
 * offers can be taken, and a sequence may end before its last step. From many sequences of the past it is
 * known how offers at each step are distributed and how often there is one. Then the value of having d left
 * before step i is
 *
 *     V(d, i) = mean over sequences of max(offer + V(d - 1, i + 1), V(d, i + 1)),   V(0, i) = V(d, steps) =
 * 0,
 *
 * a sequence without an offer there counting V(d, i + 1), and an offer is to be taken if it is worth at least
 * b(d, i) = V(d, i + 1) - V(d - 1, i + 1): what a unit kept for later would bring. Nothing is left over for
 * its own sake.
 *
 * Equation 5 of Markovitch and Sella (1996) also asks for more where less is left, but knows neither that
 * sequences may end early nor that offers are not alike at all times.
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

/* `worth` and `step` have a place for each of `offers` offers, made in `sequences` sequences. Offers beyond
 * the last step are left out. */
KnStatus kn_stopping_plan(KnStopping *stopping, const double *worth, const uint16_t *step, size_t offers,
                          uint64_t sequences, KnError *error);

/* With d left (from 1; more than there are steps count as all) before step i (from 0). */
double kn_stopping_threshold(const KnStopping *stopping, int d, int i);

#endif
