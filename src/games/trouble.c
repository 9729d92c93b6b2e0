#include "games/trouble.h"

#include "games/gdl/gdl.h"
#include "games/pipe/pipe.h"

KnStatus kn_game_trouble(const KnGame *game, KnError *error)
{
    return kn_game_gdl(game) ? kn_gdl_trouble(game, error) : kn_pipe_game_trouble(game, error);
}

KnStatus kn_game_trouble_at(const KnGame *game, const void *position, KnError *error)
{
    return kn_game_gdl(game) ? kn_gdl_trouble_at(game, position, error) : kn_pipe_game_trouble(game, error);
}
