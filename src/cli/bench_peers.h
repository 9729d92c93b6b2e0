/* `knack bench --peers`: the same tasks by Knack and by other programs, where they are installed. */
#ifndef KNACK_CLI_BENCH_PEERS_H
#define KNACK_CLI_BENCH_PEERS_H

#include <jansson.h>

#include "base/context.h"

/* Runs every comparison whose peer is installed and prints a table, or, with `json`, adds the rows to it. The
 * others get a line that says what is missing, or what is wrong with a program that forfeits games or does
 * not start. `only`: those whose name contains it; NULL: all. */
KnStatus bench_peers(const KnContext *context, const char *only, json_t *json, KnError *error);

#endif
