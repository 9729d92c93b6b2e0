/* Heuristics that have some merit in any game (Genesereth's lesson on incomplete search), as evaluations:
 * `mobility`, `focus`, `goal` and `proximity`. Each is a value from 0 to 100 for a role, taken for the goal
 * value to be expected; a combination is made by `blend` (blend.h).
 *
 * Mobility is the share of a role's feasible actions that it has, now or n steps away (in the mean over all
 * ways there), or the number of states that can be reached within n steps. What is feasible comes from the
 * grounding of a rule sheet (which takes it from `input` where it must); in other games the most moves of a
 * position stand in for it. Focus is 100 less mobility. Either can be one's own, the others' (their mean), or
 * one's own set against the others'. Who waits has no actions, or the one of waiting: look a step further to
 * see them.
 *
 * Goal proximity is the value of the rules' goal relation before the end (rule sheets only), or the share of
 * facts in common with the nearest desirable end that random games have met, facts that all ends share left
 * out (games with facts or a board). */
#ifndef KNACK_SEARCH_HEURISTICS_H
#define KNACK_SEARCH_HEURISTICS_H

#include "search/evaluate.h"

extern const KnEvaluationType kn_evaluation_mobility, kn_evaluation_focus, kn_evaluation_goal,
    kn_evaluation_proximity;

/* Moves that could ever be a role's, at least 1. */
int kn_feasible(const KnGame *game, int role);

/* Whether `goal`, and `proximity`, can look at this game. */
bool kn_game_has_goals(const KnGame *game);
bool kn_game_has_facts(const KnGame *game);

/* Whose value is meant: one's own, the mean of the others', or one's own set against the others' (50 where
 * both are alike). */
typedef enum KnWhose { KN_OWN, KN_OTHERS, KN_BOTH } KnWhose;
#define KN_WHOSE_OPTION                                                                                      \
    {                                                                                                        \
        "who", KN_OPTION_CHOICE, "own", 0, 0, "own|others|both",                                             \
            "whose: one's own, the others', or one's own against theirs"                                     \
    }

#endif
