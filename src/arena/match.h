/* Matches are public: <knack/match.h>. This adds what the rooms need besides. */
#ifndef KNACK_ARENA_MATCH_H
#define KNACK_ARENA_MATCH_H

#include <knack/match.h>

#include "arena/standing.h"
#include "arena/store.h"
#include "base/progress.h"

/* {"game", "players", ..., "result", "timing"}; all that depends on clocks is under "timing". */
json_t *kn_match_json(const KnMatchPlan *plan, const KnMatchResult *result);

/* The roles that players take: all but nature's. Fails unless there are exactly two. */
KnStatus kn_match_roles(const KnGame *game, int roles[2], KnError *error);

/* What tells game `index` of the run with this identity from all others; 0 without an identity. */
uint64_t kn_match_game_id(const char *identity, uint64_t index);

#endif
