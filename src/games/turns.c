#include "games/turns.h"

#include "games/gdl/gdl.h"
#include "games/sequential.h"

static KnStatus refuse(const KnGame *game, const char *why, KnError *error) { return kn_fail(error, KN_INPUT, "%s: %s", game->spec, why); }

static KnStatus check_sheet(const KnGame *game, KnError *error)
{
    const KnGdlAnalysis *found = kn_game_analysis(game);
    if (!found) return refuse(game, "its rules cannot be grounded, so that nothing tells whether its roles take turns", error);
    if (found->turns < KN_GDL_OBSERVED) return refuse(game, "its roles choose at once, and learning wants two who take turns", error);
    if (found->opposed[0][1] < KN_GDL_OBSERVED)
        return refuse(game, "the goals of its roles do not add up to the same at every end, and learning wants two who play for the same points", error);
    return KN_OK;
}

KnStatus kn_game_takes_turns(const KnGame *game, KnError *error)
{
    bool two = game->roles == 2 && game->nature < 0;
    if (two && game->traits & KN_GAME_ZERO_SUM && !(game->traits & KN_GAME_SIMULTANEOUS)) return KN_OK;
    if (two && kn_game_gdl(game)) return check_sheet(game, error);
    return refuse(game, "learning wants a game of two players who take turns and play for the same points", error);
}

KnStatus kn_game_turns(const KnGame *game, KnGame **view, KnError *error)
{
    *view = NULL;
    KnStatus status = kn_game_takes_turns(game, error);
    if (status != KN_OK || !(game->traits & KN_GAME_SIMULTANEOUS)) return status;
    status = kn_game_sequential(game, 0, view, error);
    if (status == KN_OK) (*view)->traits |= KN_GAME_ZERO_SUM;
    return status;
}
