/* What a game could ever come to: all facts and moves, found beforehand. Private to games/gdl. */
#ifndef KNACK_GAMES_GDL_GROUND_H
#define KNACK_GAMES_GDL_GROUND_H

#include "games/gdl/prover.h"

typedef struct KnGdlGround {
    KnTerm *facts, *moves; /* terms of the prover, each once, in their order */
    uint32_t fact_count, move_count;
    uint32_t most_moves; /* of one role */
    bool complete;       /* nothing else can ever appear; false: as the sheet's own base and input say */
} KnGdlGround;

/* KN_OK with the lists filled; KN_NO if there is no telling within the bounds (so many steps of the prover,
 * or fewer). To be freed in any case. */
KnStatus kn_gdl_ground(const KnGdlSheet *sheet, KnGdlProver *prover, uint64_t steps, KnGdlGround *ground,
                       KnError *error);
void kn_gdl_ground_free(KnGdlGround *ground);

#endif
