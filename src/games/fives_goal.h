/* A line of Fives by force, as a goal (games/goals.h): one side, the attacker, wants its line; the other
 * wants to prevent that, by blocking or by a line of its own.
 *
 * What an attacker needs k more men for are open rows that lack at most k, and what can hold him up are rows
 * of the other side that lack as few: such a row becomes a threat that must be answered. So the cells of
 * these rows are all that the defender needs to look at: any other man changes no row that matters within k
 * moves. Moves are cells, numbered from 1. */
#ifndef KNACK_GAMES_FIVES_GOAL_H
#define KNACK_GAMES_FIVES_GOAL_H

#include "games/game.h"
#include "games/goals.h"

/* Whether `attacker` (a role) forces a line from a position of a game of Fives. Free with kn_fives_goal_free.
 */
KnStatus kn_fives_goal_open(const KnGame *game, const void *position, int attacker, KnGoal **goal,
                            KnError *error);
void kn_fives_goal_free(KnGoal *goal);

/* The other side moves first, as if one had passed. */
void kn_fives_goal_turn(KnGoal *goal, bool attacking);

/* The game's move for one of the goal's. */
KnMove kn_fives_goal_move(int move);

/* The same as a door that any proof search finds. */
extern const KnGoalDoor kn_fives_goals;

#endif
