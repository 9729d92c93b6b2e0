/* Random games by the hundred: 256 contests at once, a bit each.
 *
 * A gate of the network is one operation on words of 256 bits, whatever the bits stand for. So a step of 256
 * contests costs little more than a step of one; choosing moves is done in the same way (lanes_kernel.inc). A
 * contest that ends makes room for the next.
 *
 * Ownership: kn_gdl_lanes_new / kn_gdl_lanes_free; the net is borrowed and must outlive it. Read-only, shared
 * by threads. */
#ifndef KNACK_GAMES_GDL_LANES_H
#define KNACK_GAMES_GDL_LANES_H

#include "games/gdl/net.h"
#include "games/gdl/playouts.h"

typedef struct KnGdlLanes KnGdlLanes;

KnGdlLanes *
kn_gdl_lanes_new(const KnGdlNet *net); /* NULL if memory runs out, or a role has half a million moves */
void kn_gdl_lanes_free(KnGdlLanes *lanes);

/* Plays games from a state, every role uniformly at random, to their end or for at most so many plies (0: no
 * limit). What comes out depends on the generator alone, not on the processor. KN_SYSTEM if memory runs out.
 */
KnStatus kn_gdl_lanes_play(const KnGdlLanes *lanes, const uint64_t *state, uint64_t games, uint32_t plies,
                           KnRng *rng, KnGdlPlayouts *out, KnError *error);

#endif
