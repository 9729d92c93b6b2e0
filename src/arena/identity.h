/* What makes two runs the same: a digest over canonical specs and the contents of every file that they name.
 */
#ifndef KNACK_ARENA_IDENTITY_H
#define KNACK_ARENA_IDENTITY_H

#include "base/context.h"
#include "base/hash.h"
#include "base/spec.h"

/* Adds the canonical form of a spec, and the contents of the files that its values name; of endgame tables
 * (tables=...) the sums. */
KnStatus kn_identity_spec(const KnContext *context, KnDigest *digest, const char *spec, KnError *error);

#endif
