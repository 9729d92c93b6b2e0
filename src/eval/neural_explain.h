/* What a small neural network has learned, and what it says about a position, as explanations. */
#ifndef KNACK_EVAL_NEURAL_EXPLAIN_H
#define KNACK_EVAL_NEURAL_EXPLAIN_H

#include "eval/neural.h"

/* Adds the prediction for a role, and the pieces that speak most for it and against it. */
void kn_neural_network_explain(const KnNeuralNetwork *network, const void *position, int role, KnArena *arena,
                               KnExplanation *parent);

/* Adds what the network is: what a man is worth on each cell and which units count most, both in positions of
 * random games, what excites these units, and how it was made. */
void kn_neural_network_describe(const KnNeuralNetwork *network, KnArena *arena, KnExplanation *parent);

#endif
