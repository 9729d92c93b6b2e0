/* What a deep search is worth in points of the game, learned from the games that the examples come from.
 *
 * The paper's utility (equation 4) is a difference of evaluations. But a man more decides nothing when the
 * game is won anyhow, nor when it is nearly broken off. Two steps turn it into points:
 *
 * 1. What a position's value says about the outcome: points expected, by the deep search's value, the moves
 * made and the material on the board, learned from how the games ended. The utility becomes the deep search's
 * expected points less the mean of those moves among which the shallow search would choose.
 * 2. How much of that becomes real. The player chose by chance among the moves that its shallow search held
 * equal, and, where it was told to explore, sometimes the deep search's move: an experiment. What the games'
 * outcomes owe to that luck, by stage of the game and by how open the game was, scales the utility. (In
 * draughts about one half in the middle game, and less near the end, where a search looks beyond the last
 * move that counts.)
 *
 * Ownership: kn_worth_learn allocates, kn_worth_free frees; read-only in between. */
#ifndef KNACK_PLAYERS_ALLOCATION_WORTH_H
#define KNACK_PLAYERS_ALLOCATION_WORTH_H

#include "learn/boost.h"
#include "players/allocation/examples.h"

enum { KN_WORTH_STAGES = 8, KN_WORTH_LEVELS = 3 };

typedef struct KnWorth {
    KnBoost *outcome;
    int moves; /* of a budget: what stages are parts of */
    double factor[KN_WORTH_STAGES]
                 [KN_WORTH_LEVELS]; /* by stage, and by how open: even, ahead or behind, nearly decided */
} KnWorth;

KnStatus kn_worth_learn(const KnExamples *set, int moves, uint64_t seed, KnWorth **worth, KnError *error);
void kn_worth_free(KnWorth *worth);

/* Points that a deep search is worth in example i. */
double kn_worth_of(const KnWorth *worth, const KnExamples *set, size_t i);

#endif
