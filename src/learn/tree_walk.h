/* Layouts of trees for fast use; internal to learn/tree. Both layouts need integer bounds, which trees over
 * counts have. Ownership: tree_walk.c makes and frees them; read-only in between. */
#ifndef KNACK_LEARN_TREE_WALK_H
#define KNACK_LEARN_TREE_WALK_H

#include "learn/tree.h"

enum { KN_TREE_BOUND = 32000 }; /* the largest absolute bound */

/* The layout with tables (tree_table.c). weight[n] is the number of examples below node n. Stores NULL if the
 * tree does not fit. */
typedef struct KnTreeTable KnTreeTable;
KnStatus kn_tree_table_make(const KnTree *tree, const double *weight, KnTreeTable **table, KnError *error);
void kn_tree_table_free(KnTreeTable *table);
int kn_tree_table_leaf(const KnTreeTable *table, double *values, KnTreeValue compute, void *context);

#endif
