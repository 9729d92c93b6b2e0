/* The bench's work on experience bases. */
#ifndef KNACK_CLI_BENCH_BASE_H
#define KNACK_CLI_BENCH_BASE_H

#include "base/hash.h"
#include "games/contest.h"
#include "learn/experience/base.h"

/* Adds so many random games to a fresh base in a temporary file, committed together, and then consults it so
 * many times: positions of these games, each with all its moves. Units are consultations if there are any,
 * else games. */
KnStatus bench_base(const KnContext *context, const KnGame *game, int games, int looks, uint64_t *units,
                    KnDigest *digest, KnError *error);

/* The random game of a number, and what it came to. */
KnStatus bench_random_game(KnContest *contest, uint64_t index, double *outcome, KnError *error);

/* Looks up so many positions of the first `games` random games, each with all its moves; counts those that
 * are known. */
KnStatus bench_consult(KnBase *base, KnContest *contest, uint64_t games, int looks, uint64_t *explored,
                       KnError *error);

#endif
