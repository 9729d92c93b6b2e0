/* knack base measure: how large and how fast an experience base is, on one of random games. */
#ifndef KNACK_CLI_BASE_MEASURE_H
#define KNACK_CLI_BASE_MEASURE_H

#include "learn/experience/base.h"

/* Makes a base at `path`, where nothing may be yet, fills it with random games of the game until it holds so
 * many positions, and prints what that took: adding in bulk and in groups, consulting, opening, and its size
 * before and after compacting. The file stays. */
KnStatus base_measure(const KnContext *context, const KnGame *game, const char *path, uint64_t positions,
                      KnError *error);

#endif
