#include "games/gdl/propnet_code.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#include <sys/mman.h>

enum { MOST_WIRES = 20000, LINE = 64 }; /* LINE bytes become one word of bits */

typedef void Part(uint8_t *values);

struct KnPropnetCode {
    const KnPropnet *net;
    const KnGdlAnswers *answers;
    uint8_t *memory;
    size_t length; /* of the memory */
    size_t values;
    uint32_t first; /* first byte of the answers */
    Part *state, *moves;
};

/* ---- Code generation ---- */

typedef struct Emitter {
    const KnPropnet *net;
    uint8_t *at, *end;
    uint32_t *slots; /* by node */
    bool *moved;     /* depends on moves */
    bool full;
} Emitter;

static void put(Emitter *e, const uint8_t *bytes, size_t count)
{
    if ((size_t)(e->end - e->at) < count) {
        e->full = true;
        return;
    }
    memcpy(e->at, bytes, count);
    e->at += count;
}

/* An instruction with the byte at a slot; rdi holds the base of the values. */
static void put_access(Emitter *e, const uint8_t *opcode, size_t count, uint32_t slot)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, opcode, count);
    bytes[count] = 0x87; /* rdi + 32 bits; al or eax */
    memcpy(bytes + count + 1, &slot, 4);
    put(e, bytes, count + 5);
}

static void put_load(Emitter *e, uint32_t slot)
{
    put_access(e, (const uint8_t[]){0x0f, 0xb6}, 2, slot);
} /* movzx eax, byte */
static void put_and(Emitter *e, uint32_t slot) { put_access(e, (const uint8_t[]){0x22}, 1, slot); }
static void put_or(Emitter *e, uint32_t slot) { put_access(e, (const uint8_t[]){0x0a}, 1, slot); }
static void put_store(Emitter *e, uint32_t slot) { put_access(e, (const uint8_t[]){0x88}, 1, slot); }
static void put_flip(Emitter *e) { put(e, (const uint8_t[]){0x34, 0x01}, 2); }              /* xor al, 1 */
static void put_entry(Emitter *e) { put(e, (const uint8_t[]){0xf3, 0x0f, 0x1e, 0xfa}, 4); } /* endbr64 */
static void put_return(Emitter *e) { put(e, (const uint8_t[]){0xc3}, 1); }

/* A component: no inverted input is true, and all plain ones are. */
static void put_gate(Emitter *e, uint32_t gate)
{
    const KnPropnetNode *node = &e->net->nodes[gate];
    const KnPropnetWire *wires = e->net->wires + node->first;
    bool begun = false;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!(wires[i] & 1)) continue;
        (begun ? put_or : put_load)(e, e->slots[wires[i] / 2]);
        begun = true;
    }
    if (begun) put_flip(e);
    for (uint32_t i = 0; i < node->count; i++) {
        if (wires[i] & 1) continue;
        (begun ? put_and : put_load)(e, e->slots[wires[i] / 2]);
        begun = true;
    }
    put_store(e, e->slots[gate]);
}

/* ---- Slots ---- */

/* Calls `visit` for each answer and its bit. */
static void each_answer(const KnPropnet *net, const KnGdlAnswers *answers, bool next,
                        void (*visit)(void *user, KnPropnetWire wire, uint32_t bit), void *user)
{
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

typedef struct Answering {
    Emitter *emitter;
    uint32_t first;
} Answering;

/* A component that is an answer writes its value directly to the answer's byte. */
static void settle_answer(void *user, KnPropnetWire wire, uint32_t bit)
{
    Answering *answering = user;
    Emitter *e = answering->emitter;
    if (!(wire & 1) && e->net->nodes[wire / 2].kind == KN_NODE_AND && !e->slots[wire / 2])
        e->slots[wire / 2] = answering->first + bit;
}

/* Other answers, and second uses, are copied. */
static void copy_answer(void *user, KnPropnetWire wire, uint32_t bit)
{
    Answering *answering = user;
    Emitter *e = answering->emitter;
    if (!(wire & 1) && e->slots[wire / 2] == answering->first + bit) return;
    put_load(e, e->slots[wire / 2]);
    if (wire & 1) put_flip(e);
    put_store(e, answering->first + bit);
}

static void give_slots(KnPropnetCode *code, Emitter *e)
{
    const KnPropnet *net = code->net;
    uint32_t slot = 1 + net->fact_count + net->action_count;
    for (uint32_t n = 0; n < slot; n++) e->slots[n] = n; /* facts and moves keep their numbers */
    code->first = (slot + LINE - 1) / LINE * LINE;
    Answering answering = {e, code->first};
    each_answer(net, code->answers, false, settle_answer, &answering);
    each_answer(net, code->answers, true, settle_answer, &answering);
    slot = code->first + code->answers->words * 64;
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        e->moved[n] = node->kind == KN_NODE_MOVE;
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++)
            e->moved[n] |= e->moved[net->wires[node->first + i] / 2];
        if (node->kind == KN_NODE_AND && !e->slots[n]) e->slots[n] = slot++;
    }
    code->values = slot + LINE;
}

/* ---- The whole ---- */

static uint8_t *put_part(KnPropnetCode *code, Emitter *e, bool moved)
{
    uint8_t *begin = e->at;
    put_entry(e);
    for (uint32_t n = 0; n < code->net->count; n++)
        if (code->net->nodes[n].kind == KN_NODE_AND && e->moved[n] == moved) put_gate(e, n);
    each_answer(code->net, code->answers, moved, copy_answer, &(Answering){e, code->first});
    put_return(e);
    return begin;
}

/* Converts an address to a function pointer; C has no cast for that. */
static Part *as_part(uint8_t *at)
{
    Part *part;
    memcpy(&part, &at, sizeof part);
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
    Emitter e = {.net = net,
                 .at = memory,
                 .end = code->memory + code->length,
                 .slots = calloc(net->count, sizeof *e.slots),
                 .moved = calloc(net->count, sizeof *e.moved)};
    bool ok = e.slots && e.moved;
    if (ok) {
        give_slots(code, &e);
        code->state = as_part(put_part(code, &e, false));
        code->moves = as_part(put_part(code, &e, true));
    }
    free(e.slots);
    free(e.moved);
    return ok && !e.full && mprotect(memory, code->length, PROT_READ | PROT_EXEC) == 0;
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
    free(code);
}

size_t kn_propnet_code_size(const KnPropnetCode *code) { return code->values; }

/* ---- Running ---- */

/* Packs bytes of answers into bits, word by word. */
static void pack(const uint8_t *bytes, uint64_t *words, uint32_t count)
{
    for (uint32_t w = 0; w < count; w++, bytes += LINE) {
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
    pack(values + code->first, answers, code->answers->next); /* all answers before `next` */
}

void kn_propnet_code_moves(const KnPropnetCode *code, uint8_t *values, uint64_t *answers)
{
    code->moves(values);
    pack(values + code->first + (size_t)code->answers->next * 64, answers + code->answers->next,
         code->answers->next_words);
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

#endif
