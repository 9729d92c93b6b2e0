/* The methods of `knack train`: a row each in cmd_train.c, a file each beside it. */
#ifndef KNACK_CLI_TRAIN_H
#define KNACK_CLI_TRAIN_H

#include <stdint.h>

#include "base/team.h"
#include "cli/cli.h"

/* --into DIR: a course (players/course.h) in DIR/SEED for each of so many seeds, one after the other; those
 * that are done cost nothing. With a team, other ranks take courses too: each is the same command with one
 * seed. */
typedef KnStatus TrainCourse(void *user, uint64_t seed, const char *folder, KnError *error);
KnStatus train_courses(const KnContext *context, const char *into, uint64_t seed, uint64_t seeds,
                       TrainCourse *one, void *user, KnError *error);

/* Runs a method with its words (argv[0] is "knack train METHOD"); courses that helpers take are run by these
 * words there. */
int train_run(const Command *method, int argc, char **argv);
extern const KnDuty train_course_duty;

/* Whether --sweep is among the words; and then: a course (or one a seed) for each setting, in a folder of its
 * own below --into. */
bool train_sweeps(int argc, char **argv);
int train_sweep(const Command *method, int argc, char **argv);

int train_allocation(int argc, char **argv); /* argv[0] is "knack train allocation" */
int train_experience(int argc, char **argv);
int train_td(int argc, char **argv);
int train_regress(int argc, char **argv);
int train_sequences(int argc, char **argv);
int train_hoyle(int argc, char **argv);

#endif
