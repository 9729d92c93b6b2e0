/* A multi-armed bandit: which of several actions pays best, by trying them. UCB1 (Auer, Cesa-Bianchi &
 * Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning 47, 2002): play the arm
 * with the greatest upper confidence bound of its mean reward. It knows no game.
 *
 *     KnBanditArm arms[3] = {{0}};
 *     int arm = kn_bandit_ucb1(arms, 3, 1);
 *     kn_bandit_reward(&arms[arm], 0.5);
 *
 * Ownership: the arms are the caller's, plain values. */
#ifndef KNACK_LEARN_BANDIT_H
#define KNACK_LEARN_BANDIT_H

#include <stdint.h>

typedef struct KnBanditArm {
    uint64_t plays;
    double reward; /* sum over plays, each from 0 to 1 */
} KnBanditArm;

/* The arm to play next, count > 0: the first one that was never played, else the one with the greatest
 * mean + exploration * sqrt(2 ln(all plays) / plays). UCB1 has exploration = 1. Ties go to the first arm. */
int kn_bandit_ucb1(const KnBanditArm *arms, int count, double exploration);

void kn_bandit_reward(KnBanditArm *arm, double reward);

/* The arm to recommend: the one played most often, which is more robust than the best mean; of several, the
 * one with the best mean. -1 if none was played. */
int kn_bandit_best(const KnBanditArm *arms, int count);

double kn_bandit_mean(const KnBanditArm *arm); /* 0 if it was never played */

#endif
