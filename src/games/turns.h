/* GDL games with turn-taking as alternating zero-sum games. In GDL every role moves at every step, but if
 * roles take turns, all but one have only a waiting move. Learners that need two alternating players use this
 * view.
 *
 * Analysis (games/gdl/analysis.h) decides whether roles take turns: proved, or observed in random games.
 *
 * The view shows the largest board of the description, if there is one, as cells, so that methods for boards
 * work on it.
 *
 * Ownership: the caller owns the view (kn_game_close); the game is borrowed and must outlive it. */
#ifndef KNACK_GAMES_TURNS_H
#define KNACK_GAMES_TURNS_H

#include "games/game.h"

/* KN_OK if the game, or its view, is an alternating zero-sum game of two; else KN_INPUT and why. */
KnStatus kn_game_takes_turns(const KnGame *game, KnError *error);

/* The view, whose positions start with the game's (games/sequential.h); NULL if the game is alternating. */
KnStatus kn_game_turns(const KnGame *game, KnGame **view, KnError *error);

/* Whether a view shows a board that the proven symmetry of the roles maps onto itself; fills the image of
 * each cell and symbol. False for other games. */
bool kn_turns_exchange(const KnGame *view, uint16_t *cells, uint8_t *symbols);

/* Opens a game for a learner: the view if there is one, which owns the game behind it, else the game. */
KnStatus kn_game_open_turns(const KnContext *context, const char *spec, KnGame **game, KnError *error);

#endif
