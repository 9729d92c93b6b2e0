/* Boosted regression trees (Friedman 2001): a number is learned as a sum of small trees, each grown on what
 * the sum before it leaves over, and counted at a fraction of what it says. A strong learner where a single
 * tree is too coarse; here it estimates what a deep search is worth, either to decide by, or to be imitated
 * by one tree (players/allocation/train.c).
 *
 * Ownership: kn_boost_learn allocates, kn_boost_free frees; read-only in between. */
#ifndef KNACK_LEARN_BOOST_H
#define KNACK_LEARN_BOOST_H

#include "base/rng.h"
#include "learn/tree.h"

typedef struct KnBoostPlan {
    int rounds;   /* trees */
    int depth;    /* of each */
    double rate;  /* at which each counts */
    size_t least; /* examples a leaf */
    double share; /* of the examples that each tree sees, drawn anew for it; 1: all */
} KnBoostPlan;

typedef struct KnBoost {
    double base; /* mean target */
    double rate;
    int count;
    KnTree **trees;
} KnBoost;

/* From a coded dataset whose targets are to be told; they are changed on the way and restored. */
KnStatus kn_boost_learn(KnDataset *data, const KnBoostPlan *plan, KnRng *rng, KnBoost **boost,
                        KnError *error);
void kn_boost_free(KnBoost *boost);

double kn_boost_tell(const KnBoost *boost, const double *values);

#endif
