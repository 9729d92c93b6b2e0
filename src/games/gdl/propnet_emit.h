/* What generates machine code from a propnet (propnet_code.c, propnet_joint.c). Private to them. */
#ifndef KNACK_GAMES_GDL_PROPNET_EMIT_H
#define KNACK_GAMES_GDL_PROPNET_EMIT_H

#include "games/gdl/propnet_code.h"

enum { KN_CODE_LINE = 64 }; /* bytes of answers that become one word of bits */

typedef void KnCodePart(uint8_t *values);

/* Values of a node are a byte at its slot, counted from the base that the code is called with. */
typedef struct KnEmitter {
    const KnPropnet *net;
    const KnGdlAnswers *answers;
    uint8_t *at, *end;
    uint32_t *slots; /* by node */
    bool *moved;     /* by node: depends on moves */
    uint32_t first;  /* slot of the first answer */
    bool full;
} KnEmitter;

/* A part begins and ends. */
KnCodePart *kn_emit_entry(KnEmitter *e);
void kn_emit_return(KnEmitter *e);

/* A component: no inverted wire is true, and all plain ones are; its value goes to a slot. */
void kn_emit_gate(KnEmitter *e, const KnPropnetWire *wires, uint32_t count, uint32_t slot);

/* The value of a wire goes to a slot. */
void kn_emit_copy(KnEmitter *e, KnPropnetWire wire, uint32_t slot);

/* Calls `visit` for each answer and its bit: those about the state, or those of the next state. */
void kn_emit_answers(const KnEmitter *e, bool next,
                     void (*visit)(void *user, KnPropnetWire wire, uint32_t bit), void *user);

/* Packs bytes of answers into bits, word by word. */
void kn_code_pack(const uint8_t *bytes, uint64_t *words, uint32_t count);

#endif
