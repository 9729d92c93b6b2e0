/* The trainer's parts, for this folder. */
#ifndef KNACK_METHODS_NTUPLE_TRAINER_H
#define KNACK_METHODS_NTUPLE_TRAINER_H

#include "methods/ntuple/train.h"
#include "players/player.h"
#include "search/alphabeta.h"

/* A position as the network sees it. */
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
typedef struct KnNtupleGame {
    KnDecision *decisions;
    uint8_t *cells;
    size_t count, capacity;
    double outcome; /* for the first role, from -1 to 1 */
} KnNtupleGame;

/* One thread's. */
typedef struct KnNtupleWorker {
    KnNtupleTrainer *trainer;
    KnEvaluation *evaluation;
    KnSearch *search;
    KnState *state;
    KnMove *moves;
    KnPlayer player; /* plays both sides */
    KnNtupleGame *game;
} KnNtupleWorker;

struct KnNtupleTrainer {
    KnNtuplePlan plan;
    KnNetwork *network;
    KnNtupleLearner *learner;
    char *state_file;
    uint64_t done; /* games */
    double seconds, saved_at;
    double errors, error_count;
    int jobs;
    KnNtupleWorker *workers;
    KnNtupleGame *batch;
};

KnStatus kn_ntuple_worker_open(KnNtupleTrainer *trainer, KnNtupleWorker *worker, KnError *error);
void kn_ntuple_worker_close(KnNtupleWorker *worker);

/* A KnTask: plays game `place` of the batch. */
KnStatus kn_ntuple_play_game(void *user, int thread, uint64_t place, KnError *error);

#endif
