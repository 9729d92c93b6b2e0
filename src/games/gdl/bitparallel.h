/* Bit-parallel playouts: 256 random games side by side, one bit each.
 *
 * A component of the propnet is one operation on words of 256 bits, so a step of 256 games costs little more
 * than a step of one. Moves are drawn in the same way (bitparallel_kernel.inc). A game that ends makes room
 * for the next.
 *
 * Ownership: kn_gdl_batch_new / kn_gdl_batch_free; the propnet is borrowed and must outlive it. Read-only,
 * shared by threads. */
#ifndef KNACK_GAMES_GDL_BITPARALLEL_H
#define KNACK_GAMES_GDL_BITPARALLEL_H

#include "games/gdl/propnet.h"
#include "games/gdl/playouts.h"

typedef struct KnGdlBatch KnGdlBatch;

/* NULL if memory runs out or a role has half a million moves. */
KnGdlBatch *kn_gdl_batch_new(const KnPropnet *net);

void kn_gdl_batch_free(KnGdlBatch *batch);

/* Plays random games from a state, every role uniformly at random, to the end or for at most `plies` plies
 * (0: no limit). The result depends on the generator alone, not on the processor. KN_SYSTEM if memory runs
 * out. */
KnStatus kn_gdl_batch_play(const KnGdlBatch *batch, const uint64_t *state, uint64_t games, uint32_t plies,
                           KnRng *rng, KnGdlPlayouts *out, KnError *error);

/* Plays random games from the states of a search. */
KnStatus kn_gdl_batch_lanes(const KnGdlBatch *batch, const KnGdlLanes *lanes, uint32_t plies, KnRng *rng,
                            KnError *error);

#endif
