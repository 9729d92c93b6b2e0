/* All possible facts and moves, found in advance. Private to games/gdl. */
#ifndef KNACK_GAMES_GDL_GROUND_H
#define KNACK_GAMES_GDL_GROUND_H

#include "games/gdl/prover.h"

typedef struct KnGdlGround {
    KnTerm *facts, *moves; /* the prover's terms, sorted, without duplicates */
    uint32_t fact_count, move_count;
    uint32_t most_moves; /* of one role */
    bool complete;       /* nothing else can appear; false: trusted from base and input */
} KnGdlGround;

/* KN_OK: the lists are filled. KN_NO: not found within `steps` steps of the prover. Free the result in any
 * case. */
KnStatus kn_gdl_ground(const KnGdlDescription *description, KnGdlProver *prover, uint64_t steps,
                       KnGdlGround *ground, KnError *error);
void kn_gdl_ground_free(KnGdlGround *ground);

#endif
