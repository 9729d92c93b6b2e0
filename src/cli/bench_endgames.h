/* The bench of the endgame solver of Othello. */
#ifndef KNACK_CLI_BENCH_ENDGAMES_H
#define KNACK_CLI_BENCH_ENDGAMES_H

#include "games/game.h"

/* Solves the first `count` of the FFO endgame tests from number 40 on; units are positions. A margin other
 * than the published one is an error. */
KnStatus bench_endgames(const KnGame *game, int count, uint64_t *units, KnDigest *digest, KnError *error);

#endif
