/* The evaluation `features`: a weighted sum of features by phase. Only the sum is rounded.
 *
 * As a spec: features(weights=NAME|FILE, set=NAME). Without a set it takes the one named as the role that
 * searches (black, white), or the first. */
#ifndef KNACK_EVAL_LINEAR_H
#define KNACK_EVAL_LINEAR_H

#include "eval/evaluation.h"
#include "eval/weights.h"

extern const KnEvaluationType kn_evaluation_features;

/* An evaluation on borrowed features and weights (phases x count), which a learner may change between
 * searches. Close it with kn_evaluation_close. */
KnStatus kn_linear_open(const KnFeatureSet *features, const double *weights, KnEvaluation **evaluation,
                        KnError *error);

/* Lets such an evaluation use other weights from now on. */
void kn_linear_point(KnEvaluation *evaluation, const double *weights);

/* The sum before rounding, for the role to move. */
double kn_linear_sum(const KnFeatureSet *features, const double *weights, const void *position);

#endif
