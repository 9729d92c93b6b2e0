#include "learn/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include <knack/stats.h>

enum { DEPTH_MAX = 200 };

double kn_information(double p, double n)
{
    double sum = p + n, bits = 0;
    if (p > 0) bits -= p / sum * kn_math_log2(p / sum);
    if (n > 0) bits -= n / sum * kn_math_log2(n / sum);
    return bits;
}

/* ---- life ---- */

void kn_tree_free(KnTree *tree)
{
    if (!tree) return;
    free(tree->nodes);
    free(tree->cases);
    free(tree->leaves);
    kn_tree_walk_free(tree->walk);
    free(tree);
}

/* Makes room for `more` items after `count`; the old array stays valid on failure. */
static bool make_room(void **items, int *room, int count, int more, size_t size)
{
    if (count + more <= *room) return true;
    int wanted = *room ? *room * 2 : 64;
    while (wanted < count + more) wanted *= 2;
    void *grown = realloc(*items, (size_t)wanted * size);
    if (!grown) return false;
    *items = grown;
    *room = wanted;
    return true;
}

/* ---- growing ---- */

typedef struct Growing {
    const KnDataset *data;
    const KnTreePlan *plan;
    KnTree *tree;
    uint32_t *rows; /* the rows of a node are adjacent */
    uint32_t *spare;
    bool *asked;           /* by column: the path to the node has tested it (ID3 only) */
    struct Counts *counts; /* by column */
} Growing;

/* Statistics of the codes of one column in a node. */
typedef struct Counts {
    double n[KN_DATASET_CODES], p[KN_DATASET_CODES], sum[KN_DATASET_CODES];
} Counts;

typedef struct Totals {
    double n, p, sum, squares;
} Totals;

static Totals total_of(const Growing *g, const uint32_t *rows, size_t count)
{
    Totals t = {.n = (double)count};
    for (size_t i = 0; i < count; i++) {
        double target = g->data->target[rows[i]];
        t.p += g->data->positive[rows[i]];
        t.sum += target;
        t.squares += target * target;
    }
    return t;
}

/* The impurity of a group times its size: less is better. */
static double impurity(const Growing *g, double n, double p, double sum)
{
    if (n <= 0) return 0;
    return g->plan->measure == KN_TREE_INFORMATION ? n * kn_information(p, n - p) : -sum * sum / n;
}

typedef struct Split {
    int column;
    int cut; /* the last code of the first case of a binary split */
    double impurity;
} Split;

/* Counts all columns in one pass over the rows, which are far apart in memory. */
static void count_columns(const Growing *g, const uint32_t *rows, size_t count)
{
    const KnDataset *data = g->data;
    for (int column = 0; column < data->columns; column++) {
        size_t codes = (size_t)data->column[column].codes;
        memset(g->counts[column].n, 0, codes * sizeof(double));
        memset(g->counts[column].p, 0, codes * sizeof(double));
        memset(g->counts[column].sum, 0, codes * sizeof(double));
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *codes = kn_dataset_row(data, rows[i]);
        double positive = data->positive[rows[i]], target = data->target[rows[i]];
        for (int column = 0; column < data->columns; column++) {
            Counts *counts = &g->counts[column];
            counts->n[codes[column]]++;
            counts->p[codes[column]] += positive;
            counts->sum[codes[column]] += target;
        }
    }
}

static void count_column(const Growing *g, int column, const uint32_t *rows, size_t count, Counts *counts)
{
    const KnDataset *data = g->data;
    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        uint8_t code = kn_dataset_row(data, rows[i])[column];
        counts->n[code]++;
        counts->p[code] += data->positive[rows[i]];
        counts->sum[code] += data->target[rows[i]];
    }
}

/* The chi-squared test of ID3: whether the classes of the cases differ by more than chance. */
static bool is_significant(const Growing *g, int column, const Counts *counts, const Totals *t)
{
    if (g->plan->confidence <= 0) return true;
    double share = t->p / t->n, chi = 0;
    int cases = 0;
    for (int c = 0; c < g->data->column[column].codes; c++) {
        if (counts->n[c] <= 0) continue;
        double expected = counts->n[c] * share, difference = counts->p[c] - expected;
        cases++;
        if (expected > 0) chi += difference * difference / expected;
        if (counts->n[c] > expected) chi += difference * difference / (counts->n[c] - expected);
    }
    if (cases < 2) return false;
    double freedom = cases - 1,
           third = 2 / (9 * freedom); /* Wilson and Hilferty (1931): the cube root is nearly normal */
    return (kn_math_cbrt(chi / freedom) - (1 - third)) / sqrt(third) >
           kn_normal_quantile(g->plan->confidence);
}

static void try_values(const Growing *g, int column, const Counts *counts, const Totals *t, Split *best)
{
    double mixed = 0;
    int cases = 0;
    for (int c = 0; c < g->data->column[column].codes; c++) {
        mixed += impurity(g, counts->n[c], counts->p[c], counts->sum[c]);
        cases += counts->n[c] > 0;
    }
    if (cases > 1 && mixed < best->impurity && is_significant(g, column, counts, t))
        *best = (Split){column, 0, mixed};
}

static void try_cuts(const Growing *g, int column, const Counts *counts, const Totals *t, Split *best)
{
    double n = 0, p = 0, sum = 0, least = (double)g->plan->least;
    for (int c = 0; c < g->data->column[column].codes - 1; c++) {
        n += counts->n[c];
        p += counts->p[c];
        sum += counts->sum[c];
        if (n < least || n < 1 || t->n - n < 1) continue;
        if (t->n - n < least) break;
        double mixed = impurity(g, n, p, sum) + impurity(g, t->n - n, t->p - p, t->sum - sum);
        if (mixed < best->impurity) *best = (Split){column, c, mixed};
    }
}

/* The best split of a node; column -1 if none reduces the impurity. */
static Split find_split(const Growing *g, const uint32_t *rows, size_t count, int depth)
{
    Totals t = total_of(g, rows, count);
    double whole = impurity(g, t.n, t.p, t.sum);
    Split best = {-1, 0, whole - 1e-9 * fabs(whole) - 1e-12};
    bool pure = g->plan->measure == KN_TREE_INFORMATION
                    ? t.p <= 0 || t.p >= t.n
                    : t.squares - t.sum * t.sum / t.n <= 1e-12 * t.squares;
    if (pure || count < 2 || (double)count < (double)g->plan->least * (g->plan->cuts ? 2 : 1)) return best;
    if (depth >= DEPTH_MAX || (g->plan->depth && depth >= g->plan->depth)) return best;
    count_columns(g, rows, count);
    for (int column = 0; column < g->data->columns; column++) {
        if ((g->plan->use && !g->plan->use[column]) || g->asked[column]) continue;
        if (g->plan->cuts)
            try_cuts(g, column, &g->counts[column], &t, &best);
        else
            try_values(g, column, &g->counts[column], &t, &best);
    }
    return best;
}

static KnStatus add_leaf(KnTree *tree, int node, KnTreeLeaf leaf, KnError *error)
{
    if (!make_room((void **)&tree->leaves, &tree->leaf_room, tree->leaf_count, 1, sizeof *tree->leaves))
        return kn_fail_memory(error, "growing a tree");
    KN_ASSERT(node >= 0 && node < tree->node_count);
    tree->nodes[node] = (KnTreeNode){-1, tree->leaf_count, 0};
    tree->leaves[tree->leaf_count++] = leaf;
    tree->examples += leaf.examples;
    return KN_OK;
}

static KnStatus add_node(KnTree *tree, int *node, KnError *error)
{
    if (!make_room((void **)&tree->nodes, &tree->node_room, tree->node_count, 1, sizeof *tree->nodes))
        return kn_fail_memory(error, "growing a tree");
    *node = tree->node_count++;
    return KN_OK;
}

/* Sorts the rows by group (counting sort); group[code] is the group of a code. Group k is starts[k] to
 * starts[k + 1]. */
static void sort_rows(Growing *g, int column, const int *group, int groups, uint32_t *rows, size_t count,
                      size_t *starts)
{
    KN_ASSERT(groups >= 1 && groups <= KN_DATASET_CODES);
    memset(starts, 0, ((size_t)groups + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) starts[group[kn_dataset_row(g->data, rows[i])[column]] + 1]++;
    for (int k = 0; k < groups; k++) starts[k + 1] += starts[k];
    size_t next[KN_DATASET_CODES];
    memcpy(next, starts, (size_t)groups * sizeof *next);
    for (size_t i = 0; i < count; i++)
        g->spare[next[group[kn_dataset_row(g->data, rows[i])[column]]]++] = rows[i];
    KN_ASSERT(starts[groups] == count);
    memcpy(rows, g->spare, count * sizeof *rows);
}

/* The groups of a split: two, or one for each code that occurs (another code joins the next one that occurs,
 * as in kn_tree_leaf). Returns their number; upper[k] is the largest value of group k. */
static int make_groups(Growing *g, const Split *split, const uint32_t *rows, size_t count, int *group,
                       double *upper)
{
    const KnColumn *column = &g->data->column[split->column];
    if (g->plan->cuts) {
        for (int c = 0; c < column->codes; c++) group[c] = c > split->cut;
        upper[0] = column->upper[split->cut];
        return 2;
    }
    Counts counts;
    count_column(g, split->column, rows, count, &counts);
    int groups = 0;
    for (int c = 0; c < column->codes; c++) {
        group[c] = groups;
        if (counts.n[c] > 0) upper[groups++] = column->upper[c];
    }
    for (int c = 0; c < column->codes; c++)
        if (group[c] == groups) group[c] = groups - 1;
    return groups;
}

static KnStatus grow(Growing *g, int node, uint32_t *rows, size_t count, int depth, KnError *error)
{
    KnTree *tree = g->tree;
    Split split = find_split(g, rows, count, depth);
    if (split.column < 0) {
        Totals t = total_of(g, rows, count);
        return add_leaf(tree, node, (KnTreeLeaf){t.n, t.p, t.sum}, error);
    }
    int group[KN_DATASET_CODES];
    double upper[KN_DATASET_CODES];
    size_t starts[KN_DATASET_CODES + 1];
    int groups = make_groups(g, &split, rows, count, group, upper), first = tree->case_count;
    if (!make_room((void **)&tree->cases, &tree->case_room, first, groups, sizeof *tree->cases))
        return kn_fail_memory(error, "growing a tree");
    tree->case_count += groups;
    tree->nodes[node] = (KnTreeNode){split.column, first, groups};
    sort_rows(g, split.column, group, groups, rows, count, starts);
    g->asked[split.column] = !g->plan->cuts;
    KnStatus status = KN_OK;
    for (int k = 0; k < groups && status == KN_OK; k++) {
        int child = 0;
        status = add_node(tree, &child, error);
        if (status != KN_OK) break;
        tree->cases[first + k] = (KnTreeCase){k == groups - 1 ? INFINITY : upper[k], child};
        status = grow(g, child, rows + starts[k], starts[k + 1] - starts[k], depth + 1, error);
    }
    g->asked[split.column] = false;
    return status;
}

KnStatus kn_tree_grow(const KnDataset *data, const KnTreePlan *plan, KnTree **out, KnError *error)
{
    *out = NULL;
    Growing g = {.data = data, .plan = plan};
    g.tree = calloc(1, sizeof *g.tree);
    g.rows = malloc((data->rows + 1) * sizeof *g.rows);
    g.spare = malloc((data->rows + 1) * sizeof *g.spare);
    g.asked = calloc((size_t)data->columns + 1, sizeof *g.asked);
    g.counts = malloc(((size_t)data->columns + 1) * sizeof *g.counts);
    int root = 0;
    KnStatus status = g.tree && g.rows && g.spare && g.asked && g.counts
                          ? add_node(g.tree, &root, error)
                          : kn_fail_memory(error, "growing a tree");
    if (status == KN_OK) {
        size_t count = plan->rows ? plan->row_count : data->rows;
        KN_ASSERT(count <= data->rows);
        for (size_t i = 0; i < count; i++) g.rows[i] = plan->rows ? plan->rows[i] : (uint32_t)i;
        status = grow(&g, root, g.rows, count, 0, error);
    }
    free(g.rows);
    free(g.spare);
    free(g.asked);
    free(g.counts);
    if (status == KN_OK)
        *out = g.tree;
    else
        kn_tree_free(g.tree);
    return status;
}

/* ---- use ---- */

int kn_tree_leaf_lazy(const KnTree *tree, double *values, KnTreeValue compute, void *context)
{
    if (tree->walk) return kn_tree_walk_leaf(tree->walk, values, compute, context);
    const KnTreeNode *node = tree->nodes;
    while (node->feature >= 0) {
        const KnTreeCase *cases = tree->cases + node->first;
        double value = values[node->feature];
        if (compute && isnan(value)) values[node->feature] = value = compute(context, node->feature);
        int low = 0, high = node->cases - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (value <= cases[middle].upper)
                high = middle;
            else
                low = middle + 1;
        }
        KN_ASSERT(low < node->cases && cases[low].node < tree->node_count);
        node = &tree->nodes[cases[low].node];
    }
    KN_ASSERT(node->first >= 0 && node->first < tree->leaf_count);
    return node->first;
}

int kn_tree_leaf(const KnTree *tree, const double *values)
{
    return kn_tree_leaf_lazy(tree, (double *)values, NULL, NULL);
}

void kn_tree_count(KnTree *tree, const double *values, bool positive, double target)
{
    KnTreeLeaf *leaf = &tree->leaves[kn_tree_leaf(tree, values)];
    leaf->examples++;
    leaf->positives += positive;
    leaf->sum += target;
    tree->examples++;
}

/* ---- JSON ---- */

static json_t *node_json(const KnTree *tree, int index, const char *const *names)
{
    const KnTreeNode *node = &tree->nodes[index];
    if (node->feature < 0) {
        const KnTreeLeaf *leaf = &tree->leaves[node->first];
        return json_pack("{si sf sf sf}", "leaf", node->first + 1, "examples", leaf->examples, "positives",
                         leaf->positives, "sum", leaf->sum);
    }
    json_t *cases = json_array();
    for (int k = 0; k < node->cases; k++) {
        const KnTreeCase *one = &tree->cases[node->first + k];
        json_t *then = node_json(tree, one->node, names);
        json_array_append_new(cases, k < node->cases - 1
                                         ? json_pack("{sf so}", "upto", one->upper, "then", then)
                                         : json_pack("{so}", "then", then));
    }
    return json_pack("{ss so}", "feature", names[node->feature], "cases", cases);
}

json_t *kn_tree_json(const KnTree *tree, const char *const *names) { return node_json(tree, 0, names); }

typedef struct Reading {
    KnTree *tree;
    int columns;
    const char *const *names;
} Reading;

static KnStatus read_leaf(Reading *r, const KnJson *at, int node, KnError *error)
{
    KnTreeLeaf leaf;
    int64_t number;
    KnStatus status = kn_json_integer(at, "leaf", 1, INT32_MAX, &number, error);
    if (status == KN_OK && number != r->tree->leaf_count + 1)
        return kn_json_fail(at, "leaf", error, "leaves are numbered in order, and this is leaf %d",
                            r->tree->leaf_count + 1);
    if (status == KN_OK) status = kn_json_real(at, "examples", &leaf.examples, error);
    if (status == KN_OK) status = kn_json_real(at, "positives", &leaf.positives, error);
    if (status == KN_OK) status = kn_json_real(at, "sum", &leaf.sum, error);
    if (status != KN_OK) return status;
    if (!(leaf.examples >= 0 && leaf.examples < 1e15))
        return kn_json_fail(at, "examples", error, "a count is wanted");
    if (!(leaf.positives >= 0 && leaf.positives <= leaf.examples))
        return kn_json_fail(at, "positives", error, "more positive examples than examples");
    return add_leaf(r->tree, node, leaf, error);
}

static KnStatus read_node(Reading *r, const KnJson *at, int node, int depth, KnError *error)
{
    if (kn_json_has(at, "leaf")) return read_leaf(r, at, node, error);
    if (depth > DEPTH_MAX) return kn_json_fail(at, NULL, error, "the tree is deeper than %d", DEPTH_MAX);
    KnTree *tree = r->tree;
    const char *name;
    KnJson cases;
    KnStatus status = kn_json_string(at, "feature", &name, error);
    if (status == KN_OK) status = kn_json_array(at, "cases", &cases, error);
    if (status != KN_OK) return status;
    int column = 0;
    while (column < r->columns && strcmp(r->names[column], name) != 0) column++;
    if (column == r->columns)
        return kn_json_fail(at, "feature", error, "\"%.60s\" is not among the file's features", name);
    size_t count = kn_json_size(&cases);
    if (count < 1 || count > KN_DATASET_CODES)
        return kn_json_fail(at, "cases", error, "between 1 and %d cases are wanted", KN_DATASET_CODES);
    int first = tree->case_count;
    if (!make_room((void **)&tree->cases, &tree->case_room, first, (int)count, sizeof *tree->cases))
        return kn_fail_memory(error, "reading a tree");
    tree->case_count += (int)count;
    tree->nodes[node] = (KnTreeNode){column, first, (int)count};
    double before = -INFINITY;
    for (size_t k = 0; k < count && status == KN_OK; k++) {
        KnJson item = kn_json_item(&cases, k), then;
        double upper = INFINITY;
        int child = 0;
        if (k < count - 1) status = kn_json_real(&item, "upto", &upper, error);
        if (status == KN_OK && !(upper > before))
            return kn_json_fail(&item, "upto", error, "the cases must rise");
        before = upper;
        if (status == KN_OK) status = kn_json_object(&item, "then", &then, error);
        if (status == KN_OK) status = add_node(tree, &child, error);
        if (status != KN_OK) return status;
        tree->cases[first + (int)k] = (KnTreeCase){upper, child};
        status = read_node(r, &then, child, depth + 1, error);
    }
    return status;
}

KnStatus kn_tree_from_json(const KnJson *at, const char *key, int columns, const char *const *names,
                           KnTree **out, KnError *error)
{
    *out = NULL;
    KnJson root;
    KnStatus status = kn_json_object(at, key, &root, error);
    if (status != KN_OK) return status;
    Reading r = {calloc(1, sizeof(KnTree)), columns, names};
    int node = 0;
    status = r.tree ? add_node(r.tree, &node, error) : kn_fail_memory(error, "reading a tree");
    if (status == KN_OK) status = read_node(&r, &root, node, 0, error);
    if (status == KN_OK && !(r.tree->examples > 0))
        status = kn_json_fail(&root, NULL, error, "no leaf holds any example");
    if (status == KN_OK)
        *out = r.tree;
    else
        kn_tree_free(r.tree);
    return status;
}
