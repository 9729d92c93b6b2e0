/* Backing up: the value of a position is the best, for the player to move there, of its children's values and
 * of the games that ended in it; its paths are the sum of its children's and these endings.
 *
 * After a change all ancestors of what changed are gathered, and settled children first: where nothing
 * repeats, each is computed once. What is left over lies on cycles or above them (minmax_cycles.c). */
#include "methods/experience/internal.h"

#include <stdlib.h>

uint64_t kn_values_add(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

KnStatus kn_values_one(KnBase *base, KnNode *node, KnError *error)
{
    bool valued = false;
    double value = 0;
    uint64_t paths = node->end_count;
    for (uint32_t i = 0; i < node->end_count; i++) {
        double outcome = node->ends[i].outcome;
        if (!valued || (node->mover == 0 ? outcome > value : outcome < value)) value = outcome;
        valued = true;
    }
    for (uint32_t i = 0; i < node->edge_count; i++) {
        KnNode *child;
        KnStatus status = kn_cache_get(base, node->edges[i].child, &child, error);
        if (status != KN_OK) return status;
        paths = kn_values_add(paths, child->paths);
        if (!child->valued) continue;
        if (!valued || (node->mover == 0 ? child->value > value : child->value < value)) value = child->value;
        valued = true;
    }
    if (valued != node->valued || value != node->value || paths != node->paths) node->dirty = true;
    node->valued = valued;
    node->value = value;
    node->paths = paths;
    return KN_OK;
}

typedef struct List {
    KnNode **nodes;
    size_t count, room;
} List;

static bool push(List *list, KnNode *node)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 256;
        KnNode **larger = realloc(list->nodes, room * sizeof *larger);
        if (!larger) return false;
        list->nodes = larger;
        list->room = room;
    }
    list->nodes[list->count++] = node;
    return true;
}

/* The seeds and all their ancestors, marked. */
static KnStatus gather(KnBase *base, KnNode **seeds, size_t count, List *all, KnError *error)
{
    uint64_t mark = ++base->mark;
    for (size_t i = 0; i < count; i++) {
        if (seeds[i]->gone || seeds[i]->mark == mark) continue;
        seeds[i]->mark = mark;
        if (!push(all, seeds[i])) return kn_fail_memory(error, "backing up values");
    }
    for (size_t i = 0; i < all->count; i++)
        for (uint32_t p = 0; p < all->nodes[i]->parent_count; p++) {
            KnNode *parent;
            KnStatus status = kn_cache_get(base, all->nodes[i]->parents[p], &parent, error);
            if (status != KN_OK) return status;
            if (parent->mark == mark) continue;
            parent->mark = mark;
            if (!push(all, parent)) return kn_fail_memory(error, "backing up values");
        }
    return KN_OK;
}

static bool is_marked(const KnBase *base, uint32_t id)
{
    const KnNode *node = kn_cache_have(base, id);
    return node && node->mark == base->mark;
}

/* Settles what does not depend on itself; `settled` gets it in order. */
static KnStatus settle(KnBase *base, const List *all, List *settled, KnError *error)
{
    for (size_t i = 0; i < all->count; i++) {
        KnNode *node = all->nodes[i];
        node->pending = 0;
        for (uint32_t e = 0; e < node->edge_count; e++)
            node->pending += is_marked(base, node->edges[e].child);
    }
    for (size_t i = 0; i < all->count; i++)
        if (!all->nodes[i]->pending && !push(settled, all->nodes[i]))
            return kn_fail_memory(error, "backing up values");
    for (size_t i = 0; i < settled->count; i++) {
        KnNode *node = settled->nodes[i];
        KnStatus status = kn_values_one(base, node, error);
        if (status != KN_OK) return status;
        for (uint32_t p = 0; p < node->parent_count; p++) {
            KnNode *parent = kn_cache_have(base, node->parents[p]);
            if (!parent || parent->mark != base->mark || --parent->pending) continue;
            if (!push(settled, parent)) return kn_fail_memory(error, "backing up values");
        }
    }
    return KN_OK;
}

/* Section 4.1.2: backing up min-max values. */
KnStatus kn_values_refresh(KnBase *base, KnNode **seeds, size_t count, KnError *error)
{
    List all = {0}, settled = {0};
    KnStatus status = gather(base, seeds, count, &all, error);
    if (status == KN_OK) status = settle(base, &all, &settled, error);
    if (status == KN_OK && settled.count < all.count) {
        size_t left = 0;
        for (size_t i = 0; i < all.count; i++)
            if (all.nodes[i]->pending) all.nodes[left++] = all.nodes[i];
        base->mark++; /* from here on, marked is what is left */
        for (size_t i = 0; i < left; i++) all.nodes[i]->mark = base->mark;
        status = kn_values_cycles(base, all.nodes, left, error);
    }
    free(all.nodes);
    free(settled.nodes);
    return status;
}
