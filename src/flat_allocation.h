/* Training of an allocation policy for the flat interface; apart, since its KnTraining is not that of
 * arena/training.h. */
#ifndef KNACK_FLAT_ALLOCATION_H
#define KNACK_FLAT_ALLOCATION_H

#include "flat_inside.h"
#include "games/game.h"

/* `options` are those of kn_learner_allocation. */
KnStatus kn_flat_allocation(KnFlat *flat, const KnGame *game, const KnOptions *options, uint64_t seed,
                            int jobs, const char *out, KnError *error);

#endif
