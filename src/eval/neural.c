#include "eval/neural.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "eval/neural_explain.h"

/* ---- networks ---- */

void kn_neural_network_free(KnNeuralNetwork *network)
{
    if (!network) return;
    kn_neural_free(network->net);
    json_decref(network->made);
    kn_look_close(&network->look);
    free(network);
}

KnStatus kn_neural_network_make(const KnGame *game, int phases, int units, KnNeuralNetwork **out,
                                KnCellSymmetries *symmetries, KnError *error)
{
    KnNeuralNetwork *network = calloc(1, sizeof *network);
    *out = NULL;
    if (!network) return kn_fail_memory(error, "making a network");
    KnStatus status = kn_look_open(game, phases, &network->look, error);
    if (status == KN_OK) status = kn_cell_symmetries(network->look.board, symmetries, error);
    if (status == KN_OK) {
        KnNeuralSize size = {network->look.board->cells, kn_look_symbols(&network->look),
                             network->look.phases, units};
        bool exchange = symmetries->exchanges;
        status = kn_neural_new(size, exchange ? symmetries->exchange : NULL,
                               exchange ? symmetries->symbols : NULL, &network->net, error);
    }
    if (status == KN_OK && !(network->made = json_object()))
        status = kn_fail_memory(error, "making a network");
    if (status == KN_OK)
        *out = network;
    else
        kn_neural_network_free(network);
    return status;
}

KnStatus kn_neural_network_pack(const KnNeuralNetwork *network, KnText *out, KnError *error)
{
    char *header = kn_look_header(&network->look, network->made);
    KnStatus status = header ? kn_neural_pack(network->net, header, out, error)
                             : kn_fail_memory(error, "saving a network");
    free(header);
    return status;
}

/* Whether the network fits the board. */
static bool fits(const KnNeuralNetwork *network)
{
    KnNeuralSize size = kn_neural_size(network->net);
    return size.cells == network->look.board->cells && size.symbols == kn_look_symbols(&network->look);
}

KnStatus kn_neural_network_read(const KnGame *game, const void *bytes, size_t size, const char *name,
                                KnNeuralNetwork **out, KnError *error)
{
    KnNeuralNetwork *network = calloc(1, sizeof *network);
    char *header = NULL;
    *out = NULL;
    if (!network) return kn_fail_memory(error, "reading a network");
    KnStatus status = kn_neural_unpack(bytes, size, name, &network->net, &header, error);
    if (status == KN_OK)
        status = kn_look_read(game, header, name, kn_neural_size(network->net).phases, &network->look,
                              &network->made, error);
    if (status == KN_OK && !fits(network))
        status = kn_fail(error, KN_INPUT, "%s: the network does not fit the board of %s; train it again",
                         name, game->spec);
    free(header);
    if (status == KN_OK)
        *out = network;
    else
        kn_neural_network_free(network);
    return status;
}

KnStatus kn_neural_network_open(const KnGame *game, const char *path, KnNeuralNetwork **network,
                                KnError *error)
{
    enum { MOST = 1 << 24 };
    KnText bytes = KN_TEXT_EMPTY;
    *network = NULL;
    KnStatus status = kn_file_read(path, &bytes, MOST, error);
    if (status == KN_OK)
        status = kn_neural_network_read(game, bytes.data, bytes.length, path, network, error);
    kn_text_free(&bytes);
    return status;
}

/* ---- the evaluation ---- */

typedef struct Evaluation {
    const KnNeuralNetwork *network;
    KnNeuralNetwork *own; /* NULL if the network belongs to the caller */
} Evaluation;

/* The score for the mover, who is stored in *side. */
static inline KnScore score_mover(const KnEvaluation *self, const void *position, int *side)
{
    const KnNeuralNetwork *network = ((const Evaluation *)self->data)->network;
    const int32_t bound = KN_SCORE_HEURISTIC - 1;
    uint8_t cells[KN_LOOK_CELLS];
    int phase;
    kn_look_at(&network->look, position, cells, side, &phase);
    int32_t score = kn_neural_value(network->net, cells, *side, phase) / (KN_NEURAL_ONE / KN_NEURAL_SCORE);
    return score > bound ? bound : score < -bound ? -bound : score;
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    int side;
    return score_mover(self, position, &side);
}

static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    int side;
    KnScore seen = score_mover(self, position, &side);
    return side == role ? seen : -seen;
}

static void explain(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent)
{
    kn_neural_network_explain(((const Evaluation *)self->data)->network, position, role, arena, parent);
}

/* ---- opening ---- */

static void close(KnEvaluation *self)
{
    Evaluation *data = self->data;
    if (data) kn_neural_network_free(data->own);
    free(data);
}

static KnStatus set_up(KnEvaluation *evaluation, const KnNeuralNetwork *network, KnNeuralNetwork *own,
                       KnError *error)
{
    Evaluation *data = evaluation->data = calloc(1, sizeof *data);
    evaluation->close = close;
    if (!data) {
        kn_neural_network_free(own);
        return kn_fail_memory(error, "opening an evaluation");
    }
    *data = (Evaluation){network, own};
    evaluation->score = score;
    if (network->look.view) evaluation->score_for = score_for;
    evaluation->explain = explain;
    evaluation->log_odds = KN_NEURAL_SCORE;
    return KN_OK;
}

KnStatus kn_neural_network_evaluation(const KnNeuralNetwork *network, KnEvaluation **out, KnError *error)
{
    *out = NULL;
    KnEvaluation *evaluation = kn_evaluation_new(network->look.game, "neural");
    KnStatus status = evaluation ? set_up(evaluation, network, NULL, error)
                                 : kn_fail_memory(error, "opening an evaluation");
    if (status == KN_OK)
        *out = evaluation;
    else
        kn_evaluation_close(evaluation);
    return status;
}

static KnStatus open(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    const char *name = kn_option_string(options, "file");
    KnText path = KN_TEXT_EMPTY;
    KnNeuralNetwork *network = NULL;
    if (!name)
        return kn_fail(error, KN_INPUT,
                       "the evaluation neural needs a file: make one with knack train neural %s --out FILE",
                       evaluation->game->spec);
    kn_context_file(evaluation->game->context, name, &path);
    KnStatus status = kn_neural_network_open(evaluation->game, path.data, &network, error);
    kn_text_free(&path);
    if (status == KN_OK) status = set_up(evaluation, network, network, error);
    evaluation->cached = status == KN_OK; /* nobody else can change its weights */
    return status;
}

static const KnOption options_table[] = {
    {"file", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE, "a network that knack train neural made"}, {0}};

const KnEvaluationType kn_evaluation_neural = {
    {"neural", "a small neural network over the cells of the board, learned in self-play", options_table},
    open};
