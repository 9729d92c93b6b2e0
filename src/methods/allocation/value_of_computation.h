/* The value of computation (Russell and Wefald 1991): what a deep search gains in points of the game,
 * learned from the games that the examples come from. Beyond the paper, whose utility (equation 4) is a
 * difference of evaluations: an extra man decides nothing when the game is won anyway, nor when it is
 * nearly over. Two steps turn utility into points:
 *
 * 1. The expected points of a position, by the deep search's value, the moves made and the material on the
 *    board, learned from how the games ended. The utility becomes the deep search's expected points less
 *    the mean over the moves among which the shallow search would choose.
 * 2. How much of that becomes real. The player chose at random among the moves that its shallow search
 *    held equal, and, with `explore`, sometimes the deep search's move: an experiment. How the outcomes
 *    depend on that luck, by stage of the game and by how open the game was, scales the utility. (In
 *    draughts about one half in the middle game, and less near the end, where a search looks beyond the
 *    last move that counts.)
 *
 * Ownership: kn_computation_value_learn allocates, kn_computation_value_free frees; read-only in between. */
#ifndef KNACK_METHODS_ALLOCATION_VALUE_OF_COMPUTATION_H
#define KNACK_METHODS_ALLOCATION_VALUE_OF_COMPUTATION_H

#include "learn/boost.h"
#include "methods/allocation/examples.h"

enum { KN_VALUE_STAGES = 8, KN_VALUE_LEVELS = 3 };

typedef struct KnComputationValue {
    KnBoost *outcome;
    int moves; /* of a budget: what stages are parts of */
    double factor[KN_VALUE_STAGES]
                 [KN_VALUE_LEVELS]; /* by stage, and by how open: even, ahead or behind, nearly decided */
} KnComputationValue;

KnStatus kn_computation_value_learn(const KnExamples *set, int moves, uint64_t seed,
                                    KnComputationValue **value, KnError *error);
void kn_computation_value_free(KnComputationValue *value);

/* The value of a deep search in example i, in points of the game. */
double kn_computation_value_of(const KnComputationValue *value, const KnExamples *set, size_t i);

#endif
