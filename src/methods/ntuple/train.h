/* Training an n-tuple network in self-play (methods/selfplay/trainer.h). */
#ifndef KNACK_METHODS_NTUPLE_TRAIN_H
#define KNACK_METHODS_NTUPLE_TRAIN_H

#include "eval/ntuple.h"
#include "methods/selfplay/trainer.h"

typedef struct KnNtuplePlan {
    KnNetworkPlan network;
    KnSelfPlayPlan play;
    double rate;
    double least; /* a weight that learned from fewer errors is zero in the file */
    int round;    /* weights in the file are multiples of this */
} KnNtuplePlan;

/* Continues from the file `state` if it exists. */
KnStatus kn_ntuple_trainer_open(const KnGame *game, const KnNtuplePlan *plan, const char *state,
                                KnSelfTrainer **trainer, KnError *error);

#endif
