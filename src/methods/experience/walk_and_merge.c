/* The whole of a base: walking through it, counting, merging, compacting. */
#include "methods/experience/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A merge commits after this many games, so that an interruption loses little. */
enum { MERGE_BATCH = 2000 };

typedef KnStatus (*VisitRow)(void *user, const MDB_val *key, const MDB_val *value, KnError *error);

/* *reading gets the transaction, for a visit that reads on. */
static KnStatus each_row(KnBase *base, KnBaseTable table, VisitRow visit, void *user, MDB_txn **reading,
                         KnError *error)
{
    MDB_txn *txn;
    MDB_cursor *cursor;
    KnStatus status = kn_base_reading(base, &txn, error);
    *reading = txn;
    if (status != KN_OK) return status;
    int code = mdb_cursor_open(txn, base->tables[table], &cursor);
    if (!code) {
        MDB_val key, value;
        while (status == KN_OK && !(code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)))
            status = visit(user, &key, &value, error);
        mdb_cursor_close(cursor);
    }
    kn_base_read_done(base);
    if (status == KN_OK && code != MDB_NOTFOUND) status = kn_base_fail(base->path, code, "reading it", error);
    return status;
}

/* ---- positions ---- */

typedef struct Positions {
    KnBase *base;
    KnVisitPosition visit;
    void *user;
    uint32_t *children;
    size_t room;
} Positions;

static KnStatus give_position(Positions *all, const KnNode *node, uint32_t id, KnError *error)
{
    if (node->edge_count > all->room) {
        uint32_t *larger = realloc(all->children, node->edge_count * sizeof *larger);
        if (!larger) return kn_fail_memory(error, "reading an experience base");
        all->children = larger;
        all->room = node->edge_count;
    }
    for (uint32_t i = 0; i < node->edge_count; i++) all->children[i] = node->edges[i].child;
    KnBasePosition position = {.number = id,
                               .position = node->position,
                               .valued = node->valued,
                               .value = node->value,
                               .mean = node->games ? node->total / (double)node->games : 0,
                               .paths = node->paths,
                               .games = node->games,
                               .distinct = node->distinct,
                               .child_count = node->edge_count,
                               .parent_count = node->parent_count,
                               .children = all->children,
                               .parents = node->parents,
                               .leaf = node->leaf,
                               .leaf_score = node->leaf_score,
                               .leaf_depth = (int)node->leaf_depth};
    return all->visit(all->user, &position, error);
}

static KnStatus visit_node(void *user, const MDB_val *key, const MDB_val *value, KnError *error)
{
    Positions *all = user;
    uint32_t id = 0;
    KnNode node;
    if (key->mv_size == sizeof id) memcpy(&id, key->mv_data, sizeof id);
    if (!id || !kn_node_decode(value->mv_data, value->mv_size, all->base->game->position_size, false, &node))
        return kn_fail(error, KN_INPUT, "%s is damaged: position %u cannot be read", all->base->path, id);
    KnStatus status = give_position(all, &node, id, error);
    kn_node_clear(&node);
    return status;
}

KnStatus kn_base_positions(KnBase *base, KnVisitPosition visit, void *user, KnError *error)
{
    Positions all = {.base = base, .visit = visit, .user = user};
    MDB_txn *txn;
    KnStatus status = each_row(base, KN_TABLE_NODES, visit_node, &all, &txn, error);
    free(all.children);
    return status;
}

/* ---- games ---- */

typedef struct Games {
    KnBase *base;
    KnVisitGame visit;
    void *user;
    KnState *state;
    MDB_txn *txn;
    KnBasePlay *plays;
    size_t play_count, play_room;
} Games;

static KnStatus note_play(void *user, uint64_t id, uint32_t opponent, KnError *error)
{
    Games *all = user;
    if (all->play_count == all->play_room) {
        size_t room = all->play_room ? all->play_room * 2 : 16;
        KnBasePlay *larger = realloc(all->plays, room * sizeof *larger);
        if (!larger) return kn_fail_memory(error, "reading games");
        all->plays = larger;
        all->play_room = room;
    }
    KnBasePlay *play = &all->plays[all->play_count++];
    play->id = id;
    return kn_opponent_name(all->base, all->txn, opponent, &play->opponent, error);
}

static KnStatus visit_game(void *user, const MDB_val *key, const MDB_val *value, KnError *error)
{
    Games *all = user;
    KnHash128 id;
    KnBaseGameRecord record;
    if (key->mv_size != sizeof id)
        return kn_base_fail(all->base->path, MDB_CORRUPTED, "reading a game", error);
    memcpy(&id, key->mv_data, sizeof id);
    unsigned char room[all->base->game->position_size] __attribute__((aligned(16)));
    KnStatus status = kn_base_replay(all->base->game, all->base->path, value->mv_data, value->mv_size,
                                     all->state, &record, room, error);
    if (status != KN_OK) return status;
    all->play_count = 0;
    status = kn_plays_each(all->base, all->txn, &id, note_play, all, error);
    if (status == KN_OK && !all->play_count)
        status = kn_base_fail(all->base->path, MDB_CORRUPTED, "reading who played a game", error);
    if (status != KN_OK) return status;
    char hex[KN_HEX128];
    kn_hash128_hex(id, hex);
    KnBaseGame game = {hex, record.outcome, all->state, all->plays, all->play_count};
    return all->visit(all->user, &game, error);
}

KnStatus kn_base_games(KnBase *base, KnVisitGame visit, void *user, KnError *error)
{
    Games all = {.base = base, .visit = visit, .user = user, .state = kn_state_new(base->game)};
    if (!all.state) return kn_fail_memory(error, "reading games");
    KnStatus status = each_row(base, KN_TABLE_GAMES, visit_game, &all, &all.txn, error);
    free(all.plays);
    kn_state_free(all.state);
    return status;
}

/* ---- counting ---- */

KnStatus kn_base_size(KnBase *base, KnBaseStat *stat, KnError *error)
{
    MDB_txn *txn;
    KnBaseCounters counters = base->counters;
    KnStatus status = kn_base_reading(base, &txn, error);
    if (status == KN_OK && !base->writer)
        status = kn_base_read_counters(txn, base->tables[KN_TABLE_ABOUT], base->path, &counters, error);
    kn_base_read_done(base);
    *stat = (KnBaseStat){.positions = counters.positions,
                         .edges = counters.edges,
                         .games = counters.games,
                         .plays = counters.plays};
    return status;
}

static KnStatus count_position(void *user, const KnBasePosition *position, KnError *error)
{
    (void)error;
    KnBaseStat *stat = user;
    stat->transpositions += position->parent_count > 1;
    stat->leaves += position->leaf != KN_MOVE_NONE;
    return KN_OK;
}

KnStatus kn_base_stat(KnBase *base, KnBaseStat *result, KnError *error)
{
    struct stat file;
    KnStatus status = kn_base_size(base, result, error);
    if (status == KN_OK && stat(base->path, &file) == 0) result->bytes = (uint64_t)file.st_size;
    return status == KN_OK ? kn_base_positions(base, count_position, result, error) : status;
}

/* ---- merging ---- */

typedef struct Merge {
    KnBase *into;
    KnProgress *progress;
    uint64_t *added;
    int waiting;
} Merge;

static KnStatus merge_game(void *user, const KnBaseGame *game, KnError *error)
{
    Merge *merge = user;
    uint64_t added;
    KnStatus status = KN_OK;
    if (!merge->into->writer) status = kn_base_begin(merge->into, error);
    if (status == KN_OK)
        status = kn_base_add_plays(merge->into, game->state, game->outcome, game->plays, game->play_count,
                                   &added, error);
    if (status != KN_OK) return status;
    *merge->added += added;
    kn_progress_tick(merge->progress, 1);
    if (++merge->waiting < MERGE_BATCH) return KN_OK;
    merge->waiting = 0;
    return kn_base_commit(merge->into, error);
}

KnStatus kn_base_merge(KnBase *into, KnBase *from, KnProgress *progress, uint64_t *added, KnError *error)
{
    *added = 0;
    if (into->file == from->file)
        return kn_fail(error, KN_USAGE, "%s cannot be merged into itself", into->path);
    if (from->format < 2)
        return kn_fail(error, KN_INPUT,
                       "%s was made by a version that counted each distinct game once. Export it, and import "
                       "that: then each of its games was played once",
                       from->path);
    if (into->pdn_marked != from->pdn_marked && strcmp(into->game->type->head.name, "checkers") == 0)
        return kn_fail(
            error, KN_INPUT,
            "%s was made by a version that took PDN results for White's score first, %s was not. If "
            "it holds no PDN games, export it and import that; else import the PDN files again",
            (into->pdn_marked ? from : into)->path, (into->pdn_marked ? into : from)->path);
    Merge merge = {into, progress, added, 0};
    KnStatus status = kn_base_games(from, merge_game, &merge, error);
    if (status == KN_OK && into->writer) return kn_base_commit(into, error);
    if (into->writer) kn_base_abort(into);
    return status;
}

/* ---- compacting ---- */

/* Copies the tables in order, so that every page is filled. */
static int copy_tables(MDB_txn *from, MDB_dbi *old, MDB_env *env)
{
    MDB_txn *to;
    int code = mdb_txn_begin(env, NULL, 0, &to);
    if (code) return code;
    for (int t = 0; t < KN_TABLES && !code; t++) {
        MDB_dbi table;
        MDB_cursor *cursor;
        MDB_val key, value;
        if (old[t] == KN_TABLE_NONE) continue;
        code = mdb_dbi_open(to, kn_base_table_name((KnBaseTable)t),
                            kn_base_table_flags((KnBaseTable)t) | MDB_CREATE, &table);
        if (!code) code = mdb_cursor_open(from, old[t], &cursor);
        if (code) break;
        while (!code && !(code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)))
            code = mdb_put(to, table, &key, &value, MDB_APPEND);
        mdb_cursor_close(cursor);
        if (code == MDB_NOTFOUND) code = 0;
    }
    if (!code) return mdb_txn_commit(to);
    mdb_txn_abort(to);
    return code;
}

static KnStatus copy_to(const char *path, const char *beside, KnError *error)
{
    MDB_env *old = NULL, *fresh = NULL;
    MDB_txn *txn = NULL;
    MDB_dbi tables[KN_TABLES];
    struct stat info;
    unlink(beside); /* what an interrupted one left */
    KnStatus status = kn_base_env_alone(path, &old, &txn, tables, error);
    int code = 0;
    if (status == KN_OK && stat(path, &info) != 0) status = kn_fail_errno(error, "cannot look at %s", path);
    if (status == KN_OK) {
        code = mdb_env_create(&fresh);
        if (!code) code = mdb_env_set_maxdbs(fresh, KN_TABLES);
        if (!code) code = mdb_env_set_mapsize(fresh, (size_t)info.st_size * 2 + (1 << 24));
        if (!code) code = mdb_env_open(fresh, beside, MDB_NOSUBDIR | MDB_NOLOCK, info.st_mode & 0777);
        if (!code) code = copy_tables(txn, tables, fresh);
        if (code) status = kn_base_fail(path, code, "compacting it", error);
    }
    if (txn) mdb_txn_abort(txn);
    if (old) mdb_env_close(old);
    if (fresh) mdb_env_close(fresh);
    return status;
}

KnStatus kn_base_compact(const char *path, KnError *error)
{
    KnBaseHeader header;
    KnStatus status = kn_base_peek(path, &header, error);
    if (status != KN_OK) return status;
    KnText beside = KN_TEXT_EMPTY;
    kn_text_printf(&beside, "%s.compact.tmp", path); /* as all that a killed writer may leave */
    status = kn_base_alone(path, copy_to, beside.data, error);
    if (status != KN_OK) unlink(beside.data);
    kn_text_free(&beside);
    return status;
}
