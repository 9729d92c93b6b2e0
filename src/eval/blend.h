/* A weighted sum of evaluations, `blend(mobility, focus(who=others), proximity, fit=100)`: bias + w1 f1 + ...
 * + wn fn. Each part is a value from 0 to 100; the sum, clamped to 0 to 100, is an estimate of the goal
 * value.
 *
 * The weights are given in the spec, or learned before the game (in its start clock, or with a budget of
 * positions, `start=N`). Random games are played, and least squares fit each role's payoff to the parts at
 * some of the positions and to whether the role has a choice there (Clune 2007 fits general heuristics in
 * this way); `by=td` uses temporal differences instead. Each role has its own weights; in zero-sum games all
 * samples count for one vector.
 *
 * The parts of a position and the weights of a role can be read. */
#ifndef KNACK_EVAL_BLEND_H
#define KNACK_EVAL_BLEND_H

#include "eval/evaluation.h"

extern const KnEvaluationType kn_evaluation_blend;

enum { KN_BLEND_PARTS = 6 };

/* The parts of a position for a role, from 0 to 100. Adds to *plays like kn_evaluate_counted. */
void kn_blend_values(const KnEvaluation *evaluation, const void *position, int role, double *values,
                     uint64_t *plays);

/* The weights of a role: those of the parts, the bias, and the weight of having a choice. */
const double *kn_blend_weights(const KnEvaluation *evaluation, int role);

#endif
