/* A tree that is nearly full keeps the part below the present position. Nodes and actions move down in their
 * arrays, in their old order, so nothing is overwritten before it has moved. */
#include "search/mcts_simultaneous_tree.h"

#include <stdlib.h>
#include <string.h>

/* The node of a position that is known; KN_SMCTS_NONE if it is not. */
static uint32_t find(const KnMctsSimultaneous *m, const void *position)
{
    uint64_t hash = m->game->type->hash(m->game, position);
    for (uint32_t i = (uint32_t)(hash >> 20) & m->slot_mask; m->slots[i]; i = (i + 1) & m->slot_mask) {
        uint32_t node = m->slots[i] - 1;
        if (m->nodes[node].hash == hash &&
            memcmp(kn_smcts_position(m, node), position, m->game->position_size) == 0)
            return node;
    }
    return KN_SMCTS_NONE;
}

static uint32_t action_count(const KnMctsSimultaneous *m, uint32_t node)
{
    uint32_t count = 0;
    for (int role = 0; role < m->game->roles; role++) count += kn_smcts_lengths(m, node)[role];
    return count;
}

/* Marks what can be reached from a node; `stack` has room for all nodes. */
static void mark(const KnMctsSimultaneous *m, uint32_t root, uint32_t *map, uint32_t *stack)
{
    uint32_t depth = 0;
    map[root] = 0;
    stack[depth++] = root;
    while (depth) {
        uint32_t node = stack[--depth];
        if (!m->nodes[node].expanded) continue;
        const KnSmctsAction *list = m->actions + m->nodes[node].first;
        for (uint32_t i = action_count(m, node); i-- > 0;) {
            if (list[i].child == KN_SMCTS_NONE || map[list[i].child] != KN_SMCTS_NONE) continue;
            map[list[i].child] = 0;
            stack[depth++] = list[i].child;
        }
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
            uint32_t *child = &m->actions[actions + i].child;
            if (*child != KN_SMCTS_NONE) *child = map[*child];
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

void kn_smcts_prune(KnMctsSimultaneous *m, const void *position)
{
    uint32_t root = find(m, position), kept = 0;
    if (root != KN_SMCTS_NONE && root == m->origin) return; /* was pruned for it; what is there stays */
    uint32_t *map = root == KN_SMCTS_NONE || m->edge_count ? NULL : malloc(m->count * sizeof *map),
             *stack = map ? malloc(m->count * sizeof *stack) : NULL;
    if (!stack) {
        free(map);
        kn_mcts_simultaneous_clear(m);
        return;
    }
    memset(map, 0xff, m->count * sizeof *map);
    mark(m, root, map, stack);
    for (uint32_t node = 0; node < m->count; node++)
        if (map[node] != KN_SMCTS_NONE) map[node] = kept++;
    move_actions(m, map);
    move_nodes(m, map, kept);
    free(map);
    free(stack);
}
