/* The parts of `knack train`: options from a learner's row, training runs, sweeps. */
#ifndef KNACK_CLI_TRAIN_H
#define KNACK_CLI_TRAIN_H

#include <jansson.h>

#include "arena/learner.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/sweep.h"

enum { TRAIN_OPTIONS = 64 /* of a row at most */, TRAIN_CURVE = 40 };

/* A command line, as it was read. Texts are borrowed from argv. */
typedef struct TrainArguments {
    CliCommon common;
    CliShared shared;
    const KnLearnerType *type;
    const char *given;                 /* options in the learner's spec, "depth=3"; "": none */
    const char *values[TRAIN_OPTIONS]; /* by place in the row's table; NULL: not given */
    const char *svg;                   /* --svg; NULL: not given */
    int points;
    bool points_given;
    Sweep sweep;
    double curve[TRAIN_CURVE]; /* shares of the range of the last points, for the curve on the terminal */
    int curve_count;
    double held_out[3]; /* score and interval of the point that comes next */
    bool has_held_out;
} TrainArguments;

/* Reads the options of a row; exits through argp with a message where they make no sense. */
void train_read_options(TrainArguments *arguments, int argc, char **argv);

/* The learner's spec: the row with the options given. With `sweep`, settings of that point are filled in. */
void train_spec(const TrainArguments *arguments, const Sweep *sweep, int point, unsigned *used, KnText *spec);

/* --into: training runs in DIR/SEED, and a line about each. --resume: the same from the task file of a
 * folder. --sweep: the same for each setting, in a folder of its own below DIR. */
KnStatus train_into(const KnContext *context, TrainArguments *arguments, const char *learner,
                    const char *game, KnError *error);
KnStatus train_resume(const KnContext *context, TrainArguments *arguments, const char *folder,
                      KnError *error);
KnStatus train_sweep(const KnContext *context, TrainArguments *arguments, KnError *error);

/* Rows of objects as a table: names above, words to the left, numbers to the right. */
void train_print_rows(const json_t *rows);

/* What is printed under a curve whose file was edited. */
extern const char train_edited[];

/* Progress and points of the learning curve, on stderr. */
KnProgress *train_progress(const CliCommon *common, const KnLearnerType *type);
KnTrainingObserver train_observer(TrainArguments *arguments);

#endif
