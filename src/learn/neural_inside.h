/* The parts of a neural network, for learn/neural*.c only. */
#ifndef KNACK_LEARN_NEURAL_INSIDE_H
#define KNACK_LEARN_NEURAL_INSIDE_H

#include "learn/board_rows.h"
#include "learn/neural.h"

enum {
    KN_NEURAL_FULL = 255, /* a unit's 1, as an integer */
    KN_NEURAL_PART = 64,  /* the 1 of a unit's weight */
    KN_NEURAL_MOST = 127  /* bound of a unit's weight: its product with a unit fits 16 bits */
};

/* Where the weights of each kind begin, in the network's integers and in the learner's floats alike. */
typedef struct KnNeuralLayout {
    size_t first;  /* [cell * symbols + symbol][unit], in KN_NEURAL_FULLths */
    size_t bias;   /* [set][unit], in the same */
    size_t output; /* [set * phases + phase][unit], in KN_NEURAL_PARTths */
    size_t last;   /* [set * phases + phase], in KN_NEURAL_ONEths */
    size_t count;
} KnNeuralLayout;

struct KnNeural {
    KnNeuralSize size;
    int sets;                          /* of biases and outputs: 1 with an exchange */
    uint16_t seen[KN_NEURAL_CELLS];    /* the cell that the second side sees in the place of a cell */
    uint8_t symbol[KN_NEURAL_SYMBOLS]; /* and the symbol */
    KnNeuralLayout at;
    int16_t *weights; /* aligned to 32 bytes, as each kind is */
    KnBoardRows rows;
    int32_t (*value)(const KnNeural *net, const uint8_t *board, int side, int phase);
};

/* Call it after weights have changed. */
KnStatus kn_neural_renew(KnNeural *net, KnError *error);

static inline int kn_neural_set(const KnNeural *net, int side) { return net->sets == 2 ? side : 0; }

#endif
