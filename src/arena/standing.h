/* The standing of a match: the sum of its games, from the first player's side.
 *
 * Games are added in index order, so that the digest over all moves is the same for any number of threads and
 * for a run resumed after a crash. Games 2j and 2j+1 are a pair: one opening, both sides. */
#ifndef KNACK_ARENA_STANDING_H
#define KNACK_ARENA_STANDING_H

#include <jansson.h>

#include "arena/play.h"
#include "base/hash.h"
#include <knack/stats.h>

/* One finished game of a match, as it is stored. Strings belong to the caller that filled it. */
typedef struct KnStandingRecord {
    uint64_t index;
    int first;         /* which player (0, 1) had the first role */
    const char *start; /* position text if the game did not begin at the game's start, else "" */
    const char *moves;
    const char *ending; /* kn_ending_name */
    const char *fault;  /* "" unless forfeited */
    int culprit;        /* player, or -1 */
    double payoffs[2];  /* by player */
    uint64_t plies;
    KnCost cost[2];
    uint64_t decisions[2];
} KnStandingRecord;

/* 1 the first player won, 0 a draw, -1 it lost. */
int kn_record_result(const KnStandingRecord *record);

void kn_standing_start(KnStanding *standing);
void kn_standing_add(KnStanding *standing, const KnStandingRecord *record);

/* All of it but the timings, which stand apart under "timing": equal runs print equal bytes up to there. */
json_t *kn_standing_json(const KnStanding *standing);

#endif
