/* Tournaments are public: <knack/match.h>. This adds what the rooms need besides. */
#ifndef KNACK_ARENA_TOURNAMENT_H
#define KNACK_ARENA_TOURNAMENT_H

#include "arena/match.h"

/* The seed of one pairing; it depends on the two specs alone. */
uint64_t kn_tournament_seed(uint64_t seed, const char *first, const char *second);

/* How many matches the plan has; 0 if it cannot be played. */
size_t kn_tournament_pairings(const KnTournamentPlan *plan);

json_t *kn_tournament_json(const KnTournamentPlan *plan, const KnTournament *result);

#endif
