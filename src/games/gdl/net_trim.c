/* The network once more, without what nobody uses. A gate that only one other gate uses, as it is, becomes
 * part of that. */
#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/net.h"

enum { MOST_DEPTH = 64 }; /* of gates merged into each other */

typedef struct Trimmer {
    const KnGdlNet *from;
    KnGdlNet *to;
    uint32_t *uses;  /* by node; UINT32_MAX: merged into its only user */
    KnWire *map;     /* by old node; while merging, how deeply it is merged */
    KnWire *scratch; /* wires of a gate, with those of merged ones */
    uint32_t scratch_count, scratch_capacity;
} Trimmer;

static void use(Trimmer *t, KnWire wire) { t->uses[wire / 2] += t->uses[wire / 2] < UINT32_MAX - 1; }

static void use_answers(Trimmer *t)
{
    const KnGdlNet *net = t->from;
    use(t, net->terminal);
    for (uint32_t f = 0; f < net->fact_count; f++) use(t, net->next[f]);
    for (uint32_t a = 0; a < net->action_count; a++) use(t, net->actions[a].legal);
    for (uint32_t g = 0; g < net->first_goal[net->roles]; g++) use(t, net->goals[g].wire);
}

/* A block is used as a whole. */
static void use_block(Trimmer *t, const KnNetBlock *block)
{
    bool used = false;
    for (uint32_t n = 0; n < block->node_count; n++) used |= t->uses[block->first_node + n] > 0;
    for (uint32_t w = 0; w < block->way_count && used; w++)
        use(t, t->from->ways[block->first_way + w].outside);
    for (uint32_t n = 0; n < block->node_count && used; n++) t->uses[block->first_node + n]++;
}

/* From the last node to the first: whatever uses a node has been looked at before it. */
static void count_uses(Trimmer *t)
{
    const KnGdlNet *net = t->from;
    use_answers(t);
    for (uint32_t n = net->count; n-- > 1;) {
        const KnNetNode *node = &net->nodes[n];
        if (node->kind == KN_NODE_LOOP && net->blocks[node->first].first_node == n)
            use_block(t, &net->blocks[node->first]);
        if (node->kind != KN_NODE_AND || !t->uses[n]) continue;
        for (uint32_t i = 0; i < node->count; i++) use(t, net->wires[node->first + i]);
    }
}

/* Gates with one use, if that is by a gate and not inverted, are merged into it. */
static void find_merged(Trimmer *t)
{
    const KnGdlNet *net = t->from;
    for (uint32_t n = net->count; n-- > 1;) {
        const KnNetNode *node = &net->nodes[n];
        if (node->kind != KN_NODE_AND || !t->uses[n]) continue;
        for (uint32_t i = 0; i < node->count && t->map[n] < MOST_DEPTH; i++) {
            KnWire wire = net->wires[node->first + i];
            if (wire & 1 || net->nodes[wire / 2].kind != KN_NODE_AND || t->uses[wire / 2] != 1) continue;
            t->uses[wire / 2] = UINT32_MAX;
            t->map[wire / 2] = t->map[n] + 1;
        }
    }
    memset(t->map, 0, net->count * sizeof *t->map);
}

static bool gather(Trimmer *t, const KnNetNode *node)
{
    for (uint32_t i = 0; i < node->count; i++) {
        KnWire wire = t->from->wires[node->first + i];
        if (t->uses[wire / 2] == UINT32_MAX) {
            if (!gather(t, &t->from->nodes[wire / 2])) return false;
            continue;
        }
        if (!kn_gdl_grow((void **)&t->scratch, &t->scratch_capacity, t->scratch_count + 1,
                         sizeof *t->scratch))
            return false;
        t->scratch[t->scratch_count++] = t->map[wire / 2] ^ (wire & 1);
    }
    return true;
}

static bool copy_block(Trimmer *t, const KnNetBlock *block)
{
    KnGdlNet *to = t->to;
    if (!kn_gdl_grow((void **)&to->blocks, &to->block_capacity, to->block_count + 1, sizeof *to->blocks))
        return false;
    KnNetBlock *copy = &to->blocks[to->block_count];
    *copy = (KnNetBlock){to->count, block->node_count, to->way_count, 0};
    for (uint32_t n = 0; n < block->node_count; n++)
        t->map[block->first_node + n] = 2 * kn_net_node(to, KN_NODE_LOOP, to->block_count, 0);
    for (uint32_t w = 0; w < block->way_count; w++) {
        const KnNetWay *way = &t->from->ways[block->first_way + w];
        KnNetWay mine = {t->map[way->node] / 2, t->map[way->outside / 2] ^ (way->outside & 1), to->wire_count,
                         way->count};
        uint32_t first;
        if (mine.outside == KN_WIRE_FALSE) continue;
        for (uint32_t i = 0; i < way->count; i++)
            if (!kn_net_add_wires(to, &(KnWire){t->map[t->from->wires[way->first + i]] / 2}, 1, &first))
                return false;
        if (!kn_gdl_grow((void **)&to->ways, &to->way_capacity, to->way_count + 1, sizeof *to->ways))
            return false;
        to->ways[to->way_count++] = mine;
        copy->way_count++;
    }
    to->block_count++;
    return !to->failed;
}

static bool copy_nodes(Trimmer *t)
{
    const KnGdlNet *net = t->from;
    for (uint32_t n = 1; n < net->count; n++) {
        const KnNetNode *node = &net->nodes[n];
        if (node->kind == KN_NODE_FACT || node->kind == KN_NODE_MOVE)
            t->map[n] = 2 * kn_net_node(t->to, node->kind, node->first, 0);
        else if (!t->uses[n] || t->uses[n] == UINT32_MAX)
            continue;
        else if (node->kind == KN_NODE_AND) {
            t->scratch_count = 0;
            if (!gather(t, node)) return false;
            t->map[n] = kn_net_and(t->to, t->scratch, t->scratch_count);
        } else if (net->blocks[node->first].first_node == n && !copy_block(t, &net->blocks[node->first]))
            return false;
    }
    return !t->to->failed;
}

static KnWire mapped(const Trimmer *t, KnWire wire) { return t->map[wire / 2] ^ (wire & 1); }

/* Hands over the answers, with their wires renumbered. */
static void move_answers(Trimmer *t, KnGdlNet *from)
{
    KnGdlNet *to = t->to;
    for (uint32_t f = 0; f < from->fact_count; f++) from->next[f] = mapped(t, from->next[f]);
    for (uint32_t a = 0; a < from->action_count; a++)
        from->actions[a].legal = mapped(t, from->actions[a].legal);
    for (uint32_t g = 0; g < from->first_goal[from->roles]; g++)
        from->goals[g].wire = mapped(t, from->goals[g].wire);
    to->terminal = mapped(t, from->terminal);
    to->facts = from->facts;
    to->start = from->start;
    to->next = from->next;
    to->actions = from->actions;
    to->goals = from->goals;
    to->fact_count = from->fact_count;
    to->action_count = from->action_count;
    to->roles = from->roles;
    memcpy(to->first_action, from->first_action, sizeof to->first_action);
    memcpy(to->first_goal, from->first_goal, sizeof to->first_goal);
    from->facts = NULL;
    from->start = NULL;
    from->next = NULL;
    from->actions = NULL;
    from->goals = NULL;
}

KnStatus kn_gdl_net_trim(KnGdlNet *net, KnError *error)
{
    KnGdlNet to = {0};
    Trimmer t = {.from = net,
                 .to = &to,
                 .uses = calloc(net->count, sizeof *t.uses),
                 .map = calloc(net->count, sizeof *t.map)};
    bool ok = t.uses && t.map && kn_net_init(&to, net->limit);
    if (ok) {
        count_uses(&t);
        find_merged(&t);
        ok = copy_nodes(&t);
    }
    if (ok) {
        move_answers(&t, net);
        kn_gdl_net_free(net);
        *net = to;
    } else
        kn_gdl_net_free(&to);
    free(t.uses);
    free(t.map);
    free(t.scratch);
    return ok ? KN_OK : kn_fail_memory(error, "trimming the network of a rule sheet");
}
