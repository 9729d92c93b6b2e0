/* Proofs by zones: the inside of strategy 10. Only for the proof search. */
#ifndef KNACK_SEARCH_PROOF_ZONE_H
#define KNACK_SEARCH_PROOF_ZONE_H

#include "search/proof.h"

typedef struct KnZoneSearch KnZoneSearch;

KnZoneSearch *kn_zone_search_new(unsigned table_bits);
void kn_zone_search_free(KnZoneSearch *search);
void kn_zone_search_clear(KnZoneSearch *search);

typedef struct KnZoneProof {
    bool proved, stopped; /* stopped: a bound was reached */
    bool exhausted;       /* not proved, and no depth would help: every line of these moves and threats came to its end */
    int move;
    uint64_t nodes;
} KnZoneProof;

/* Whether one side proves its aim within `depth` moves of its own. The attacker looks at moves of this width; after each move of the prover
 * a pass must be punished within `threat` moves, or the move counts for nothing. `most`: nodes, 0 for no bound; `until`: by the clock, 0 for none. */
KnZoneProof kn_zone_prove(KnZoneSearch *search, KnGoal *goal, bool attacker, KnWidth width, int threat, int depth, uint64_t most,
                          double until);

/* The best move that the table holds for the side to move where it proves its aim, or KN_GOAL_PASS. */
int kn_zone_move(const KnZoneSearch *search, const KnGoal *goal, bool attacker);

/* The reply that the table holds against the prover, or KN_GOAL_PASS. */
int kn_zone_refutation(const KnZoneSearch *search, const KnGoal *goal, bool attacker);

#endif
