/* A board as rows of letters, for pictures that know no game: "x.o/.../o.." (explanation_svg.c). */
#ifndef KNACK_GAMES_BOARD_ROWS_H
#define KNACK_GAMES_BOARD_ROWS_H

#include "games/game.h"

/* The board with the letters of `cells`; # where the board has no cell, or where `shown` (NULL: all) leaves
 * one out. False if the game has no board, or one that is too large. */
bool kn_board_rows(const KnGame *game, const uint8_t *cells, const bool *shown, KnText *rows);

/* The same of a position in the game's notation; `game` is a const KnGame *. False if it cannot be read. */
bool kn_board_rows_of(const void *game, const char *position, KnText *rows);

#endif
