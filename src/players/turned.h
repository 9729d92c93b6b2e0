/* Players that want turns, on rule sheets whose roles take them: such a sheet has everybody move at every
 * step, and all but one wait. A player whose kind refuses the sheet, but not its view as a game of turns
 * (games/turns.h), is opened for the view, and this one, which stands around it, shows it every contest that
 * way. So every method that plays draughts plays those sheets too, whatever it is made of. */
#ifndef KNACK_PLAYERS_TURNED_H
#define KNACK_PLAYERS_TURNED_H

#include "players/player.h"

/* Whether a kind of player plays this game, by itself or by its view; KN_INPUT with what is missing if not.
 */
KnStatus kn_player_suits(const KnPlayerType *type, const KnGame *game, KnError *error);

/* Makes `player`, whose kind has refused the game, one that plays the view: from the same spec. */
KnStatus kn_player_turn(KnPlayer *player, const KnSpec *spec, KnError *error);

#endif
