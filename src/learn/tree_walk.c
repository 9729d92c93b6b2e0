/* The layout of a tree of binary splits. A mispredicted branch costs as much as a dozen instructions, and a
 * cache miss for the next node costs more. So a step evaluates the three tests of two levels without a
 * branch, and the four steps that may follow it share a cache line. Trees with more cases in a node use
 * tables (tree_table.c). */
#include "learn/tree_walk.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"

enum { NEXT = 4, LINE = 64 };

typedef struct Step {
    int16_t bound[3]; /* of the node, its left child and its right child: go right if the value is larger */
    uint16_t feature[3];
    int32_t to; /* the first of the four next steps, or ~leaf */
} Step;

struct KnTreeWalk {
    KnTreeTable *table; /* NULL: it uses steps */
    Step *steps;        /* the first is the root */
};

void kn_tree_walk_free(KnTreeWalk *walk)
{
    if (!walk) return;
    kn_tree_table_free(walk->table);
    free(walk->steps);
    free(walk);
}

/* Whether the bounds are small integers; *cuts: whether all tests are binary. */
static bool fits(const KnTree *tree, bool *cuts)
{
    *cuts = true;
    for (int n = 0; n < tree->node_count; n++) {
        const KnTreeNode *node = &tree->nodes[n];
        if (node->feature < 0) continue;
        if (node->feature > UINT16_MAX) return false;
        *cuts = *cuts && node->cases == 2;
        for (int c = 0; c + 1 < node->cases; c++) {
            double upper = tree->cases[node->first + c].upper;
            if (!(fabs(upper) <= KN_TREE_BOUND && floor(upper) == upper)) return false;
        }
    }
    return tree->node_count < INT32_MAX / NEXT - NEXT;
}

typedef struct Laying {
    const KnTree *tree;
    Step *steps; /* NULL: only count them */
    int32_t count;
} Laying;

static int child(const Laying *l, int n, int side)
{
    const KnTreeNode *node = &l->tree->nodes[n];
    return node->feature < 0 ? n : l->tree->cases[node->first + side].node;
}

static void lay_out(Laying *l, int n, int32_t at)
{
    const KnTreeNode *node = &l->tree->nodes[n];
    Step step = {.to = ~node->first};
    if (node->feature >= 0) {
        int asks[3] = {n, child(l, n, 0), child(l, n, 1)};
        step.to = l->count;
        l->count += NEXT;
        for (int q = 0; q < 3;
             q++) { /* in place of a leaf, repeat the parent's test: both results lead to the leaf */
            const KnTreeNode *asked = &l->tree->nodes[l->tree->nodes[asks[q]].feature < 0 ? n : asks[q]];
            step.feature[q] = (uint16_t)asked->feature;
            step.bound[q] = (int16_t)l->tree->cases[asked->first].upper;
        }
        for (int next = 0; next < NEXT; next++)
            lay_out(l, child(l, asks[1 + next / 2], next % 2), step.to + next);
    }
    KN_ASSERT(at >= 0 && at < l->count);
    if (l->steps) l->steps[at] = step;
}

static KnStatus lay_steps(const KnTree *tree, KnTreeWalk *walk, KnError *error)
{
    Laying l = {.tree = tree, .count = NEXT};
    lay_out(&l, 0, 0);
    walk->steps = l.steps = aligned_alloc(LINE, (size_t)l.count * sizeof *l.steps);
    if (!l.steps) return kn_fail_memory(error, "laying out a tree");
    int32_t counted = l.count;
    l.count = NEXT;
    lay_out(&l, 0, 0);
    KN_ASSERT(l.count == counted);
    (void)counted;
    return KN_OK;
}

/* The weights of the nodes are summed from the last to the first, because children come after their parents.
 */
static KnStatus lay_table(const KnTree *tree, KnTreeWalk *walk, KnError *error)
{
    double *weight = malloc(((size_t)tree->node_count + 1) * sizeof *weight);
    if (!weight) return kn_fail_memory(error, "laying out a tree");
    for (int n = tree->node_count - 1; n >= 0; n--) {
        const KnTreeNode *node = &tree->nodes[n];
        weight[n] = node->feature < 0 ? tree->leaves[node->first].examples : 0;
        for (int c = 0; node->feature >= 0 && c < node->cases; c++)
            weight[n] += weight[tree->cases[node->first + c].node];
    }
    KnStatus status = kn_tree_table_make(tree, weight, &walk->table, error);
    free(weight);
    return status;
}

KnStatus kn_tree_make_walk(KnTree *tree, KnError *error)
{
    bool cuts;
    kn_tree_walk_free(tree->walk);
    tree->walk = NULL;
    if (!fits(tree, &cuts)) return KN_OK;
    KnTreeWalk *walk = calloc(1, sizeof *walk);
    KnStatus status = !walk  ? kn_fail_memory(error, "laying out a tree")
                      : cuts ? lay_steps(tree, walk, error)
                             : lay_table(tree, walk, error);
    if (status == KN_OK && (walk->steps || walk->table))
        tree->walk = walk;
    else
        kn_tree_walk_free(walk);
    return status;
}

static inline bool above(double value, int bound) { return !(value <= bound); }

static bool above_lazy(const Step *step, int question, double *values, KnTreeValue compute, void *context)
{
    double *value = &values[step->feature[question]];
    if (isnan(*value)) *value = compute(context, step->feature[question]);
    return above(*value, step->bound[question]);
}

int kn_tree_walk_leaf(const KnTreeWalk *walk, double *values, KnTreeValue compute, void *context)
{
    if (walk->table) return kn_tree_table_leaf(walk->table, values, compute, context);
    const Step *steps = walk->steps, *step = steps;
    while (step->to >= 0) {
        double a = values[step->feature[0]], b = values[step->feature[1]], c = values[step->feature[2]];
        if (compute && isnan(a + b + c)) { /* some value may be missing */
            int first = above_lazy(step, 0, values, compute, context);
            step = steps + step->to + 2 * first + above_lazy(step, 1 + first, values, compute, context);
        } else {
            int low = above(b, step->bound[1]), high = 2 + above(c, step->bound[2]);
            step = steps + step->to + (above(a, step->bound[0]) ? high : low);
        }
    }
    return ~step->to;
}
