/* Temporal differences: TD(lambda) on a linear evaluation squashed to a prediction, as Schaeffer, Hlynka and
 * Jussila (2001) apply it to the leaves of principal variations (TDLeaf). It knows no game: it gets one
 * player's predictions of one game, and adds to weights
 *
 *     alpha * sum over t of (P[t+1] - P[t]) * sum over k <= t of lambda^(t-k) * gradient of P[k]
 *
 * where P[t] = tanh(sum / scale) for a sum of weighted terms, and the last P is the outcome. Sums and weights
 * are in hundredths of a man, but the step is taken with a man as unit: alpha then means what it does in the
 * literature.
 *
 * Ownership: kn_td_open / kn_td_close. One thread at a time. */
#ifndef KNACK_LEARN_TD_H
#define KNACK_LEARN_TD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pack.h"

enum { KN_TD_UNIT = 10 }; /* the unit of the step: a tenth of a man, a reading */

typedef struct KnTdRule {
    double alpha, lambda;
    double scale; /* the sum at which tanh is .76 */
} KnTdRule;

/* The paper's alpha and lambda; the scale is our reading. */
KnTdRule kn_td_rule(void);

typedef struct KnTd KnTd;

/* For `count` terms by `phases`. NULL if memory runs out. */
KnTd *kn_td_open(int count, int phases);
void kn_td_close(KnTd *td);

/* A game's predictions, in order, as the learner sees them: kn_td_clear, then kn_td_add for each. `values`
 * are the terms with the sign that makes `sum` good for the learner. kn_td_add_known: the outcome was seen,
 * nothing is to be learned from the terms. */
void kn_td_clear(KnTd *td);
bool kn_td_add(KnTd *td, double sum, int phase, const double *values); /* false if memory runs out */
bool kn_td_add_known(KnTd *td, double prediction);
size_t kn_td_steps(const KnTd *td);

/* The terms of a prediction; NULL where the outcome was known. */
const double *kn_td_terms(const KnTd *td, size_t step, int *phase);

/* A game's predictions as bytes, for another process; false if they are not all there, or memory runs out. */
void kn_td_pack(const KnTd *td, KnText *out);
bool kn_td_unpack(KnTd *td, KnUnpack *in);

double kn_td_squash(const KnTdRule *rule, double sum);

/* What the game, that came out as `outcome` (-1 to 1), would change: adds to change[phase * count + term],
 * counts in updates (may be NULL) how often each term was there to be learned, and gives the mean size of
 * P[t+1] - P[t]. Weights of the first `fixed` terms stay. */
void kn_td_learn(const KnTd *td, const KnTdRule *rule, double outcome, int fixed, double *change,
                 uint64_t *updates, double *surprise);

#endif
