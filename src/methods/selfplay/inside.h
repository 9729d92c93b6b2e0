/* The trainer's parts, for this folder. */
#ifndef KNACK_METHODS_SELFPLAY_INSIDE_H
#define KNACK_METHODS_SELFPLAY_INSIDE_H

#include "methods/selfplay/trainer.h"
#include "players/player.h"
#include "search/alphabeta.h"

/* A position as the pupil sees it. */
typedef struct KnSeen {
    bool present;
    int8_t side;
    uint8_t phase;
} KnSeen;

/* A decision: the root of a search, its leaf, and its value for the first role. */
typedef struct KnDecision {
    KnSeen root, leaf;
    bool random; /* the move played is not the search's */
    double value;
} KnDecision;

/* A game as it is learned from. The cells of decision i are at 2 * i * cells: the root's, then the leaf's. */
typedef struct KnSelfGame {
    KnDecision *decisions;
    uint8_t *cells;
    size_t count, capacity;
    double outcome; /* for the first role, from -1 to 1 */
} KnSelfGame;

/* One thread's. */
typedef struct KnSelfWorker {
    KnSelfTrainer *trainer;
    KnEvaluation *evaluation;
    KnSearch *search;
    KnState *state;
    KnMove *moves;
    KnPlayer player; /* plays both sides */
    KnSelfGame *game;
} KnSelfWorker;

struct KnSelfTrainer {
    KnSelfPlayPlan plan;
    KnPupil *pupil;
    char *state_file;
    uint64_t done; /* games */
    double seconds, saved_at;
    double errors, error_count;
    int jobs;
    KnSelfWorker *workers;
    KnSelfGame *batch;
};

KnStatus kn_self_worker_open(KnSelfTrainer *trainer, KnSelfWorker *worker, KnError *error);
void kn_self_worker_close(KnSelfWorker *worker);

/* A KnTask: plays game `place` of the batch. */
KnStatus kn_self_play_game(void *user, int thread, uint64_t place, KnError *error);

#endif
