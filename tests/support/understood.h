/* What a reader made of a text, against the text. */
#ifndef KNACK_TESTS_UNDERSTOOD_H
#define KNACK_TESTS_UNDERSTOOD_H

#include "games/game.h"

/* A text that is understood has nothing in it that its meaning has not: each letter and odd sign stands there
 * as often, apart from blanks, separators and numbers. Fails the test otherwise. */
void check_nothing_ignored(const KnGame *game, const char *text, const char *understood);

#endif
