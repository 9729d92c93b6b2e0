/* What a base lets one expect of a position against opponents who are not perfect: not the min-max of
 * outcomes seen, which one blunder or one lucky game decides, but an average. Where the other has the move,
 * his replies count as often as they were seen; where one has it oneself, the best move that enough games
 * speak for. */
#ifndef KNACK_METHODS_EXPERIENCE_EXPECTED_VALUE_H
#define KNACK_METHODS_EXPERIENCE_EXPECTED_VALUE_H

#include "methods/experience/base.h"

typedef struct KnExpect {
    KnBase *base;
    const KnGame *game;
    int role;      /* whose expectation */
    double weight; /* how many games the mean of a position counts for beside those of one move from it */
    uint64_t few;  /* below this number of games a position's value is its mean */
    double others; /* what a game against another opponent than kn_base_against counts for, 0 to 1 */
} KnExpect;

/* How many games speak for a move, and their mean for the role. */
typedef struct KnEvidence {
    double games, mean;
} KnEvidence;
KnEvidence kn_evidence(const KnExpect *expect, const KnBaseMove *row);

/* In points for the role. The position must be known; `evidence` is what the base holds of it. */
KnStatus kn_expect(const KnExpect *expect, const void *position, KnEvidence evidence, int depth,
                   double *value, KnError *error);

#endif
