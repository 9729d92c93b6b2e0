/* Opponents of measured strength for each game (data/embed/levels.json), the same that the page offers. */
#ifndef KNACK_CLI_LEVELS_H
#define KNACK_CLI_LEVELS_H

#include "base/text.h"
#include "games/game.h"

/* The spec of a level by its name or its number from 1. Fails with the names that there are. */
KnStatus cli_level(const KnGame *game, const char *level, KnText *spec, KnError *error);

/* An opponent that fits the game: its middle level, else a player that suits such games. */
void cli_fitting_opponent(const KnGame *game, KnText *spec);

#endif
