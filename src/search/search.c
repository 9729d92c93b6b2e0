#include "search/search.h"

#include <math.h>

KnStatus kn_search_check_game(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || !game->type->moves)
        return kn_fail(error, KN_USAGE, "%s has simultaneous moves: search it as a sequential game",
                       game->spec);
    return KN_OK;
}

bool kn_results_opposed(const KnGame *game, const double *results, double shared)
{
    if (game->traits & KN_GAME_ZERO_SUM) return true;
    int others = game->roles - (game->nature >= 0);
    double sum = 0;
    for (int role = 0; role < game->roles; role++)
        if (role != game->nature) sum += results[role];
    return others < 2 || (others == 2 && fabs(sum - shared) < 1e-9);
}
