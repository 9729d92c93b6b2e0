/* Made-up games for tests of searches: a random graph without cycles whose branching, movers and payoffs
 * follow from the numbers of its positions. Few numbers a level, so that many paths lead to one position. */
#ifndef KNACK_TESTS_TOY_H
#define KNACK_TESTS_TOY_H

#include "games/game.h"

/* toy(roles=2, nature, chains, payoffs=3, length=8, width=40, seed=1, back): zero-sum with two roles and
 * neither nature nor `general`. `back`: a position with the same number as one before on the path is a draw,
 * and some moves are barred. */
extern const KnGameType test_toy;

#endif
