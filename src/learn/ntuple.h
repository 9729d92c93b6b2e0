/* n-tuple networks: a value for a board as a sum of table entries. They know no game.
 *
 * A *board* is a byte for each cell, the number of its symbol; symbol 0 is the empty cell. A *tuple* is an
 * ordered group of cells with a table that has a weight for each way to fill them. A *placement* is one place
 * of a tuple on the board; the symmetric placements of a tuple share its table. The value of a board is the
 * sum over all placements, in units of 1 / KN_NTUPLE_ONE.
 *
 * A board is seen by one of two sides. Where an exchange of sides is given (kn_ntuple_exchange), the second
 * side looks through it at the tables of the first; else each side has its own tables. Each phase has its own
 * tables too.
 *
 * Weights are 16-bit integers and sums are exact, so that every processor gives the same values. (Lucas 2008;
 * Jaskowski 2014.)
 *
 * Ownership: kn_ntuple_new / kn_ntuple_free. Several threads may read a network at the same time. */
#ifndef KNACK_LEARN_NTUPLE_H
#define KNACK_LEARN_NTUPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    KN_NTUPLE_ONE = 4096,   /* a sum of this predicts tanh(1) */
    KN_NTUPLE_CELLS = 1024, /* bounds on what a network has */
    KN_NTUPLE_SYMBOLS = 64,
    KN_NTUPLE_PHASES = 64,
    KN_NTUPLE_LENGTH = 12,
    KN_NTUPLE_TABLE = 65536, /* weights of one table */
    KN_NTUPLE_PLACEMENTS = 4096,
    KN_NTUPLE_WEIGHTS = 1 << 25
};

typedef struct KnNtuple KnNtuple;

/* A network without tuples. NULL if memory runs out. */
KnNtuple *kn_ntuple_new(int cells, int symbols, int phases);
void kn_ntuple_free(KnNtuple *net);

/* Adds a tuple: `count` placements of `length` cells each. Fails if a bound is exceeded, a cell occurs twice
 * in a placement or is not on the board. */
KnStatus kn_ntuple_add(KnNtuple *net, int length, int count, const uint16_t *cells, KnError *error);

/* The second side sees symbol s on cell c as symbols[s] on cells[c]. Fails unless both are permutations and
 * the empty symbol stays. */
KnStatus kn_ntuple_exchange(KnNtuple *net, const uint16_t *cells, const uint8_t *symbols, KnError *error);

/* Call it after the last tuple: makes the tables, with weights of zero. */
KnStatus kn_ntuple_finish(KnNtuple *net, KnError *error);

int kn_ntuple_cells(const KnNtuple *net);
int kn_ntuple_symbols(const KnNtuple *net);
int kn_ntuple_phases(const KnNtuple *net);
int kn_ntuple_tuples(const KnNtuple *net);
bool kn_ntuple_exchanges(const KnNtuple *net);
int kn_ntuple_placements(const KnNtuple *net);

/* The cells of a placement, and the number of its tuple. Placements of a tuple follow each other. */
const uint16_t *kn_ntuple_placement(const KnNtuple *net, int placement, int *length, int *tuple);

/* Where the second side sees cell c: itself without an exchange. */
int kn_ntuple_seen(const KnNtuple *net, int side, int cell);

/* All weights. Some of them belong to no table and stay zero (kn_ntuple_used). */
int16_t *kn_ntuple_weights(const KnNtuple *net);
size_t kn_ntuple_size(const KnNtuple *net);
bool kn_ntuple_used(const KnNtuple *net, size_t weight);

/* The sum for a side. Symbols must be below kn_ntuple_symbols. */
int32_t kn_ntuple_sum(const KnNtuple *net, const uint8_t *board, int side, int phase);

/* The same, by the code that runs on any processor. For tests. */
int32_t kn_ntuple_sum_plain(const KnNtuple *net, const uint8_t *board, int side, int phase);

/* The weight that each placement reads, as an index into all weights. */
void kn_ntuple_indices(const KnNtuple *net, const uint8_t *board, int side, int phase, uint32_t *indices);

/* Makes a network with the same values and fewer placements, for evaluation: tables of short tuples are added
 * to those of longer ones that contain them. Each placement's share is rounded to a unit. */
KnStatus kn_ntuple_fold(const KnNtuple *net, KnNtuple **folded, KnError *error);

/* ---- files: a header of JSON text, tuples, weights; compressed, with a check sum ---- */

/* Replaces `out` by the bytes of a file. */
KnStatus kn_ntuple_pack(const KnNtuple *net, const char *header, KnText *out, KnError *error);

/* Reads what kn_ntuple_pack wrote; `name` is for messages. *header is the caller's. Any bytes are safe. */
KnStatus kn_ntuple_unpack(const void *bytes, size_t size, const char *name, KnNtuple **net, char **header,
                          KnError *error);

/* ---- learning: temporal coherence (Beal & Smith 1999) ----
 *
 * Each weight has its own step size: the absolute value of the sum of its errors, divided by the sum of their
 * absolute values. A weight whose errors agree moves fast, one whose errors cancel out settles. */

typedef struct KnNtupleLearner KnNtupleLearner;

/* Learns the weights of a network, from those that it has. The network must outlive the learner. `shared`: a
 * board reads many weights several times, and steps are divided by that. */
KnNtupleLearner *kn_ntuple_learner_new(KnNtuple *net, bool shared);
void kn_ntuple_learner_free(KnNtupleLearner *learner);

/* Moves the prediction tanh(sum / KN_NTUPLE_ONE) of a board towards `target`, from -1 to 1. Returns the error
 * before the step. `rate` is the share of the error that a step takes away while all step sizes are 1. */
double kn_ntuple_learn(KnNtupleLearner *learner, const uint8_t *board, int side, int phase, double target,
                       double rate);

/* Sets weights to zero that have learned from fewer than `least` errors of size 1, for files that stay small,
 * and rounds the others to multiples of `step`. The learner does not change. */
void kn_ntuple_learner_trim(const KnNtupleLearner *learner, double least, int step, int16_t *weights);

/* The whole state as bytes, and back; the network must have the same tuples. */
KnStatus kn_ntuple_learner_pack(const KnNtupleLearner *learner, const char *header, KnText *out,
                                KnError *error);
KnStatus kn_ntuple_learner_unpack(KnNtupleLearner *learner, const void *bytes, size_t size, const char *name,
                                  char **header, KnError *error);

#endif
