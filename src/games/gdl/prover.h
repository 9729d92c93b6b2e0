/* A prover for game descriptions: backward chaining with tabling. Each goal is solved once and its answers
 * are kept, so positive recursion terminates. It is slow, simple and meant to be right: the reference for the
 * propnet.
 *
 * A question is asked in a situation: the true facts and the roles' moves. Answers stay valid as long as what
 * they depend on: fixed relations forever, others until the state or the moves change.
 *
 * Time and memory of a question are bounded (steps, terms, nesting). Beyond a bound the question fails with
 * KN_INPUT; the prover stays usable.
 *
 * Ownership: kn_gdl_prover_new / kn_gdl_prover_free; the description is borrowed. One thread at a time. Terms
 * belong to kn_gdl_prover_terms; terms and answers stay valid until a kn_gdl_prover_begin that returns true.
 */
#ifndef KNACK_GAMES_GDL_PROVER_H
#define KNACK_GAMES_GDL_PROVER_H

#include <stdatomic.h>

#include "games/gdl/description.h"

typedef struct KnGdlProver KnGdlProver;

KnGdlProver *kn_gdl_prover_new(const KnGdlDescription *description); /* NULL if memory runs out */
void kn_gdl_prover_free(KnGdlProver *prover);

KnTerms *kn_gdl_prover_terms(KnGdlProver *prover);

/* Call it before setting up a situation. True: memory was nearly full, and the prover has dropped all terms
 * but the description's. */
bool kn_gdl_prover_begin(KnGdlProver *prover);

/* Sets the situation as ground sentences (true x) and (does role move). A new state has no moves yet. */
KnStatus kn_gdl_prover_state(KnGdlProver *prover, const KnTerm *facts, size_t count, KnError *error);
KnStatus kn_gdl_prover_moves(KnGdlProver *prover, const KnTerm *moves, size_t count, KnError *error);

/* All true instances of a sentence, in the order found. */
KnStatus kn_gdl_ask(KnGdlProver *prover, KnTerm question, const KnTerm **answers, size_t *count,
                    KnError *error);

/* Relaxed mode, for grounding: `not` succeeds unless it is about a fixed relation, so everything that could
 * ever hold holds in the union of all states. `steps` bounds a question; 0: the default. */
void kn_gdl_prover_relax(KnGdlProver *prover, bool relaxed, uint64_t steps);
/* A flag that makes questions fail once it is set; NULL: none. */
void kn_gdl_prover_set_cancel(KnGdlProver *prover, const atomic_bool *cancel);
uint64_t kn_gdl_prover_steps(const KnGdlProver *prover); /* used by the last question */

#endif
