/* Decision trees by ID3 (Quinlan 1986), as Markovitch and Sella (1996) use it, and regression trees as in
 * CART (Breiman et al. 1984).
 *
 * An inner node tests one feature. Its cases are consecutive ranges of values, each with a child. A leaf
 * holds statistics of the examples that reach it: their share of all examples, W(l), the share of positive
 * examples among them, P(l), and their mean target. ID3 has a case for each value of the feature; the
 * alternative is a binary split of the range.
 *
 * The training examples determine the shape of the tree. kn_tree_count can add further examples to the leaves
 * (the paper's enrichment), which makes W and P more reliable.
 *
 * Ownership: kn_tree_grow and kn_tree_from_json allocate, kn_tree_free frees; read-only in between but for
 * kn_tree_count. */
#ifndef KNACK_LEARN_TREE_H
#define KNACK_LEARN_TREE_H

#include "base/assert.h"
#include "base/json.h"
#include "base/text.h"
#include "learn/dataset.h"

typedef enum KnTreeMeasure {
    KN_TREE_INFORMATION, /* entropy of the class: equation 7 */
    KN_TREE_VARIANCE     /* variance of the target */
} KnTreeMeasure;

typedef struct KnTreePlan {
    KnTreeMeasure measure;
    bool cuts;    /* binary splits; otherwise a case for each value, and a path tests a feature only once */
    int depth;    /* the largest depth of the tree; 0: any */
    size_t least; /* examples that a leaf needs (binary splits), or a node that is split (otherwise) */
    double confidence;    /* of the chi-squared test of ID3 that a split is not by chance; 0: no test */
    const bool *use;      /* by column: whether the tree may test it; NULL: all */
    const uint32_t *rows; /* row_count training examples; NULL: all */
    size_t row_count;
} KnTreePlan;

typedef struct KnTreeNode {
    int feature; /* the tested column; -1: a leaf */
    int first;   /* its first case; of a leaf: its index */
    int cases;
} KnTreeNode;

typedef struct KnTreeCase {
    double upper; /* the largest value of the case; the last case takes all larger values */
    int node;
} KnTreeCase;

typedef struct KnTreeLeaf {
    double examples, positives, sum; /* numbers of examples, and the sum of targets */
} KnTreeLeaf;

typedef struct KnTreeWalk KnTreeWalk;

typedef struct KnTree {
    KnTreeNode *nodes; /* the first is the root */
    KnTreeCase *cases;
    KnTreeLeaf *leaves;
    int node_count, case_count, leaf_count;
    int node_room, case_room, leaf_room;
    double examples;  /* of all leaves */
    KnTreeWalk *walk; /* NULL, or a layout of the same tree for fast use */
} KnTree;

/* Grows a tree from a coded dataset. */
KnStatus kn_tree_grow(const KnDataset *data, const KnTreePlan *plan, KnTree **tree, KnError *error);
void kn_tree_free(KnTree *tree);

/* Makes a layout of a finished tree for fast use of kn_tree_leaf (tree_walk.c). Only the leaves of the tree
 * may change afterwards. */
KnStatus kn_tree_make_walk(KnTree *tree, KnError *error);
void kn_tree_walk_free(KnTreeWalk *walk);

/* Computes the value of a column on demand. */
typedef double (*KnTreeValue)(void *context, int column);

/* The leaf of an example; `values` has a value for each column. */
int kn_tree_leaf(const KnTree *tree, const double *values);

/* The same with lazy evaluation of expensive columns: where the path tests a column whose value is NAN,
 * `compute` fills it in. `compute` may be NULL: then the values are only read. */
int kn_tree_leaf_lazy(const KnTree *tree, double *values, KnTreeValue compute, void *context);
int kn_tree_walk_leaf(const KnTreeWalk *walk, double *values, KnTreeValue compute, void *context);

/* Adds an example to its leaf. */
void kn_tree_count(KnTree *tree, const double *values, bool positive, double target);

static inline double kn_leaf_weight(const KnTree *tree, int leaf)
{
    KN_ASSERT(leaf >= 0 && leaf < tree->leaf_count);
    return tree->examples > 0 ? tree->leaves[leaf].examples / tree->examples : 0;
}

static inline double kn_leaf_probability(const KnTree *tree, int leaf)
{
    KN_ASSERT(leaf >= 0 && leaf < tree->leaf_count);
    const KnTreeLeaf *l = &tree->leaves[leaf];
    return l->examples > 0 ? l->positives / l->examples : 0;
}

static inline double kn_leaf_mean(const KnTree *tree, int leaf)
{
    KN_ASSERT(leaf >= 0 && leaf < tree->leaf_count);
    const KnTreeLeaf *l = &tree->leaves[leaf];
    return l->examples > 0 ? l->sum / l->examples : 0;
}

/* The entropy of a class with p positive and n negative examples, in bits: equation 7. */
double kn_information(double p, double n);

/* {"feature": NAME, "cases": [{"upto": X, "then": ...}, ..., {"then": ...}]} or {"leaf": 1, "examples": ...,
 * "positives": ..., "sum": ...}; leaves are numbered from 1 in depth-first order. */
json_t *kn_tree_json(const KnTree *tree, const char *const *names);
KnStatus kn_tree_from_json(const KnJson *at, const char *key, int columns, const char *const *names,
                           KnTree **tree, KnError *error);

#endif
