/* A player whose endgames are perfect: with few enough empty squares it solves the position (Othello). Where
 * the request's nodes do not suffice for that, the inner player decides after all. */
#include <stdlib.h>

#include "base/assert.h"
#include "games/othello/endgame.h"
#include "players/registry.h"
#include "players/search_explanation.h"

typedef struct Endgame {
    int empties;
    KnOthelloSolver *solver;
} Endgame;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Endgame *e = player->data = calloc(1, sizeof *e);
    if (!e) return kn_fail_memory(error, "opening a player");
    e->empties = (int)kn_option_integer(options, "empties");
    e->solver = kn_othello_solver_new(player->game, 0, error);
    if (!e->solver) return KN_SYSTEM;
    return kn_player_wrap(player, kn_option_spec(options, "inner"), error);
}

static void close(KnPlayer *player)
{
    Endgame *e = player->data;
    if (e) kn_othello_solver_free(e->solver);
    free(e);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KN_ASSERT(request->allowed_count > 0 && player->inner);
    Endgame *e = player->data;
    int empties = kn_othello_empties(request->game, request->position), margins[request->allowed_count];
    if (empties > e->empties) return player->inner->type->choose(player->inner, request, answer, error);
    bool values = request->wants & KN_WANT_VALUES && answer->values;
    KnOthelloSolving solving = {.moves = request->allowed,
                                .count = request->allowed_count,
                                .node_limit = request->budget.nodes,
                                .cancel = request->cancel};
    if (values || request->wants & KN_WANT_EXPLANATION) solving.margins = margins;
    KnStatus status = kn_othello_solve(e->solver, request->position, &solving);
    if (status == KN_NO) return player->inner->type->choose(player->inner, request, answer, error);
    if (status != KN_OK) return kn_fail(error, status, "stopped");
    answer->move = solving.best;
    answer->has_score = true;
    answer->score = kn_othello_score(request->game, solving.margin, empties);
    answer->depth = empties;
    answer->cost.nodes = solving.nodes;
    answer->has_values = values;
    for (int i = 0; values && i < request->allowed_count; i++)
        answer->values[i] = kn_othello_score(request->game, margins[i], empties);
    if (request->wants & KN_WANT_EXPLANATION)
        answer->explanation = kn_explain_solved(request, solving.best, solving.margin, margins,
                                                solving.nodes);
    return KN_OK;
}

static KnStatus suits(const KnGame *game, KnError *error)
{
    return kn_othello_is(game) ? KN_OK : kn_fail(error, KN_INPUT, "knows the endgames of Othello only");
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player until the endgame"},
    {"empties", KN_OPTION_INTEGER, "12", 0, 60, NULL, "empty squares at which a position is solved"},
    {0}};

const KnPlayerType kn_player_endgame = {
    .head = {"endgame", "another player whose Othello endgames are solved exactly", options},
    .suits = suits,
    .open = open,
    .close = close,
    .choose = choose,
};
