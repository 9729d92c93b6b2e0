/* A propnet as machine code: straight-line code through all components, without a branch. Private to
 * games/gdl.
 *
 * For propnets of some thousand wires this is faster than differential propagation (propnet_differential.h):
 * one instruction a wire, and no mispredictions. The code is generated at start-up into memory that is first
 * writable, then executable, never both; it calls nothing, and accesses only the values that it is given. It
 * needs x86-64 and a propnet without blocks; everything else uses differential propagation, with the same
 * answers.
 *
 * Values are bytes, 0 or 1, in an array of kn_propnet_code_size: node 0, facts, moves, then answers and
 * components.
 *
 * Ownership: kn_propnet_code_new / kn_propnet_code_free; propnet and answers are borrowed and must outlive
 * it. Read-only, shared by threads. */
#ifndef KNACK_GAMES_GDL_PROPNET_CODE_H
#define KNACK_GAMES_GDL_PROPNET_CODE_H

#include "games/gdl/propnet_differential.h"

typedef struct KnPropnetCode KnPropnetCode;

/* NULL: not available for this processor or propnet. */
KnPropnetCode *kn_propnet_code_new(const KnPropnet *net, const KnGdlAnswers *answers);
void kn_propnet_code_free(KnPropnetCode *code);
size_t kn_propnet_code_size(const KnPropnetCode *code);

/* Computes the bits of all answers about the state from the bytes of the facts; then the bits of next from
 * the moves' bytes too. */
void kn_propnet_code_state(const KnPropnetCode *code, uint8_t *values, uint64_t *answers);
void kn_propnet_code_moves(const KnPropnetCode *code, uint8_t *values, uint64_t *answers);

/* Makes code for these joint moves alone (propnet_joint.h), an action of each role, one after the other;
 * once, before it is shared. */
typedef struct KnPropnetJoint KnPropnetJoint;
void kn_propnet_code_join(KnPropnetCode *code, const uint32_t *joints, uint32_t count);

/* Where there is such code: computes the bits of next from the values and bits of the state, without bytes of
 * moves; and then, once the bytes of the facts are those of the next state, all answers about it. NULL: there
 * is none, and nothing was done. */
const KnPropnetJoint *kn_propnet_code_step(const KnPropnetCode *code, const uint32_t *actions,
                                           uint8_t *values, const uint64_t *state, uint64_t *answers);
void kn_propnet_code_arrive(const KnPropnetCode *code, const KnPropnetJoint *joint, uint8_t *values,
                            uint64_t *answers);

#endif
