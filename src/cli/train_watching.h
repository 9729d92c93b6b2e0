/* --into of `knack train hoyle` and `knack train sequences`: a course (players/course.h) whose curve tells
 * how reliable the learner is against the expert after so many contests. To be given to train_courses as its
 * `user` and `one`; all is borrowed. */
#ifndef KNACK_CLI_TRAIN_WATCHING_H
#define KNACK_CLI_TRAIN_WATCHING_H

#include "arena/training.h"
#include "cli/cli.h"

typedef struct TrainWatching {
    const CliCommon *common;
    const KnContext *context;
    const KnGame *game;
    const char *method;         /* the learner's name, as players/learner.h has it */
    const KnTrainingPlan *plan; /* watch: contests of a tournament at the last point */
} TrainWatching;

KnStatus train_watching(void *user, uint64_t seed, const char *folder, KnError *error);

#endif
