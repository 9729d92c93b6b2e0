#include "protocols/registry.h"

static const KnPlayerType *const built_in[] = {
    &kn_player_gtp,
    &kn_player_nboard,
    &kn_player_pipe,
};

KnStatus kn_protocols_register(KnContext *context, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in && status == KN_OK; i++)
        status = kn_register(context, KN_KIND_PLAYER, &built_in[i]->head, error);
    return status;
}
