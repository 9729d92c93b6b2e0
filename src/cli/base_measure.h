/* knack base measure: size and speed of an experience base of random games. */
#ifndef KNACK_CLI_BASE_MEASURE_H
#define KNACK_CLI_BASE_MEASURE_H

#include <jansson.h>

#include "methods/experience/base.h"

/* Makes a base at `path`, which must not exist, fills it with random games up to a number of positions, and
 * tells the cost of adding in bulk and in groups, of consulting and of opening, and the size before and
 * after compacting: as members of `rows`, or as text where that is NULL. The file stays. */
KnStatus base_measure(const KnContext *context, const KnGame *game, const char *path, uint64_t positions,
                      json_t *rows, KnError *error);

#endif
