/* A weighted sum of evaluations, `blend(mobility, focus(who=others), proximity, fit=100)`: bias + w1 f1 + ...
 * + wn fn, each part as a value from 0 to 100, the sum taken for the goal value to be expected (and kept
 * within 0 to 100).
 *
 * Weights are given in the spec, or found by playing before the contest (in its start clock, where there is
 * one, or one in positions, `start=N`): a number of random games, and least squares of what each role got at
 * the end on the parts, and on having a choice at all, at some of the positions before (or temporal
 * differences along them, `by=td`). Each role has weights of its own, but for zero-sum games, where all
 * samples count for one vector.
 *
 * For learners (temporal differences and their like): the parts of a position and the weights of a role can
 * be read, and set. */
#ifndef KNACK_SEARCH_BLEND_H
#define KNACK_SEARCH_BLEND_H

#include "search/evaluate.h"

extern const KnEvaluationType kn_evaluation_blend;

enum { KN_BLEND_PARTS = 6 };

/* The number of parts; 0 if the evaluation is no blend. */
int kn_blend_parts(const KnEvaluation *evaluation);

/* The parts at a position for a role, from 0 to 100; plays as in kn_evaluate_counted. */
void kn_blend_values(const KnEvaluation *evaluation, const void *position, int role, double *values,
                     uint64_t *plays);

/* The weights of a role, behind the last the bias and what is added where the role has a choice. */
const double *kn_blend_weights(const KnEvaluation *evaluation, int role);
void kn_blend_set_weights(KnEvaluation *evaluation, int role, const double *weights);

#endif
