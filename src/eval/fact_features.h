/* The evaluation `facts`: a linear evaluation over the features of a game (eval/feature_set.h; for games in
 * GDL the facts themselves, contents of boards, moves and goals), by phase where the game has phases. The
 * weights are learned by temporal differences before the game, in its start clock where there is one. The
 * sum, squashed, is an estimate of the goal value.
 *
 * The first games are random. The later ones, if the options ask for it, are epsilon-greedy by the weights so
 * far. */
#ifndef KNACK_EVAL_FACT_FEATURES_H
#define KNACK_EVAL_FACT_FEATURES_H

#include "eval/evaluation.h"

extern const KnEvaluationType kn_evaluation_facts;

/* What such an evaluation has learned, to be kept and given back. Borrowed from it. */
typedef struct KnFactsLearned {
    const KnFeature *features;
    int count, phases;
    double *weights, *squares; /* by phase and feature: the weights, and what their step sizes fall with */
    uint64_t *games;           /* played; with some, learning goes on without its random games */
} KnFactsLearned;

KnFactsLearned kn_facts_learned(KnEvaluation *evaluation);

#endif
