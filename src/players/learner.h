/* Learners: what can be set to work by `knack train`, told so that anybody can offer it (the page does).
 *
 * A learner is a row: its name is the method's, its options are those of the command line that a course is
 * given (--NAME=VALUE), with the values of a short course where the command's own are the published ones. A
 * course with options is a spec, allocation(examples=4000), and runs as
 *
 *     knack train NAME --into=FOLDER --seed=S --seeds=N --NAME=VALUE... GAME
 *
 * which makes a course (course.h) in FOLDER/SEED for each seed. To add one: that command, a KnLearner, a row
 * in learners.c. */
#ifndef KNACK_PLAYERS_LEARNER_H
#define KNACK_PLAYERS_LEARNER_H

#include "players/player.h"

typedef struct KnLearner {
    KnThing head;
    const char *x, *y;    /* what its curve counts, and what it measures */
    const char *measures; /* a sentence about y */
    double low, high;     /* of y */
    double chance;        /* y of somebody who has learned nothing; NAN if there is no such number */
    const char *file;     /* what it has learned, in its course's folder */
    KnStatus (*suits)(const KnGame *game, KnError *error); /* NULL: every game */
    void (*player)(const KnOptions *options, const char *file,
                   KnText *spec); /* adds the spec of the player that uses the file */
} KnLearner;

extern const KnLearner kn_learner_allocation;
extern const KnLearner kn_learner_td;
extern const KnLearner kn_learner_experience;
extern const KnLearner kn_learner_hoyle;
extern const KnLearner kn_learner_sequences;

KnStatus kn_learners_register(KnContext *context, KnError *error);

#endif
