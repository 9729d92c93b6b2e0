#include "eval/ntuple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "eval/ntuple_explain.h"
#include "eval/ntuple_inside.h"
#include "games/sequential.h"
#include "games/turns.h"

/* ---- networks ---- */

static KnStatus check_board(const KnGame *board, KnError *error)
{
    if (board->cells < 1 || !board->type->cell || !board->cell_symbols)
        return kn_fail(error, KN_INPUT, "needs a game with a board of cells");
    size_t symbols = strlen(board->cell_symbols);
    if (board->cells > KN_NTUPLE_CELLS || symbols < 2 || symbols > KN_NTUPLE_SYMBOLS)
        return kn_fail(error, KN_INPUT, "needs a board of up to %d cells with 2 to %d symbols",
                       KN_NTUPLE_CELLS, KN_NTUPLE_SYMBOLS);
    return KN_OK;
}

KnStatus kn_network_find_board(const KnGame *game, KnNetwork *network, KnError *error)
{
    KnStatus status = kn_game_takes_turns(game, error);
    if (status == KN_OK) status = kn_game_turns(game, &network->view, error);
    network->game = game;
    network->board = network->view ? network->view : game;
    return status == KN_OK ? check_board(network->board, error) : status;
}

KnStatus kn_network_suits(const KnGame *game, KnError *error)
{
    KnNetwork found = {0};
    KnStatus status = kn_network_find_board(game, &found, error);
    kn_game_close(found.view);
    return status;
}

void kn_network_free(KnNetwork *network)
{
    if (!network) return;
    if (network->tables)
        kn_unshare(network->game->context, network->tables);
    else {
        kn_ntuple_free(network->net);
        kn_ntuple_free(network->folded);
    }
    json_decref(network->made);
    kn_game_close(network->view);
    free(network);
}

/* Phases by pieces, for a board that says nothing about phases: two where games are long. */
static int phases_of(const KnGame *board, int asked, bool *by_pieces)
{
    enum { SMALL = 16 };
    *by_pieces = asked || board->phases < 2 || !board->type->phase;
    if (asked) return asked;
    return !*by_pieces ? board->phases : board->cells < SMALL ? 1 : 2;
}

static KnStatus build(KnNetwork *network, const KnNetworkPlan *plan, KnError *error)
{
    const KnGame *board = network->board;
    int phases = phases_of(board, plan->phases, &network->by_pieces);
    if (phases > KN_NTUPLE_PHASES)
        return kn_fail(error, KN_INPUT, "a network has at most %d phases", KN_NTUPLE_PHASES);
    KnCellSymmetries *symmetries = malloc(sizeof *symmetries);
    network->net = kn_ntuple_new(board->cells, (int)strlen(board->cell_symbols), phases);
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
    KnStatus status = kn_network_find_board(game, network, error);
    if (status == KN_OK) status = build(network, plan, error);
    if (status == KN_OK)
        *out = network;
    else
        kn_network_free(network);
    return status;
}

void kn_network_look(const KnNetwork *network, const void *position, uint8_t *cells, int *side, int *phase)
{
    const KnGame *board = network->board;
    kn_game_board(board, position, cells);
    if (!network->view)
        *side = board->type->mover(board, position);
    else {
        unsigned char entered[board->position_size] __attribute__((aligned(16)));
        kn_sequential_enter(board, position, entered);
        *side = board->type->mover(board, entered);
    }
    if (*side < 0 || *side > 1) *side = 0; /* a game that is over */
    if (!network->by_pieces)
        *phase = board->type->phase(board, position);
    else {
        int pieces = 0, phases = kn_ntuple_phases(network->net);
        for (int c = 0; c < board->cells; c++) pieces += cells[c] != 0;
        *phase = pieces * phases / (board->cells + 1);
    }
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
    kn_network_look(network, position, cells, side, &phase);
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
    if (network->view) evaluation->score_for = score_for;
    evaluation->explain = explain;
    evaluation->compare = compare;
    evaluation->log_odds = KN_NETWORK_SCORE;
    return KN_OK;
}

KnStatus kn_network_evaluation(const KnNetwork *network, KnEvaluation **out, KnError *error)
{
    KnEvaluation *evaluation = calloc(1, sizeof *evaluation);
    *out = NULL;
    if (!evaluation || !(evaluation->spec = strdup("ntuple"))) {
        free(evaluation);
        return kn_fail_memory(error, "opening an evaluation");
    }
    evaluation->game = network->game;
    KnStatus status = set_up(evaluation, network, NULL, error);
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
    return status == KN_OK ? set_up(evaluation, network, network, error) : status;
}

static const KnOption options_table[] = {
    {"file", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "a network that knack train ntuple made (default: the one that comes with the program)"},
    {0}};

const KnEvaluationType kn_evaluation_ntuple = {
    {"ntuple", "an n-tuple network: tables over groups of cells, learned in self-play", options_table}, open};
