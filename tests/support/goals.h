/* What all goals (games/goals.h) are held to: the small searches and sets of a game against all legal moves.
 */
#ifndef KNACK_TESTS_SUPPORT_GOALS_H
#define KNACK_TESTS_SUPPORT_GOALS_H

#include "games/goals.h"

/* The attacker, to move, reaches it within k moves of his own, whatever both do; the same with the defender
 * to move. */
bool test_attack_wins(KnGoal *goal, int k);
bool test_defence_fails(KnGoal *goal, int k);

/* The defender is to move. If the attacker could reach it within k after a pass, he still can after any move
 * that the set of defences leaves out; else the test fails. False: he could not. */
bool test_defences_complete(KnGoal *goal, int k, const char *where);

#endif
