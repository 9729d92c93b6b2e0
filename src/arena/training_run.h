/* A training run: a folder that holds what a learner has learned so far with one seed, its learning curve,
 * and everything that it needs to continue.
 *
 *     curve.json   {"format": 1, "about": {...}, "points": [[x, y, low, high], ...], "done": false,
 *                   "also": {...}}, written whole after each point
 *     ...          the learner's own files: what was learned (KnLearnerType.file), examples, games
 *
 * A point is committed when kn_training_run_add returns. Readers (the page) then see the curve grow, and the
 * same command continues after it was stopped in any way. `about` says what is learned and how; a run with
 * other settings is refused.
 *
 * Ownership: kn_training_run_open / kn_training_run_close. One thread and one process at a time: a second
 * process that opens the folder is refused until the first has closed it or has died. Readers may come from
 * any process. */
#ifndef KNACK_ARENA_TRAINING_RUN_H
#define KNACK_ARENA_TRAINING_RUN_H

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

typedef struct KnTrainingRun KnTrainingRun;

/* Makes the folder if it is missing. `about` identifies the run. A member of `about` that an existing run
 * lacks (it was made before that option existed) must have the value that it has in `defaults`. Both are
 * borrowed. */
KnStatus kn_training_run_open(const char *folder, const json_t *about, const json_t *defaults,
                              KnTrainingRun **run, KnError *error);
void kn_training_run_close(KnTrainingRun *run);

/* The number of points so far, and whether training is finished. */
size_t kn_training_run_points(const KnTrainingRun *run);
bool kn_training_run_done(const KnTrainingRun *run);

/* Commits a point: after x units of training the measure is y, with the 95 % interval [low, high]. Save what
 * was learned first. */
KnStatus kn_training_run_add(KnTrainingRun *run, double x, double y, double low, double high, KnError *error);
/* Adds a row to the list `name` of further measurements; it is committed with the next point or with
 * kn_training_run_finish. Takes the reference. kn_training_run_last returns the last row of a list, borrowed;
 * NULL if there is none. */
KnStatus kn_training_run_also(KnTrainingRun *run, const char *name, json_t *row, KnError *error);
const json_t *kn_training_run_last(const KnTrainingRun *run, const char *name);
KnStatus kn_training_run_finish(KnTrainingRun *run, KnError *error);

/* Who watches a run in this process: called after each committed point, before it with the same x for what a
 * held-out opponent says (arena/held_out.h), and for lines that a learner prints between points
 * (kn_training_run_note). All may be NULL. */
typedef struct KnTrainingObserver {
    void (*point)(void *user, double x, double y, double low, double high);
    void (*held_out)(void *user, double x, double y, double low, double high);
    void (*note)(void *user, const char *line);
    void *user;
} KnTrainingObserver;

void kn_training_run_observe(KnTrainingRun *run, const KnTrainingObserver *observer); /* NULL: nobody */
void kn_training_run_note(KnTrainingRun *run, const char *line);

/* The path of a file of the run. */
void kn_training_run_path(const KnTrainingRun *run, const char *name, KnText *path);

/* The curve of a folder as it is now: a new reference; NULL, with the error KN_NO, if there is none yet. */
json_t *kn_training_run_read(const char *folder, KnError *error);

#endif
