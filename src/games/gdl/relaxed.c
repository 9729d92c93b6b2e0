/* Each literal is derived once. A component counts the inputs that are not possible yet, as in differential
 * propagation; literals of a step are taken from a stack, those of the next step wait in another. So a state
 * costs no more than the wires that it reaches, in both polarities. */
#include "games/gdl/relaxed.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/propnet_reasoner.h"

/* A literal is the wire that is true with it. */
typedef KnPropnetWire Literal;

enum { NOT_YET = UINT16_MAX, LEVELS = 64 };

/* What follows from a literal, packed as 4 * number + kind. */
enum { COUNTS, INVERTS, LEADS, ALLOWS }; /* a component, its inverse; a literal of the next state; a move */

struct KnGdlRelaxed {
    const KnPropnet *net;
    uint32_t literals;
    uint32_t *first, *uses; /* by literal: where its uses begin */
    uint32_t *wanted;       /* by node: inputs */
    uint64_t *unknown;      /* bits of facts */
    size_t words;
    uint32_t first_goal, goal_count; /* literals of the goal value, in goals */
    Literal *goals;
    /* Of the state given last: */
    uint32_t *missing; /* by node: inputs that are not possible yet */
    uint16_t *levels;  /* by literal: the first step at which it is possible */
    Literal *causes;   /* of the inverse of a component: the input that was first */
    Literal *stack, *later;
    uint32_t stacked, waiting;
    /* Of a plan: */
    uint32_t *stamps; /* by literal: the last fact whose support it was counted for */
    uint32_t stamp;
    uint64_t *made; /* by action: bits of the steps at which it is made */
    bool *needed;   /* by literal of a fact */
};

/* ---- Layout ---- */

/* Counts a use of a literal, or writes it. */
static void add_use(KnGdlRelaxed *r, Literal literal, uint32_t kind, uint32_t number, bool write)
{
    uint32_t *at = &r->first[literal + 1]; /* shifted, so that writing leaves the beginnings */
    if (write) r->uses[*at] = 4 * number + kind;
    ++*at;
}

static void list_uses(KnGdlRelaxed *r, bool write)
{
    const KnPropnet *net = r->net;
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++) {
            add_use(r, net->wires[node->first + i], COUNTS, n, write);
            add_use(r, net->wires[node->first + i] ^ 1, INVERTS, n, write);
        }
    }
    for (uint32_t f = 0; f < net->fact_count; f++) {
        add_use(r, net->next[f], LEADS, kn_propnet_fact(f), write);
        add_use(r, net->next[f] ^ 1, LEADS, kn_propnet_fact(f) ^ 1, write);
    }
    for (uint32_t a = 0; a < net->action_count; a++) add_use(r, net->actions[a].legal, ALLOWS, a, write);
}

static bool lay_out(KnGdlRelaxed *r)
{
    const KnPropnet *net = r->net;
    r->literals = 2 * net->count;
    r->first = calloc(r->literals + 2, sizeof *r->first);
    r->wanted = calloc(net->count, sizeof *r->wanted);
    if (!r->first || !r->wanted) return false;
    for (uint32_t n = 0; n < net->count; n++)
        r->wanted[n] = net->nodes[n].kind == KN_NODE_AND ? net->nodes[n].count : 0;
    list_uses(r, false);
    uint32_t sum = 0; /* counts become the beginnings, at first[literal + 1] until they are written */
    for (uint32_t i = 0; i < r->literals; i++) {
        uint32_t count = r->first[i + 1];
        r->first[i + 1] = sum;
        sum += count;
    }
    r->uses = malloc((sum + 1) * sizeof *r->uses);
    if (!r->uses) return false;
    list_uses(r, true);
    return true;
}

KnGdlRelaxed *kn_gdl_relaxed_new(KnGdlMachine *machine, int role, int value, KnError *error)
{
    KnPropnetReasoner *reasoner = kn_gdl_machine_propnet(machine);
    if (!reasoner) {
        kn_fail(error, KN_INPUT, "no bound of the way to a goal value: the prover answers, not a propnet");
        return NULL;
    }
    KnGdlRelaxed *r = calloc(1, sizeof *r);
    if (r) {
        r->net = kn_propnet_reasoner_net(reasoner);
        r->words = kn_gdl_state_words(r->net);
        uint32_t goals = r->net->first_goal[r->net->roles];
        r->unknown = calloc(r->words + 1, sizeof *r->unknown);
        r->goals = malloc((goals + 1) * sizeof *r->goals);
        if (lay_out(r)) {
            r->missing = malloc(r->net->count * sizeof *r->missing);
            r->levels = malloc(r->literals * sizeof *r->levels);
            r->causes = malloc(r->literals * sizeof *r->causes);
            r->stack = malloc((r->literals + 1) * sizeof *r->stack);
            r->later = malloc((r->literals + 1) * sizeof *r->later);
            r->stamps = calloc(r->literals, sizeof *r->stamps);
            r->made = malloc((r->net->action_count + 1) * sizeof *r->made);
            r->needed = malloc(r->literals * sizeof *r->needed);
        }
        if (r->unknown && r->goals && r->missing && r->levels && r->causes && r->stack && r->later &&
            r->stamps && r->made && r->needed) {
            kn_gdl_relaxed_aim(r, role, value);
            return r;
        }
    }
    kn_gdl_relaxed_free(r);
    kn_fail_memory(error, "bounding the way to a goal value");
    return NULL;
}

void kn_gdl_relaxed_free(KnGdlRelaxed *r)
{
    if (!r) return;
    free(r->first);
    free(r->uses);
    free(r->wanted);
    free(r->unknown);
    free(r->goals);
    free(r->missing);
    free(r->levels);
    free(r->causes);
    free(r->stack);
    free(r->later);
    free(r->stamps);
    free(r->made);
    free(r->needed);
    free(r);
}

void kn_gdl_relaxed_aim(KnGdlRelaxed *r, int role, int value)
{
    const KnPropnet *net = r->net;
    KN_ASSERT(role >= 0 && role < net->roles);
    r->goal_count = 0;
    for (uint32_t i = net->first_goal[role]; i < net->first_goal[role + 1]; i++)
        if (net->goals[i].value == value) r->goals[r->goal_count++] = net->goals[i].wire;
}

/* Marks what depends on facts in a mask or, where `others`, on anything but them. Nodes are in topological
 * order; blocks are taken to depend on everything. */
static void mark_dependent(const KnPropnet *net, const uint64_t *mask, bool others, bool *dependent)
{
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        dependent[n] = node->kind == KN_NODE_LOOP || (node->kind == KN_NODE_MOVE && others);
        if (node->kind == KN_NODE_FACT)
            dependent[n] = (mask[node->first / 64] >> node->first % 64 & 1) != others;
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count && !dependent[n]; i++)
            dependent[n] = dependent[net->wires[node->first + i] / 2];
    }
}

void kn_gdl_relaxed_clocks(KnGdlRelaxed *r, uint64_t *facts)
{
    const KnPropnet *net = r->net;
    bool *dependent = r->needed;
    for (bool changed = true; changed;) {
        changed = false;
        mark_dependent(net, facts, true, dependent);
        for (uint32_t f = 0; f < net->fact_count; f++) {
            if (!(facts[f / 64] >> f % 64 & 1) || !dependent[net->next[f] / 2]) continue;
            facts[f / 64] &= ~(UINT64_C(1) << f % 64);
            changed = true;
        }
    }
}

bool kn_gdl_relaxed_unknown(KnGdlRelaxed *r, const uint64_t *facts)
{
    const KnPropnet *net = r->net;
    bool any = false, apart = true, *dependent = r->needed;
    for (size_t w = 0; w < r->words; w++) {
        r->unknown[w] = facts ? facts[w] : 0;
        any |= r->unknown[w] != 0;
    }
    if (!any) return true;
    mark_dependent(net, r->unknown, false, dependent);
    for (uint32_t a = 0; a < net->action_count && apart; a++) apart = !dependent[net->actions[a].legal / 2];
    for (uint32_t f = 0; f < net->fact_count && apart; f++)
        apart = (r->unknown[f / 64] >> f % 64 & 1) || !dependent[net->next[f] / 2];
    return apart;
}

/* ---- Steps ---- */

static void reach(KnGdlRelaxed *r, Literal literal, uint16_t level)
{
    KN_ASSERT(literal < r->literals);
    if (r->levels[literal] != NOT_YET) return;
    r->levels[literal] = level;
    r->stack[r->stacked++] = literal;
}

/* Takes everything that is possible at a step. */
static void propagate(KnGdlRelaxed *r, uint16_t level)
{
    while (r->stacked) {
        Literal literal = r->stack[--r->stacked];
        for (uint32_t i = r->first[literal]; i < r->first[literal + 1]; i++) {
            uint32_t use = r->uses[i], number = use / 4;
            switch (use % 4) {
            case COUNTS:
                if (!--r->missing[number]) reach(r, 2 * number, level);
                break;
            case INVERTS:
                if (r->levels[2 * number + 1] == NOT_YET) r->causes[2 * number + 1] = literal;
                reach(r, 2 * number + 1, level);
                break;
            case LEADS:
                if (r->levels[number] != NOT_YET) break;
                r->levels[number] = (uint16_t)(level + 1);
                r->later[r->waiting++] = number;
                break;
            default:
                reach(r, kn_propnet_move(r->net, number), level);
            }
        }
    }
}

/* What is possible at step 0. */
static void begin(KnGdlRelaxed *r, const uint64_t *state)
{
    const KnPropnet *net = r->net;
    memcpy(r->missing, r->wanted, net->count * sizeof *r->missing);
    memset(r->levels, 0xff, r->literals * sizeof *r->levels);
    r->stacked = r->waiting = 0;
    reach(r, KN_WIRE_TRUE, 0);
    for (uint32_t f = 0; f < net->fact_count; f++) {
        bool on = state[f / 64] >> f % 64 & 1, open = r->unknown[f / 64] >> f % 64 & 1;
        if (on || open) reach(r, kn_propnet_fact(f), 0);
        if (!on || open) reach(r, kn_propnet_fact(f) ^ 1, 0);
    }
    for (uint32_t a = 0; a < net->action_count; a++) reach(r, kn_propnet_move(net, a) ^ 1, 0);
    for (uint32_t b = 0; b < net->block_count; b++)
        for (uint32_t n = 0; n < net->blocks[b].node_count; n++) {
            reach(r, 2 * (net->blocks[b].first_node + n), 0);
            reach(r, 2 * (net->blocks[b].first_node + n) + 1, 0);
        }
    propagate(r, 0);
}

/* The goal's literal that was first. */
static Literal first_goal(const KnGdlRelaxed *r)
{
    Literal best = r->goals[0];
    for (uint32_t i = 1; i < r->goal_count; i++)
        if (r->levels[r->goals[i]] < r->levels[best]) best = r->goals[i];
    return best;
}

/* Whether the game may be over: by the rules, or because a role may have no move. */
static bool may_be_over(const KnGdlRelaxed *r)
{
    const KnPropnet *net = r->net;
    if (r->levels[net->terminal] != NOT_YET) return true;
    for (int role = 0; role < net->roles; role++) {
        uint32_t a = net->first_action[role];
        while (a < net->first_action[role + 1] && r->levels[net->actions[a].legal ^ 1] != NOT_YET) a++;
        if (a == net->first_action[role + 1]) return true;
    }
    return false;
}

unsigned kn_gdl_relaxed_bound(KnGdlRelaxed *r, const uint64_t *state)
{
    begin(r, state);
    if (!r->goal_count) return KN_GDL_NEVER;
    for (unsigned level = 0; level < KN_GDL_NEVER - 1; level++) {
        if (r->levels[first_goal(r)] != NOT_YET && may_be_over(r)) return level;
        if (!r->waiting) break;
        Literal *now = r->later;
        r->later = r->stack;
        r->stack = now;
        r->stacked = r->waiting;
        r->waiting = 0;
        propagate(r, (uint16_t)(level + 1));
    }
    return KN_GDL_NEVER;
}

bool kn_gdl_relaxed_may_go_on(const KnGdlRelaxed *r) { return r->levels[r->net->terminal ^ 1] == 0; }

/* ---- Plans ---- */

/* Notes a literal of a fact that the plan must bring about. */
static void need(KnGdlRelaxed *r, Literal fact)
{
    if (r->needed[fact] || r->levels[fact] == 0) return;
    r->needed[fact] = true;
    r->later[r->waiting++] = fact;
}

/* Goes down from a literal to the facts and moves that make it possible. Returns the moves that are new at
 * this step. */
static unsigned support(KnGdlRelaxed *r, Literal literal, unsigned step)
{
    const KnPropnet *net = r->net;
    unsigned moves = 0;
    if (!++r->stamp) memset(r->stamps, 0, r->literals * sizeof *r->stamps), r->stamp = 1;
    r->stacked = 0;
    r->stack[r->stacked++] = literal;
    r->stamps[literal] = r->stamp;
    while (r->stacked) {
        Literal at = r->stack[--r->stacked];
        const KnPropnetNode *node = &net->nodes[at / 2];
        const Literal *inputs = NULL;
        uint32_t count = 0;
        Literal legal;
        if (node->kind == KN_NODE_FACT) {
            need(r, at);
        } else if (node->kind == KN_NODE_AND && at & 1) {
            inputs = &r->causes[at];
            count = 1;
        } else if (node->kind == KN_NODE_AND) {
            inputs = net->wires + node->first;
            count = node->count;
        } else if (node->kind == KN_NODE_MOVE && !(at & 1)) {
            uint64_t bit = UINT64_C(1) << (step < LEVELS ? step : LEVELS - 1);
            moves += !(r->made[node->first] & bit);
            r->made[node->first] |= bit;
            legal = net->actions[node->first].legal;
            inputs = &legal;
            count = 1;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (r->stamps[inputs[i]] == r->stamp) continue;
            r->stamps[inputs[i]] = r->stamp;
            r->stack[r->stacked++] = inputs[i];
        }
    }
    return moves;
}

unsigned kn_gdl_relaxed_plan(KnGdlRelaxed *r, const uint64_t *state)
{
    unsigned bound = kn_gdl_relaxed_bound(r, state), moves = 0;
    if (bound == KN_GDL_NEVER || bound == 0) return bound;
    memset(r->made, 0, r->net->action_count * sizeof *r->made);
    memset(r->needed, 0, r->literals * sizeof *r->needed);
    r->waiting = 0;
    if (r->levels[r->net->terminal] != NOT_YET) support(r, r->net->terminal, bound);
    support(r, first_goal(r), bound);
    for (uint32_t i = 0; i < r->waiting; i++) {
        Literal fact = r->later[i];
        KN_ASSERT(r->levels[fact] > 0 && r->levels[fact] != NOT_YET);
        moves += support(r, r->net->next[fact / 2 - 1] ^ (fact & 1), r->levels[fact] - 1u);
    }
    if (moves < bound) moves = bound;
    return moves < KN_GDL_NEVER ? moves : KN_GDL_NEVER - 1;
}
