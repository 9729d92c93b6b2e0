/* The end of a game: which strings are dead, alive or in seki, whose territory each point is, and the score
 * without the dead stones.
 *
 * Status by playouts, the usual way of Monte Carlo programs: from the position as it stands, many random
 * games are played to the end, half of them with each side first. A string whose points mostly end up with
 * the opponent is dead. An estimate, not a proof; strings that are alive without conditions (Benson 1976:
 * their owner may pass forever) are never called dead. A string that is not dead counts as in seki if,
 * without the dead stones, no point next to it is its owner's territory. Where a border is still open, a
 * point belongs to the side that gets it in most playouts.
 *
 * The same position gives the same answer. */
#ifndef KNACK_GAMES_GO_FINAL_STATUS_H
#define KNACK_GAMES_GO_FINAL_STATUS_H

#include "games/go/go.h"

typedef enum KnGoStatus { KN_GO_EMPTY, KN_GO_ALIVE, KN_GO_DEAD, KN_GO_SEKI } KnGoStatus;

typedef struct KnGoFinal {
    uint8_t status[KN_GO_CELLS_MAX]; /* a KnGoStatus for each cell */
    uint8_t owner[KN_GO_CELLS_MAX];  /* of each point: 1 black, 2 white, 0 neither */
    int area[2];                     /* stones and territory, dead stones taken off */
    double points;                   /* Black's lead, komi counted */
} KnGoFinal;

void kn_go_final(const KnGame *game, const void *position, KnGoFinal *final);

/* Strings that are alive without conditions: for each cell, whether it holds a stone of one. */
void kn_go_benson(const KnGame *game, const void *position, bool alive[KN_GO_CELLS_MAX]);

#endif
