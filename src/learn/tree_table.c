/* The layout of a tree with many cases in a node. ID3 makes fifty thousand leaves from 100,000 examples, too
 * many for the cache, so the time depends on the number of cache lines that a path touches. A node is one
 * word with the test, followed by a lookup table with one word for each value; its most probable child
 * follows directly. */
#include "base/assert.h"
#include "learn/tree_walk.h"

#include <math.h>
#include <stdlib.h>

enum { LAST_MAX = 63, FEATURE_MAX = 1023, WIDE = 4 };

typedef union Item {
    struct {
        int16_t low;           /* the value of the first table entry, which also takes all smaller values */
        uint16_t feature : 10; /* the tested column */
        uint16_t last : 6;     /* the index of the last table entry, which also takes all larger values */
    } ask;
    int32_t next; /* `last` + 1 table entries: the index of a node, or ~leaf */
} Item;

struct KnTreeTable {
    int32_t root;
    int32_t count;
    Item items[];
};

void kn_tree_table_free(KnTreeTable *table) { free(table); }

static bool fits(const KnTree *tree)
{
    for (int n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].feature > FEATURE_MAX) return false;
    return tree->case_count < INT32_MAX / (2 * WIDE);
}

static int32_t lay_out(KnTreeTable *table, const KnTree *tree, const double *weight, int n);

/* Lays out the choice among some cases of a node: by one table, or by bisection if the table would be sparse.
 */
static int32_t choose(KnTreeTable *table, const KnTree *tree, const double *weight, const KnTreeNode *node,
                      int first, int last)
{
    const KnTreeCase *cases = tree->cases + node->first;
    if (first == last) return lay_out(table, tree, weight, cases[first].node);
    int low = (int)cases[first].upper, span = (int)cases[last - 1].upper - low + 1;
    bool halves = span > LAST_MAX || span >= WIDE * (last - first);
    int middle = (first + last - 1) / 2, at = table->count, heaviest = first;
    if (halves) low = (int)cases[middle].upper, span = 1;
    Item *items = table->items + at;
    items->ask.low = (int16_t)low;
    items->ask.feature = (uint16_t)(node->feature & FEATURE_MAX);
    KN_ASSERT(span >= 1 && span <= LAST_MAX && node->feature >= 0 && node->feature <= FEATURE_MAX);
    items->ask.last = (uint16_t)(span & LAST_MAX);
    table->count += span + 2;
    if (halves) {
        items[1].next = choose(table, tree, weight, node, first, middle);
        items[2].next = choose(table, tree, weight, node, middle + 1, last);
        return at;
    }
    for (int c = first; c <= last; c++)
        if (weight[cases[c].node] > weight[cases[heaviest].node]) heaviest = c;
    int32_t likeliest = lay_out(table, tree, weight, cases[heaviest].node);
    for (int c = first, place = 0; c <= last; c++) {
        int32_t next = c == heaviest ? likeliest : lay_out(table, tree, weight, cases[c].node);
        int end = c == last ? span : (int)cases[c].upper - low;
        while (place <= end) items[1 + place++].next = next;
    }
    return at;
}

static int32_t lay_out(KnTreeTable *table, const KnTree *tree, const double *weight, int n)
{
    const KnTreeNode *node = &tree->nodes[n];
    return node->feature < 0 ? ~node->first : choose(table, tree, weight, node, 0, node->cases - 1);
}

KnStatus kn_tree_table_make(const KnTree *tree, const double *weight, KnTreeTable **out, KnError *error)
{
    *out = NULL;
    if (!fits(tree)) return KN_OK;
    /* The layout of c cases has at most WIDE * (c - 1) + 1 words. */
    KnTreeTable *table =
        malloc(sizeof *table + ((size_t)WIDE + 1) * ((size_t)tree->case_count + 1) * sizeof *table->items);
    if (!table) return kn_fail_memory(error, "laying out a tree");
    table->count = 0;
    table->root = lay_out(table, tree, weight, 0);
    KN_ASSERT((size_t)table->count <= ((size_t)WIDE + 1) * ((size_t)tree->case_count + 1));
    KnTreeTable *smaller = realloc(table, sizeof *table + ((size_t)table->count + 1) * sizeof *table->items);
    *out = smaller ? smaller : table;
    return KN_OK;
}

/* The value rounded up to an integer, clamped to just beyond the bounds. */
static int round_up(double value)
{
    return value <= -KN_TREE_BOUND  ? -KN_TREE_BOUND
           : value <= KN_TREE_BOUND ? (int)ceil(value)
                                    : KN_TREE_BOUND + 1;
}

int kn_tree_table_leaf(const KnTreeTable *table, double *values, KnTreeValue compute, void *context)
{
    int32_t at = table->root;
    while (at >= 0) {
        const Item *item = table->items + at;
        double value = values[item->ask.feature];
        if (compute && isnan(value)) values[item->ask.feature] = value = compute(context, item->ask.feature);
        int whole = fabs(value) <= KN_TREE_BOUND ? (int)value : KN_TREE_BOUND + 1;
        if (whole != value) whole = round_up(value);
        int place = whole - item->ask.low;
        place = place < 0 ? 0 : place;
        place = place > item->ask.last ? item->ask.last : place;
        at = item[1 + place].next;
    }
    return ~at;
}
