/* Decision trees, after Quinlan's ID3 (1986) as Markovitch and Sella (1996) use it, and regression trees.
 *
 * A node asks for one feature and sends its value to one of its cases, ranges that follow each other; a leaf
 * holds what is known of the examples that reach it: which share of all they are, W(l), which share of them
 * is positive, P(l), and their mean target. The cases of ID3 are a feature's single values; the other way is
 * to cut the range in two.
 *
 * What a tree learns from decides only its shape. kn_tree_count can add further examples to the leaves (the
 * paper's enrichment), which makes W and P more reliable.
 *
 * Ownership: kn_tree_grow and kn_tree_from_json allocate, kn_tree_free frees; read-only in between but for
 * kn_tree_count. */
#ifndef KNACK_LEARN_TREE_H
#define KNACK_LEARN_TREE_H

#include "base/json.h"
#include "base/text.h"
#include "learn/dataset.h"

typedef enum KnTreeMeasure {
    KN_TREE_INFORMATION, /* of the class: equation 7 */
    KN_TREE_VARIANCE     /* of the target */
} KnTreeMeasure;

typedef struct KnTreePlan {
    KnTreeMeasure measure;
    bool cuts; /* two cases a node, by a cut; else a case a value, and a feature is asked once on the way to a
                  leaf */
    int depth; /* of the tree at most; 0: any */
    size_t least; /* examples that a leaf must have where the range is cut, and a node to be split at all
                     otherwise */
    double
        confidence; /* that a split is not by chance (chi square of the class, as ID3 has it); 0: not asked */
    const bool *use;      /* a place a column: which may be asked for; NULL: all */
    const uint32_t *rows; /* examples to grow from, row_count of them; NULL: all */
    size_t row_count;
} KnTreePlan;

typedef struct KnTreeNode {
    int feature; /* column; -1: a leaf */
    int first;   /* of its cases; of a leaf: its number */
    int cases;
} KnTreeNode;

typedef struct KnTreeCase {
    double upper; /* values up to this that no earlier case takes; the last case takes all that are left */
    int node;
} KnTreeCase;

typedef struct KnTreeLeaf {
    double examples, positives, sum; /* counts, and the sum of targets */
} KnTreeLeaf;

typedef struct KnTreeWalk KnTreeWalk;

typedef struct KnTree {
    KnTreeNode *nodes; /* the first is the root */
    KnTreeCase *cases;
    KnTreeLeaf *leaves;
    int node_count, case_count, leaf_count;
    int node_room, case_room, leaf_room;
    double examples;  /* that reached any leaf */
    KnTreeWalk *walk; /* NULL, or the same laid out for use */
} KnTree;

/* From a coded dataset. */
KnStatus kn_tree_grow(const KnDataset *data, const KnTreePlan *plan, KnTree **tree, KnError *error);
void kn_tree_free(KnTree *tree);

/* Lays a finished tree out so that kn_tree_leaf is quicker; it must not be changed afterwards, its leaves
 * aside. (tree_walk.c) */
KnStatus kn_tree_make_walk(KnTree *tree, KnError *error);
void kn_tree_walk_free(KnTreeWalk *walk);

/* The value of a column, for who asks for it. */
typedef double (*KnTreeTell)(void *context, int column);

/* The leaf of an example; `values` has a place for each column. */
int kn_tree_leaf(const KnTree *tree, const double *values);

/* The same where some are dear: those that are NAN are asked for, and filled in, where the way to the leaf
 * comes to them. */
int kn_tree_leaf_told(const KnTree *tree, double *values, KnTreeTell tell, void *context);
int kn_tree_walk_leaf(const KnTreeWalk *walk, double *values, KnTreeTell tell,
                      void *context); /* `tell` may be NULL: values are then only read */

/* Adds an example to its leaf. */
void kn_tree_count(KnTree *tree, const double *values, bool positive, double target);

static inline double kn_leaf_weight(const KnTree *tree, int leaf)
{
    return tree->examples > 0 ? tree->leaves[leaf].examples / tree->examples : 0;
}

static inline double kn_leaf_probability(const KnTree *tree, int leaf)
{
    const KnTreeLeaf *l = &tree->leaves[leaf];
    return l->examples > 0 ? l->positives / l->examples : 0;
}

static inline double kn_leaf_mean(const KnTree *tree, int leaf)
{
    const KnTreeLeaf *l = &tree->leaves[leaf];
    return l->examples > 0 ? l->sum / l->examples : 0;
}

/* Information of a class with p positive and n negative examples, in bits: equation 7. */
double kn_information(double p, double n);

/* {"feature": NAME, "cases": [{"upto": X, "then": ...}, ..., {"then": ...}]} or {"leaf": 1, "examples": ...,
 * "positives": ..., "sum": ...}; leaves are numbered from 1 in the order in which they are met. */
json_t *kn_tree_json(const KnTree *tree, const char *const *names);
KnStatus kn_tree_from_json(const KnJson *at, const char *key, int columns, const char *const *names,
                           KnTree **tree, KnError *error);

/* Indented text, a line a case, with each leaf's weight, probability and mean target. */
void kn_tree_print(const KnTree *tree, const char *const *names, KnText *out);

#endif
