/* Opening a base, and asking it. */
#include "methods/experience/base.h"

#include <stdlib.h>
#include <string.h>

#include "methods/experience/internal.h"

KnStatus kn_base_suits(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2 || game->nature >= 0 ||
        !(game->traits & KN_GAME_ZERO_SUM))
        return kn_fail(error, KN_INPUT,
                       "needs a game for two who take turns and where one wins what the other loses");
    return KN_OK;
}

double kn_base_outcome(const KnState *state, const double *payoffs)
{
    const KnGame *game = kn_state_game(state);
    const void *position = kn_state_position(state);
    if (game->type->points && kn_game_over(game, position)) return game->type->points(game, position, 0);
    return payoffs[0] - (game->payoff_low + game->payoff_high) / 2;
}

static KnStatus check_kind(const KnGame *game, const KnBaseKind *kind, KnError *error)
{
    if (!kind) return KN_OK;
    if (kind->key == KN_BASE_BOARD && !game->cells)
        return kn_fail(error, KN_INPUT, "key=board: %s has no board", game->spec);
    if (kind->key == KN_BASE_FEATURES && !game->feature_count)
        return kn_fail(error, KN_INPUT, "key=features: %s has no features", game->spec);
    return KN_OK;
}

/* The symmetries to use: not the identity, and none that exchanges the roles. */
void kn_base_find_symmetries(KnBase *base)
{
    const KnGame *game = base->game;
    if (!base->kind.symmetry) return;
    for (int s = 1; s < game->symmetries && base->symmetry_count < 64; s++)
        if (!game->type->transform_role || game->type->transform_role(game, s, 0) == 0)
            base->symmetries[base->symmetry_count++] = s;
}

KnStatus kn_base_open(const KnContext *context, const KnGame *game, const char *path, unsigned mode,
                      const KnBaseKind *kind, KnBase **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_base_suits(game, error);
    if (status != KN_OK) return kn_fail_within(error, "an experience base of %s", game->spec);
    status = check_kind(game, kind, error);
    if (status != KN_OK) return status;
    KnBase *base = calloc(1, sizeof *base);
    if (!base) return kn_fail_memory(error, "opening an experience base");
    base->context = context;
    base->game = game;
    base->packed = KN_TEXT_EMPTY;
    base->path = strdup(path);
    base->room = aligned_alloc(16, 2 * ((game->position_size + 15) & ~(size_t)15));
    status = base->path && base->room ? KN_OK : kn_fail_memory(error, "opening an experience base");
    if (mode & KN_BASE_MAKE) mode |= KN_BASE_WRITE;
    if (status == KN_OK) status = kn_base_file_open(base, mode, kind, error);
    if (status == KN_OK) kn_base_find_symmetries(base);
    if (status == KN_OK)
        *out = base;
    else
        kn_base_close(base);
    return status;
}

void kn_base_close(KnBase *base)
{
    if (!base) return;
    kn_base_abort(base);
    kn_base_file_close(base);
    kn_text_free(&base->packed);
    free(base->room);
    free(base->path);
    free(base);
}

const KnBaseKind *kn_base_kind(const KnBase *base) { return &base->kind; }

bool kn_base_pdn_marked(const KnBase *base) { return base->pdn_marked; }

int kn_base_format(const KnBase *base) { return base->format; }

/* ---- consulting ---- */

/* A node by number: from the cache where a transaction has it, else read. `brief` suffices for children. */
static KnStatus read_node(const KnBase *base, MDB_txn *txn, uint32_t id, bool payload, KnNode *node,
                          bool *borrowed, KnError *error)
{
    const KnNode *cached = base->writer ? kn_cache_have(base, id) : NULL;
    *borrowed = cached != NULL;
    if (cached) {
        *node = *cached;
        return KN_OK;
    }
    MDB_val key = {sizeof id, &id}, value;
    int code = mdb_get(txn, base->tables[KN_TABLE_NODES], &key, &value);
    if (!code && kn_node_decode(value.mv_data, value.mv_size, base->game->position_size, payload, node))
        return KN_OK;
    return kn_base_fail(base->path, code && code != MDB_NOTFOUND ? code : MDB_CORRUPTED, "reading a position",
                        error);
}

static double mean(uint64_t games, double total) { return games ? total / (double)games : 0; }

/* What is known of one move: it is explored if its position is among the children, by whatever image. */
static KnStatus look_at_move(KnBase *base, MDB_txn *txn, const KnNode *node, const void *position,
                             KnBaseMove *row, const KnNodeEdge **edge, KnError *error)
{
    *edge = NULL;
    const KnGame *game = base->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    KnBaseFrame frame;
    uint32_t id;
    bool found, borrowed;
    memcpy(next, position, game->position_size);
    game->type->play(game, next, row->move);
    kn_base_frame(base, next, base->room, &frame);
    KnStatus status = kn_base_find(base, txn, &frame.key, &id, &found, error);
    if (status == KN_OK && found) *edge = kn_node_edge(node, id);
    if (!*edge) return status;
    KnNode child;
    status = read_node(base, txn, id, true, &child, &borrowed, error);
    if (status != KN_OK) return status;
    row->explored = child.valued;
    row->child = id;
    row->value = child.value;
    row->mean = mean(child.games, child.total);
    row->paths = child.paths;
    row->games = child.games;
    row->distinct = child.distinct;
    if (!base->against) return KN_OK;
    KnNodeTally met = kn_node_met(&child, base->against);
    row->met = met.games;
    row->met_mean = mean(met.games, met.total);
    return KN_OK;
}

static void look_at_leaf(const KnBase *base, const KnNode *node, const void *position, int symmetry,
                         const KnBaseMove *rows, KnBaseView *view)
{
    const KnGame *game = base->game;
    if (node->leaf == KN_MOVE_NONE) return;
    for (int i = 0; i < view->count; i++) {
        KnMove there = symmetry ? game->type->transform_move(game, symmetry, position, rows[i].move)
                                : rows[i].move;
        if (there != node->leaf) continue;
        view->advice = rows[i].move;
        if (rows[i].explored) continue;
        view->leaf = rows[i].move;
        view->leaf_score = node->leaf_score;
        view->leaf_depth = (int)node->leaf_depth;
    }
}

/* LMDB has no check sums, and ours do not cover the keys under which records stand. Where keys are exact, a
 * position must be the one that its key led to, and each child must be found by a move: else a flipped bit
 * has made another position of it, or an unknown one. */
static KnStatus check_children(const KnBase *base, const void *position, int count, uint32_t children,
                               const KnNode *node, KnError *error)
{
    if (base->kind.key != KN_BASE_EXACT || children == node->edge_count) return KN_OK;
    KnMove moves[base->game->max_moves];
    if (count < base->game->type->moves(base->game, position, moves)) return KN_OK; /* not all were asked */
    return kn_base_fail(base->path, MDB_CORRUPTED, "looking for the children of a position", error);
}

static KnStatus look(KnBase *base, MDB_txn *txn, const void *position, KnBaseMove *rows, KnBaseView *view,
                     KnError *error)
{
    KnBaseFrame frame;
    uint32_t id;
    KnNode node;
    bool borrowed;
    kn_base_frame(base, position, base->room, &frame);
    KnStatus status = kn_base_find(base, txn, &frame.key, &id, &view->known, error);
    if (status != KN_OK || !view->known) return status;
    status = read_node(base, txn, id, false, &node, &borrowed, error);
    if (status != KN_OK) return status;
    if (base->kind.key == KN_BASE_EXACT && memcmp(node.position, base->room, base->game->position_size) != 0)
        status = kn_base_fail(base->path, MDB_CORRUPTED, "looking for a position", error);
    view->value = node.value;
    view->mean = mean(node.games, node.total);
    view->paths = node.paths;
    view->games = node.games;
    view->distinct = node.distinct;
    KnNodeTally met = base->against ? kn_node_met(&node, base->against) : (KnNodeTally){0};
    view->met = met.games;
    view->met_mean = mean(met.games, met.total);
    uint32_t children = 0; /* different ones: mirrored moves lead to the same */
    const KnNodeEdge *edges[view->count + 1];
    for (int i = 0; i < view->count && status == KN_OK; i++) {
        status = look_at_move(base, txn, &node, position, &rows[i], &edges[i], error);
        view->explored += rows[i].explored;
        int k = 0;
        while (edges[i] && k < i && edges[k] != edges[i]) k++;
        children += edges[i] && k == i;
    }
    if (status == KN_OK) status = check_children(base, position, view->count, children, &node, error);
    if (status == KN_OK) look_at_leaf(base, &node, position, frame.symmetry, rows, view);
    if (!borrowed) kn_node_clear(&node);
    return status;
}

KnStatus kn_base_look(KnBase *base, const void *position, const KnMove *moves, int count, KnBaseMove *rows,
                      KnBaseView *view, KnError *error)
{
    *view = (KnBaseView){.count = count, .advice = KN_MOVE_NONE, .leaf = KN_MOVE_NONE};
    for (int i = 0; i < count; i++) rows[i] = (KnBaseMove){.move = moves[i]};
    MDB_txn *txn;
    KnStatus status = kn_base_reading(base, &txn, error);
    if (status != KN_OK) return status;
    status = look(base, txn, position, rows, view, error);
    kn_base_read_done(base);
    return status;
}
