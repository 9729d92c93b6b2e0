/* Being an engine for others over the pipe protocol (docs/pipe.md): lines in, lines out, one game, one
 * player.
 *
 * Reads until `quit` or the end of the input. What it does not understand it answers with an `error` line and
 * goes on. Thinking goes on while lines come in: `stop` ends it early, and so does the end of the input where
 * the question had no limit. */
#ifndef KNACK_PROTOCOLS_PIPE_ENGINE_H
#define KNACK_PROTOCOLS_PIPE_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/context.h"

/* `in` is a file descriptor. The game comes with the greeting if `game` is NULL; else it must be that one.
 * KN_OK when told to quit. */
KnStatus kn_pipe_serve(const KnContext *context, const char *game, const char *player, uint64_t seed, int in,
                       FILE *out, KnError *error);

#endif
