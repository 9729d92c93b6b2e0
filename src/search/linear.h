/* The evaluation `features`: terms of a position, weighted by phase and added up; only the sum is rounded.
 *
 * As a spec: features(weights=NAME|FILE, set=NAME). Without a set it takes the one of the role that searches,
 * if there is one of its name (black, white), else the first. */
#ifndef KNACK_SEARCH_LINEAR_H
#define KNACK_SEARCH_LINEAR_H

#include "search/evaluate.h"
#include "search/weights.h"

extern const KnEvaluationType kn_evaluation_features;

/* An evaluation on borrowed terms and weights (phases x count), which a learner may change between searches.
 * Closed with kn_evaluation_close. */
KnStatus kn_linear_open(const KnTermSet *terms, const double *weights, KnEvaluation **evaluation,
                        KnError *error);

/* Lets such an evaluation use other weights from now on. */
void kn_linear_point(KnEvaluation *evaluation, const double *weights);

/* The sum before rounding, for the role to move. */
double kn_linear_sum(const KnTermSet *terms, const double *weights, const void *position);

#endif
