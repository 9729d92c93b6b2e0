/* The game definitions of abstract proof search (Cazenave 2001, section 4):
 *
 *   gi(k): the attacker has a move after which g(k-1) holds; gi(1): a move that reaches the goal.
 *   ip(k): after a pass of the defender, gi(j) holds for some j up to k.
 *   g(k):  for some j up to k: gi(j) holds after a pass, and after each of the defences to that, gi(k) holds.
 *
 * The set of defences to gi(j) is complete (games/goals.h): any other move of the defender is as good as a
 * pass. The paper's g2 is this with j = 1 (the string is in atari, and after its escape gi2 holds) or j = 2
 * (no move prevents gi2). */
#include "methods/widening/proof.h"

#include "base/assert.h"

static bool play(KnGoal *goal, int move, KnGoalCount *played)
{
    if (played->most && played->nodes >= played->most) return false;
    if (!goal->type->play(goal, move)) return false;
    played->nodes++;
    return true;
}

/* The least j up to k for which gi(j) holds, or 0. */
static int least_gi(KnGoal *goal, int k, KnGoalCount *played)
{
    for (int j = goal->type->needs(goal) > 0 ? goal->type->needs(goal) : 1; j <= k; j++)
        if (kn_proof_gi(goal, j, played)) return j;
    return 0;
}

/* The same after a pass of the defender. */
static int least_ip(KnGoal *goal, int k, KnGoalCount *played)
{
    if (goal->type->needs(goal) > k || !play(goal, KN_GOAL_PASS, played)) return 0;
    int j = least_gi(goal, k, played);
    goal->type->undo(goal);
    return j;
}

int kn_proof_gi_move(KnGoal *goal, int k, KnGoalCount *played)
{
    KN_ASSERT(k >= 1 && k <= KN_GOAL_THREATS && goal->attacking);
    if (goal->type->standing(goal) != KN_GOAL_OPEN || goal->type->needs(goal) > k) return -1;
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->attacks(goal, k, moves);
    for (int i = 0; i < count; i++) {
        if (!play(goal, moves[i], played)) return -1;
        bool reached = goal->type->standing(goal) == KN_GOAL_REACHED ||
                       (k > 1 && kn_proof_g(goal, k - 1, played));
        goal->type->undo(goal);
        if (reached) return moves[i];
    }
    return -1;
}

bool kn_proof_gi(KnGoal *goal, int k, KnGoalCount *played) { return kn_proof_gi_move(goal, k, played) >= 0; }

bool kn_proof_ip(KnGoal *goal, int k, KnGoalCount *played)
{
    return goal->type->standing(goal) == KN_GOAL_OPEN && least_ip(goal, k, played) > 0;
}

bool kn_proof_g(KnGoal *goal, int k, KnGoalCount *played)
{
    if (goal->type->standing(goal) != KN_GOAL_OPEN) return false;
    int j = least_ip(goal, k, played);
    if (!j) return false;
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->defences(goal, j, moves);
    for (int i = 0; i < count; i++) {
        if (!play(goal, moves[i], played)) return false;
        bool still = least_gi(goal, k, played) > 0;
        goal->type->undo(goal);
        if (!still) return false;
    }
    return true;
}

int kn_proof_forced_moves(KnGoal *goal, int k, int *moves, KnGoalCount *played)
{
    int candidates[KN_GOAL_MOVES_MAX], count = goal->type->defences(goal, k, candidates), kept = 0;
    for (int i = 0; i < count; i++) {
        bool prevents = true; /* at the bound of nodes it counts as preventing */
        if (play(goal, candidates[i], played)) {
            prevents = !least_gi(goal, k, played);
            goal->type->undo(goal);
        }
        if (prevents) moves[kept++] = candidates[i];
    }
    return kept;
}
