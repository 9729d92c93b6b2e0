/* A forced win of Phutball as a goal (games/goals.h): the attacker wants a turn to end with the ball on its
 * goal line. A move is a whole turn: a man on a point, or a chain of jumps, numbered as found. A proof
 * depends on the points where its jumps land (a man there changes the jump) and, where the defender is to
 * move, on the points that the ball can reach and their neighbours (a man there gives a new jump). So the
 * defences against a threat are men on these points, and all chains of jumps. */
#ifndef KNACK_GAMES_PHUTBALL_GOAL_H
#define KNACK_GAMES_PHUTBALL_GOAL_H

#include "games/game.h"
#include "games/goals.h"

/* Opens the question whether `attacker` (0 north, 1 south) forces a win from a position between turns. Free
 * it with kn_phut_goal_free. */
KnStatus kn_phut_goal_open(const KnGame *game, const void *position, int attacker, KnGoal **goal,
                           KnError *error);
void kn_phut_goal_free(KnGoal *goal);

/* Changes the side to move, as after a pass. */
void kn_phut_goal_turn(KnGoal *goal, bool attacking);

/* The position after a move, for display. */
void kn_phut_goal_after(KnGoal *goal, int move, void *position);

extern const KnGoalProvider kn_phut_goals;

#endif
