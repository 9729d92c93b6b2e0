/* Training environments of Lock's thesis (2003, 2.3 and 3.3): runs of training followed by testing, many at
 * once.
 *
 * In a *run* a learner (methods/hoyle/game_learner.h) goes through training tournaments, of agents against
 * each other that it watches, or of itself against an agent; then a player that stands still is tested in a
 * tournament against each agent. An *experiment* is several runs, each from its own seed, in parallel.
 * Nothing is learned while testing. The two sides of a tournament take turns to begin.
 *
 *     KnEnvironmentPlan plan = {.game = "morris(men=5)", .learner = "hoyle(+rote)", .watch = 30,
 *                               .test = 50, .runs = 10, .seed = 1, .ply_limit = 100};
 *     KnEnvironmentResult *training;
 *     kn_environment_run(context, &plan, &training, &error);
 *     KnMoments reliability = kn_environment_moments(training, KN_RELIABILITY, 0);
 *     kn_environment_free(training);
 *
 * The moments are those against the first agent, in percent, over runs.
 *
 * A panel of opponents for the tests besides: methods/panel.h. What learners do by default, and why not the
 * four: methods/hoyle/learners.c. The four agents are, unless the plan names others: the perfect one, which
 * of several drawing moves plays one that leaves the most ways to draw (docs/temporal.md explains why), an
 * expert and a novice that play a tenth and seven tenths of their moves merely reasonably, and a random one.
 * The environments: perfect-vs-increasing has random, novice, expert, perfect in this order against the
 * perfect agent, `watch` games each; double-cycle has that twice; playing has the learner itself against the
 * same four in the same order. What agents do depends on seed, run and game only, so that two learners with
 * the same seed watch the same games.
 *
 * Ownership: kn_environment_run makes a KnEnvironmentResult, kn_environment_free frees it. */
#ifndef KNACK_METHODS_HOYLE_ENVIRONMENT_H
#define KNACK_METHODS_HOYLE_ENVIRONMENT_H

#include <jansson.h>
#include <stdatomic.h>

#include "base/progress.h"
#include <knack/stats.h>
#include "methods/hoyle/game_learner.h"

enum { KN_TRAINING_AGENTS = 10 };

extern const char *const kn_environment_agents[]; /* the four, strongest first, and NULL */

typedef enum KnEnvironmentKind { KN_TRAIN_INCREASING, KN_TRAIN_DOUBLE, KN_TRAIN_PLAYING } KnEnvironmentKind;

typedef struct KnEnvironmentPlan {
    const char *game;
    const char *learner; /* spec of a game learner */
    KnEnvironmentKind environment;
    uint64_t watch; /* games of a training tournament */
    uint64_t test;  /* of a testing tournament; 0: no testing */
    uint64_t judge; /* games with each agent that are watched after training, to judge what was learned */
    uint64_t runs;
    uint64_t seed;
    size_t ply_limit;                       /* a game that is this long is drawn; 0: no limit */
    int jobs;                               /* 0: all cores */
    const char *agents[KN_TRAINING_AGENTS]; /* strongest first, the first being the expert; all NULL: the four
                                               of the thesis */
    const char *panel[KN_TRAINING_AGENTS];  /* whom it is tested against; all NULL: the agents */
    const atomic_bool *cancel;              /* may be NULL */
    KnProgress *progress;                   /* ticked once a game; may be NULL */
    const char *save;                       /* the first run's knowledge goes to this file; NULL: nowhere */
} KnEnvironmentPlan;

/* Testing against one agent, or one of the panel. */
typedef struct KnEnvironmentScore {
    uint64_t wins, draws, losses;
    uint64_t decisions, plies; /* of the learner; of both */
    double seconds;            /* that the learner thought, of processor time */
    json_t *tally; /* what its player counted (KnGameLearnerType.tally); NULL if it counts nothing */
} KnEnvironmentScore;

typedef struct KnEnvironmentRun {
    KnEnvironmentScore score[KN_TRAINING_AGENTS];
    double learning_seconds; /* spent in watch, pause and settle, of processor time */
    json_t *figures;         /* KnGameLearnerType.figures; NULL if it has none */
} KnEnvironmentRun;

typedef struct KnEnvironmentResult {
    int agents; /* that it was tested against */
    uint64_t count;
    KnEnvironmentRun *runs;
} KnEnvironmentResult;

/* Zero runs, or neither watching nor testing, is refused. */
KnStatus kn_environment_run(const KnContext *context, const KnEnvironmentPlan *plan,
                            KnEnvironmentResult **training, KnError *error);
void kn_environment_free(KnEnvironmentResult *training);

/* The same learner, taught but not tested: the first run's training alone, from plan->seed. The caller closes
 * game and learner. */
KnStatus kn_environment_teach(const KnContext *context, const KnEnvironmentPlan *plan, const KnGame *game,
                              KnGameLearner **learner, KnError *error);

typedef enum KnEnvironmentMeasure {
    KN_RELIABILITY, /* wins and draws, in percent */
    KN_POWER,       /* wins, in percent */
    KN_THINKING     /* milliseconds a game */
} KnEnvironmentMeasure;

/* Games not lost in a run, over everyone that it was tested against, and how many there were. */
void kn_environment_kept(const KnEnvironmentResult *training, uint64_t run, double *kept, double *games);

double kn_environment_value(const KnEnvironmentResult *training, KnEnvironmentMeasure measure, int agent,
                            uint64_t run);
/* Over runs. */
KnMoments kn_environment_moments(const KnEnvironmentResult *training, KnEnvironmentMeasure measure,
                                 int agent);
/* A number of the learner's figures, or of its player's tally against an agent (-1: the sum over all of
 * them), over runs. */
KnMoments kn_environment_figure(const KnEnvironmentResult *training, const char *name);
KnMoments kn_environment_tally(const KnEnvironmentResult *training, const char *name, int agent);
double kn_environment_tally_value(const KnEnvironmentResult *training, const char *name, int agent,
                                  uint64_t run);

/* The limit of plies: 100 (the thesis) if play can go on forever, else 0. */
size_t kn_environment_limit(const KnGame *game);

#endif
