#include "players/registry.h"

#include "players/dilemma/strategy.h"

static const KnPlayerType *const built_in[] = {
    &kn_player_legal,   &kn_player_random,  &kn_player_minimax, &kn_player_alphabeta,  &kn_player_breadth,
    &kn_player_mcts,    &kn_player_perfect, &kn_player_puzzle,  &kn_player_reasonable, &kn_player_noisy,
    &kn_player_endgame, &kn_player_human,   &kn_player_mixed,
};

KnStatus kn_players_register(KnContext *context, KnError *error)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        KnStatus status = kn_register(context, KN_KIND_PLAYER, &built_in[i]->head, error);
        if (status != KN_OK) return status;
    }
    return kn_strategies_register(context, error);
}
