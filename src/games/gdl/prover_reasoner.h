/* The reasoner that answers questions about a state with a prover. Private to games/gdl.
 *
 * Threads may call it concurrently: each call borrows a prover from a pool, with what it remembers of its
 * last state.
 *
 * Ownership: kn_prover_reasoner_new / kn_prover_reasoner_free; description and numbers are borrowed. */
#ifndef KNACK_GAMES_GDL_PROVER_REASONER_H
#define KNACK_GAMES_GDL_PROVER_REASONER_H

#include <stdatomic.h>

#include "games/gdl/numbers.h"

typedef struct KnProverReasoner KnProverReasoner;

/* Limits: words of a state, legal moves of a role, steps of a question. NULL if memory runs out. */
KnProverReasoner *kn_prover_reasoner_new(const KnGdlDescription *description, KnGdlNumbers *numbers,
                                         size_t words, int most_moves, uint64_t steps,
                                         const atomic_bool *cancel);
void kn_prover_reasoner_free(KnProverReasoner *reasoner);

/* As in machine.h. */
KnStatus kn_prover_reasoner_start(KnProverReasoner *reasoner, uint64_t *state, KnError *error);
KnStatus kn_prover_reasoner_terminal(KnProverReasoner *reasoner, const uint64_t *state, bool *terminal,
                                     KnError *error);
KnStatus kn_prover_reasoner_legal(KnProverReasoner *reasoner, const uint64_t *state, int role,
                                  uint64_t *moves, int *count, KnError *error);
KnStatus kn_prover_reasoner_next(KnProverReasoner *reasoner, const uint64_t *state, const uint64_t *joint,
                                 uint64_t *after, KnError *error);
KnStatus kn_prover_reasoner_goal(KnProverReasoner *reasoner, const uint64_t *state, int role, int *value,
                                 KnError *error);

#endif
