/* TD(lambda) for a linear function of features (Sutton 1988), learned episode by episode. It knows no game:
 * an episode is a sequence of predictions of one player, and an outcome.
 *
 * A KnTd holds an episode. Two learners use it; both draw each prediction P[t] towards those that follow:
 *
 * - kn_td_learn is the backward view, with eligibility traces, as Schaeffer, Hlynka and Jussila (2001) apply
 *   it to the leaves of principal variations (TDLeaf). It leaves the weights alone and adds up
 *
 *       alpha * sum over t of (P[t+1] - P[t]) * sum over k <= t of lambda^(t-k) * gradient of P[k]
 *
 *   where P[t] = tanh(sum / scale), and the last P is the outcome. Sums and weights are in hundredths of a
 *   man. The step has KN_TD_UNIT as its unit, so that alpha means what it means in the literature.
 *
 * - KnTdLearner is the forward view: it owns its weights and moves each prediction towards its lambda-return.
 *   At lambda 1 that is regression on outcomes. Each weight has its own step size, which falls as the weight
 *   is moved (AdaGrad: Duchi, Hazan and Singer 2011), so that rare features need no tuning.
 *
 * Ownership: kn_td_open / kn_td_close, kn_td_learner_init / kn_td_learner_free. One thread at a time. */
#ifndef KNACK_LEARN_TD_H
#define KNACK_LEARN_TD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "jobs/pack.h"

enum { KN_TD_UNIT = 10 }; /* a tenth of a man: our interpretation of the paper */

/* ---- Episodes ---- */

typedef struct KnTd KnTd;

/* For `count` features in each of `phases`. NULL if memory runs out. */
KnTd *kn_td_open(int count, int phases);
void kn_td_close(KnTd *td);

/* An episode's predictions, in order, as the learner sees them: kn_td_clear, then kn_td_add for each.
 * `values` are the features with the sign that makes `sum` good for the learner. kn_td_add_known: the outcome
 * was certain, so there is nothing to learn from the features. False if memory runs out. */
void kn_td_clear(KnTd *td);
bool kn_td_add(KnTd *td, double sum, int phase, const double *values);
bool kn_td_add_known(KnTd *td, double prediction);
size_t kn_td_steps(const KnTd *td);

/* The features of a prediction; NULL where the outcome was known. */
const double *kn_td_features(const KnTd *td, size_t step, int *phase);

/* An episode as bytes, for another process. False if bytes are missing or wrong, or memory runs out. */
void kn_td_pack(const KnTd *td, KnText *out);
bool kn_td_unpack(KnTd *td, KnUnpack *in);

/* ---- Backward view ---- */

typedef struct KnTdRule {
    double alpha, lambda;
    double scale; /* the sum at which tanh is .76 */
} KnTdRule;

/* The paper's alpha and lambda; the scale is our interpretation. */
KnTdRule kn_td_rule(void);

double kn_td_squash(const KnTdRule *rule, double sum);

/* Adds to change[phase * count + feature] what the episode changes, given its outcome (-1 to 1). `updates`
 * counts how often each feature was present; `surprise` gets the mean size of P[t+1] - P[t]. Both may be
 * NULL. The weights of the first `fixed` features stay. */
void kn_td_learn(const KnTd *td, const KnTdRule *rule, double outcome, int fixed, double *change,
                 uint64_t *updates, double *surprise);

/* ---- Forward view ---- */

typedef struct KnTdLearner {
    KnTd *episode;
    int count, phases;
    size_t capacity; /* positions of an episode; those beyond are ignored */
    bool squash;     /* a prediction is tanh of the sum; otherwise the sum itself */
    double lambda, step;
    double *weights, *squares; /* by phase and feature */
} KnTdLearner;

/* All weights zero. False if memory runs out. */
bool kn_td_learner_init(KnTdLearner *learner, int count, int phases, size_t capacity);
void kn_td_learner_free(KnTdLearner *learner);

double kn_td_learner_predict(const KnTdLearner *learner, int phase, const double *values);

/* Adds a position to the episode. False if it has no room for it. */
bool kn_td_learner_add(KnTdLearner *learner, int phase, const double *values);

/* Ends the episode: moves the weights, given the outcome (-1 to 1), and clears it. */
void kn_td_learner_end(KnTdLearner *learner, double outcome);

#endif
