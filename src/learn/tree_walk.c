/* A tree laid out for use: a large one (ID3 makes fifty thousand leaves of 100,000 examples) does not stay in the nearest memory, so that all that
 * a step needs lies together: what is asked, the bounds between the cases, and where each case leads. */
#include "learn/tree.h"

#include <stdlib.h>

struct KnTreeWalk {
    int root; /* place of the first node, or ~leaf */
    union Item {
        struct {
            uint16_t feature, cases;
        } ask;
        float upper; /* `cases` - 1 of them */
        int32_t next; /* `cases` of them: a node's place, or ~leaf */
    } items[];
};

void kn_tree_walk_free(KnTreeWalk *walk) { free(walk); }

/* False where the tree's numbers do not go into the shorter ones without a change. */
static bool fits(const KnTree *tree, size_t *items)
{
    *items = 0;
    for (int n = 0; n < tree->node_count; n++) {
        const KnTreeNode *node = &tree->nodes[n];
        if (node->feature < 0) continue;
        if (node->feature > UINT16_MAX || node->cases > UINT16_MAX) return false;
        for (int c = 0; c + 1 < node->cases; c++) {
            double upper = tree->cases[node->first + c].upper;
            if ((double)(float)upper != upper) return false;
        }
        *items += 2 * (size_t)node->cases;
    }
    return *items < INT32_MAX;
}

KnStatus kn_tree_make_walk(KnTree *tree, KnError *error)
{
    size_t items;
    kn_tree_walk_free(tree->walk);
    tree->walk = NULL;
    if (!fits(tree, &items)) return KN_OK;
    KnTreeWalk *walk = malloc(sizeof *walk + (items + 1) * sizeof *walk->items);
    int32_t *place = malloc(((size_t)tree->node_count + 1) * sizeof *place), at = 0;
    if (!walk || !place) {
        free(walk);
        free(place);
        return kn_fail_memory(error, "laying out a tree");
    }
    for (int n = 0; n < tree->node_count; n++) {
        const KnTreeNode *node = &tree->nodes[n];
        place[n] = node->feature < 0 ? ~node->first : at;
        if (node->feature >= 0) at += 2 * node->cases;
    }
    for (int n = 0; n < tree->node_count; n++) {
        const KnTreeNode *node = &tree->nodes[n];
        if (node->feature < 0) continue;
        union Item *to = walk->items + place[n];
        const KnTreeCase *cases = tree->cases + node->first;
        to->ask.feature = (uint16_t)node->feature;
        to->ask.cases = (uint16_t)node->cases;
        for (int c = 0; c + 1 < node->cases; c++) to[1 + c].upper = (float)cases[c].upper;
        for (int c = 0; c < node->cases; c++) to[node->cases + c].next = place[cases[c].node];
    }
    walk->root = place[0];
    free(place);
    tree->walk = walk;
    return KN_OK;
}

int kn_tree_walk_leaf(const KnTreeWalk *walk, const double *values)
{
    int32_t at = walk->root;
    while (at >= 0) {
        const union Item *node = walk->items + at;
        double value = values[node->ask.feature];
        int low = 0, high = node->ask.cases - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (value <= (double)node[1 + middle].upper) high = middle;
            else low = middle + 1;
        }
        at = node[node->ask.cases + low].next;
    }
    return ~at;
}
