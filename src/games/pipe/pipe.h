/* Games whose rules only a foreign program knows: `pipe("COMMAND")` (docs/pipe.md). */
#ifndef KNACK_GAMES_PIPE_PIPE_H
#define KNACK_GAMES_PIPE_PIPE_H

#include "games/game.h"

bool kn_pipe_is(const KnGame *game);

/* KN_OK for other games and while the program answers; else KN_INPUT and how it failed. */
KnStatus kn_pipe_game_trouble(const KnGame *game, KnError *error);

#endif
