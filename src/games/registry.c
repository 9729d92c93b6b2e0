#include "games/registry.h"

static const KnGameType *const built_in[] = {
    &kn_checkers, &kn_fives,  &kn_morris,  &kn_othello,     &kn_tictactoe, &kn_go,
    &kn_gdl,      &kn_matrix, &kn_dilemma, &kn_publicgoods, &kn_phutball,  &kn_pipe,
};

KnStatus kn_games_register(KnContext *context, KnError *error)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        KnStatus status = kn_register(context, KN_KIND_GAME, &built_in[i]->head, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}
