/* A value learned from the games of a base, for positions that it has never met: an n-tuple network
 * (eval/ntuple.h) whose weights follow from the stored games alone.
 *
 * First the network imitates the game's own evaluation on the positions of the games, so that it does not
 * begin as an ignoramus. Then every game is gone through from its end, each position moving towards a mixture
 * of the outcome and of the best that the network sees one move ahead: a move that was a mistake spoils the
 * outcome, but not what could have been played instead. A game that was played often counts often, up to a
 * bound. Games come in the order of their ids, which is as good as a shuffled one and the same for equal
 * bases, so that equal bases give equal bytes. */
#ifndef KNACK_METHODS_EXPERIENCE_NETWORK_H
#define KNACK_METHODS_EXPERIENCE_NETWORK_H

#include "methods/experience/base.h"

typedef struct KnBaseNetworkPlan {
    int imitation; /* passes over all games that imitate the game's own evaluation, if it has one */
    int passes;    /* over all games, after that */
    double lambda; /* how much of the target of the position after it a target keeps; 1: outcomes only */
    double rate;
    int length, walks, phases; /* of the network (eval/ntuple.h); 0: as the board suggests */
} KnBaseNetworkPlan;

/* What was found to serve on development seeds (docs/measurements/experience.md). */
extern const KnBaseNetworkPlan kn_base_network_default;

/* Writes the network to a file, whole or not at all. */
KnStatus kn_base_learn_network(KnBase *base, const KnGame *game, const KnBaseNetworkPlan *plan,
                               const char *path, KnError *error);

#endif
