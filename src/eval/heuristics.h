/* General heuristics for any game as evaluations: `mobility`, `focus`, `goal` and `proximity` (Genesereth and
 * Thielscher, General Game Playing, 2014: incomplete search). Each is a value from 0 to 100 for a role, an
 * estimate of the goal value; `blend` (blend.h) combines them.
 *
 * Mobility is the number of a role's legal actions as a share of its feasible ones, now or after n steps (the
 * mean over all lines), or the number of states that are reachable within n steps. For games in GDL the
 * feasible actions come from grounding (or from `input`); for other games the largest number of moves takes
 * their place. Focus is 100 less mobility. Both can be of the role itself, of the others (their mean), or of
 * the role against the others. A role that waits has no actions, or only a noop: look one step further to see
 * its actions.
 *
 * `goal` is the value of the goal relation before the end (games in GDL only). `proximity` is the share of
 * facts in common with the nearest desirable end that random playouts reached, without facts that all ends
 * have (games with facts or a board). */
#ifndef KNACK_EVAL_HEURISTICS_H
#define KNACK_EVAL_HEURISTICS_H

#include "eval/evaluation.h"

extern const KnEvaluationType kn_evaluation_mobility, kn_evaluation_focus, kn_evaluation_goal,
    kn_evaluation_proximity;

/* The number of feasible moves of a role, at least 1. */
int kn_feasible(const KnGame *game, int role);

/* Whether `goal`, or `proximity`, works for this game. */
bool kn_game_has_goals(const KnGame *game);
bool kn_game_has_facts(const KnGame *game);

/* Whose value counts: that of the role, the mean of the others, or that of the role against the others (50
 * where both are equal). */
typedef enum KnWhose { KN_OWN, KN_OTHERS, KN_BOTH } KnWhose;
#define KN_WHOSE_OPTION                                                                                      \
    {                                                                                                        \
        "who", KN_OPTION_CHOICE, "own", 0, 0, "own|others|both",                                             \
            "whose value: that of the role, of the others, or of the role against the others"                \
    }

#endif
