/* Positions for tests: opened games with positions read from text, or drawn. */
#ifndef KNACK_TESTS_BOARDS_H
#define KNACK_TESTS_BOARDS_H

#include "games/game.h"

/* A game opened from its spec in a context of its own; close with test_game_close. */
KnGame *test_game(const char *spec);
void test_game_close(KnGame *game);

/* Reads a position or fails the test. */
void test_position(const KnGame *game, const char *text, void *position);

/* The text of a position or move, in a static buffer that the next but three calls reuse. */
const char *test_position_text(const KnGame *game, const void *position);
const char *test_move_text(const KnGame *game, const void *position, KnMove move);

#endif
