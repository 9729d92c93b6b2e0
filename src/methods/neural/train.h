/* Training a small neural network from games of self-play (methods/selfplay/trainer.h): its own games, or
 * those of a teacher, whose searches give the targets then. */
#ifndef KNACK_METHODS_NEURAL_TRAIN_H
#define KNACK_METHODS_NEURAL_TRAIN_H

#include "eval/neural.h"
#include "methods/selfplay/trainer.h"

typedef struct KnNeuralTraining {
    KnSelfPlayPlan play;
    int phases, units;
    int passes, minibatch;
    double rate;         /* Adam's step in the beginning; it falls to a twentieth */
    uint64_t games;      /* until then */
    const char *teacher; /* spec of an evaluation that plays the games; NULL: the network itself */
} KnNeuralTraining;

/* Continues from the file `state` if it exists. */
KnStatus kn_neural_trainer_open(const KnGame *game, const KnNeuralTraining *plan, const char *state,
                                KnSelfTrainer **trainer, KnError *error);

#endif
