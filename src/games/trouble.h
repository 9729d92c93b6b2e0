/* Rules that fail. The game interface assumes that rules cannot fail, but those of a game description can
 * (games/gdl/gdl.c), and so can a program that tells the rules (games/pipe/pipe.c). Then the game is over
 * where it failed; whoever plays asks here whether that is so, and reports it. */
#ifndef KNACK_GAMES_TROUBLE_H
#define KNACK_GAMES_TROUBLE_H

#include "games/game.h"

/* KN_OK, or the first failure since the game was opened. */
KnStatus kn_game_trouble(const KnGame *game, KnError *error);

/* Whether the game is over here because the rules failed: KN_OK, or KN_INPUT and why. Rules in a program that
 * failed anywhere count: what players made of them decides no game. */
KnStatus kn_game_trouble_at(const KnGame *game, const void *position, KnError *error);

#endif
