/* The paper's equations (Markovitch and Sella 1996, 3.2 and 3.4): the class of an example, from the values
 * that a shallow and a deep search give its moves (1 to 4), and the threshold of a context-sensitive
 * classifier (5).
 *
 * Knows no game: a position is two rows of values, one value a move, higher is better for the player to
 * move. */
#ifndef KNACK_METHODS_ALLOCATION_EQUATIONS_H
#define KNACK_METHODS_ALLOCATION_EQUATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* `single` is by the one move that each search chose (1, 2), `sets` by all that it might have chosen (3, 4).
 */
typedef struct KnExampleClass {
    bool single_positive;  /* (1) the two searches choose different moves */
    double single_utility; /* (2) by how much, in the deep search's values */
    bool positive; /* (3) some move that the shallow search may choose is none of the deep search's best */
    /* (4) the deep search's best less the mean, by its values, of the shallow search's best. */
    double utility;
} KnExampleClass;

/* Values of `count` moves by both searches, all exact; `shallow_move` and `deep_move` are the places of the
 * moves that were chosen. */
KnExampleClass kn_assign_class(const int32_t *shallow, const int32_t *deep, int count, int shallow_move,
                               int deep_move);

/* ---- equation 5 ---- */

/* The threshold that lets a share of all positions pass, for shares in steps: the paper's equation 5,
 * tabulated. Of leaves with weights W and scores P (a probability, or a value) it is the greatest b for which
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
