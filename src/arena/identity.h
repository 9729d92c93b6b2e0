/* What makes two runs the same: a digest over canonical specs and the contents of every file that they name.
 */
#ifndef KNACK_ARENA_IDENTITY_H
#define KNACK_ARENA_IDENTITY_H

#include "base/context.h"
#include "base/hash.h"
#include "base/spec.h"
#include "base/text.h"

/* Adds the canonical form of a spec, and the contents of the files that its values name; of endgame tables
 * (tables=...) the sums; of a foreign engine its program and the files that its command names
 * (base/command.h). `doubt` gets a sentence where an engine may depend on more than that, or where
 * the calling program registered a type itself; it may be NULL. */
KnStatus kn_identity_spec(const KnContext *context, KnDigest *digest, const char *spec, KnText *doubt,
                          KnError *error);

/* What a spec stands for beyond its own text: the contents of the files that it names, of foreign engines as
 * above. `hex` is "" if it names none. Left out is what the player itself goes on writing (a base with
 * `learn`), and endgame tables that a search finds without being told. `doubt` may be NULL. */
KnStatus kn_identity_contents(const KnContext *context, const char *spec, char hex[KN_HEX128], KnText *doubt,
                              KnError *error);

#endif
