/* Random games on a rule sheet: what tree search and sampling live on. */
#ifndef KNACK_GAMES_GDL_PLAYOUTS_H
#define KNACK_GAMES_GDL_PLAYOUTS_H

#include "base/rng.h"
#include "games/gdl/machine.h"

/* What came of random games. */
typedef struct KnGdlPlayouts {
    uint64_t games, plies;
    uint64_t cut;                   /* games that the limit ended */
    uint64_t totals[KN_GDL_ROLES];  /* of goal values at the end; none counts as 0 */
    uint64_t squares[KN_GDL_ROLES]; /* of their squares */
} KnGdlPlayouts;

/* Plays games from a state, every role uniformly at random, to their end or for at most so many plies (0: no
 * limit). Hundreds at once where the fast reasoner answers (lanes.h), else one by one. The same generator
 * gives the same outcome, on any processor. A state in which the rules fail ends its game with nothing for
 * anybody. */
KnStatus kn_gdl_playouts(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                         KnRng *rng, KnGdlPlayouts *out, KnError *error);

/* The same one by one, step by step (another outcome, of the same distribution). */
KnStatus kn_gdl_playouts_singly(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                                KnRng *rng, KnGdlPlayouts *out, KnError *error);

#endif
