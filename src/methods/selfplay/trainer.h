/* Learning an evaluation in self-play, from nothing: what n-tuple and neural networks have in common.
 *
 * Games come in batches. All games of a batch are played with the same weights, by as many threads as there
 * are; then the pupil learns from them in game order. So the weights do not depend on the number of threads.
 *
 * A game starts with some random moves. Then both sides play by a shallow search, except for a random move
 * now and then. The value of a search is that of its leaf; from the last one to the first, each search gets a
 * target: the value of the search itself and the target after it, mixed by lambda, or the search's value
 * alone where the move was random. The root of each search learns its own target and the leaf the next one
 * (TDLeaf: Baxter, Tridgell & Weaver 1998).
 *
 * Ownership: kn_self_trainer_open / kn_self_trainer_close. */
#ifndef KNACK_METHODS_SELFPLAY_TRAINER_H
#define KNACK_METHODS_SELFPLAY_TRAINER_H

#include <stdatomic.h>

#include "base/progress.h"
#include "eval/evaluation.h"
#include "eval/look.h"

typedef struct KnSelfPlayPlan {
    double lambda, epsilon;
    int random_plies; /* at most, at the start of a game */
    int depth;        /* of the searches */
    int batch;        /* games between updates */
    size_t ply_limit;
    uint64_t seed;
    int jobs;
    bool timed; /* the time spent is part of the state; else the state is the same on every machine */
    const atomic_bool *cancel;
} KnSelfPlayPlan;

/* What learns. Callbacks may not be NULL, unless it says so. */
typedef struct KnPupil KnPupil;
struct KnPupil {
    const KnLook *look;
    /* Opens what plays the games. */
    KnStatus (*open_evaluation)(const KnPupil *self, KnEvaluation **evaluation, KnError *error);
    /* Learns that the prediction for the mover should be `target`, from -1 to 1. Returns the error. */
    double (*learn)(KnPupil *self, const uint8_t *cells, int side, int phase, double target);
    /* A batch ends; `games` are done. May be NULL. */
    KnStatus (*end_batch)(KnPupil *self, uint64_t games, KnError *error);
    /* The state of the training as bytes with a header, and back. */
    KnStatus (*pack_state)(const KnPupil *self, const char *header, KnText *out, KnError *error);
    KnStatus (*unpack_state)(KnPupil *self, const void *bytes, size_t size, const char *name, char **header,
                             KnError *error);
    /* The bytes of the file for players. */
    KnStatus (*pack)(KnPupil *self, const KnSelfPlayPlan *plan, uint64_t games, KnText *out, KnError *error);
    void (*close)(KnPupil *self); /* frees the pupil */
};

typedef struct KnSelfTrainer KnSelfTrainer;

/* Takes the pupil over, also on failure. Continues from the file `state` if it exists. */
KnStatus kn_self_trainer_open(KnPupil *pupil, const KnSelfPlayPlan *plan, const char *state,
                              KnSelfTrainer **trainer, KnError *error);
void kn_self_trainer_close(KnSelfTrainer *trainer);

uint64_t kn_self_trainer_games(const KnSelfTrainer *trainer);
double kn_self_trainer_seconds(const KnSelfTrainer *trainer); /* spent in playing and learning */
double kn_self_trainer_error(KnSelfTrainer *trainer); /* mean size of the errors since the last call */

/* Trains until `games` games are played or `seconds` are spent (0: no limit), and saves the state now and
 * then. */
KnStatus kn_self_trainer_run(KnSelfTrainer *trainer, uint64_t games, double seconds, KnProgress *progress,
                             KnError *error);

/* Writes the state, then the file for players. */
KnStatus kn_self_trainer_save(KnSelfTrainer *trainer, const char *file, KnError *error);

#endif
