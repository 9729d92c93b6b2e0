/* Players for games of turns, on game descriptions (GDL) whose roles take turns: in such a description all
 * roles move at every step, and all but one of them only wait. A player type that refuses the description,
 * but accepts its sequential view (games/turns.h), is opened for the view, and a wrapper shows it every game
 * through the view. So every method that plays draughts plays those games too. */
#ifndef KNACK_PLAYERS_SEQUENTIAL_VIEW_H
#define KNACK_PLAYERS_SEQUENTIAL_VIEW_H

#include "players/player.h"

/* Whether a kind of player plays this game, alone or by its view; KN_INPUT with what is missing if not.
 */
KnStatus kn_player_suits(const KnPlayerType *type, const KnGame *game, KnError *error);

/* Makes `player`, whose kind has refused the game, one that plays the view: from the same spec. */
KnStatus kn_player_turn(KnPlayer *player, const KnSpec *spec, KnError *error);

#endif
