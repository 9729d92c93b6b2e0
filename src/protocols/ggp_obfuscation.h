/* Other names for everything in a game description, so that players cannot know a game by its words.
 * Keywords, variables and numbers keep theirs.
 *
 * Ownership: kn_obfuscation_new / kn_obfuscation_free; it keeps copies of the names. */
#ifndef KNACK_PROTOCOLS_GGP_OBFUSCATION_H
#define KNACK_PROTOCOLS_GGP_OBFUSCATION_H

#include <knack/base.h>
#include "protocols/ggp_message.h"

typedef struct KnObfuscation KnObfuscation;

KnObfuscation *kn_obfuscation_new(KnPiece rules, KnRng *rng); /* NULL if memory runs out */
void kn_obfuscation_free(KnObfuscation *obfuscation);

/* Adds terms in their plain form with names exchanged: for the players, or back. What it does not know stays.
 * NULL exchanges nothing. */
void kn_obfuscation_print(const KnObfuscation *obfuscation, KnPiece terms, bool back, KnText *out);

#endif
