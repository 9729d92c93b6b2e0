/* Gradient boosting of regression trees (Friedman 2001): a target is learned as a sum of small trees, each
 * grown on the residuals of the sum before it and scaled by a learning rate; with `share` below 1 it is
 * stochastic gradient boosting (Friedman 2002). It is more accurate than a single tree. Here it estimates the
 * value of a deep search, to decide by, or as the teacher of one tree (methods/allocation/train.c).
 *
 * Ownership: kn_boost_learn allocates, kn_boost_free frees; read-only in between. */
#ifndef KNACK_LEARN_BOOST_H
#define KNACK_LEARN_BOOST_H

#include <knack/base.h>
#include "learn/tree.h"

typedef struct KnBoostPlan {
    int rounds;   /* number of trees */
    int depth;    /* of each tree */
    double rate;  /* the learning rate (shrinkage) */
    size_t least; /* the smallest number of examples in a leaf */
    double share; /* of the examples, drawn for each tree; 1: all */
} KnBoostPlan;

typedef struct KnBoost {
    double base; /* mean target */
    double rate;
    int count;
    KnTree **trees;
} KnBoost;

/* Learns the targets of a coded dataset. It changes the targets while it works and restores them. */
KnStatus kn_boost_learn(KnDataset *data, const KnBoostPlan *plan, KnRng *rng, KnBoost **boost,
                        KnError *error);
void kn_boost_free(KnBoost *boost);

double kn_boost_predict(const KnBoost *boost, const double *values);

#endif
