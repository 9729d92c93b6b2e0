/* The learner interface: one row for each learner. <knack/learn.h> has the one call that trains it, kn_train.
 *
 * A learner is a KnLearnerType: its name, its options with their defaults, the games that it suits, how it
 * trains, the spec of the player that uses what it learned, its learning curve, and what it learned as an
 * explanation. Command line, C API, Python, page, lab, MPI ranks and `knack methods` all read these rows. To
 * add a learner: a folder in src/methods with a KnLearnerType, and a row in methods/learners.c.
 *
 * Training happens in a training run (arena/training_run.h), so that the same call continues after an
 * interruption. Same options, game and seed: same bytes, for any number of jobs and through every caller.
 *
 * Ownership: rows are static. A KnTrainResult is the caller's, also after a failure (kn_train_result_free).
 */
#ifndef KNACK_ARENA_LEARNER_H
#define KNACK_ARENA_LEARNER_H

#include <knack/learn.h>

#include "arena/training_run.h"
#include "base/progress.h"
#include "players/player.h"

/* One training of one seed, as a learner sees it. */
typedef struct KnLearnerTask {
    const KnContext *context;
    const KnGame *game;       /* as its spec opens it; a game description may need a view (games/turns.h) */
    const KnOptions *options; /* bound to the row's table */
    uint64_t seed;
    int jobs;                  /* threads; 0: as many as cores */
    int points;                /* of the learning curve; 0: no curve is measured */
    const atomic_bool *cancel; /* may be NULL */
    KnProgress *progress;      /* may be NULL; the learner adds to its total */
    KnArena *arena;            /* lives as long as the training */
} KnLearnerTask;

/* Options of a task as trainers want them, in its arena: the text of a spec, NULL if it is absent; and a list
 * of words such as "side,depth", with a flag set for each word of `words` (ended by NULL) that is in it. */
const char *kn_learner_text(const KnLearnerTask *task, const char *option);
KnStatus kn_learner_words(const KnLearnerTask *task, const char *option, const char *const *words,
                          bool *const *flags, KnError *error);

/* Callbacks may not be NULL. */
typedef struct KnLearnerType {
    KnThing head;         /* the option table is the only place for defaults */
    const char *paper;    /* "schaeffer-2001"; NULL: our own */
    const char *file;     /* name of the file with what was learned, inside the run's folder */
    const char *suffix;   /* a second file that the player needs has the name `file` + suffix; NULL: none */
    const char *x, *y;    /* what the curve counts, and what it measures */
    const char *measures; /* a sentence about y */
    double low, high;     /* range of y */
    double chance;        /* y of a player that has learned nothing; NAN: unknown */
    int points;           /* of the curve, unless the caller wants another number */
    const char *trial;    /* options of a training that takes a moment: `knack methods --try`, tests */
    const char *examples; /* lines of command line examples for --help, each after "knack train NAME " */
    KnStatus (*suits)(const KnContext *context, const KnGame *game, KnError *error);
    /* Trains inside the run: continues after the points that it has, saves `file` before each new point. */
    KnStatus (*train)(const KnLearnerTask *task, KnTrainingRun *run, KnError *error);
    /* Adds the spec of the player that uses the file. */
    void (*player)(const KnOptions *options, const char *file, KnText *spec);
    /* What the file holds, in the arena. Of the task, only context, game, options and arena
     * are set. */
    KnStatus (*explain)(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error);
} KnLearnerType;

/* A row by its spec, with the options bound; all in the arena. */
typedef struct KnLearner {
    const KnLearnerType *type;
    const KnSpec *spec;
    KnOptions options;
} KnLearner;

KnStatus kn_learner_bind(const KnContext *context, const char *spec, KnArena *arena, KnLearner *learner,
                         KnError *error);

/* KN_OK if the row suits the game; else the reason, with both names. */
KnStatus kn_learner_check(const KnContext *context, const KnLearner *learner, const KnGame *game,
                          KnError *error);

/* The further measurements of a result: a new reference, NULL if there are none. */
json_t *kn_train_result_also(const KnTrainResult *result);

/* ---- several seeds ---- */

/* A task file, FOLDER/task.json: {"format": 1, "learner": SPEC, "game": SPEC, "seed": S, "seeds": N,
 * "points": P}. The runs are in FOLDER/SEED, for the seeds from S to S + N - 1. */
typedef struct KnTrainTask {
    char *learner, *game; /* specs */
    uint64_t seed, seeds;
    int points;
} KnTrainTask;

KnStatus kn_train_task_write(const char *folder, const KnTrainTask *task, KnError *error);
KnStatus kn_train_task_read(const char *folder, KnTrainTask *task, KnError *error);
void kn_train_task_free(KnTrainTask *task); /* of one that was read */

typedef struct KnTrainSeeds {
    const char *folder;
    const KnTrainTask *task;
    int jobs;
    const atomic_bool *cancel;
    /* Called once; the progress, of all seeds together, is freed at the end. Both may be NULL. */
    KnProgress *(*progress)(void *user, const KnLearnerType *type);
    const KnTrainingObserver *observer;
    /* Called for each seed in order, when its run is finished. May be NULL. */
    void (*finished)(void *user, uint64_t seed, const KnTrainResult *result);
    void *user;
} KnTrainSeeds;

/* Trains one seed after the other; workers in other processes take seeds too. Finished runs cost nothing. */
KnStatus kn_train_seeds(const KnContext *context, const KnTrainSeeds *plan, KnError *error);

/* FOLDER/SEED. */
void kn_train_seed_folder(const char *folder, uint64_t seed, KnText *path);

#endif
