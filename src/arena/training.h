/* Training environments of Lock's thesis (2003, 2.3 and 3.3): runs of training followed by testing, many at
 * once.
 *
 * In a *run* a learner (players/watcher.h) goes through training tournaments, of agents against each other
 * that it watches, or of itself against an agent; then a player that stands still is tested in a tournament
 * against each agent. An *experiment* is several runs, each from its own seed, in parallel. Nothing is
 * learned while testing. The two sides of a tournament take turns to begin.
 *
 *     KnTrainingPlan plan = {.game = "morris(men=5)", .learner = "hoyle(+rote)", .watch = 30, .test = 50,
 * .runs = 10, .seed = 1, .ply_limit = 100}; KnTraining *training; kn_training_run(context, &plan, &training,
 * &error) KnMoments reliability = kn_training_moments(training, KN_RELIABILITY, 0);      against the first
 * agent, in percent, over runs kn_training_free(training);
 *
 * The four agents are, unless the plan names others: the perfect one, which of several drawing moves plays
 * one that leaves the most ways to draw (docs/temporal.md tells why), an expert and a novice that play a
 * tenth and seven tenths of their moves merely reasonably, and a random one. The environments:
 * perfect-vs-increasing has random, novice, expert, perfect in this order against the perfect agent, `watch`
 * contests each; double-cycle has that twice; playing has the learner itself against the same four in the
 * same order. What agents do depends on seed, run and contest only, so that two learners with the same seed
 * watch the same contests.
 *
 * Ownership: kn_training_run makes a KnTraining, kn_training_free frees it. */
#ifndef KNACK_ARENA_TRAINING_H
#define KNACK_ARENA_TRAINING_H

#include <jansson.h>
#include <stdatomic.h>

#include "base/progress.h"
#include "base/stats.h"
#include "players/watcher.h"

enum { KN_TRAINING_AGENTS = 8 };

extern const char *const kn_training_agents[]; /* the four, strongest first, and NULL */

typedef enum KnTrainingEnvironment {
    KN_TRAIN_INCREASING,
    KN_TRAIN_DOUBLE,
    KN_TRAIN_PLAYING
} KnTrainingEnvironment;

typedef struct KnTrainingPlan {
    const char *game;
    const char *learner; /* spec of a watcher */
    KnTrainingEnvironment environment;
    uint64_t watch; /* contests of a training tournament */
    uint64_t test;  /* of a testing tournament; 0: no testing */
    uint64_t runs;
    uint64_t seed;
    size_t ply_limit;                       /* a contest of so many plies is drawn; 0: no limit */
    int jobs;                               /* 0: all cores */
    const char *agents[KN_TRAINING_AGENTS]; /* strongest first, the first being the expert; all NULL: the four
                                               of the thesis */
    const atomic_bool *cancel;              /* may be NULL */
    KnProgress *progress;                   /* ticked once a contest; may be NULL */
    const char *save;                       /* the first run's knowledge goes to this file; NULL: nowhere */
} KnTrainingPlan;

/* Testing against one agent. */
typedef struct KnTrainingScore {
    uint64_t wins, draws, losses;
    uint64_t decisions, plies; /* of the learner; of both */
    double seconds;            /* that the learner thought, of processor time */
    json_t *tally;             /* what its player counted (KnWatcherType.tally); NULL if it counts nothing */
} KnTrainingScore;

typedef struct KnTrainingRun {
    KnTrainingScore score[KN_TRAINING_AGENTS];
    double learning_seconds; /* spent in watch, pause and settle, of processor time */
    json_t *figures;         /* KnWatcherType.figures; NULL if it has none */
} KnTrainingRun;

typedef struct KnTraining {
    int agents;
    uint64_t count;
    KnTrainingRun *runs;
} KnTraining;

/* Zero runs, or neither watching nor testing, is refused. */
KnStatus kn_training_run(const KnContext *context, const KnTrainingPlan *plan, KnTraining **training,
                         KnError *error);
void kn_training_free(KnTraining *training);

/* The same learner, taught but not tested: the first run's training alone, from plan->seed. The caller closes
 * game and watcher. */
KnStatus kn_training_teach(const KnContext *context, const KnTrainingPlan *plan, const KnGame *game,
                           KnWatcher **watcher, KnError *error);

typedef enum KnTrainingMeasure {
    KN_RELIABILITY, /* wins and draws, in percent */
    KN_POWER,       /* wins, in percent */
    KN_THINKING     /* milliseconds a contest */
} KnTrainingMeasure;

double kn_training_value(const KnTraining *training, KnTrainingMeasure measure, int agent, uint64_t run);
/* Over runs. */
KnMoments kn_training_moments(const KnTraining *training, KnTrainingMeasure measure, int agent);
/* A number of the learner's figures, or of its player's tally against an agent (-1: the sum over all of
 * them), over runs. */
KnMoments kn_training_figure(const KnTraining *training, const char *name);
KnMoments kn_training_tally(const KnTraining *training, const char *name, int agent);
double kn_training_tally_value(const KnTraining *training, const char *name, int agent, uint64_t run);

/* Whether contests of this game need a limit, and the thesis's: 100 for endless games, else 0. */
size_t kn_training_limit(const KnGame *game);

#endif
