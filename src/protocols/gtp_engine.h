/* Being an engine of Go or Othello for others, over the Go Text Protocol, version 2 (docs/gtp.md).
 *
 * Reads until `quit` or the end of the input. Colours may move out of turn: in Go the other side is then held
 * to have passed. */
#ifndef KNACK_PROTOCOLS_GTP_ENGINE_H
#define KNACK_PROTOCOLS_GTP_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/context.h"

KnStatus kn_gtp_serve(const KnContext *context, const char *game, const char *player, uint64_t seed, FILE *in,
                      FILE *out, KnError *error);

#endif
