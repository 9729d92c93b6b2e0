/* What the experiments of Stimpson, Goodrich and Walters 2001 share. Private to lab/satisficing*.c. */
#ifndef KNACK_LAB_SATISFICING_SHARED_H
#define KNACK_LAB_SATISFICING_SHARED_H

#include "lab/registry.h"
#include "methods/satisficing/trials.h"

/* The paper's Table 1 changed by the words of a distribution, separated by blanks. */
KnStatus kn_satisficing_deal(const char *words, KnTrialDistribution *trial, KnError *error);

/* Trials of a distribution, with the run's seed (by key), threads and progress; the tally is the caller's to
 * free. `rounds` 0: the usual bound. */
KnStatus kn_satisficing_trials(KnLabRun *run, const char *key, const char *words, double trials,
                               uint32_t rounds, KnOutcomeCounts *tally, KnError *error);

/* The share of trials that settled on mutual cooperation, in percent. */
KnMeasure kn_satisficing_cooperation(const KnOutcomeCounts *tally);

/* The difference of two shares in percent, by Newcombe's interval. */
KnMeasure kn_satisficing_difference(double first, double n_first, double second, double n_second);

/* A map with the run's seed (by key); points are allocated, and the caller's to free. */
KnStatus kn_satisficing_map(KnLabRun *run, const char *key, const char *words, double trials,
                            const KnOutcomeMapAxis *x, const KnOutcomeMapAxis *y, KnOutcomeMapPoint **points,
                            KnError *error);

/* Its picture: the share of cooperation in percent, or for one trial a point 100 for cooperation, 50 for a
 * cycle, 0 for defection. */
KnStatus kn_satisficing_picture(KnLabRun *run, const char *id, const char *title, const KnOutcomeMapAxis *x,
                                const KnOutcomeMapAxis *y, const KnOutcomeMapPoint *points, KnError *error);

/* "What is a trial drawn from": the interpretation that all of them begin with. */
#define KN_SATISFICING_TIES                                                                                  \
    {"Is an agent satisfied by exactly what it aspires to?", "Yes, as the text's pi >= alpha says.",         \
     "No: other outcomes only for "                                                                          \
     "parameters that meet a payoff exactly, which chance never draws."},                                    \
    {                                                                                                        \
        "When has a trial converged to a cycle?",                                                            \
            "When the cycle is proved: every choice in it is the same for the aspirations now and for "      \
            "the limits they approach.",                                                                     \
            "After a number of repetitions, which the paper does not give: with slow learning, what "        \
            "repeats "                                                                                       \
            "for a long while need not go on."                                                               \
    }

#endif
