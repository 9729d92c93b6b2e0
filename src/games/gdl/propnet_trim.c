/* Rebuilds the propnet without unused nodes. A component with a single plain use, by another component, is
 * merged into it. */
#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/propnet.h"

enum { MOST_DEPTH = 64 }; /* of nested merges */

typedef struct Trimmer {
    const KnPropnet *from;
    KnPropnet *to;
    uint32_t *uses;         /* by node; UINT32_MAX: merged into its only user */
    KnPropnetWire *map;     /* new wire by old node; while merging, the depth of merging */
    KnPropnetWire *scratch; /* wires of a component and of those merged into it */
    uint32_t scratch_count, scratch_capacity;
} Trimmer;

static void use(Trimmer *t, KnPropnetWire wire) { t->uses[wire / 2] += t->uses[wire / 2] < UINT32_MAX - 1; }

static void use_answers(Trimmer *t)
{
    const KnPropnet *net = t->from;
    use(t, net->terminal);
    for (uint32_t f = 0; f < net->fact_count; f++) use(t, net->next[f]);
    for (uint32_t a = 0; a < net->action_count; a++) use(t, net->actions[a].legal);
    for (uint32_t g = 0; g < net->first_goal[net->roles]; g++) use(t, net->goals[g].wire);
}

/* Using one node of a block uses all of it. */
static void use_block(Trimmer *t, const KnPropnetBlock *block)
{
    bool used = false;
    for (uint32_t n = 0; n < block->node_count; n++) used |= t->uses[block->first_node + n] > 0;
    for (uint32_t w = 0; w < block->way_count && used; w++)
        use(t, t->from->ways[block->first_way + w].outside);
    for (uint32_t n = 0; n < block->node_count && used; n++) t->uses[block->first_node + n]++;
}

/* Backwards: all users of a node come before it. */
static void count_uses(Trimmer *t)
{
    const KnPropnet *net = t->from;
    use_answers(t);
    for (uint32_t n = net->count; n-- > 1;) {
        const KnPropnetNode *node = &net->nodes[n];
        if (node->kind == KN_NODE_LOOP && net->blocks[node->first].first_node == n)
            use_block(t, &net->blocks[node->first]);
        if (node->kind != KN_NODE_AND || !t->uses[n]) continue;
        for (uint32_t i = 0; i < node->count; i++) use(t, net->wires[node->first + i]);
    }
}

/* Finds components with a single use that is plain and by a component. */
static void find_merged(Trimmer *t)
{
    const KnPropnet *net = t->from;
    for (uint32_t n = net->count; n-- > 1;) {
        const KnPropnetNode *node = &net->nodes[n];
        if (node->kind != KN_NODE_AND || !t->uses[n]) continue;
        for (uint32_t i = 0; i < node->count && t->map[n] < MOST_DEPTH; i++) {
            KnPropnetWire wire = net->wires[node->first + i];
            if (wire & 1 || net->nodes[wire / 2].kind != KN_NODE_AND || t->uses[wire / 2] != 1) continue;
            t->uses[wire / 2] = UINT32_MAX;
            t->map[wire / 2] = t->map[n] + 1;
        }
    }
    memset(t->map, 0, net->count * sizeof *t->map);
}

static bool gather(Trimmer *t, const KnPropnetNode *node)
{
    for (uint32_t i = 0; i < node->count; i++) {
        KnPropnetWire wire = t->from->wires[node->first + i];
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

static bool copy_block(Trimmer *t, const KnPropnetBlock *block)
{
    KnPropnet *to = t->to;
    if (!kn_gdl_grow((void **)&to->blocks, &to->block_capacity, to->block_count + 1, sizeof *to->blocks))
        return false;
    KnPropnetBlock *copy = &to->blocks[to->block_count];
    *copy = (KnPropnetBlock){to->count, block->node_count, to->way_count, 0};
    for (uint32_t n = 0; n < block->node_count; n++)
        t->map[block->first_node + n] = 2 * kn_propnet_node(to, KN_NODE_LOOP, to->block_count, 0);
    for (uint32_t w = 0; w < block->way_count; w++) {
        const KnPropnetWay *way = &t->from->ways[block->first_way + w];
        KnPropnetWay mine = {t->map[way->node] / 2, t->map[way->outside / 2] ^ (way->outside & 1),
                             to->wire_count, way->count};
        uint32_t first;
        if (mine.outside == KN_WIRE_FALSE) continue;
        for (uint32_t i = 0; i < way->count; i++)
            if (!kn_propnet_add_wires(to, &(KnPropnetWire){t->map[t->from->wires[way->first + i]] / 2}, 1,
                                      &first))
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
    const KnPropnet *net = t->from;
    for (uint32_t n = 1; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        if (node->kind == KN_NODE_FACT || node->kind == KN_NODE_MOVE)
            t->map[n] = 2 * kn_propnet_node(t->to, node->kind, node->first, 0);
        else if (!t->uses[n] || t->uses[n] == UINT32_MAX)
            continue;
        else if (node->kind == KN_NODE_AND) {
            t->scratch_count = 0;
            if (!gather(t, node)) return false;
            t->map[n] = kn_propnet_and(t->to, t->scratch, t->scratch_count);
        } else if (net->blocks[node->first].first_node == n && !copy_block(t, &net->blocks[node->first]))
            return false;
    }
    return !t->to->failed;
}

static KnPropnetWire mapped(const Trimmer *t, KnPropnetWire wire) { return t->map[wire / 2] ^ (wire & 1); }

/* Moves the answers over, with renumbered wires. */
static void move_answers(Trimmer *t, KnPropnet *from)
{
    KnPropnet *to = t->to;
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

KnStatus kn_propnet_trim(KnPropnet *net, KnError *error)
{
    KnPropnet to = {0};
    Trimmer t = {.from = net,
                 .to = &to,
                 .uses = calloc(net->count, sizeof *t.uses),
                 .map = calloc(net->count, sizeof *t.map)};
    bool ok = t.uses && t.map && kn_propnet_init(&to, net->limit);
    if (ok) {
        count_uses(&t);
        find_merged(&t);
        ok = copy_nodes(&t);
    }
    if (ok) {
        move_answers(&t, net);
        kn_propnet_free(net);
        *net = to;
    } else
        kn_propnet_free(&to);
    free(t.uses);
    free(t.map);
    free(t.scratch);
    return ok ? KN_OK : kn_fail_memory(error, "trimming the network of a game description");
}
