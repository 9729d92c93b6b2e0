/* Rule sheets whose roles take turns, as the alternating zero-sum games that they are: every role moves at
 * every step there, as the language has it, but all save one only wait. For learners that want two players
 * who take turns and play for the same points.
 *
 * What a sheet is is found by analysis (games/gdl/analysis.h), proved or observed in random games.
 *
 * A view shows the sheet's largest board, if it has one, as cells: methods that look at boards then look at
 * sheets too.
 *
 * Ownership: the view is the caller's (kn_game_close); the game is borrowed and must outlive it. */
#ifndef KNACK_GAMES_TURNS_H
#define KNACK_GAMES_TURNS_H

#include "games/game.h"

/* KN_OK if it is a game of two who take turns and play for the same points, by itself or as a view; KN_INPUT
 * with the reason if not. */
KnStatus kn_game_takes_turns(const KnGame *game, KnError *error);

/* The view, positions of which begin with the sheet's (games/sequential.h); NULL where the game takes turns
 * by itself. */
KnStatus kn_game_turns(const KnGame *game, KnGame **view, KnError *error);

/* A game from its spec, as somebody who learns it wants it: the view where there is one, which closes the
 * sheet with itself, else the game. */
KnStatus kn_game_open_turns(const KnContext *context, const char *spec, KnGame **game, KnError *error);

#endif
