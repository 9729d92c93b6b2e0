#include "methods/experience/network.h"

#include <math.h>

#include "base/file.h"
#include "base/json.h"
#include "base/math.h"
#include "eval/ntuple.h"

enum { OFTEN = 4 /* a game that was played more often counts as played this often */ };

const KnBaseNetworkPlan kn_base_network_default = {.passes = 4, .lambda = 0.9, .rate = 0.5, .phases = 1};

typedef struct Learning {
    const KnBaseNetworkPlan *plan;
    const KnGame *game;
    KnNetwork *network;
    KnNtupleLearner *learner;
} Learning;

/* What the network says of a position, for the first role, from -1 to 1. */
static double predict(const Learning *l, const uint8_t *cells, int side, int phase)
{
    double value = kn_math_tanh((double)kn_ntuple_sum(l->network->net, cells, side, phase) / KN_NTUPLE_ONE);
    return side == 0 ? value : -value;
}

static KnStatus learn_game(void *user, const KnBaseGame *game, KnError *error)
{
    (void)error;
    Learning *l = user;
    uint8_t cells[KN_NTUPLE_CELLS];
    double outcome = game->outcome > 0 ? 1 : game->outcome < 0 ? -1 : 0;
    for (size_t time = 0; time < game->play_count && time < OFTEN; time++) {
        double target = outcome;
        for (size_t ply = kn_state_plies(game->state) + 1; ply-- > 0;) {
            int side, phase;
            const void *position = kn_state_position_at(game->state, ply);
            if (kn_game_over(l->game, position)) continue;
            kn_look_at(&l->network->look, position, cells, &side, &phase);
            kn_ntuple_learn(l->learner, cells, side, phase, side == 0 ? target : -target, l->plan->rate);
            target = l->plan->lambda * target + (1 - l->plan->lambda) * predict(l, cells, side, phase);
        }
    }
    return KN_OK;
}

static KnStatus write_network(const Learning *l, const KnBaseStat *size, const char *path, KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    json_decref(l->network->made);
    l->network->made = json_pack("{ss sI sI si sf sf}", "by", "knack train experience", "games",
                                 (json_int_t)size->plays, "distinct", (json_int_t)size->games, "passes",
                                 l->plan->passes, "lambda", l->plan->lambda, "rate", l->plan->rate);
    KnStatus status = l->network->made ? kn_network_pack(l->network, &bytes, error)
                                       : kn_fail_memory(error, "learning a network");
    if (status == KN_OK) status = kn_file_write_atomic(path, bytes.data, bytes.length, error);
    kn_text_free(&bytes);
    return status;
}

KnStatus kn_base_learn_network(KnBase *base, const KnGame *game, const KnBaseNetworkPlan *plan,
                               const char *path, KnError *error)
{
    Learning l = {.plan = plan, .game = game};
    KnNetworkPlan shape = {
        .length = plan->length, .walks = plan->walks, .phases = plan->phases, .seed = 1, .memory = 64};
    KnBaseStat size;
    KnStatus status = kn_base_size(base, &size, error);
    if (status == KN_OK) status = kn_network_make(game, &shape, &l.network, error);
    if (status != KN_OK) return status;
    l.learner = kn_ntuple_learner_new(l.network->net, l.network->shared);
    if (!l.learner) status = kn_fail_memory(error, "learning a network");
    for (int pass = 0; pass < plan->passes && status == KN_OK; pass++)
        status = kn_base_games(base, learn_game, &l, error);
    if (status == KN_OK) status = write_network(&l, &size, path, error);
    kn_ntuple_learner_free(l.learner);
    kn_network_free(l.network);
    return status;
}
