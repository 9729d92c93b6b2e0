/* The standing of a match: what its games add up to, seen by the first player.
 *
 * Games are added in index order, so that the digest over all moves is the same for any number of threads and
 * for a run resumed after a crash. Games 2j and 2j+1 are a pair: one opening, both sides. */
#ifndef KNACK_ARENA_STANDING_H
#define KNACK_ARENA_STANDING_H

#include <jansson.h>

#include "arena/play.h"
#include "base/hash.h"
#include "base/stats.h"

/* One finished game of a match, as it is stored. Strings belong to whoever filled it. */
typedef struct KnRecord {
    uint64_t index;
    int first;         /* which player (0, 1) had the first role */
    const char *start; /* position text where the contest did not begin at the game's start, else "" */
    const char *moves;
    const char *ending; /* kn_ending_name */
    const char *fault;  /* "" unless forfeited */
    int culprit;        /* player, or -1 */
    double payoffs[2];  /* by player */
    uint64_t plies;
    KnCost cost[2];
    uint64_t decisions[2];
} KnRecord;

/* 1 the first player won, 0 a draw, -1 it lost. */
int kn_record_result(const KnRecord *record);

typedef struct KnStanding {
    uint64_t games;
    uint64_t wins, draws, losses;
    uint64_t by_seat[2][3]; /* first player seated first or second: wins, draws, losses */
    uint64_t pairs[5];      /* complete pairs by score 0, 1/2, 1, 3/2, 2 */
    uint64_t forfeits[2];
    KnMoments payoffs[2];
    KnMoments plies;
    KnCost cost[2];
    uint64_t decisions[2];
    KnDigest digest;
    int half; /* result of the unfinished pair's first game */
} KnStanding;

void kn_standing_start(KnStanding *standing);
void kn_standing_add(KnStanding *standing, const KnRecord *record);

double
kn_standing_score(const KnStanding *standing); /* share of points, a draw counting half; 0.5 of nothing */
KnInterval kn_standing_interval(const KnStanding *standing); /* 95%, Wilson */
KnElo kn_standing_elo(const KnStanding *standing);           /* from pairs where all games are paired */

/* All of it but the timings, which stand apart under "timing": equal runs print equal bytes up to there. */
json_t *kn_standing_json(const KnStanding *standing);

#endif
