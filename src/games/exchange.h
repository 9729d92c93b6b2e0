/* Games whose two roles play by the same rules, although one of them begins.
 *
 * A symmetry that exchanges roles (KnGameType.transform_role) maps positions of a game to positions of the
 * game. Five in a row has none: with men and move exchanged, the side that begins would be behind by a man.
 * Yet such a position has the same value for the other role, and what is learned about one role holds for
 * the other. */
#ifndef KNACK_GAMES_EXCHANGE_H
#define KNACK_GAMES_EXCHANGE_H

#include "games/game.h"

/* Whether this is known of the game or of the view of a game description, where analysis proves it. Fills how
 * the second role sees the board through the eyes of the first: cell c as cells[c], symbol s as symbols[s].
 */
bool kn_game_exchange(const KnGame *game, uint16_t *cells, uint8_t *symbols);

#endif
