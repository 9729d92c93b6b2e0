/* Small neural networks for games (learn/neural.h), and the evaluation `neural`. They see the same as n-tuple
 * networks: the cells of a board, the side that moves, the phase (eval/look.h).
 *
 * Ownership: kn_neural_network_make or kn_neural_network_open / kn_neural_network_free. The game must outlive
 * it. */
#ifndef KNACK_EVAL_NEURAL_H
#define KNACK_EVAL_NEURAL_H

#include "eval/cell_symmetry.h"
#include "eval/evaluation.h"
#include "learn/neural.h"

typedef struct KnNeuralNetwork {
    KnLook look;
    KnNeural *net;
    json_t *made; /* how the weights were made; an object */
} KnNeuralNetwork;

/* A network with weights of zero. `phases` as in kn_look_open. *symmetries is filled. */
KnStatus kn_neural_network_make(const KnGame *game, int phases, int units, KnNeuralNetwork **network,
                                KnCellSymmetries *symmetries, KnError *error);
void kn_neural_network_free(KnNeuralNetwork *network);

KnStatus kn_neural_network_read(const KnGame *game, const void *bytes, size_t size, const char *name,
                                KnNeuralNetwork **network, KnError *error);
KnStatus kn_neural_network_open(const KnGame *game, const char *path, KnNeuralNetwork **network,
                                KnError *error);

/* The bytes of a file. */
KnStatus kn_neural_network_pack(const KnNeuralNetwork *network, KnText *out, KnError *error);

/* An evaluation by a network that stays the caller's. Scores have KN_NEURAL_SCORE for a value of 1. */
enum { KN_NEURAL_SCORE = 512 };
KnStatus kn_neural_network_evaluation(const KnNeuralNetwork *network, KnEvaluation **evaluation,
                                      KnError *error);

extern const KnEvaluationType kn_evaluation_neural;

#endif
