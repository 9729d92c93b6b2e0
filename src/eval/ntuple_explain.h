/* What an n-tuple network says about a position, as an explanation. */
#ifndef KNACK_EVAL_NTUPLE_EXPLAIN_H
#define KNACK_EVAL_NTUPLE_EXPLAIN_H

#include "eval/ntuple.h"

/* Adds the prediction for a role, and the groups of cells that speak most for it and against it. */
void kn_network_explain(const KnNetwork *network, const void *position, int role, KnArena *arena,
                        KnExplanation *parent);

/* Adds what a role has gained between two positions, in points, by parts of the board: the corners, the edge,
 * the middle, or rows of squares where the board has a direction. */
void kn_network_compare(const KnNetwork *network, const void *before, const void *after, int role,
                        KnArena *arena, KnExplanation *parent);

/* Adds what the network is: its tuples by length, its tables, and how it was made. */
void kn_network_describe(const KnNetwork *network, KnArena *arena, KnExplanation *parent);

#endif
