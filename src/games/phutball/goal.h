/* A goal of Phutball by force (games/goals.h): one side, the attacker, wants a turn to end with the ball on
 * the line where it scores.
 *
 * A move is a whole turn: a man on a point, or a chain of jumps, numbered as they are found. What a proof
 * depends on are the points where its jumps land (a man there changes the jump), and, wherever the other side
 * is to move in it, the points that the ball can be brought to and those around them (a man there gives it a
 * new jump). So the defences to a threat are men on those points, and all chains of jumps: no other man
 * changes anything in that proof. */
#ifndef KNACK_GAMES_PHUTBALL_GOAL_H
#define KNACK_GAMES_PHUTBALL_GOAL_H

#include "games/game.h"
#include "games/goals.h"

/* Whether `attacker` (a role: 0 north, 1 south) forces a goal from a position between turns. Free with
 * kn_phut_goal_free. */
KnStatus kn_phut_goal_open(const KnGame *game, const void *position, int attacker, KnGoal **goal,
                           KnError *error);
void kn_phut_goal_free(KnGoal *goal);

/* The other side moves first, as if one had passed. */
void kn_phut_goal_turn(KnGoal *goal, bool attacking);

/* The position that a move of the side to move leads to, for showing it. */
void kn_phut_goal_after(KnGoal *goal, int move, void *position);

#endif
