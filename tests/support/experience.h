/* Experience bases for tests: opened in the workbench's context, and filled with random games. */
#ifndef KNACK_TESTS_EXPERIENCE_H
#define KNACK_TESTS_EXPERIENCE_H

#include <knack/base.h>
#include "games/game.h"
#include "methods/experience/base.h"

KnBase *test_open_base(const KnGame *game, const char *path, unsigned mode, const KnBaseKind *kind);

/* A random game, cut at a limit; returns its outcome. */
double test_play_random(KnState *game_state, KnRng *rng, size_t limit);

/* Adds random games, each of a stream of its own. */
void test_fill_base(KnBase *base, const KnGame *game, uint64_t seed, int games, size_t limit);

#endif
