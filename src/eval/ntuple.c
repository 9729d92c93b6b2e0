#include "eval/ntuple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "eval/ntuple_explain.h"
#include "eval/ntuple_inside.h"

/* ---- networks ---- */

void kn_network_free(KnNetwork *network)
{
    if (!network) return;
    if (network->tables)
        kn_unshare(network->look.game->context, network->tables);
    else {
        kn_ntuple_free(network->net);
        kn_ntuple_free(network->folded);
    }
    json_decref(network->made);
    kn_look_close(&network->look);
    free(network);
}

static KnStatus build(KnNetwork *network, const KnNetworkPlan *plan, KnError *error)
{
    const KnGame *board = network->look.board;
    KnCellSymmetries *symmetries = malloc(sizeof *symmetries);
    network->net = kn_ntuple_new(board->cells, kn_look_symbols(&network->look), network->look.phases);
    network->made = json_object();
    KnStatus status = symmetries && network->net && network->made ? KN_OK
                                                                  : kn_fail_memory(error, "making a network");
    if (status == KN_OK) status = kn_cell_symmetries(board, symmetries, error);
    if (status == KN_OK && symmetries->exchanges)
        status = kn_ntuple_exchange(network->net, symmetries->exchange, symmetries->symbols, error);
    if (status == KN_OK)
        status = kn_network_add_tuples(board, plan, symmetries, network->net, &network->shared, error);
    if (status == KN_OK) status = kn_ntuple_finish(network->net, error);
    free(symmetries);
    return status;
}

KnStatus kn_network_make(const KnGame *game, const KnNetworkPlan *plan, KnNetwork **out, KnError *error)
{
    KnNetwork *network = calloc(1, sizeof *network);
    *out = NULL;
    if (!network) return kn_fail_memory(error, "making a network");
    KnStatus status = kn_look_open(game, plan->phases, &network->look, error);
    if (status == KN_OK) status = build(network, plan, error);
    if (status == KN_OK)
        *out = network;
    else
        kn_network_free(network);
    return status;
}

/* ---- the evaluation ---- */

typedef struct Evaluation {
    const KnNetwork *network;
    KnNetwork *own; /* NULL if the network belongs to the caller */
} Evaluation;

static KnScore score_of(int32_t sum)
{
    const int32_t bound = KN_SCORE_HEURISTIC - 1;
    int32_t score = sum / (KN_NTUPLE_ONE / KN_NETWORK_SCORE);
    return score > bound ? bound : score < -bound ? -bound : score;
}

/* The score for the mover, who is stored in *side. */
static inline KnScore score_mover(const KnNetwork *network, const void *position, int *side)
{
    uint8_t cells[KN_NTUPLE_CELLS];
    int phase;
    kn_look_at(&network->look, position, cells, side, &phase);
    return score_of(kn_ntuple_sum(network->folded ? network->folded : network->net, cells, *side, phase));
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    int side;
    return score_mover(((const Evaluation *)self->data)->network, position, &side);
}

static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    int side;
    KnScore seen = score_mover(((const Evaluation *)self->data)->network, position, &side);
    return side == role ? seen : -seen;
}

static void explain(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent)
{
    kn_network_explain(((const Evaluation *)self->data)->network, position, role, arena, parent);
}

static void compare(const KnEvaluation *self, const void *before, const void *after, int role, KnArena *arena,
                    KnExplanation *parent)
{
    kn_network_compare(((const Evaluation *)self->data)->network, before, after, role, arena, parent);
}

static void close(KnEvaluation *self)
{
    Evaluation *data = self->data;
    if (data) kn_network_free(data->own);
    free(data);
}

static KnStatus set_up(KnEvaluation *evaluation, const KnNetwork *network, KnNetwork *own, KnError *error)
{
    Evaluation *data = evaluation->data = calloc(1, sizeof *data);
    evaluation->close = close;
    if (!data) {
        kn_network_free(own);
        return kn_fail_memory(error, "opening an evaluation");
    }
    *data = (Evaluation){network, own};
    evaluation->score = score;
    if (network->look.view) evaluation->score_for = score_for;
    evaluation->explain = explain;
    evaluation->compare = compare;
    evaluation->log_odds = KN_NETWORK_SCORE;
    return KN_OK;
}

KnStatus kn_network_evaluation(const KnNetwork *network, KnEvaluation **out, KnError *error)
{
    *out = NULL;
    KnEvaluation *evaluation = kn_evaluation_new(network->look.game, "ntuple");
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
    KnNetwork *network = NULL;
    if (name) kn_context_file(evaluation->game->context, name, &path);
    KnStatus status = kn_network_open(evaluation->game, name ? path.data : NULL, &network, error);
    kn_text_free(&path);
    if (status == KN_OK) status = set_up(evaluation, network, network, error);
    evaluation->cached = status == KN_OK; /* nobody else can change its weights */
    return status;
}

static const KnOption options_table[] = {
    {"file", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "a network that knack train ntuple made (default: the one that comes with the program)"},
    {0}};

const KnEvaluationType kn_evaluation_ntuple = {
    {"ntuple", "an n-tuple network: tables over groups of cells, learned in self-play", options_table}, open};
