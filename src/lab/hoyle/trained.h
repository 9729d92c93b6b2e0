/* Trained learners for the experiments of Lock 2003: a training (methods/hoyle/environment.h) of some runs,
 * kept as a unit, so that an interrupted experiment goes on and several tables can be read off one training.
 * Private to src/lab.
 *
 * Learners of one experiment and game have the same seed: they watch the same games, and can be compared
 * run by run. */
#ifndef KNACK_LAB_HOYLE_TRAINED_H
#define KNACK_LAB_HOYLE_TRAINED_H

#include "lab/lab.h"

typedef struct KnTrainedGame {
    const char *name; /* in the rows: "Lose tic-tac-toe" */
    const char *spec;
    uint64_t watch; /* games of a watching tournament */
    size_t ply_limit;
    const char *runs; /* the parameter that says how many */
    bool once;        /* one cycle of tournaments instead of two */
} KnTrainedGame;

enum { KN_TRAINED_GAMES = 2, KN_TRAINED_AGENTS = 4 };
extern const KnTrainedGame kn_trained_games[KN_TRAINED_GAMES];
extern const char *const kn_trained_agents[KN_TRAINED_AGENTS]; /* "Perfect", "Expert", "Novice", "Random" */

/* Numbers of a training by run, in the unit's JSON: "Perfect reliability", "Perfect power", ..., "pairs",
 * "advisors", "retained", "segment 1" to "tier 3", "usage" (share of decisions with advice), "time"
 * (milliseconds a game), "learning" (seconds), "weight 0 Material" and so on of Hoyle. `agents` as in a
 * KnEnvironmentPlan; NULL: the thesis's. */
KnStatus kn_lab_trained(KnLabRun *run, const KnTrainedGame *game, const char *learner,
                        const char *const *agents, const json_t **trained, KnError *error);

/* The games that one such training plays, as its progress counts them. */
uint64_t kn_lab_trained_work(const KnLabRun *run, const KnTrainedGame *game);
/* Adds the games of so many trainings to the expected work; call it before the first of them. */
void kn_lab_expect_trained(KnLabRun *run, const KnTrainedGame *game, uint64_t learners);

KnMoments kn_trained_moments(const json_t *trained, const char *number);
/* Of the differences or ratios by run. */
KnMoments kn_trained_difference(const json_t *a, const json_t *b, const char *number);
KnMoments kn_trained_ratio(const json_t *a, const json_t *b, const char *number);

/* The parameters "lose runs" and "morris runs", for an experiment's own table. */
#define KN_TRAINED_PARAMETERS                                                                                \
    {"lose runs", 10, 60,                                                                                    \
     "Runs on lose tic-tac-toe; the thesis had 20. A run is 8 x 20 games watched and 4 x 50 games of "       \
     "testing."},                                                                                            \
    {                                                                                                        \
        "morris runs", 2, 20,                                                                                \
            "Runs on five men's morris; the thesis had 10. A run is 8 x 40 games watched and 4 x 50 "        \
            "games of testing."                                                                              \
    }

extern const KnInterpretation kn_trained_interpretations[];

#endif
