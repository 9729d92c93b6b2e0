/* A forced line of Fives as a goal (games/goals.h): the attacker wants a line; the defender blocks it or
 * makes a line first. The attacker needs k more men in open rows that lack at most k; the defender can delay
 * him with own rows that lack as few, since they are threats. So the cells of these rows are all relevant
 * defences: any other man changes no row that matters within k moves. Moves are cells, numbered from 1. */
#ifndef KNACK_GAMES_FIVES_GOAL_H
#define KNACK_GAMES_FIVES_GOAL_H

#include "games/game.h"
#include "games/goals.h"

/* Opens the question whether `attacker` (a role) forces a line. Free it with kn_fives_goal_free. */
KnStatus kn_fives_goal_open(const KnGame *game, const void *position, int attacker, KnGoal **goal,
                            KnError *error);
void kn_fives_goal_free(KnGoal *goal);

/* Changes the side to move, as after a pass. */
void kn_fives_goal_turn(KnGoal *goal, bool attacking);

/* The game's move of a goal's move. */
KnMove kn_fives_goal_move(int move);

/* The same for any proof search. */
extern const KnGoalProvider kn_fives_goals;

#endif
