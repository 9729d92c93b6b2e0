/* The bench's piece of work for temporal patterns: as many Advisors as TP-Sitact retains on five men's
 * morris, matched against positions. */
#ifndef KNACK_CLI_BENCH_SEQUENCES_H
#define KNACK_CLI_BENCH_SEQUENCES_H

#include "base/hash.h"
#include "games/game.h"

KnStatus bench_sequences(const KnGame *game, int positions, uint64_t *units, KnDigest *digest,
                         KnError *error);

#endif
