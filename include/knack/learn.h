/* Training: a learner plays games, and a player uses what it learned.
 *
 *     KnTrainPlan plan = {.learner = "td(depth=2, games=200)", .game = "othello(size=6)", .seed = 1,
 *                         .out = "weights.json"};
 *     KnTrainResult result;
 *     if (kn_train(context, &plan, &result, &error) == KN_OK) puts(result.player);
 *     kn_train_result_free(&result);
 *
 * A learner is a spec, like a player. kn_registered lists the learners (KN_KIND_LEARNER) with their options;
 * `knack train --help` describes them. Training happens in a folder, so that the same call continues after an
 * interruption. Same options, game and seed: same bytes, for any number of threads. */
#ifndef KNACK_PUBLIC_LEARN_H
#define KNACK_PUBLIC_LEARN_H

#include <knack/explain.h>

KN_BEGIN

enum { KN_TRAIN_POINTS = -1 }; /* plan.points: the learner's own number */

typedef struct KnTrainPlan {
    const char *learner; /* spec */
    const char *game;    /* spec */
    uint64_t seed;
    int jobs;   /* threads; 0: one per core */
    int points; /* of the learning curve; 0: no curve is measured; or KN_TRAIN_POINTS */
    /* Where the result goes: the folder of the training, or a file. With `out` the training is in
     * OUT.training beside the file; that folder is removed when the file is written. With neither, nothing is
     * kept. */
    const char *folder, *out;
    const KnCancel *cancel;                    /* may be NULL */
    KnProgress *progress;                      /* may be NULL */
    const struct KnTrainingObserver *observer; /* for the command line; NULL */
    KnArena *explain;                          /* where result.learned goes; NULL: no explanation is wanted */
} KnTrainPlan;

typedef struct KnTrainResult {
    char *file;   /* what was learned; "" if nothing is kept */
    char *player; /* spec of the player that uses the file; "" if nothing is kept */
    bool has_point;
    double x, y, low, high; /* the last point of the curve: y after x games (or examples), 95% interval */
    char *also;             /* further measurements as JSON, {"NAME": [...], ...}; NULL: none */
    KnExplanation *learned; /* in plan.explain */
    bool edited; /* the file of the curve was edited by hand or damaged: it did not fit its checksum */
} KnTrainResult;

/* Trains a learner. Release the result, also after a failure. */
KN_API KnStatus kn_train(const KnContext *context, const KnTrainPlan *plan, KnTrainResult *result,
                         KnError *error);
KN_API void kn_train_result_free(KnTrainResult *result);

KN_END

#endif
