/* Tree sampling for Go: playouts that do not fill eyes (games/go/light.h), and moves judged also by the
 * playouts in which they came later (RAVE: Gelly and Silver 2007), so that a few hundred playouts suffice for
 * a sensible move.
 *
 * What is known before the search (proved captures, say) comes in as hints: moves that begin as if they had
 * been tried so often, with such a result. Same generator and budget of nodes, same answer.
 *
 * Ownership: kn_go_tree_new / kn_go_tree_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_PLAYERS_TACTICAL_TREE_H
#define KNACK_PLAYERS_TACTICAL_TREE_H

#include "search/meter.h"
#include "games/go/light.h"

typedef struct KnGoHint {
    KnMove move;
    double visits, result; /* 0 lost to 1 won */
} KnGoHint;

typedef struct KnGoTreeRequest {
    const void *position;
    const KnMove *allowed;
    int allowed_count;
    const KnGoHint *hints;
    int hint_count;
    uint64_t playouts; /* 0: as many as the budget allows */
    KnBudget budget;   /* nodes: moves played in tree and playouts */
    KnRng *rng;
    const atomic_bool *cancel; /* may be NULL */
} KnGoTreeRequest;

typedef struct KnGoRow {
    KnMove move;
    double visits, result;
} KnGoRow;

typedef struct KnGoTreeResult {
    KnMove move;
    double result; /* the chance of winning, as the playouts see it */
    uint64_t playouts, nodes;
    KnGoRow rows[8]; /* the most visited, by visits */
    int row_count;
    KnMove line[8];
    int length;
} KnGoTreeResult;

typedef struct KnGoTree KnGoTree;

KnGoTree *kn_go_tree_new(const KnGame *game, size_t bytes);
void kn_go_tree_free(KnGoTree *tree);

void kn_go_tree_run(KnGoTree *tree, const KnGoTreeRequest *request, KnGoTreeResult *result);

#endif
