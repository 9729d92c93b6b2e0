/* Games given by their rules: what stands behind `gdl:FILE`. */
#ifndef KNACK_GAMES_GDL_GDL_H
#define KNACK_GAMES_GDL_GDL_H

#include "games/game.h"
#include "games/gdl/machine.h"

/* The machine of a game that was opened as gdl; NULL for other games. Borrowed. */
KnGdlMachine *kn_game_gdl(const KnGame *game);

/* Rules cannot fail in the game interface, but a prover can (see gdl.c): KN_OK, or the first thing that went wrong since the game
 * was opened. */
KnStatus kn_gdl_trouble(const KnGame *game, KnError *error);

#endif
