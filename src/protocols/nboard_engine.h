/* An Othello engine over the NBoard protocol, versions 1 and 2 (docs/nboard.md).
 *
 * Reads until `quit` or the end of the input; a `ping` ends the current search. A `status` line reports what
 * cannot be done; unknown lines are ignored, as the protocol asks. */
#ifndef KNACK_PROTOCOLS_NBOARD_ENGINE_H
#define KNACK_PROTOCOLS_NBOARD_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/context.h"

KnStatus kn_nboard_serve(const KnContext *context, const char *player, uint64_t seed, int in, FILE *out,
                         KnError *error);

#endif
