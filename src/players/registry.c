#include "players/registry.h"

#include "players/allocation/policy.h"
#include "players/dilemma/strategy.h"

static const KnPlayerType *const built_in[] = {
    &kn_player_legal,    &kn_player_random, &kn_player_minimax,    &kn_player_alphabeta,
    &kn_player_breadth,  &kn_player_uct,    &kn_player_tactical,   &kn_player_general,
    &kn_player_perfect,  &kn_player_puzzle, &kn_player_reasonable, &kn_player_satisfice,
    &kn_player_allocate, &kn_player_clock,  &kn_player_experience, &kn_player_hoyle,
    &kn_player_noisy,    &kn_player_prove,  &kn_player_endgame,    &kn_player_seqlearner,
    &kn_player_human,
};

KnStatus kn_players_register(KnContext *context, KnError *error)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        KnStatus status = kn_register(context, KN_KIND_PLAYER, &built_in[i]->head, error);
        if (status != KN_OK) return status;
    }
    KnStatus status = kn_strategies_register(context, error);
    return status == KN_OK ? kn_policies_register(context, error) : status;
}
