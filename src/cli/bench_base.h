/* Benchmarks of experience bases. */
#ifndef KNACK_CLI_BENCH_BASE_H
#define KNACK_CLI_BENCH_BASE_H

#include "base/hash.h"
#include "games/game.h"
#include "methods/experience/base.h"

/* Adds random games to a new base in a temporary file, in one transaction, and then consults it: positions of
 * these games, each with all its moves. Units are consultations if there are any, else games. */
KnStatus bench_base(const KnContext *context, const KnGame *game, int games, int looks, uint64_t *units,
                    KnDigest *digest, KnError *error);

/* The random game with a number, and its result. */
KnStatus bench_random_game(KnState *state, uint64_t index, double *outcome, KnError *error);

/* Looks up positions of the first `games` random games, each with all its moves; counts the known ones. */
KnStatus bench_consult(KnBase *base, KnState *state, uint64_t games, int looks, uint64_t *explored,
                       KnError *error);

#endif
