#include "methods/experience/network.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/math.h"
#include "eval/evaluation.h"
#include "eval/ntuple.h"

enum { OFTEN = 4 /* a game that was played more often counts as played this often */ };

const KnBaseNetworkPlan kn_base_network_default = {
    .imitation = 2, .passes = 4, .lambda = 0.5, .rate = 0.5, .phases = 1};

typedef struct Learning {
    const KnBaseNetworkPlan *plan;
    const KnGame *game;
    KnNetwork *network;
    KnNtupleLearner *learner;
} Learning;

/* What the network says of a position, for the side to move, from -1 to 1. */
static double predict(const Learning *l, const void *position)
{
    uint8_t cells[KN_NTUPLE_CELLS];
    int side, phase;
    kn_look_at(&l->network->look, position, cells, &side, &phase);
    return kn_math_tanh((double)kn_ntuple_sum(l->network->net, cells, side, phase) / KN_NTUPLE_ONE);
}

/* The best that the side to move reaches with one move, for that side, from -1 to 1. */
static double look_ahead(const Learning *l, const void *position)
{
    const KnGame *game = l->game;
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    int mover = game->type->mover(game, position), count = game->type->moves(game, position, moves);
    double best = -1;
    for (int i = 0; i < count; i++) {
        memcpy(after, position, game->position_size);
        game->type->play(game, after, moves[i]);
        double value;
        if (kn_game_over(game, after)) {
            double payoffs[KN_ROLES_MAX];
            game->type->payoffs(game, after, payoffs);
            value = (payoffs[mover] > payoffs[1 - mover]) - (payoffs[mover] < payoffs[1 - mover]);
        } else {
            value = predict(l, after);
            if (game->type->mover(game, after) != mover) value = -value;
        }
        if (value > best) best = value;
    }
    return best;
}

static void learn_position(const Learning *l, const void *position, double target)
{
    uint8_t cells[KN_NTUPLE_CELLS];
    int side, phase;
    kn_look_at(&l->network->look, position, cells, &side, &phase);
    kn_ntuple_learn(l->learner, cells, side, phase, target, l->plan->rate);
}

/* Towards the game's own evaluation. */
static KnStatus imitate(void *user, const KnBaseGame *game, KnError *error)
{
    (void)error;
    const Learning *l = user;
    for (size_t ply = 0; ply <= kn_state_plies(game->state); ply++) {
        const void *position = kn_state_position_at(game->state, ply);
        if (kn_game_over(l->game, position)) continue;
        KnScore score = l->game->evaluations[0].score(l->game, position);
        learn_position(l, position, kn_chance_of_score(score, false, 0) / 50 - 1);
    }
    return KN_OK;
}

/* Towards the outcome and what could have been played instead. */
static KnStatus learn_game(void *user, const KnBaseGame *game, KnError *error)
{
    (void)error;
    const Learning *l = user;
    double outcome = game->outcome > 0 ? 1 : game->outcome < 0 ? -1 : 0, lambda = l->plan->lambda;
    for (size_t time = 0; time < game->play_count && time < OFTEN; time++) {
        double target = outcome; /* for the first role */
        for (size_t ply = kn_state_plies(game->state) + 1; ply-- > 0;) {
            const void *position = kn_state_position_at(game->state, ply);
            if (kn_game_over(l->game, position)) continue;
            int sign = l->game->type->mover(l->game, position) == 0 ? 1 : -1;
            target = lambda * target + (1 - lambda) * sign * look_ahead(l, position);
            learn_position(l, position, sign * target);
        }
    }
    return KN_OK;
}

static KnStatus write_network(const Learning *l, const KnBaseStat *size, const char *path, KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    json_decref(l->network->made);
    l->network->made = json_pack("{ss sI sI si si sf sf}", "by", "knack train experience", "games",
                                 (json_int_t)size->plays, "distinct", (json_int_t)size->games, "imitation",
                                 l->plan->imitation, "passes", l->plan->passes, "lambda", l->plan->lambda,
                                 "rate", l->plan->rate);
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
    int imitation = game->evaluations && game->evaluations[0].name ? plan->imitation : 0;
    for (int pass = 0; pass < imitation + plan->passes && status == KN_OK; pass++)
        status = kn_base_games(base, pass < imitation ? imitate : learn_game, &l, error);
    if (status == KN_OK) status = write_network(&l, &size, path, error);
    kn_ntuple_learner_free(l.learner);
    kn_network_free(l.network);
    return status;
}
