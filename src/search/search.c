#include "search/search.h"

KnStatus kn_search_check_game(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || !game->type->moves)
        return kn_fail(error, KN_USAGE, "%s has simultaneous moves: search it as a sequential game",
                       game->spec);
    return KN_OK;
}
