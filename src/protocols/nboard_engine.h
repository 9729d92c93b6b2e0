/* Being an engine of Othello for others, over the NBoard protocol, versions 1 and 2 (docs/nboard.md).
 *
 * Reads until `quit` or the end of the input; a `ping` cuts short what is being thought about. What cannot be
 * done is said in a `status` line, and lines that are not known are passed over, as the protocol asks. */
#ifndef KNACK_PROTOCOLS_NBOARD_ENGINE_H
#define KNACK_PROTOCOLS_NBOARD_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/context.h"

KnStatus kn_nboard_serve(const KnContext *context, const char *player, uint64_t seed, int in, FILE *out,
                         KnError *error);

#endif
