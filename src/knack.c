#include <knack/base.h>

#include "base/file.h"
#include "protocols/registry.h"
#include "games/game.h"
#include "lab/lab.h"
#include "methods/registry.h"
#include "players/player.h"
#include "eval/evaluation.h"

const char *kn_version(void) { return KNACK_VERSION; }

KnStatus kn_open(const char *data, KnContext **out, KnError *error)
{
    *out = NULL;
    KnContext *context = kn_context_new();
    if (!context) return kn_fail_memory(error, "opening knack");
    KnText folder = KN_TEXT_EMPTY;
    KnStatus status = kn_data_dir(data, &folder, error);
    if (status == KN_OK) status = kn_context_set_data(context, folder.data, error);
    if (status == KN_OK) status = kn_games_register(context, error);
    if (status == KN_OK) status = kn_evaluations_register(context, error);
    if (status == KN_OK) status = kn_players_register(context, error);
    if (status == KN_OK) status = kn_methods_register(context, error);
    if (status == KN_OK) status = kn_protocols_register(context, error);
    if (status == KN_OK) status = kn_experiments_register(context, error);
    kn_context_seal(context);
    kn_text_free(&folder);
    if (status == KN_OK)
        *out = context;
    else
        kn_close(context);
    return status;
}
