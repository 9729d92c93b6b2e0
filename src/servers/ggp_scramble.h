/* Other names for everything in a rule sheet, so that players cannot know a game by its words. Keywords,
 * variables and numbers keep theirs.
 *
 * Ownership: kn_scramble_new / kn_scramble_free; it keeps copies of the names. */
#ifndef KNACK_SERVERS_GGP_SCRAMBLE_H
#define KNACK_SERVERS_GGP_SCRAMBLE_H

#include "base/rng.h"
#include "servers/ggp_message.h"

typedef struct KnScramble KnScramble;

KnScramble *kn_scramble_new(KnPiece rules, KnRng *rng); /* NULL if memory runs out */
void kn_scramble_free(KnScramble *scramble);

/* Adds terms in their plain form with names exchanged: for the players, or back. What it does not know stays.
 * NULL exchanges nothing. */
void kn_scramble_print(const KnScramble *scramble, KnPiece terms, bool back, KnText *out);

#endif
