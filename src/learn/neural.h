/* Small neural networks: a value for a board by one hidden layer, in 16-bit integers. They know no game.
 *
 * A *board* is a byte for each cell, the number of its symbol; symbol 0 is the empty cell. Each content of
 * each cell has a weight for each hidden unit; a unit adds up those of the board and its bias (rows of
 * learn/board_rows.h), bounds the sum to 0..1 and squares it. The value is the weighted sum of the units,
 * with weights of their own for each phase. So the layer that sees the board is a few additions of rows, as
 * in the networks of chess engines (NNUE: Nasu 2018).
 *
 * A board is seen by one of two sides. Where an exchange of sides is given, the second side looks through it;
 * else each side has its own biases and its own weights of the units.
 *
 * Evaluation is exact integer arithmetic, so that every processor gives the same values. Learning is plain
 * float arithmetic in a fixed order: mini-batches with Adam (Kingma & Ba 2015).
 *
 * Ownership: kn_neural_new / kn_neural_free. Several threads may read a network at the same time. */
#ifndef KNACK_LEARN_NEURAL_H
#define KNACK_LEARN_NEURAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    KN_NEURAL_ONE = 4096,   /* a value of this predicts tanh(1) */
    KN_NEURAL_CELLS = 1024, /* bounds on what a network has */
    KN_NEURAL_SYMBOLS = 64,
    KN_NEURAL_PHASES = 64,
    KN_NEURAL_UNITS = 256, /* hidden ones; a multiple of KN_NEURAL_STEP */
    KN_NEURAL_STEP = 16,
    KN_NEURAL_WEIGHTS = 1 << 22
};

typedef struct KnNeural KnNeural;

typedef struct KnNeuralSize {
    int cells, symbols, phases, units;
} KnNeuralSize;

/* A network with weights of zero. `cells` and `symbols` (NULL: none) exchange the sides: the second one sees
 * symbol s on cell c as symbols[s] on cells[c]. Fails if a bound is exceeded, or they are no permutations. */
KnStatus kn_neural_new(KnNeuralSize size, const uint16_t *cells, const uint8_t *symbols, KnNeural **net,
                       KnError *error);
void kn_neural_free(KnNeural *net);

KnNeuralSize kn_neural_size(const KnNeural *net);

/* The value of a board for a side. Symbols must be below the number of symbols. */
int32_t kn_neural_value(const KnNeural *net, const uint8_t *board, int side, int phase);

/* The same, by the code that runs on any processor. For tests. */
int32_t kn_neural_value_plain(const KnNeural *net, const uint8_t *board, int side, int phase);

/* What each unit adds to the value of a board, `added[unit]`. With one number for each side and phase they
 * are the value, but for rounding. */
void kn_neural_contributions(const KnNeural *net, const uint8_t *board, int side, int phase, double *added);

/* How much a content of a cell adds to a unit before it is bounded, as the first side sees it. */
double kn_neural_weight(const KnNeural *net, int cell, int symbol, int unit);

/* Replaces `out` by the bytes of a file (learn/packed.h) with a header of JSON text; and back: *header is the
 * caller's, `name` is for messages. Any bytes are safe. */
KnStatus kn_neural_pack(const KnNeural *net, const char *header, KnText *out, KnError *error);
KnStatus kn_neural_unpack(const void *bytes, size_t size, const char *name, KnNeural **net, char **header,
                          KnError *error);

/* ---- learning ---- */

typedef struct KnNeuralLearner KnNeuralLearner;

typedef struct KnNeuralPlan {
    uint64_t seed;
    int passes;    /* over the boards of an update */
    int minibatch; /* boards of a step */
} KnNeuralPlan;

/* Starts with random weights. The network must outlive the learner. */
KnNeuralLearner *kn_neural_learner_new(KnNeural *net, const KnNeuralPlan *plan);
void kn_neural_learner_free(KnNeuralLearner *learner);

/* A permutation of cells under which values should not change: each use of a board draws one of those added,
 * or none. False if memory runs out. */
bool kn_neural_learner_symmetry(KnNeuralLearner *learner, const uint16_t *cells);

/* Keeps a board for the next update: the prediction tanh(value / KN_NEURAL_ONE) should be `target`, from -1
 * to 1. Returns the present error. */
double kn_neural_learner_add(KnNeuralLearner *learner, const uint8_t *board, int side, int phase,
                             double target);

/* Learns from the boards that were added, forgets them, and renews the network. `rate`: Adam's step. */
KnStatus kn_neural_learner_update(KnNeuralLearner *learner, double rate, KnError *error);

/* The whole state between two updates as bytes, and back; the network must have the same size. */
KnStatus kn_neural_learner_pack(const KnNeuralLearner *learner, const char *header, KnText *out,
                                KnError *error);
KnStatus kn_neural_learner_unpack(KnNeuralLearner *learner, const void *bytes, size_t size, const char *name,
                                  char **header, KnError *error);

#endif
