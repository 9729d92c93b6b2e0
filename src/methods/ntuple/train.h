/* Training an n-tuple network in self-play, from nothing.
 *
 * Games come in batches. All games of a batch are played with the same weights, by as many threads as there
 * are; then the network learns from them in game order. So the weights do not depend on the number of
 * threads.
 *
 * A game starts with some random moves. Then both sides play by a shallow search, except for a random move
 * now and then. The value of a search is that of its leaf; from the last one to the first, each search gets a
 * target: the value of the search itself and the target after it, mixed by lambda, or the search's value
 * alone where the move was random. The root of each search learns its own target and the leaf the next one
 * (TDLeaf: Baxter, Tridgell & Weaver 1998).
 *
 * Ownership: kn_ntuple_trainer_open / kn_ntuple_trainer_close. */
#ifndef KNACK_METHODS_NTUPLE_TRAIN_H
#define KNACK_METHODS_NTUPLE_TRAIN_H

#include <stdatomic.h>

#include "base/progress.h"
#include "eval/ntuple.h"

typedef struct KnNtuplePlan {
    KnNetworkPlan network;
    double lambda, rate, epsilon;
    int random_plies; /* at most, at the start of a game */
    int depth;        /* of the searches */
    int batch;        /* games between updates */
    size_t ply_limit;
    uint64_t seed;
    int jobs;
    bool timed;   /* the time spent is part of the state; else the state is the same on every machine */
    double least; /* a weight that learned from fewer errors is zero in the file */
    int round;    /* weights in the file are multiples of this */
    const atomic_bool *cancel;
} KnNtuplePlan;

typedef struct KnNtupleTrainer KnNtupleTrainer;

/* Continues from the file `state` if it exists. */
KnStatus kn_ntuple_trainer_open(const KnGame *game, const KnNtuplePlan *plan, const char *state,
                                KnNtupleTrainer **trainer, KnError *error);
void kn_ntuple_trainer_close(KnNtupleTrainer *trainer);

uint64_t kn_ntuple_trainer_games(const KnNtupleTrainer *trainer);
double kn_ntuple_trainer_seconds(const KnNtupleTrainer *trainer); /* spent in playing and learning */
double kn_ntuple_trainer_error(KnNtupleTrainer *trainer); /* mean size of the errors since the last call */

/* Trains until `games` games are played or `seconds` are spent (0: no limit), and saves the state now and
 * then. */
KnStatus kn_ntuple_trainer_run(KnNtupleTrainer *trainer, uint64_t games, double seconds, KnProgress *progress,
                               KnError *error);

/* Writes the state, then the network for players. */
KnStatus kn_ntuple_trainer_save(KnNtupleTrainer *trainer, const char *file, KnError *error);

#endif
