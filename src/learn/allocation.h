/* What extra search is worth in a position, from the values that a shallow and a deep search give its moves
 * (Markovitch and Sella 1996, equations 1 to 4): the classes that a resource allocation policy learns.
 *
 * Knows no game: a position is two rows of values, a place for each move, higher better for who moves. */
#ifndef KNACK_LEARN_ALLOCATION_H
#define KNACK_LEARN_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* `single` is by the one move that each search chose (1, 2), `sets` by all that it might have chosen (3, 4).
 */
typedef struct KnDeepWorth {
    bool single_positive;  /* (1) the two searches choose different moves */
    double single_utility; /* (2) by how much, in the deep search's values */
    bool positive; /* (3) some move that the shallow search may choose is none of the deep search's best */
    double
        utility; /* (4) the deep search's best less the mean, by its values, of the shallow search's best */
} KnDeepWorth;

/* Values of `count` moves by both searches, all exact; `shallow_move` and `deep_move` are the places of the
 * moves that were chosen. */
KnDeepWorth kn_deep_worth(const int32_t *shallow, const int32_t *deep, int count, int shallow_move,
                          int deep_move);

/* ---- how selective to be ---- */

/* The threshold that lets a share of all positions pass, for shares in steps: the paper's equation 5,
 * tabulated. Of leaves with weights W and scores P (a probability, or a worth) it is the greatest b for which
 * the weights of the leaves with P >= b add up to the share or more. (The paper asks for the least b, which
 * is always 0.) */
enum { KN_THRESHOLD_STEPS = 1000 };

typedef struct KnThresholds {
    double b[KN_THRESHOLD_STEPS + 1];
} KnThresholds;

KnStatus kn_thresholds_make(const double *weights, const double *scores, int leaves, KnThresholds *out,
                            KnError *error);

/* For a share of deep / moves; everything passes where deep >= moves. */
double kn_threshold(const KnThresholds *thresholds, int deep, int moves);

#endif
