/* A prover over a rule sheet as it stands: goals are solved backwards from the question, each asked once and
 * its answers kept (tabling), so that recursion of any positive kind ends where the answers do. Slow, plain,
 * and meant to be right: the reference for whatever is faster.
 *
 * A question is asked in a situation: the facts that are true, and what the roles do. Answers are remembered
 * as long as what they depend on stays: fixed relations always, others until the state or the moves change.
 *
 * Time and memory of a question are bounded (steps, terms, nesting); past a bound the question fails with
 * KN_INPUT, and the prover is ready for the next.
 *
 * Ownership: kn_gdl_prover_new / kn_gdl_prover_free; the sheet is borrowed. One thread at a time. Terms are
 * those of kn_gdl_prover_terms; they and answers hold until the next kn_gdl_prover_begin that says so. */
#ifndef KNACK_GAMES_GDL_PROVER_H
#define KNACK_GAMES_GDL_PROVER_H

#include <stdatomic.h>

#include "games/gdl/sheet.h"

typedef struct KnGdlProver KnGdlProver;

KnGdlProver *kn_gdl_prover_new(const KnGdlSheet *sheet); /* NULL if memory runs out */
void kn_gdl_prover_free(KnGdlProver *prover);

KnTerms *kn_gdl_prover_terms(KnGdlProver *prover);

/* To be called before a situation is set up. True: memory was running full and everything was forgotten, all
 * terms but the sheet's included. */
bool kn_gdl_prover_begin(KnGdlProver *prover);

/* The situation, as sentences: (true x) and (does role move), ground. A new state has no moves yet. */
KnStatus kn_gdl_prover_state(KnGdlProver *prover, const KnTerm *facts, size_t count, KnError *error);
KnStatus kn_gdl_prover_moves(KnGdlProver *prover, const KnTerm *moves, size_t count, KnError *error);

/* All instances of a sentence that hold, in the order in which they were found. */
KnStatus kn_gdl_ask(KnGdlProver *prover, KnTerm question, const KnTerm **answers, size_t *count,
                    KnError *error);

/* Relaxed: `not` is taken as true unless it is about a fixed relation. Then everything that could ever hold
 * holds in the union of all states: what grounding asks for. Steps bound a question; 0: the default. */
void kn_gdl_prover_relax(KnGdlProver *prover, bool relaxed, uint64_t steps);
/* A flag that makes questions fail once it is set; NULL: none. */
void kn_gdl_prover_heed(KnGdlProver *prover, const atomic_bool *cancel);
uint64_t kn_gdl_prover_steps(const KnGdlProver *prover); /* used by the last question */

#endif
