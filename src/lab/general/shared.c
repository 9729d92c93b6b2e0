#include "lab/general/shared.h"

#include "arena/play.h"

const char *const kn_ggp_games[KN_GGP_GAMES] = {"gdl:tictactoe",    "gdl:losetictactoe", "gdl:connectfour",
                                                "gdl:breakthrough", "gdl:hex5",          "gdl:othello6",
                                                "gdl:fours",        "gdl:bidding"};

static KnStatus count_decision(void *user, const KnState *state, const KnRequest *request, KnAnswer *answer,
                               KnError *error)
{
    (void)state, (void)error;
    KnGgpEntry *entry = &((KnGgpEntry *)user)[request->role];
    entry->decisions++;
    entry->nodes += answer->cost.nodes;
    entry->depth += (uint64_t)answer->depth;
    return KN_OK;
}

KnStatus kn_ggp_play(KnState *state, KnPlayer *const *players, KnRng *rng, size_t ply_limit,
                     const atomic_bool *cancel, KnGgpEntry *entries, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnPlayPlan plan = {.state = state,
                       .rules = {.ply_limit = ply_limit, .cancel = cancel},
                       .strict = true,
                       .skip_forced = true,
                       .move = count_decision,
                       .user = entries};
    KnPlayed played;
    for (int role = 0; role < game->roles; role++) {
        entries[role] = (KnGgpEntry){0};
        plan.players[role] = players[role];
        plan.rngs[role] = rng;
    }
    KnStatus status = kn_play(&plan, &played, error);
    if (status != KN_OK) return status;
    double range = game->payoff_high - game->payoff_low;
    for (int role = 0; role < game->roles; role++)
        entries[role].payoff = played.ending == KN_ENDED_AT_LIMIT
                                   ? 50
                                   : 100 * (played.payoffs[role] - game->payoff_low) / range;
    return KN_OK;
}

int kn_ggp_position(KnState *state, KnRng *rng, int plies)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves], joint[KN_ROLES_MAX];
    KnError error;
    for (;;) {
        kn_state_reset(state, NULL);
        for (int ply = 0; ply < plies && !kn_state_over(state, NULL); ply++) {
            for (int role = 0; role < game->roles; role++) {
                int count = kn_state_moves(state, role, moves);
                joint[role] = count ? moves[kn_rng_below(rng, (uint32_t)count)] : KN_MOVE_NONE;
            }
            if (kn_state_play_joint(state, joint, &error) != KN_OK) break;
        }
        if (kn_state_over(state, NULL)) continue;
        for (int role = 0; role < game->roles; role++)
            if (kn_state_moves(state, role, moves) > 1) return role;
    }
}
