/* Unit propagation with counters: a gate counts its unknown and its contradicting inputs. A trail records
 * assignments so that they can be undone. */
#include "games/gdl/logic.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/bindings.h"

enum { DEEPEST = 6, WIDEST = 12, MOST_BRANCHES = 400 }; /* bounds of the case analysis */

typedef struct Group {
    uint32_t *nodes;
    uint32_t count;
    uint32_t out; /* propagated members that are false */
    bool active, exact;
} Group;

struct KnGdlLogic {
    const KnPropnet *net;
    int8_t *values;                /* by node: 1, -1, 0 */
    uint32_t *unknown, *against;   /* by gate: inputs */
    uint32_t *users_begin, *users; /* by node: wires of gates: 2 * gate + inverted */
    uint32_t *legal_begin, *legal; /* by node: actions whose legality it is: 2 * action + inverted */
    uint32_t *trail;
    uint32_t trail_count, done; /* assigned; propagated */
    Group *groups;
    uint32_t group_count, group_capacity;
    uint32_t *member_begin, *member; /* by node: groups; rebuilt after groups were added */
    bool members_stale;
    uint64_t work;
    int branches;
};

/* ---- Assignments ---- */

int kn_gdl_logic_value(const KnGdlLogic *l, KnPropnetWire wire)
{
    return wire & 1 ? -l->values[wire / 2] : l->values[wire / 2];
}

/* Assigns true to a wire; false on contradiction. */
static bool assign(KnGdlLogic *l, KnPropnetWire wire)
{
    KN_ASSERT(wire / 2 < l->net->count);
    int8_t value = wire & 1 ? -1 : 1;
    if (l->values[wire / 2]) return l->values[wire / 2] == value;
    l->values[wire / 2] = value;
    l->trail[l->trail_count++] = wire / 2;
    return true;
}

/* Updates the counters of the gates and groups of a node that gets a value (by = 1) or loses it (by = -1). */
static void count_users(KnGdlLogic *l, uint32_t node, int by)
{
    for (uint32_t i = l->users_begin[node]; i < l->users_begin[node + 1]; i++) {
        uint32_t gate = l->users[i] / 2;
        bool true_there = (l->values[node] > 0) != (l->users[i] & 1);
        l->unknown[gate] -= (uint32_t)by;
        if (!true_there) l->against[gate] += (uint32_t)by;
    }
    for (uint32_t i = l->member_begin[node]; i < l->member_begin[node + 1] && l->values[node] < 0; i++)
        l->groups[l->member[i]].out += (uint32_t)by;
}

static void back_to(KnGdlLogic *l, uint32_t count)
{
    while (l->trail_count > count) {
        uint32_t node = l->trail[--l->trail_count];
        if (l->trail_count < l->done) count_users(l, node, -1);
        l->values[node] = 0;
    }
    if (l->done > count) l->done = count;
}

/* ---- Propagation ---- */

/* Backward propagation: a true gate sets its inputs; a false gate with one unknown input left sets that one.
 */
static bool look_back(KnGdlLogic *l, uint32_t gate)
{
    const KnPropnetNode *node = &l->net->nodes[gate];
    if (!l->values[gate] || node->kind != KN_NODE_AND) return true;
    const KnPropnetWire *wires = l->net->wires + node->first;
    if (l->values[gate] > 0) {
        l->work += node->count;
        for (uint32_t i = 0; i < node->count; i++)
            if (!assign(l, wires[i])) return false;
        return true;
    }
    if (l->against[gate]) return true;
    if (l->unknown[gate] == 0) return false;
    if (l->unknown[gate] > 1) return true;
    l->work += node->count;
    for (uint32_t i = 0; i < node->count; i++)
        if (!l->values[wires[i] / 2]) return assign(l, wires[i] ^ 1);
    return true; /* it is on the trail; propagation counts it */
}

static bool look_forward(KnGdlLogic *l, uint32_t gate)
{
    if (l->against[gate]) return assign(l, gate * 2 + 1);
    return l->unknown[gate] || assign(l, gate * 2);
}

static bool look_at_group(KnGdlLogic *l, const Group *group, uint32_t node)
{
    if (!group->active) return true;
    if (l->values[node] > 0) {
        for (uint32_t i = 0; i < group->count; i++)
            if (group->nodes[i] != node && !assign(l, group->nodes[i] * 2 + 1)) return false;
        return true;
    }
    if (!group->exact || group->out + 1 < group->count) return true;
    for (uint32_t i = 0; i < group->count; i++)
        if (l->values[group->nodes[i]] >= 0) return assign(l, group->nodes[i] * 2);
    return group->out < group->count; /* else the last one is on the trail; propagation counts it */
}

/* A move made is legal; an illegal move is not made. */
static bool look_at_legality(KnGdlLogic *l, uint32_t node)
{
    const KnPropnet *net = l->net;
    if (net->nodes[node].kind == KN_NODE_MOVE && l->values[node] > 0 &&
        !assign(l, net->actions[net->nodes[node].first].legal))
        return false;
    for (uint32_t i = l->legal_begin[node]; i < l->legal_begin[node + 1]; i++) {
        bool legal = (l->values[node] > 0) != (l->legal[i] & 1);
        if (!legal && !assign(l, kn_propnet_move(net, l->legal[i] / 2) ^ 1)) return false;
    }
    return true;
}

static bool propagate(KnGdlLogic *l)
{
    while (l->done < l->trail_count) {
        uint32_t node = l->trail[l->done++];
        count_users(l, node, 1);
        l->work += 1 + l->users_begin[node + 1] - l->users_begin[node];
        if (!look_back(l, node) || !look_at_legality(l, node)) return false;
        for (uint32_t i = l->users_begin[node]; i < l->users_begin[node + 1];
             i++) { /* all inputs of a true gate are set */
            uint32_t gate = l->users[i] / 2;
            if (!look_forward(l, gate) || (l->values[gate] < 0 && !look_back(l, gate))) return false;
        }
        for (uint32_t i = l->member_begin[node]; i < l->member_begin[node + 1]; i++) {
            const Group *group = &l->groups[l->member[i]];
            l->work += l->values[node] > 0 || group->out + 1 >= group->count ? group->count : 1;
            if (!look_at_group(l, group, node)) return false;
        }
    }
    return true;
}

/* ---- Case analysis ---- */

/* The unexplained false gate with the fewest unknown inputs; 0 if there is none. */
static uint32_t open_gate(KnGdlLogic *l)
{
    uint32_t best = 0;
    for (uint32_t t = 0; t < l->trail_count; t++) {
        uint32_t gate = l->trail[t];
        if (l->net->nodes[gate].kind != KN_NODE_AND || l->values[gate] > 0 || l->against[gate] ||
            l->unknown[gate] > WIDEST)
            continue;
        if (!best || l->unknown[gate] < l->unknown[best]) best = gate;
    }
    l->work += l->trail_count;
    return best;
}

/* Whether the assumptions contradict each other. */
static bool refuted(KnGdlLogic *l, int depth)
{
    if (!propagate(l)) return true;
    if (depth == DEEPEST || l->branches >= MOST_BRANCHES) return false;
    uint32_t gate = open_gate(l), before = l->trail_count;
    if (!gate) return false;
    const KnPropnetNode *node = &l->net->nodes[gate];
    for (uint32_t i = 0; i < node->count; i++) {
        KnPropnetWire wire = l->net->wires[node->first + i];
        if (l->values[wire / 2]) continue;
        l->branches++;
        bool impossible = !assign(l, wire ^ 1) || refuted(l, depth + 1);
        back_to(l, before);
        if (!impossible) return false;
    }
    return true;
}

/* ---- Groups ---- */

static bool gather_members(KnGdlLogic *l)
{
    if (!l->members_stale) return true;
    uint32_t nodes = l->net->count, total = 0;
    for (uint32_t g = 0; g < l->group_count; g++) total += l->groups[g].count;
    uint32_t *begin = calloc(nodes + 2, sizeof *begin), *member = malloc((total + 1) * sizeof *member);
    if (!begin || !member) {
        free(begin);
        free(member);
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t g = 0; g < l->group_count; g++)
            for (uint32_t i = 0; i < l->groups[g].count; i++) {
                uint32_t node = l->groups[g].nodes[i];
                if (pass)
                    member[begin[node + 1]++] = g;
                else
                    begin[node + 2]++;
            }
        for (uint32_t n = 0; n < nodes && !pass; n++) begin[n + 2] += begin[n + 1];
    }
    free(l->member_begin);
    free(l->member);
    l->member_begin = begin;
    l->member = member;
    for (uint32_t g = 0; g < l->group_count; g++) l->groups[g].out = 0;
    for (uint32_t t = 0; t < l->done; t++)
        for (uint32_t i = begin[l->trail[t]]; i < begin[l->trail[t] + 1]; i++)
            l->groups[member[i]].out += l->values[l->trail[t]] < 0;
    l->members_stale = false;
    return true;
}

int kn_gdl_logic_group(KnGdlLogic *l, const uint32_t *nodes, uint32_t count, bool exact)
{
    if (!kn_gdl_grow((void **)&l->groups, &l->group_capacity, l->group_count + 1, sizeof *l->groups))
        return -1;
    uint32_t *copy = malloc((count + 1) * sizeof *copy);
    if (!copy) return -1;
    if (count) memcpy(copy, nodes, count * sizeof *copy);
    l->groups[l->group_count] = (Group){copy, count, 0, true, exact};
    l->members_stale = true;
    return (int)l->group_count++;
}

void kn_gdl_logic_set_group(KnGdlLogic *l, int group, bool active, bool exact)
{
    KN_ASSERT(group >= 0 && (uint32_t)group < l->group_count);
    l->groups[group].active = active;
    l->groups[group].exact = exact;
}

/* ---- Questions ---- */

bool kn_gdl_logic_assume(KnGdlLogic *l, KnPropnetWire wire)
{
    if (!gather_members(l)) return true;
    return assign(l, wire) && propagate(l);
}

uint32_t kn_gdl_logic_mark(const KnGdlLogic *l) { return l->trail_count; }

void kn_gdl_logic_back(KnGdlLogic *l, uint32_t mark)
{
    KN_ASSERT(mark > 0 && mark <= l->trail_count); /* node 0 stays false */
    back_to(l, mark);
}

void kn_gdl_logic_clear(KnGdlLogic *l)
{
    back_to(l, 1); /* node 0 stays false */
    if (!l->done) gather_members(l);
}

bool kn_gdl_logic_refute(KnGdlLogic *l, const KnPropnetWire *wires, uint32_t count)
{
    if (!gather_members(l)) return false;
    bool consistent = true;
    l->branches = 0;
    for (uint32_t i = 0; i < count && consistent; i++) consistent = assign(l, wires[i]);
    bool impossible = !consistent || refuted(l, 0);
    kn_gdl_logic_clear(l);
    return impossible;
}

uint64_t kn_gdl_logic_work(const KnGdlLogic *l) { return l->work; }

/* ---- Life ---- */

/* By node: the gates that use it, and the actions whose legality it is. */
static bool list_users(KnGdlLogic *l)
{
    const KnPropnet *net = l->net;
    uint32_t *begin = l->users_begin = calloc(net->count + 2, sizeof *begin),
             *legal = l->legal_begin = calloc(net->count + 2, sizeof *legal);
    l->users = malloc((net->wire_count + 1) * sizeof *l->users);
    l->legal = malloc((net->action_count + 1) * sizeof *l->legal);
    if (!begin || !legal || !l->users || !l->legal) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t n = 0; n < net->count; n++)
            for (uint32_t i = 0; net->nodes[n].kind == KN_NODE_AND && i < net->nodes[n].count; i++) {
                KnPropnetWire wire = net->wires[net->nodes[n].first + i];
                if (pass)
                    l->users[begin[wire / 2 + 1]++] = n * 2 + (wire & 1);
                else
                    begin[wire / 2 + 2]++;
            }
        for (uint32_t a = 0; a < net->action_count; a++) {
            KnPropnetWire wire = net->actions[a].legal;
            if (pass)
                l->legal[legal[wire / 2 + 1]++] = a * 2 + (wire & 1);
            else
                legal[wire / 2 + 2]++;
        }
        for (uint32_t n = 0; n < net->count && !pass; n++) {
            begin[n + 2] += begin[n + 1];
            legal[n + 2] += legal[n + 1];
        }
    }
    return true;
}

/* Every role makes exactly one move. */
static bool group_moves(KnGdlLogic *l)
{
    const KnPropnet *net = l->net;
    uint32_t *moves = malloc((net->action_count + 1) * sizeof *moves);
    bool ok = moves;
    for (uint32_t a = 0; ok && a < net->action_count; a++) moves[a] = kn_propnet_move(net, a) / 2;
    for (int r = 0; ok && r < net->roles; r++)
        ok = kn_gdl_logic_group(l, moves + net->first_action[r],
                                net->first_action[r + 1] - net->first_action[r], false) >= 0;
    free(moves);
    return ok;
}

KnGdlLogic *kn_gdl_logic_new(const KnPropnet *net)
{
    KnGdlLogic *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->net = net;
    l->values = calloc(net->count, sizeof *l->values);
    l->unknown = calloc(net->count, sizeof *l->unknown);
    l->against = calloc(net->count, sizeof *l->against);
    l->trail = malloc(net->count * sizeof *l->trail);
    if (!l->values || !l->unknown || !l->against || !l->trail || !list_users(l) || !group_moves(l) ||
        !gather_members(l)) {
        kn_gdl_logic_free(l);
        return NULL;
    }
    for (uint32_t n = 0; n < net->count; n++)
        if (net->nodes[n].kind == KN_NODE_AND) l->unknown[n] = net->nodes[n].count;
    assign(l, KN_WIRE_TRUE); /* node 0 is false */
    propagate(l);
    return l;
}

void kn_gdl_logic_free(KnGdlLogic *l)
{
    if (!l) return;
    free(l->values);
    free(l->unknown);
    free(l->against);
    free(l->users_begin);
    free(l->users);
    free(l->legal_begin);
    free(l->legal);
    free(l->trail);
    for (uint32_t g = 0; g < l->group_count; g++) free(l->groups[g].nodes);
    free(l->groups);
    free(l->member_begin);
    free(l->member);
    free(l);
}
