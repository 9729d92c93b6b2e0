/* Strategy 10 of the proof search: df-pn with relevance zones. Internal to methods/widening/proof.c.
 *
 * Ownership: kn_dfpn_zones_new / kn_dfpn_zones_free. */
#ifndef KNACK_METHODS_WIDENING_DFPN_ZONES_H
#define KNACK_METHODS_WIDENING_DFPN_ZONES_H

#include "methods/widening/proof.h"
#include "methods/widening/reader.h"

typedef struct KnDfpnZones KnDfpnZones;

/* The transposition table holds 2^bits positions. NULL if memory runs out. */
KnDfpnZones *kn_dfpn_zones_new(unsigned table_bits);
void kn_dfpn_zones_free(KnDfpnZones *zones);

/* Call it before each new problem, with about how many positions that may take (0: unknown). */
void kn_dfpn_zones_clear(KnDfpnZones *zones, uint64_t nodes);

/* Instead, where the last problem is asked again with rules that favour the attacker more: keeps what is
 * proved; what is disproved becomes an expectation. */
void kn_dfpn_zones_loosen(KnDfpnZones *zones);

/* Proves that the goal is reached or that it is not, for a goal that can say what a proof depends on. `limit`
 * bounds the positions played, `deadline` the clock; 0: no bound. *nodes gets the positions played. */
KnProofVerdict kn_dfpn_zones_prove(KnDfpnZones *zones, KnGoal *goal, const KnReader *guide, uint64_t limit,
                                   double deadline, uint64_t *nodes);

/* The move in a position of the last proof: the winning one for the side to move, or where it loses the one
 * that held out longest. -1: unknown. */
int kn_dfpn_zones_move(const KnDfpnZones *zones, const KnGoal *goal);

#endif
