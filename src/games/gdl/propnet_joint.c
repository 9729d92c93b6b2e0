#include "games/gdl/propnet_joint.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <sys/mman.h>

#include <knack/base.h>
#include "base/assert.h"

/* MOST_BYTES: of code for all joint moves; more would not stay in the caches. */
enum { MOST_BYTES = 4 << 20, MOST_JOINTS = 8192 };

struct KnPropnetJoint {
    uint32_t actions[KN_GDL_ROLES];
    KnCodePart *moves, *state;
    uint64_t *keep, *set; /* masks by word of the state */
    uint32_t *computed;   /* the other facts */
    uint32_t computed_count;
};

struct KnPropnetJoints {
    const KnPropnet *net;
    const KnGdlAnswers *answers;
    uint32_t first; /* slot of the first answer */
    uint8_t *memory;
    size_t length;
    KnPropnetJoint *list;
    uint32_t count;
    uint32_t *table; /* by hash of the actions: index + 1 */
    uint32_t mask;
};

/* Work space while code is made. */
typedef struct Maker {
    KnPropnetJoints *joints;
    KnEmitter emitter;
    KnPropnetWire *values; /* by node: the wire that is equal to it, with the moves known */
    bool *needed;          /* components that depend on moves and must be computed */
    bool *touched;         /* nodes about the state that may change */
    KnPropnetWire *wires;  /* of one component */
} Maker;

/* ---- Partial evaluation ---- */

static KnPropnetWire value_of(const Maker *m, KnPropnetWire wire) { return m->values[wire / 2] ^ (wire & 1); }

/* The wires of a component that are not constant; false if one of them is false. */
static bool open_wires(const Maker *m, uint32_t node, KnPropnetWire *wires, uint32_t *count)
{
    const KnPropnet *net = m->emitter.net;
    *count = 0;
    for (uint32_t i = 0; i < net->nodes[node].count; i++) {
        KnPropnetWire wire = value_of(m, net->wires[net->nodes[node].first + i]);
        if (wire == KN_WIRE_FALSE) return false;
        if (wire != KN_WIRE_TRUE) wires[(*count)++] = wire;
    }
    return true;
}

/* What every node is equal to, with these moves. */
static void evaluate(Maker *m, const uint32_t *actions)
{
    const KnPropnet *net = m->emitter.net;
    for (uint32_t n = 0; n < net->count; n++) {
        m->values[n] = net->nodes[n].kind == KN_NODE_MOVE ? KN_WIRE_FALSE : 2 * n;
        m->needed[n] = m->touched[n] = false;
    }
    for (int r = 0; r < net->roles; r++) m->values[kn_propnet_move(net, actions[r]) / 2] = KN_WIRE_TRUE;
    for (uint32_t n = 0; n < net->count; n++) {
        uint32_t count;
        if (net->nodes[n].kind != KN_NODE_AND || !m->emitter.moved[n]) continue;
        if (!open_wires(m, n, m->wires, &count))
            m->values[n] = KN_WIRE_FALSE;
        else if (count < 2)
            m->values[n] = count ? m->wires[0] : KN_WIRE_TRUE;
    }
}

/* ---- Code ---- */

/* The bits of the next state that have to be computed go to their answers' bytes. */
static KnCodePart *make_moves(Maker *m, const KnPropnetJoint *joint)
{
    const KnPropnet *net = m->emitter.net;
    KnEmitter *e = &m->emitter;
    uint32_t count;
    for (uint32_t i = 0; i < joint->computed_count; i++) {
        KnPropnetWire wire = value_of(m, net->next[joint->computed[i]]);
        m->needed[wire / 2] = e->moved[wire / 2];
    }
    for (uint32_t n = net->count; n-- > 0;) {
        if (!m->needed[n]) continue;
        open_wires(m, n, m->wires, &count);
        for (uint32_t i = 0; i < count; i++) m->needed[m->wires[i] / 2] |= e->moved[m->wires[i] / 2];
    }
    KnCodePart *part = kn_emit_entry(e);
    for (uint32_t n = 0; n < net->count; n++) {
        if (!m->needed[n]) continue;
        open_wires(m, n, m->wires, &count);
        kn_emit_gate(e, m->wires, count, e->slots[n]);
    }
    for (uint32_t i = 0; i < joint->computed_count; i++)
        kn_emit_copy(e, value_of(m, net->next[joint->computed[i]]),
                     e->first + e->answers->next * 64 + joint->computed[i]);
    kn_emit_return(e);
    return part;
}

static void copy_touched(void *user, KnPropnetWire wire, uint32_t bit)
{
    Maker *m = user;
    if (m->touched[wire / 2]) kn_emit_copy(&m->emitter, wire, m->emitter.first + bit);
}

/* The components about the state that depend on facts which the move may change. */
static KnCodePart *make_state(Maker *m)
{
    const KnPropnet *net = m->emitter.net;
    KnEmitter *e = &m->emitter;
    KnCodePart *part = kn_emit_entry(e);
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        if (node->kind != KN_NODE_AND || e->moved[n]) continue;
        for (uint32_t i = 0; i < node->count && !m->touched[n]; i++)
            m->touched[n] = m->touched[net->wires[node->first + i] / 2];
        if (m->touched[n]) kn_emit_gate(e, net->wires + node->first, node->count, e->slots[n]);
    }
    kn_emit_answers(e, false, copy_touched, m);
    kn_emit_return(e);
    return part;
}

/* False: there is no room. */
static bool make_joint(Maker *m, const uint32_t *actions, KnPropnetJoint *joint)
{
    const KnPropnet *net = m->emitter.net;
    uint32_t words = m->emitter.answers->next_words;
    *joint = (KnPropnetJoint){.keep = calloc(words + 1, sizeof *joint->keep),
                              .set = calloc(words + 1, sizeof *joint->set)};
    memcpy(joint->actions, actions, (size_t)net->roles * sizeof *actions);
    if (!joint->keep || !joint->set) return false;
    evaluate(m, actions);
    uint32_t *computed = m->wires; /* has room for all facts */
    for (uint32_t f = 0; f < net->fact_count; f++) {
        KnPropnetWire wire = value_of(m, net->next[f]);
        uint64_t bit = UINT64_C(1) << f % 64;
        if (wire == kn_propnet_fact(f)) {
            joint->keep[f / 64] |= bit;
            continue;
        }
        m->touched[kn_propnet_fact(f) / 2] = true;
        if (wire == KN_WIRE_TRUE) joint->set[f / 64] |= bit;
        if (wire != KN_WIRE_TRUE && wire != KN_WIRE_FALSE) computed[joint->computed_count++] = f;
    }
    joint->computed = malloc((joint->computed_count + 1) * sizeof *computed);
    if (!joint->computed) return false;
    memcpy(joint->computed, computed, joint->computed_count * sizeof *computed);
    joint->moves = make_moves(m, joint);
    joint->state = make_state(m);
    return !m->emitter.full;
}

/* ---- All of them ---- */

static uint32_t place_of(const KnPropnetJoints *j, const uint32_t *actions)
{
    uint64_t hash = 0;
    size_t size = (size_t)j->net->roles * sizeof *actions;
    for (int r = 0; r < j->net->roles; r++) hash = (hash ^ actions[r]) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(hash >> 32) & j->mask;
    while (j->table[i] && memcmp(j->list[j->table[i] - 1].actions, actions, size) != 0) i = (i + 1) & j->mask;
    return i;
}

const KnPropnetJoint *kn_propnet_joint_find(const KnPropnetJoints *j, const uint32_t *actions)
{
    uint32_t at = j->table[place_of(j, actions)];
    return at ? &j->list[at - 1] : NULL;
}

/* As many as there is room for; those that come first are the most frequent. */
static void make_all(Maker *m, const uint32_t *joints, uint32_t count)
{
    KnPropnetJoints *j = m->joints;
    for (uint32_t i = 0; i < count && j->count < MOST_JOINTS; i++) {
        const uint32_t *actions = joints + (size_t)i * (size_t)j->net->roles;
        uint32_t place = place_of(j, actions);
        if (j->table[place]) continue;
        uint8_t *before = m->emitter.at;
        KnPropnetJoint *joint = &j->list[j->count];
        if (!make_joint(m, actions, joint)) {
            free(joint->keep);
            free(joint->set);
            free(joint->computed);
            m->emitter.at = before;
            break;
        }
        j->table[place] = ++j->count;
    }
}

KnPropnetJoints *kn_propnet_joints_new(const KnEmitter *emitter, const uint32_t *joints, uint32_t count)
{
    const KnPropnet *net = emitter->net;
    uint32_t most = count < MOST_JOINTS ? count : MOST_JOINTS, slots = 16, widest = net->fact_count;
    while (slots < 2 * most) slots *= 2;
    for (uint32_t n = 0; n < net->count; n++)
        if (net->nodes[n].kind == KN_NODE_AND && net->nodes[n].count > widest) widest = net->nodes[n].count;
    KnPropnetJoints *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    *j = (KnPropnetJoints){.net = net,
                           .answers = emitter->answers,
                           .first = emitter->first,
                           .length = MOST_BYTES,
                           .list = malloc((most + 1) * sizeof *j->list),
                           .table = calloc(slots, sizeof *j->table),
                           .mask = slots - 1};
    Maker m = {.joints = j,
               .emitter = *emitter,
               .values = malloc(net->count * sizeof *m.values),
               .needed = malloc(net->count * sizeof *m.needed),
               .touched = malloc(net->count * sizeof *m.touched),
               .wires = malloc((widest + 1) * sizeof *m.wires)};
    void *memory = mmap(NULL, j->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) j->memory = memory;
    if (j->memory && j->list && j->table && m.values && m.needed && m.touched && m.wires) {
        m.emitter.at = j->memory;
        m.emitter.end = j->memory + j->length;
        m.emitter.full = false;
        make_all(&m, joints, count);
    }
    free(m.values);
    free(m.needed);
    free(m.touched);
    free(m.wires);
    if (j->count && mprotect(j->memory, j->length, PROT_READ | PROT_EXEC) == 0) return j;
    kn_propnet_joints_free(j);
    return NULL;
}

void kn_propnet_joints_free(KnPropnetJoints *j)
{
    if (!j) return;
    for (uint32_t i = 0; i < j->count; i++) {
        free(j->list[i].keep);
        free(j->list[i].set);
        free(j->list[i].computed);
    }
    if (j->memory) munmap(j->memory, j->length);
    free(j->list);
    free(j->table);
    free(j);
}

/* ---- Running ---- */

void kn_propnet_joint_moves(const KnPropnetJoints *j, const KnPropnetJoint *joint, uint8_t *values,
                            const uint64_t *state, uint64_t *next)
{
    if (joint->computed_count) joint->moves(values);
    for (uint32_t w = 0; w < j->answers->next_words; w++)
        next[w] = (state[w] & joint->keep[w]) | joint->set[w];
    const uint8_t *bytes = values + j->first + (size_t)j->answers->next * 64;
    for (uint32_t i = 0; i < joint->computed_count; i++) {
        uint32_t fact = joint->computed[i];
        next[fact / 64] |= (uint64_t)bytes[fact] << fact % 64;
    }
}

void kn_propnet_joint_state(const KnPropnetJoints *j, const KnPropnetJoint *joint, uint8_t *values,
                            uint64_t *answers)
{
    joint->state(values);
    kn_code_pack(values + j->first, answers, j->answers->next); /* all answers before `next` */
}

#endif
