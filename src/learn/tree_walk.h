/* Trees laid out for use, inside of tree.c: nobody else needs it. Both layouts take trees whose bounds are
 * whole numbers, as they are for whatever is counted. Ownership: made and freed by tree_walk.c. Read-only in
 * between. */
#ifndef KNACK_LEARN_TREE_WALK_H
#define KNACK_LEARN_TREE_WALK_H

#include "learn/tree.h"

enum { KN_TREE_BOUND = 32000 }; /* bounds are not beyond */

/* By tables (tree_table.c). `weight` has a place a node: how many examples are below it. Gives NULL where the
 * tree does not fit. */
typedef struct KnTreeTable KnTreeTable;
KnStatus kn_tree_table_make(const KnTree *tree, const double *weight, KnTreeTable **table, KnError *error);
void kn_tree_table_free(KnTreeTable *table);
int kn_tree_table_leaf(const KnTreeTable *table, double *values, KnTreeTell tell, void *context);

#endif
