/* The inside of training by temporal differences, shared by train*.c:
 *
 *     train_sets.c    which weight sets there are, and which one a game uses
 *     train_games.c   playing the games of a batch, and recording predictions
 *     train_update.c  what a batch changes, and the learning curve
 *     train_file.c    a training as a file, and going on from one
 *     train.c         the whole, and the same with other processes */
#ifndef KNACK_METHODS_TDLEAF_TRAINER_H
#define KNACK_METHODS_TDLEAF_TRAINER_H

#include "arena/openings.h"
#include "base/json.h"
#include "games/checkers/endgame.h"
#include "jobs/job.h"
#include "methods/tdleaf/train.h"
#include "players/player.h"
#include "search/alphabeta.h"

enum { KN_TD_CLASSES = 32 /* first moves of openings that have weights of their own */ };

typedef struct KnTrainer KnTrainer;

/* One game of a batch: what each side predicted, and the outcome. */
typedef struct KnTdGame {
    KnTd *td[2];
    int set[2]; /* of weights, by role */
    bool learns[2];
    double payoff[2]; /* -1 to 1 */
} KnTdGame;

/* The learner in one role: a search with the weights that are trained. */
typedef struct KnTdPlayer {
    KnPlayer player;
    const KnTrainer *trainer;
    KnEvaluation *evaluation;
    KnSearch *own;    /* with this role's weights */
    KnSearch *search; /* the one to use: both roles share the first one if they share their weights */
    const double *weights;
    KnTd *td; /* records predictions; NULL: this role does not learn */
    int role, depth;
} KnTdPlayer;

/* What one thread has to itself. */
typedef struct KnTdWorker {
    KnState *state;
    KnPlayer *teacher; /* NULL: self-play */
    KnTdPlayer learners[2];
} KnTdWorker;

struct KnTrainer {
    const KnContext *context;
    const KnTdPlan *plan;
    const KnGame *own_game;       /* what the weights are for */
    const KnGame *game;           /* what is played: the same, or its view in which roles take turns */
    KnGame *view;                 /* that view; NULL: not needed */
    const KnFeatureSet *features; /* of the weights */
    KnWeights *weights;
    KnOpenings *openings;
    KnEndgame *tables;
    char *classes[KN_TD_CLASSES];
    int class_count;
    KnTdWorker *workers;
    int jobs;
    KnTdGame *batch;
    double *change;  /* of every weight set */
    uint64_t done;   /* games learned from */
    KnJob *job;      /* games in other processes; NULL: none */
    double block[4]; /* wins, draws, losses of the learner and surprise, in the current block of games */
    uint64_t results[3], updates;
    json_t *curve;
};

/* Makes the weight sets, with their starting values. */
KnStatus kn_trainer_make_sets(KnTrainer *t, KnError *error);
/* Frees what kn_trainer_make_sets holds besides the weights. */
void kn_trainer_free_sets(KnTrainer *t);
/* The set for a role of a game that starts from this opening. */
int kn_trainer_find_set(const KnTrainer *t, const KnState *opening, int role, int depth);

KnStatus kn_trainer_open_worker(KnTrainer *t, KnTdWorker *worker, KnError *error);
void kn_trainer_close_worker(KnTdWorker *worker);
/* Plays game `place` of the batch; the task of a job. */
KnStatus kn_trainer_play(void *trainer, int worker, uint64_t place, KnError *error);

/* Learns from the first `count` games of the batch, in order. */
KnStatus kn_trainer_learn(KnTrainer *t, uint64_t count, KnError *error);

/* Writes down in the weights how they are trained: what makes it this training and no other. */
KnStatus kn_trainer_identify(KnTrainer *t, KnError *error);
/* Goes on from a file, which must be of this training. */
KnStatus kn_trainer_resume(KnTrainer *t, const char *file, KnError *error);
/* Saves weights and progress; `file` NULL: in memory only. */
KnStatus kn_trainer_save(KnTrainer *t, const char *file, KnError *error);

#endif
