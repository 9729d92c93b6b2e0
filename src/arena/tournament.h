/* Tournaments are public: <knack/match.h>. This adds what the rooms need besides. */
#ifndef KNACK_ARENA_TOURNAMENT_H
#define KNACK_ARENA_TOURNAMENT_H

#include "arena/match.h"

/* The seed of one pairing; it depends on the two specs alone. */
uint64_t kn_tournament_seed(uint64_t seed, const char *first, const char *second);

json_t *kn_tournament_json(const KnTournamentPlan *plan, const KnTournament *result);

#endif
