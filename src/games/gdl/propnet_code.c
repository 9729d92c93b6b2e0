#include "games/gdl/propnet_joint.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#include <sys/mman.h>

#include "base/assert.h"

enum { MOST_WIRES = 20000 };

struct KnPropnetCode {
    const KnPropnet *net;
    const KnGdlAnswers *answers;
    uint8_t *memory;
    size_t length; /* of the memory */
    size_t values;
    KnEmitter emitter; /* the layout of the values */
    KnCodePart *state, *moves;
    KnPropnetJoints *joints; /* code for single joint moves; NULL: none */
};

/* ---- Code generation ---- */

static void put(KnEmitter *e, const uint8_t *bytes, size_t count)
{
    if ((size_t)(e->end - e->at) < count) {
        e->full = true;
        return;
    }
    memcpy(e->at, bytes, count);
    e->at += count;
}

/* An instruction with the byte at a slot; rdi holds the base of the values. */
static void put_access(KnEmitter *e, const uint8_t *opcode, size_t count, uint32_t slot)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, opcode, count);
    bytes[count] = 0x87; /* rdi + 32 bits; al or eax */
    memcpy(bytes + count + 1, &slot, 4);
    put(e, bytes, count + 5);
}

static void put_load(KnEmitter *e, uint32_t slot)
{
    put_access(e, (const uint8_t[]){0x0f, 0xb6}, 2, slot);
} /* movzx eax, byte */
static void put_and(KnEmitter *e, uint32_t slot) { put_access(e, (const uint8_t[]){0x22}, 1, slot); }
static void put_or(KnEmitter *e, uint32_t slot) { put_access(e, (const uint8_t[]){0x0a}, 1, slot); }
static void put_store(KnEmitter *e, uint32_t slot) { put_access(e, (const uint8_t[]){0x88}, 1, slot); }
static void put_flip(KnEmitter *e) { put(e, (const uint8_t[]){0x34, 0x01}, 2); } /* xor al, 1 */

void kn_emit_gate(KnEmitter *e, const KnPropnetWire *wires, uint32_t count, uint32_t slot)
{
    bool begun = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!(wires[i] & 1)) continue;
        (begun ? put_or : put_load)(e, e->slots[wires[i] / 2]);
        begun = true;
    }
    if (begun) put_flip(e);
    for (uint32_t i = 0; i < count; i++) {
        if (wires[i] & 1) continue;
        (begun ? put_and : put_load)(e, e->slots[wires[i] / 2]);
        begun = true;
    }
    put_store(e, slot);
}

void kn_emit_copy(KnEmitter *e, KnPropnetWire wire, uint32_t slot)
{
    if (!(wire & 1) && e->slots[wire / 2] == slot) return;
    put_load(e, e->slots[wire / 2]);
    if (wire & 1) put_flip(e);
    put_store(e, slot);
}

KnCodePart *kn_emit_entry(KnEmitter *e)
{
    KnCodePart *part; /* C has no cast from an address to a function */
    memcpy(&part, &e->at, sizeof part);
    put(e, (const uint8_t[]){0xf3, 0x0f, 0x1e, 0xfa}, 4); /* endbr64 */
    return part;
}

void kn_emit_return(KnEmitter *e) { put(e, (const uint8_t[]){0xc3}, 1); }

/* ---- Slots ---- */

void kn_emit_answers(const KnEmitter *e, bool next,
                     void (*visit)(void *user, KnPropnetWire wire, uint32_t bit), void *user)
{
    const KnPropnet *net = e->net;
    const KnGdlAnswers *answers = e->answers;
    for (uint32_t f = 0; next && f < net->fact_count; f++) visit(user, net->next[f], answers->next * 64 + f);
    if (next) return;
    visit(user, net->terminal, answers->terminal * 64);
    for (int r = 0; r < net->roles; r++) {
        for (uint32_t g = net->first_goal[r]; g < net->first_goal[r + 1]; g++)
            visit(user, net->goals[g].wire, answers->goals[r] * 64 + g - net->first_goal[r]);
        for (uint32_t a = net->first_action[r]; a < net->first_action[r + 1]; a++)
            visit(user, net->actions[a].legal, answers->legal[r] * 64 + a - net->first_action[r]);
    }
}

/* A component that is an answer writes its value directly to the answer's byte. */
static void settle_answer(void *user, KnPropnetWire wire, uint32_t bit)
{
    KnEmitter *e = user;
    if (!(wire & 1) && e->net->nodes[wire / 2].kind == KN_NODE_AND && !e->slots[wire / 2])
        e->slots[wire / 2] = e->first + bit;
}

/* Other answers, and second uses, are copied. */
static void copy_answer(void *user, KnPropnetWire wire, uint32_t bit)
{
    KnEmitter *e = user;
    kn_emit_copy(e, wire, e->first + bit);
}

static void give_slots(KnPropnetCode *code)
{
    const KnPropnet *net = code->net;
    KnEmitter *e = &code->emitter;
    uint32_t slot = 1 + net->fact_count + net->action_count;
    for (uint32_t n = 0; n < slot; n++) e->slots[n] = n; /* facts and moves keep their numbers */
    e->first = (slot + KN_CODE_LINE - 1) / KN_CODE_LINE * KN_CODE_LINE;
    kn_emit_answers(e, false, settle_answer, e);
    kn_emit_answers(e, true, settle_answer, e);
    slot = e->first + code->answers->words * 64;
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        e->moved[n] = node->kind == KN_NODE_MOVE;
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++)
            e->moved[n] |= e->moved[net->wires[node->first + i] / 2];
        if (node->kind == KN_NODE_AND && !e->slots[n]) e->slots[n] = slot++;
    }
    code->values = slot + KN_CODE_LINE;
}

/* ---- The whole ---- */

static KnCodePart *put_part(KnPropnetCode *code, bool moved)
{
    const KnPropnet *net = code->net;
    KnEmitter *e = &code->emitter;
    KnCodePart *part = kn_emit_entry(e);
    for (uint32_t n = 0; n < net->count; n++)
        if (net->nodes[n].kind == KN_NODE_AND && e->moved[n] == moved)
            kn_emit_gate(e, net->wires + net->nodes[n].first, net->nodes[n].count, e->slots[n]);
    kn_emit_answers(e, moved, copy_answer, e);
    kn_emit_return(e);
    return part;
}

static bool write_code(KnPropnetCode *code)
{
    const KnPropnet *net = code->net;
    code->length = (size_t)net->wire_count * 7 + (size_t)net->count * 10 +
                   (size_t)code->answers->words * 64 * 16 + 4096;
    void *memory = mmap(NULL, code->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    code->memory = memory;
    code->emitter = (KnEmitter){.net = net,
                                .answers = code->answers,
                                .at = memory,
                                .end = code->memory + code->length,
                                .slots = calloc(net->count, sizeof *code->emitter.slots),
                                .moved = calloc(net->count, sizeof *code->emitter.moved)};
    if (!code->emitter.slots || !code->emitter.moved) return false;
    give_slots(code);
    code->state = put_part(code, false);
    code->moves = put_part(code, true);
    return !code->emitter.full && mprotect(memory, code->length, PROT_READ | PROT_EXEC) == 0;
}

KnPropnetCode *kn_propnet_code_new(const KnPropnet *net, const KnGdlAnswers *answers)
{
    if (net->block_count || net->wire_count > MOST_WIRES) return NULL;
    KnPropnetCode *code = calloc(1, sizeof *code);
    if (!code) return NULL;
    code->net = net;
    code->answers = answers;
    if (write_code(code)) return code;
    kn_propnet_code_free(code);
    return NULL;
}

void kn_propnet_code_free(KnPropnetCode *code)
{
    if (!code) return;
    if (code->memory) munmap(code->memory, code->length);
    kn_propnet_joints_free(code->joints);
    free(code->emitter.slots);
    free(code->emitter.moved);
    free(code);
}

size_t kn_propnet_code_size(const KnPropnetCode *code) { return code->values; }

/* ---- Running ---- */

void kn_code_pack(const uint8_t *bytes, uint64_t *words, uint32_t count)
{
    for (uint32_t w = 0; w < count; w++, bytes += KN_CODE_LINE) {
        uint64_t bits = 0;
        for (int part = 3; part >= 0; part--) {
            __m128i line = _mm_slli_epi16(_mm_loadu_si128((const __m128i *)(const void *)(bytes + part * 16)),
                                          7); /* multiplication gathers the lowest bits */
            bits = bits << 16 | (uint32_t)_mm_movemask_epi8(line);
        }
        words[w] = bits;
    }
}

void kn_propnet_code_state(const KnPropnetCode *code, uint8_t *values, uint64_t *answers)
{
    code->state(values);
    kn_code_pack(values + code->emitter.first, answers, code->answers->next); /* all answers before `next` */
}

void kn_propnet_code_moves(const KnPropnetCode *code, uint8_t *values, uint64_t *answers)
{
    code->moves(values);
    kn_code_pack(values + code->emitter.first + (size_t)code->answers->next * 64,
                 answers + code->answers->next, code->answers->next_words);
}

void kn_propnet_code_join(KnPropnetCode *code, const uint32_t *joints, uint32_t count)
{
    KN_ASSERT(!code->joints);
    code->joints = kn_propnet_joints_new(&code->emitter, joints, count);
}

const KnPropnetJoint *kn_propnet_code_step(const KnPropnetCode *code, const uint32_t *actions,
                                           uint8_t *values, const uint64_t *state, uint64_t *answers)
{
    const KnPropnetJoint *joint = code->joints ? kn_propnet_joint_find(code->joints, actions) : NULL;
    if (joint) kn_propnet_joint_moves(code->joints, joint, values, state, answers + code->answers->next);
    return joint;
}

void kn_propnet_code_arrive(const KnPropnetCode *code, const KnPropnetJoint *joint, uint8_t *values,
                            uint64_t *answers)
{
    kn_propnet_joint_state(code->joints, joint, values, answers);
}

#else

KnPropnetCode *kn_propnet_code_new(const KnPropnet *net, const KnGdlAnswers *answers)
{
    (void)net;
    (void)answers;
    return NULL;
}

void kn_propnet_code_free(KnPropnetCode *code) { (void)code; }
size_t kn_propnet_code_size(const KnPropnetCode *code) { return code ? 0 : 1; }
void kn_propnet_code_state(const KnPropnetCode *code, uint8_t *values, uint64_t *answers)
{
    (void)code, (void)values, (void)answers;
}
void kn_propnet_code_moves(const KnPropnetCode *code, uint8_t *values, uint64_t *answers)
{
    (void)code, (void)values, (void)answers;
}

void kn_propnet_code_join(KnPropnetCode *code, const uint32_t *joints, uint32_t count)
{
    (void)code, (void)joints, (void)count;
}

const KnPropnetJoint *kn_propnet_code_step(const KnPropnetCode *code, const uint32_t *actions,
                                           uint8_t *values, const uint64_t *state, uint64_t *answers)
{
    (void)code, (void)actions, (void)values, (void)state, (void)answers;
    return NULL;
}

void kn_propnet_code_arrive(const KnPropnetCode *code, const KnPropnetJoint *joint, uint8_t *values,
                            uint64_t *answers)
{
    (void)code, (void)joint, (void)values, (void)answers;
}

#endif
