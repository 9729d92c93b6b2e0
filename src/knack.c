#include "knack.h"

#include "base/file.h"
#include "engines/registry.h"
#include "games/game.h"
#include "lab/lab.h"
#include "players/learner.h"
#include "players/player.h"
#include "search/evaluate.h"

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
    if (status == KN_OK) status = kn_engines_register(context, error);
    if (status == KN_OK) status = kn_learners_register(context, error);
    if (status == KN_OK) status = kn_experiments_register(context, error);
    kn_text_free(&folder);
    if (status == KN_OK)
        *out = context;
    else
        kn_context_free(context);
    return status;
}
