/* A value learned from the games of a base, for positions that it has never met: an n-tuple network
 * (eval/ntuple.h) whose weights follow from the stored games alone.
 *
 * Every game is gone through from its end, each position moving towards a mixture of the outcome and of what
 * the network says of the position after it (TD(lambda)). A game that was played often counts often, up to a
 * bound. Games come in the order of their ids, which is as good as a shuffled one and the same for equal
 * bases, so that equal bases give equal bytes. */
#ifndef KNACK_METHODS_EXPERIENCE_NETWORK_H
#define KNACK_METHODS_EXPERIENCE_NETWORK_H

#include "methods/experience/base.h"

typedef struct KnBaseNetworkPlan {
    int passes;    /* over all games */
    double lambda; /* 1: outcomes only */
    double rate;
    int length, walks, phases; /* of the network (eval/ntuple.h); 0: as the board suggests */
} KnBaseNetworkPlan;

/* What was found to serve on development seeds (docs/experience.md). */
extern const KnBaseNetworkPlan kn_base_network_default;

/* Writes the network to a file, whole or not at all. */
KnStatus kn_base_learn_network(KnBase *base, const KnGame *game, const KnBaseNetworkPlan *plan,
                               const char *path, KnError *error);

#endif
