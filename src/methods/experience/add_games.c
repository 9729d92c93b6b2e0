/* Adding games, and forgetting them. */
#include "methods/experience/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* When the cache holds this many positions, they are written back before the next game is added. */
enum { CACHE_MOST = 300000 };

/* ---- transactions ---- */

KnStatus kn_base_begin(KnBase *base, KnError *error)
{
    if (!base->writes) return kn_fail(error, KN_USAGE, "%s was opened for reading", base->path);
    int code = mdb_txn_begin(base->env, NULL, 0, &base->writer);
    if (code) {
        base->writer = NULL;
        return kn_base_fail(base->path, code, "beginning to write", error);
    }
    KnStatus status = kn_base_read_counters(base->writer, base->tables[KN_TABLE_ABOUT], base->path,
                                            &base->counters, error);
    if (status != KN_OK) kn_base_abort(base);
    return status;
}

void kn_base_abort(KnBase *base)
{
    kn_cache_clear(base);
    if (base->writer) mdb_txn_abort(base->writer);
    base->writer = NULL;
}

KnStatus kn_base_commit(KnBase *base, KnError *error)
{
    KnStatus status = kn_cache_flush(base, error);
    if (status == KN_OK)
        status = kn_base_write_counters(base->writer, base->tables[KN_TABLE_ABOUT], base->path,
                                        &base->counters, error);
    if (status != KN_OK) {
        kn_base_abort(base);
        return status;
    }
    int code = mdb_txn_commit(base->writer);
    base->writer = NULL;
    return code ? kn_base_fail(base->path, code, "writing it to the disk", error) : KN_OK;
}

/* ---- a game as a path through the graph ---- */

typedef struct Path {
    KnNode **nodes; /* plies + 1 */
    size_t count;
} Path;

void kn_base_game_id(const KnHash128 *keys, size_t count, double outcome, KnHash128 *id)
{
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_add(&digest, keys, count * sizeof *keys);
    outcome += 0.0; /* no negative zero */
    kn_digest_add(&digest, &outcome, sizeof outcome);
    *id = kn_digest_end(&digest);
}

/* How often a game is added or forgotten: it, if it is new or goes altogether, and the times it was played.
 */
typedef struct Times {
    uint64_t distinct; /* 1 or 0 */
    uint64_t plays, by_opponent[KN_BASE_OPPONENTS + 1];
} Times;

static KnStatus count_play(void *user, uint64_t id, uint32_t opponent, KnError *error)
{
    (void)id, (void)error;
    Times *times = user;
    times->plays++;
    times->by_opponent[opponent]++;
    return KN_OK;
}

/* Whether node i of the path stands there for the first time: a position that recurs counts once a game. */
static bool first_time(const Path *path, size_t i, uint64_t mark)
{
    if (path->nodes[i]->mark == mark) return false;
    path->nodes[i]->mark = mark;
    return true;
}

/* Whether the step from i to i + 1 was taken before in this game. Only a recurring position can have taken
 * it. */
static bool step_again(const Path *path, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (path->nodes[k] == path->nodes[i] && path->nodes[k + 1] == path->nodes[i + 1]) return true;
    return false;
}

static KnStatus walk_in(KnBase *base, const Path *path, double outcome, const Times *times, KnError *error)
{
    bool recurs = false;
    uint64_t mark = ++base->mark;
    for (size_t i = 0; i < path->count; i++) {
        KnNode *node = path->nodes[i];
        node->dirty = true;
        if (!first_time(path, i, mark)) {
            recurs = true;
            continue;
        }
        node->distinct += times->distinct;
        node->games += times->plays, node->total += outcome * (double)times->plays;
        for (uint32_t o = 0; o <= KN_BASE_OPPONENTS; o++) {
            uint64_t games = times->by_opponent[o];
            if (games && !kn_node_add_tally(node, o, games, outcome * (double)games))
                return kn_fail_memory(error, "adding a game");
        }
    }
    for (size_t i = 0; i + 1 < path->count; i++) {
        KnNode *node = path->nodes[i], *child = path->nodes[i + 1];
        if (recurs && step_again(path, i)) continue;
        KnNodeEdge *edge = kn_node_edge(node, child->id);
        if (edge)
            edge->games += times->plays;
        else if (!kn_node_add_edge(node, child->id, times->plays) || !kn_node_add_parent(child, node->id))
            return kn_fail_memory(error, "adding a game");
        else
            base->counters.edges++;
    }
    KnNode *last = path->nodes[path->count - 1];
    for (uint32_t i = 0; i < last->end_count; i++)
        if (last->ends[i].outcome == outcome) {
            last->ends[i].games += times->plays;
            return KN_OK;
        }
    return kn_node_add_end(last, outcome, times->plays) ? KN_OK : kn_fail_memory(error, "adding a game");
}

static void drop_edge(KnBase *base, KnNode *node, KnNodeEdge *edge, KnNode *child)
{
    *edge = node->edges[--node->edge_count];
    kn_node_drop_parent(child, node->id);
    base->counters.edges--;
}

/* The opposite of walk_in. */
static void walk_out(KnBase *base, const Path *path, double outcome, const Times *times)
{
    bool recurs = false;
    uint64_t mark = ++base->mark;
    for (size_t i = 0; i < path->count; i++) {
        KnNode *node = path->nodes[i];
        node->dirty = true;
        if (!first_time(path, i, mark)) {
            recurs = true;
            continue;
        }
        node->distinct -= times->distinct;
        node->games -= times->plays, node->total -= outcome * (double)times->plays;
        for (uint32_t o = 0; o <= KN_BASE_OPPONENTS; o++)
            if (times->by_opponent[o])
                kn_node_drop_tally(node, o, times->by_opponent[o], outcome * (double)times->by_opponent[o]);
    }
    for (size_t i = 0; i + 1 < path->count; i++) {
        if (recurs && step_again(path, i)) continue;
        KnNodeEdge *edge = kn_node_edge(path->nodes[i], path->nodes[i + 1]->id);
        if (!edge) continue;
        edge->games -= times->plays;
        if (!edge->games) drop_edge(base, path->nodes[i], edge, path->nodes[i + 1]);
    }
    KnNode *last = path->nodes[path->count - 1];
    for (uint32_t i = 0; i < last->end_count; i++)
        if (last->ends[i].outcome == outcome) {
            last->ends[i].games -= times->plays;
            if (!last->ends[i].games) last->ends[i] = last->ends[--last->end_count];
            break;
        }
}

/* ---- adding ---- */

static void write_moves(const KnState *state, KnText *out)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves];
    for (size_t ply = 0; ply < kn_state_plies(state); ply++) {
        const void *position = kn_state_position_at(state, ply);
        KnMove played = kn_state_joint_at(state, ply)[game->type->mover(game, position)];
        int count = kn_base_sorted_moves(game, position, moves), place = 0;
        while (place < count && moves[place] != played) place++;
        kn_encode_number(out, (uint64_t)place);
    }
}

static KnStatus put(KnBase *base, KnBaseTable table, const void *key, size_t key_size, const void *value,
                    size_t size, KnError *error)
{
    MDB_val k = {key_size, (void *)(uintptr_t)key}, v = {size, (void *)(uintptr_t)value};
    int code = mdb_put(base->writer, base->tables[table], &k, &v, 0);
    return code ? kn_base_fail(base->path, code, "adding a game", error) : KN_OK;
}

/* Writes the game's record, and with a limit when it was seen. */
static KnStatus keep_record(KnBase *base, const KnHash128 *id, KnBaseGameRecord *record, KnError *error)
{
    record->stamp = ++base->counters.stamp;
    kn_text_clear(&base->packed);
    kn_encode_game(record, base->game->position_size, &base->packed);
    if (!kn_text_ok(&base->packed)) return kn_fail_memory(error, "adding a game");
    KnStatus status = put(base, KN_TABLE_GAMES, id, sizeof *id, base->packed.data, base->packed.length,
                          error);
    size_t stamp = (size_t)record->stamp;
    if (status == KN_OK && base->kind.limit)
        status = put(base, KN_TABLE_AGES, &stamp, sizeof stamp, id, sizeof *id, error);
    return status;
}

static KnStatus keep_game(KnBase *base, const KnState *state, double outcome, const KnHash128 *id,
                          KnError *error)
{
    const void *start = kn_state_position_at(state, 0);
    base->game->type->start(base->game, base->room);
    KnText moves = KN_TEXT_EMPTY;
    write_moves(state, &moves);
    KnBaseGameRecord record = {.outcome = outcome,
                               .start = memcmp(start, base->room, base->game->position_size) == 0 ? NULL
                                                                                                  : start,
                               .plies = kn_state_plies(state),
                               .moves = (const unsigned char *)moves.data,
                               .moves_size = moves.length};
    KnStatus status = kn_text_ok(&moves) ? keep_record(base, id, &record, error)
                                         : kn_fail_memory(error, "adding a game");
    kn_text_free(&moves);
    return status;
}

/* The nodes of the game's positions; those not there are made if `make`, and else the base is damaged. */
static KnStatus find_path(KnBase *base, const KnState *state, const KnHash128 *keys, bool make, Path *path,
                          KnError *error)
{
    KnStatus status = KN_OK;
    path->count = kn_state_plies(state) + 1;
    for (size_t ply = 0; ply < path->count && status == KN_OK; ply++) {
        uint32_t id;
        bool found;
        status = kn_base_find(base, base->writer, &keys[ply], &id, &found, error);
        if (status != KN_OK) break;
        if (found)
            status = kn_cache_get(base, id, &path->nodes[ply], error);
        else if (!make)
            status = kn_base_fail(base->path, MDB_CORRUPTED, "following a game", error);
        else {
            KnBaseFrame frame;
            kn_base_frame(base, kn_state_position_at(state, ply), base->room, &frame);
            status = kn_cache_make(base, &keys[ply], base->room, &path->nodes[ply], error);
        }
    }
    return status;
}

static KnHash128 *keys_of(KnBase *base, const KnState *state)
{
    size_t count = kn_state_plies(state) + 1;
    KnHash128 *keys = malloc(count * sizeof *keys);
    for (size_t ply = 0; keys && ply < count; ply++) {
        KnBaseFrame frame;
        kn_base_frame(base, kn_state_position_at(state, ply), base->room, &frame);
        keys[ply] = frame.key;
    }
    return keys;
}

/* ---- forgetting ---- */

KnStatus kn_base_replay(const KnGame *game, const char *path, const void *bytes, size_t size, KnState *state,
                        KnBaseGameRecord *record, void *room, KnError *error)
{
    if (!kn_decode_game(bytes, size, game->position_size, room, record))
        return kn_base_fail(path, MDB_CORRUPTED, "reading a game", error);
    kn_state_reset(state, record->start);
    const unsigned char *at = record->moves, *end = at + record->moves_size;
    KnMove moves[game->max_moves];
    for (uint64_t ply = 0; ply < record->plies; ply++) {
        uint64_t place;
        int count = kn_base_sorted_moves(game, kn_state_position(state), moves);
        if (!kn_decode_number(&at, end, &place) || place >= (uint64_t)count)
            return kn_base_fail(path, MDB_CORRUPTED, "replaying a game", error);
        KnStatus status = kn_state_play(state, moves[place], error);
        if (status != KN_OK) return status;
    }
    return at == end ? KN_OK : kn_base_fail(path, MDB_CORRUPTED, "replaying a game", error);
}

static KnStatus bury(KnBase *base, const Path *path, const KnHash128 *keys, KnError *error)
{
    for (size_t i = 0; i < path->count; i++) {
        KnNode *node = path->nodes[i];
        if (node->games || node->gone) continue;
        node->gone = true;
        MDB_val key = {sizeof *keys, (void *)(uintptr_t)&keys[i]};
        int code = mdb_del(base->writer, base->tables[KN_TABLE_KEYS], &key, NULL);
        if (code) return kn_base_fail(base->path, code, "forgetting a position", error);
        base->counters.positions--;
    }
    return KN_OK;
}

static KnStatus forget_path(KnBase *base, const KnState *state, double outcome, const Times *times,
                            KnError *error)
{
    KnHash128 *keys = keys_of(base, state);
    Path path = {.nodes = malloc((kn_state_plies(state) + 1) * sizeof(KnNode *))};
    KnStatus status = keys && path.nodes ? KN_OK : kn_fail_memory(error, "forgetting a game");
    if (status == KN_OK) status = find_path(base, state, keys, false, &path, error);
    if (status == KN_OK) {
        walk_out(base, &path, outcome, times);
        status = bury(base, &path, keys, error);
    }
    if (status == KN_OK) status = kn_values_refresh(base, path.nodes, path.count, error);
    free(keys);
    free(path.nodes);
    return status;
}

/* The game that was longest not seen. */
static KnStatus forget_oldest(KnBase *base, KnState *state, KnError *error)
{
    MDB_cursor *cursor;
    MDB_val age, id, bytes;
    int code = mdb_cursor_open(base->writer, base->tables[KN_TABLE_AGES], &cursor);
    if (code) return kn_base_fail(base->path, code, "forgetting a game", error);
    code = mdb_cursor_get(cursor, &age, &id, MDB_FIRST);
    KnHash128 game = {0};
    if (!code && id.mv_size == sizeof game) memcpy(&game, id.mv_data, sizeof game);
    if (!code) code = mdb_cursor_del(cursor, 0);
    mdb_cursor_close(cursor);
    MDB_val key = {sizeof game, &game};
    if (!code) code = mdb_get(base->writer, base->tables[KN_TABLE_GAMES], &key, &bytes);
    if (code)
        return kn_base_fail(base->path, code == MDB_NOTFOUND ? MDB_CORRUPTED : code, "forgetting a game",
                            error);
    KnBaseGameRecord record;
    KnStatus status = kn_base_replay(base->game, base->path, bytes.mv_data, bytes.mv_size, state, &record,
                                     base->room, error);
    if (status != KN_OK) return status;
    double outcome = record.outcome;
    Times times = {.distinct = 1};
    status = kn_plays_each(base, base->writer, &game, count_play, &times, error);
    if (status == KN_OK) status = kn_plays_forget(base, &game, error);
    if (status != KN_OK) return status;
    code = mdb_del(base->writer, base->tables[KN_TABLE_GAMES], &key, NULL);
    if (code) return kn_base_fail(base->path, code, "forgetting a game", error);
    base->counters.games--;
    return forget_path(base, state, outcome, &times, error);
}

/* The newest game stays, whatever its length. */
static KnStatus keep_limit(KnBase *base, KnError *error)
{
    if (!base->kind.limit || base->counters.positions <= base->kind.limit) return KN_OK;
    KnState *state = kn_state_new(base->game);
    if (!state) return kn_fail_memory(error, "forgetting a game");
    KnStatus status = KN_OK;
    while (status == KN_OK && base->counters.positions > base->kind.limit && base->counters.games > 1)
        status = forget_oldest(base, state, error);
    kn_state_free(state);
    return status;
}

/* Seen again: with a limit its age begins again. */
static KnStatus renew(KnBase *base, const KnHash128 *id, const MDB_val *bytes, KnError *error)
{
    KnBaseGameRecord record;
    if (!kn_decode_game(bytes->mv_data, bytes->mv_size, base->game->position_size, base->room, &record))
        return kn_base_fail(base->path, MDB_CORRUPTED, "reading a game", error);
    size_t stamp = (size_t)record.stamp;
    MDB_val age = {sizeof stamp, &stamp};
    int code = mdb_del(base->writer, base->tables[KN_TABLE_AGES], &age, NULL);
    if (code) return kn_base_fail(base->path, code, "renewing a game", error);
    KnText moves = KN_TEXT_EMPTY; /* the record's bytes are LMDB's, and go with the next write */
    kn_text_add_bytes(&moves, record.moves, record.moves_size);
    record.moves = (const unsigned char *)moves.data;
    KnStatus status = kn_text_ok(&moves) ? keep_record(base, id, &record, error)
                                         : kn_fail_memory(error, "renewing a game");
    kn_text_free(&moves);
    return status;
}

/* The plays that were not there yet. */
static KnStatus keep_plays(KnBase *base, const KnHash128 *id, const KnBasePlay *plays, size_t count,
                           Times *times, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        uint32_t opponent;
        bool added;
        status = kn_plays_keep(base, id, plays ? &plays[i] : NULL, &opponent, &added, error);
        if (status == KN_OK && added) status = count_play(times, 0, opponent, error);
    }
    return status;
}

/* Values and paths depend on the distinct games alone. */
static KnStatus add_path(KnBase *base, const KnState *state, double outcome, const KnHash128 *keys,
                         const Times *times, KnError *error)
{
    if (base->cached > CACHE_MOST) {
        KnStatus flushed = kn_cache_flush(base, error);
        if (flushed != KN_OK) return flushed;
    }
    Path path = {.nodes = malloc((kn_state_plies(state) + 1) * sizeof(KnNode *))};
    if (!path.nodes) return kn_fail_memory(error, "adding a game");
    KnStatus status = find_path(base, state, keys, times->distinct, &path, error);
    if (status == KN_OK) status = walk_in(base, &path, outcome, times, error);
    if (status == KN_OK && times->distinct) status = kn_values_refresh(base, path.nodes, path.count, error);
    free(path.nodes);
    return status;
}

static KnStatus add_inside(KnBase *base, const KnState *state, double outcome, const KnBasePlay *plays,
                           size_t count, uint64_t *added, KnError *error)
{
    KnHash128 *keys = keys_of(base, state), id;
    Times times = {0};
    if (!keys) return kn_fail_memory(error, "adding a game");
    outcome += 0.0;
    kn_base_game_id(keys, kn_state_plies(state) + 1, outcome, &id);
    MDB_val key = {sizeof id, &id}, bytes;
    int code = mdb_get(base->writer, base->tables[KN_TABLE_GAMES], &key, &bytes);
    times.distinct = code == MDB_NOTFOUND;
    KnStatus status = KN_OK;
    if (code && !times.distinct)
        status = kn_base_fail(base->path, code, "looking for a game", error);
    else if (times.distinct)
        status = keep_game(base, state, outcome, &id, error);
    else if (base->kind.limit)
        status = renew(base, &id, &bytes, error);
    if (status == KN_OK) status = keep_plays(base, &id, plays, count, &times, error);
    if (status == KN_OK && times.plays) status = add_path(base, state, outcome, keys, &times, error);
    free(keys);
    *added = times.plays;
    base->counters.games += times.distinct;
    return status == KN_OK && times.distinct ? keep_limit(base, error) : status;
}

/* Section 4.1.2. */
KnStatus kn_base_add_plays(KnBase *base, const KnState *state, double outcome, const KnBasePlay *plays,
                           size_t count, uint64_t *added, KnError *error)
{
    KN_ASSERT(count > 0); /* a game that nobody played is none */
    bool own = !base->writer;
    KnStatus status = own ? kn_base_begin(base, error) : KN_OK;
    if (status != KN_OK) return status;
    status = add_inside(base, state, outcome, plays, count, added, error);
    if (status != KN_OK)
        kn_base_abort(base);
    else if (own)
        status = kn_base_commit(base, error);
    return status;
}

KnStatus kn_base_add(KnBase *base, const KnState *state, double outcome, const KnBasePlay *play, bool *added,
                     KnError *error)
{
    uint64_t count;
    KnStatus status = kn_base_add_plays(base, state, outcome, play, 1, &count, error);
    if (added) *added = status == KN_OK && count;
    return status;
}

KnStatus kn_base_note(KnBase *base, const void *position, KnMove move, KnScore score, int depth,
                      KnError *error)
{
    if (base->kind.key != KN_BASE_EXACT) return KN_OK;
    bool own = !base->writer, found;
    uint32_t id;
    KnBaseFrame frame;
    KnStatus status = own ? kn_base_begin(base, error) : KN_OK;
    if (status != KN_OK) return status;
    kn_base_frame(base, position, base->room, &frame);
    status = kn_base_find(base, base->writer, &frame.key, &id, &found, error);
    if (status == KN_OK && found) {
        KnNode *node;
        status = kn_cache_get(base, id, &node, error);
        if (status == KN_OK) {
            node->leaf = frame.symmetry
                             ? base->game->type->transform_move(base->game, frame.symmetry, position, move)
                             : move;
            node->leaf_score = score;
            node->leaf_depth = (uint32_t)depth;
            node->dirty = true;
        }
    }
    if (status != KN_OK)
        kn_base_abort(base);
    else if (own)
        status = kn_base_commit(base, error);
    return status;
}
