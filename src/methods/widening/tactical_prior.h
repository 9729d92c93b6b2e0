/* Prior knowledge of Go moves for MCTS, as virtual visits (Gelly and Silver 2007): a move begins with some
 * visits, a part of them won, by what it captures and saves, by shape, by its line on an empty part of the
 * board, and by its distance from the last move on the common fate graph (Graepel and others 2001), in which
 * the stones of a chain are one node. */
#ifndef KNACK_METHODS_WIDENING_TACTICAL_PRIOR_H
#define KNACK_METHODS_WIDENING_TACTICAL_PRIOR_H

#include "games/go/playout_policy.h"

typedef struct KnGoPrior {
    double visits, wins;
} KnGoPrior;

enum { KN_GO_FAR = 4 };

/* Distances from the last move up to KN_GO_FAR - 1 on the common fate graph; KN_GO_FAR elsewhere. */
void kn_go_distances(const KnPlayoutBoard *board, uint8_t distance[KN_PLAYOUT_POINTS]);

/* The prior of a legal move or a pass. */
KnGoPrior kn_go_prior(const KnPlayoutPolicy *policy, const KnPlayoutBoard *board,
                      const uint8_t distance[KN_PLAYOUT_POINTS], int point, int colour);

#endif
