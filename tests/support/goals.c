#include "support/goals.h"

#include "methods/widening/proof.h"
#include "support/check.h"

bool test_attack_wins(KnGoal *goal, int k)
{
    KnGoalStanding standing = goal->type->standing(goal);
    if (standing != KN_GOAL_OPEN) return standing == KN_GOAL_REACHED;
    if (goal->type->needs(goal) > k) return false;
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->legal(goal, moves);
    for (int i = 0; i < count; i++) {
        assert_true(goal->type->play(goal, moves[i]));
        bool wins = goal->type->standing(goal) == KN_GOAL_REACHED ||
                    (k > 1 && test_defence_fails(goal, k - 1));
        goal->type->undo(goal);
        if (wins) return true;
    }
    return false;
}

bool test_defence_fails(KnGoal *goal, int k)
{
    KnGoalStanding standing = goal->type->standing(goal);
    if (standing != KN_GOAL_OPEN) return standing == KN_GOAL_REACHED;
    if (goal->type->needs(goal) > k) return false;
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->legal(goal, moves);
    moves[count++] = KN_GOAL_PASS;
    for (int i = 0; i < count; i++) {
        assert_true(goal->type->play(goal, moves[i]));
        bool wins = test_attack_wins(goal, k);
        goal->type->undo(goal);
        if (!wins) return false;
    }
    return true;
}

static bool within(KnGoal *goal, int k)
{
    KnGoalCount played = {0};
    for (int j = 1; j <= k; j++)
        if (goal->type->standing(goal) == KN_GOAL_REACHED || kn_proof_gi(goal, j, &played)) return true;
    return false;
}

bool test_defences_complete(KnGoal *goal, int k, const char *where)
{
    KnGoalCount played = {0};
    if (!kn_proof_ip(goal, k, &played)) return false;
    int inside[KN_GOAL_MOVES_MAX], all[KN_GOAL_MOVES_MAX];
    int in = goal->type->defences(goal, k, inside), count = goal->type->legal(goal, all);
    for (int i = 0; i < count; i++) {
        bool listed = false;
        for (int j = 0; j < in; j++) listed |= inside[j] == all[i];
        if (listed) continue;
        assert_true(goal->type->play(goal, all[i]));
        bool still = within(goal, k);
        goal->type->undo(goal);
        if (!still) fail_msg("%s, k = %d: move %d prevents it, and is not in the set", where, k, all[i]);
    }
    return true;
}
