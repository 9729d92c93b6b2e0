/* A tree that is full drops what matters least, and grows on: what the game has left behind, then nodes with
 * few visits. An action whose node is dropped keeps its statistics; the node comes back when it is selected
 * again. Nodes and actions move down in their arrays, in their old order, so nothing is overwritten before it
 * has moved. */
#include "search/mcts_simultaneous_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct Pruning {
    const KnMctsSimultaneous *tree;
    uint32_t *map;                     /* by node: KN_SMCTS_NONE if it is dropped, later its new number */
    uint32_t *stack;                   /* nodes to visit; room for all */
    uint32_t *first_edge, *edge_order; /* edges by their parents; NULL if there are none */
    uint32_t least;                    /* visits of a node that is kept */
    uint64_t nodes, actions;           /* kept */
} Pruning;

static uint32_t action_count(const KnMctsSimultaneous *m, uint32_t node)
{
    uint32_t count = 0;
    if (!m->nodes[node].expanded) return 0;
    for (int role = 0; role < m->game->roles; role++) count += kn_smcts_lengths(m, node)[role];
    return count;
}

static void free_pruning(Pruning *p)
{
    free(p->map);
    free(p->stack);
    free(p->first_edge);
    free(p->edge_order);
}

/* Sorts the edges by parent (counting sort). */
static void order_edges(Pruning *p)
{
    const KnMctsSimultaneous *m = p->tree;
    memset(p->first_edge, 0, ((size_t)m->count + 2) * sizeof *p->first_edge);
    for (uint32_t i = 0; i <= m->edge_mask; i++)
        if (m->edges[i].key) p->first_edge[m->edges[i].parent + 2]++;
    for (uint32_t node = 0; node < m->count; node++) p->first_edge[node + 2] += p->first_edge[node + 1];
    for (uint32_t i = 0; i <= m->edge_mask; i++)
        if (m->edges[i].key) p->edge_order[p->first_edge[m->edges[i].parent + 1]++] = i;
}

static bool begin_pruning(Pruning *p, const KnMctsSimultaneous *m)
{
    *p = (Pruning){
        .tree = m, .map = malloc(m->count * sizeof *p->map), .stack = malloc(m->count * sizeof *p->stack)};
    bool ok = p->map && p->stack;
    if (ok && m->edge_count) {
        p->first_edge = malloc(((size_t)m->count + 2) * sizeof *p->first_edge);
        p->edge_order = malloc(m->edge_count * sizeof *p->edge_order);
        ok = p->first_edge && p->edge_order;
        if (ok) order_edges(p);
    }
    if (!ok) free_pruning(p);
    return ok;
}

/* Keeps a node that has enough visits, or is proved: the proof of its parent may need it. */
static void keep(Pruning *p, uint32_t node, bool needed, uint32_t *depth)
{
    const KnSmctsNode *n = &p->tree->nodes[node];
    if (p->map[node] != KN_SMCTS_NONE || (n->visits < p->least && !(needed && n->proved))) return;
    p->map[node] = 0;
    p->nodes++;
    p->actions += action_count(p->tree, node);
    p->stack[(*depth)++] = node;
}

/* Marks what is kept of what can be reached from the root. */
static void mark(Pruning *p, uint32_t root, uint32_t least)
{
    const KnMctsSimultaneous *m = p->tree;
    uint32_t depth = 0;
    p->nodes = p->actions = 0;
    memset(p->map, 0xff, m->count * sizeof *p->map);
    p->least = 0;
    keep(p, root, true, &depth);
    p->least = least;
    while (depth) {
        uint32_t node = p->stack[--depth];
        const KnSmctsAction *list = m->actions + m->nodes[node].first;
        bool open = !m->nodes[node].proved || node == root;
        for (uint32_t i = action_count(m, node); i-- > 0;)
            if (list[i].child != KN_SMCTS_NONE) keep(p, list[i].child, open, &depth);
        if (m->nodes[node].decider != KN_SMCTS_MANY || !p->edge_order) continue;
        for (uint32_t i = p->first_edge[node]; i < p->first_edge[node + 1]; i++)
            keep(p, m->edges[p->edge_order[i]].child, open, &depth);
    }
}

static void move_actions(KnMctsSimultaneous *m, const uint32_t *map)
{
    uint32_t actions = 0, expansions = 0;
    for (uint32_t e = 0; e < m->expansion_count; e++) {
        uint32_t node = m->expansions[e], count;
        if (map[node] == KN_SMCTS_NONE) continue;
        count = action_count(m, node);
        memmove(m->actions + actions, m->actions + m->nodes[node].first, count * sizeof *m->actions);
        m->nodes[node].first = actions;
        for (uint32_t i = 0; i < count; i++) {
            KnSmctsAction *action = &m->actions[actions + i];
            if (action->child != KN_SMCTS_NONE) action->child = map[action->child];
            if (action->child == KN_SMCTS_NONE) action->closed = 0;
        }
        actions += count;
        m->expansions[expansions++] = map[node];
    }
    m->action_count = actions;
    m->expansion_count = expansions;
}

static void move_nodes(KnMctsSimultaneous *m, const uint32_t *map, uint32_t kept)
{
    size_t roles = (size_t)m->game->roles;
    for (uint32_t node = 0; node < m->count; node++) {
        uint32_t to = map[node];
        if (to == KN_SMCTS_NONE || to == node) continue;
        KN_ASSERT(to < node);
        m->nodes[to] = m->nodes[node];
        memcpy(m->positions + to * m->stride, m->positions + node * m->stride, m->stride);
        memcpy(m->lengths + to * roles, m->lengths + node * roles, roles * sizeof *m->lengths);
        memcpy(m->proofs + to * roles, m->proofs + node * roles, roles * sizeof *m->proofs);
    }
    m->count = kept;
    memset(m->slots, 0, ((size_t)m->slot_mask + 1) * sizeof *m->slots);
    for (uint32_t node = 0; node < kept; node++) kn_smcts_register(m, node);
}

/* Edges have no order to keep: those that stay are taken out and put in again. `order` lists all of them. */
static void move_edges(KnMctsSimultaneous *m, const uint32_t *map, const uint32_t *order, KnSmctsEdge *stay)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->edge_count; i++) {
        KnSmctsEdge edge = m->edges[order[i]];
        if (map[edge.parent] == KN_SMCTS_NONE || map[edge.child] == KN_SMCTS_NONE) continue;
        stay[count++] = (KnSmctsEdge){.key = edge.key,
                                      .parent = map[edge.parent],
                                      .child = map[edge.child] & INT32_MAX,
                                      .closed = edge.closed};
    }
    memset(m->edges, 0, ((size_t)m->edge_mask + 1) * sizeof *m->edges);
    for (uint32_t i = 0; i < count; i++) *kn_smcts_edge(m, stay[i].parent, stay[i].key) = stay[i];
    m->edge_count = count;
}

/* Half full at most, so that the next time is far away. */
static bool small_enough(const Pruning *p, uint64_t edges)
{
    const KnMctsSimultaneous *m = p->tree;
    return p->nodes <= m->capacity / 2 && p->actions <= m->action_capacity / 2 && edges <= m->edge_mask / 2;
}

static uint64_t edges_kept(const Pruning *p)
{
    uint64_t count = 0;
    for (uint32_t i = 0; p->edge_order && i < p->tree->edge_count; i++) {
        const KnSmctsEdge *edge = &p->tree->edges[p->edge_order[i]];
        count += p->map[edge->parent] != KN_SMCTS_NONE && p->map[edge->child] != KN_SMCTS_NONE;
    }
    return count;
}

bool kn_smcts_prune(KnMctsSimultaneous *m, uint32_t root)
{
    enum { MOST_VISITS = 1 << 20 }; /* a tree of large nodes alone cannot be made smaller */
    Pruning p;
    KnSmctsEdge *stay = NULL;
    uint32_t kept = 0;
    m->full = false;
    m->stuck = true;
    if (!begin_pruning(&p, m)) return false;
    uint32_t least = 1;
    do mark(&p, root, least);
    while (!small_enough(&p, edges_kept(&p)) && (least *= 2) <= MOST_VISITS);
    bool ok = least <= MOST_VISITS;
    if (ok && m->edge_count) ok = (stay = malloc(m->edge_count * sizeof *stay)) != NULL;
    if (ok) {
        for (uint32_t node = 0; node < m->count; node++)
            if (p.map[node] != KN_SMCTS_NONE) p.map[node] = kept++;
        if (m->edge_count) move_edges(m, p.map, p.edge_order, stay);
        move_actions(m, p.map);
        for (uint32_t node = 0; node < m->count; node++)
            if (p.map[node] == KN_SMCTS_NONE) kn_smcts_amaf_drop(m, node);
        m->origin = p.map[root];
        move_nodes(m, p.map, kept);
    }
    m->stuck = !ok;
    free(stay);
    free_pruning(&p);
    return ok;
}
