/* The reasoner that proves: answers about a state by asking a prover. Private to games/gdl.
 *
 * May be called from several threads at once: each call borrows a prover (and what it remembers of the state
 * it saw last) from a pool.
 *
 * Ownership: kn_gdl_slow_new / kn_gdl_slow_free; sheet and numbers are borrowed. */
#ifndef KNACK_GAMES_GDL_SLOW_H
#define KNACK_GAMES_GDL_SLOW_H

#include <stdatomic.h>

#include "games/gdl/numbers.h"

typedef struct KnGdlSlow KnGdlSlow;

/* Words of a state, legal moves of a role and steps for a question, at most. NULL if memory runs out. */
KnGdlSlow *kn_gdl_slow_new(const KnGdlSheet *sheet, KnGdlNumbers *numbers, size_t words, int most_moves,
                           uint64_t steps, const atomic_bool *cancel);
void kn_gdl_slow_free(KnGdlSlow *slow);

/* As in machine.h. */
KnStatus kn_gdl_slow_start(KnGdlSlow *slow, uint64_t *state, KnError *error);
KnStatus kn_gdl_slow_terminal(KnGdlSlow *slow, const uint64_t *state, bool *terminal, KnError *error);
KnStatus kn_gdl_slow_legal(KnGdlSlow *slow, const uint64_t *state, int role, uint64_t *moves, int *count,
                           KnError *error);
KnStatus kn_gdl_slow_next(KnGdlSlow *slow, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                          KnError *error);
KnStatus kn_gdl_slow_goal(KnGdlSlow *slow, const uint64_t *state, int role, int *value, KnError *error);

#endif
