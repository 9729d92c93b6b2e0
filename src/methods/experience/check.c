/* Looking at everything, in a child process. What follows from what is computed again: the numbers of games
 * from the games, keys from positions, values from children. */
#include "eval/same_rules.h"
#include "methods/experience/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Check {
    KnBase base;     /* reads only, through a transaction of the child's own */
    uint64_t *games; /* through each position, by number */
    uint64_t *seen;  /* the last game that was counted there */
    double *totals;  /* of their outcomes */
    uint64_t positions, edges, game_count, plays;
} Check;

static KnStatus wrong(const Check *c, KnError *error, uint32_t id, const char *what)
{
    return kn_fail(error, KN_INPUT, "%s is damaged: position %u: %s", c->base.path, id, what);
}

static KnStatus read_node(const Check *c, uint32_t id, bool payload, KnNode *node, KnError *error)
{
    MDB_val key = {sizeof id, &id}, value;
    int code = mdb_get(c->base.reader, c->base.tables[KN_TABLE_NODES], &key, &value);
    if (code == MDB_NOTFOUND) return wrong(c, error, id, "it is missing");
    if (code) return kn_base_fail(c->base.path, code, "reading a position", error);
    if (!kn_node_decode(value.mv_data, value.mv_size, c->base.game->position_size, payload, node))
        return wrong(c, error, id, "its check sum is wrong");
    return KN_OK;
}

/* ---- games: which positions they went through ---- */

static KnStatus count_game(void *user, const KnBaseGame *game, KnError *error)
{
    Check *c = user;
    c->game_count++;
    c->plays += game->play_count;
    size_t count = kn_state_plies(game->state) + 1;
    KnHash128 *keys = malloc(count * sizeof *keys), id;
    if (!keys) return kn_fail_memory(error, "checking an experience base");
    KnStatus status = KN_OK;
    for (size_t ply = 0; ply < count && status == KN_OK; ply++) {
        KnBaseFrame frame;
        uint32_t number;
        bool found;
        kn_base_frame(&c->base, kn_state_position_at(game->state, ply), c->base.room, &frame);
        keys[ply] = frame.key;
        status = kn_base_find(&c->base, c->base.reader, &frame.key, &number, &found, error);
        if (status != KN_OK) break;
        if (!found || number >= c->base.counters.next)
            status = kn_fail(error, KN_INPUT, "%s is damaged: game %s: position %zu is missing", c->base.path,
                             game->id, ply);
        else if (c->seen[number] != c->game_count)
            c->seen[number] = c->game_count, c->games[number] += game->play_count,
            c->totals[number] += game->outcome * (double)game->play_count;
    }
    char hex[KN_HEX128];
    kn_base_game_id(keys, count, game->outcome, &id);
    kn_hash128_hex(id, hex);
    if (status == KN_OK && strcmp(hex, game->id) != 0)
        status = kn_fail(error, KN_INPUT, "%s is damaged: game %s is not what its id says", c->base.path,
                         game->id);
    free(keys);
    return status;
}

/* ---- positions ---- */

static KnStatus check_key(const Check *c, const KnBasePosition *p, KnError *error)
{
    KnBaseFrame frame;
    uint32_t number;
    bool found;
    if (c->base.game->type->check && c->base.game->type->check(c->base.game, p->position, error) != KN_OK)
        return wrong(c, error, p->number, "it is no position of the game");
    kn_base_frame(&c->base, p->position, c->base.room, &frame);
    KnStatus status = kn_base_find(&c->base, c->base.reader, &frame.key, &number, &found, error);
    if (status == KN_OK && (!found || number != p->number))
        status = wrong(c, error, p->number, "its key leads elsewhere");
    return status;
}

/* What stands there of opponents adds up to the whole, and the whole to the games. Sums of halves are exact;
 * others may differ in their last digits by the order in which they were added. */
static KnStatus check_tallies(const Check *c, const KnNode *node, uint32_t id, KnError *error)
{
    uint64_t games = 0;
    double total = 0, size = 1 + fabs(c->totals[id]);
    for (uint32_t i = 0; i < node->tally_count; i++)
        games += node->tallies[i].games, total += node->tallies[i].total;
    if (games != node->games || fabs(total - node->total) > 1e-9 * size)
        return wrong(c, error, id, "its games by opponent do not add up");
    if (node->distinct > node->games || fabs(node->total - c->totals[id]) > 1e-9 * size)
        return wrong(c, error, id, "its mean is not that of its games");
    return KN_OK;
}

static bool among(const uint32_t *list, uint32_t count, uint32_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == id) return true;
    return false;
}

/* The value that children and endings give, whichever way it was found. */
static KnStatus check_value(const Check *c, const KnBasePosition *p, KnError *error)
{
    KnNode node, child;
    KnStatus status = read_node(c, p->number, false, &node, error);
    if (status == KN_OK && (status = check_tallies(c, &node, p->number, error)) != KN_OK)
        kn_node_clear(&node);
    if (status != KN_OK) return status;
    bool valued = false, first = c->base.game->type->mover(c->base.game, p->position) == 0;
    double value = 0;
    for (uint32_t i = 0; i < node.end_count; i++, valued = true)
        if (!valued || (first ? node.ends[i].outcome > value : node.ends[i].outcome < value))
            value = node.ends[i].outcome;
    for (uint32_t i = 0; i < node.edge_count && status == KN_OK; i++) {
        status = read_node(c, node.edges[i].child, false, &child, error);
        if (status != KN_OK) break;
        if (!among(child.parents, child.parent_count, p->number))
            status = wrong(c, error, p->number, "a child does not know it");
        if (child.valued && (!valued || (first ? child.value > value : child.value < value)))
            value = child.value;
        valued |= child.valued;
        kn_node_clear(&child);
    }
    for (uint32_t i = 0; i < node.parent_count && status == KN_OK; i++) {
        status = read_node(c, node.parents[i], false, &child, error);
        if (status != KN_OK) break;
        if (!kn_node_edge(&child, p->number))
            status = wrong(c, error, p->number, "a parent does not know it");
        kn_node_clear(&child);
    }
    if (status == KN_OK && (valued != node.valued || value != node.value))
        status = wrong(c, error, p->number, "its value does not follow from its children");
    kn_node_clear(&node);
    return status;
}

static KnStatus check_position(void *user, const KnBasePosition *p, KnError *error)
{
    Check *c = user;
    c->positions++;
    c->edges += p->child_count;
    if (p->number >= c->base.counters.next) return wrong(c, error, p->number, "its number was never given");
    if (p->games != c->games[p->number])
        return wrong(c, error, p->number, "it counts other games than there are");
    KnStatus status = check_key(c, p, error);
    return status == KN_OK ? check_value(c, p, error) : status;
}

static KnStatus check_counters(const Check *c, KnError *error)
{
    const KnBaseCounters *n = &c->base.counters;
    if (n->positions == c->positions && n->edges == c->edges && n->games == c->game_count &&
        n->plays == c->plays)
        return KN_OK;
    return kn_fail(error, KN_INPUT,
                   "%s is damaged: it counts %llu positions, %llu moves and %llu games played %llu times, "
                   "and holds %llu, "
                   "%llu, %llu and %llu",
                   c->base.path, (unsigned long long)n->positions, (unsigned long long)n->edges,
                   (unsigned long long)n->games, (unsigned long long)n->plays,
                   (unsigned long long)c->positions, (unsigned long long)c->edges,
                   (unsigned long long)c->game_count, (unsigned long long)c->plays);
}

/* In the child: a base of its own on the file. What it takes goes with the process. */
static KnStatus look(void *user, void *result, KnError *error)
{
    (void)result;
    Check *c = user;
    KnBase *base = &c->base;
    KnBaseHeader header;
    KnStatus status = kn_base_env_alone(base->path, &base->env, &base->reader, base->tables, error);
    if (status == KN_OK)
        status = kn_base_read_header(base->reader, base->tables[KN_TABLE_ABOUT], base->path, &header, error);
    if (status == KN_OK)
        status = kn_base_read_counters(base->reader, base->tables[KN_TABLE_ABOUT], base->path,
                                       &base->counters, error);
    if (status != KN_OK) return status;
    base->kind = header.kind;
    base->format = header.format;
    kn_base_find_symmetries(base);
    if (base->counters.next > (uint64_t)UINT32_MAX + 1)
        return kn_fail(error, KN_INPUT, "%s is damaged: its counters make no sense", base->path);
    c->games = calloc(base->counters.next + 1, sizeof *c->games);
    c->seen = calloc(base->counters.next + 1, sizeof *c->seen);
    c->totals = calloc(base->counters.next + 1, sizeof *c->totals);
    if (!c->games || !c->seen || !c->totals) return kn_fail_memory(error, "checking an experience base");
    mdb_txn_reset(base->reader);
    KnBase walker =
        *base; /* walks with a transaction of its own, so that questions in between do not end it */
    walker.reader = NULL;
    int code = mdb_txn_renew(base->reader);
    if (code) return kn_base_fail(base->path, code, "reading it", error);
    status = kn_base_games(&walker, count_game, c, error);
    if (status == KN_OK) status = kn_base_positions(&walker, check_position, c, error);
    return status == KN_OK ? check_counters(c, error) : status;
}

KnStatus kn_base_check(const KnContext *context, const KnGame *game, const char *path, KnError *error)
{
    KnBaseHeader header;
    KnStatus status = kn_base_peek(path, &header, error);
    if (status != KN_OK) return status;
    if (!kn_same_game(game, header.game))
        return kn_fail(error, KN_INPUT, "%s holds experience of %s, not of %s", path, header.game,
                       game->spec);
    Check *c = calloc(1, sizeof *c);
    if (!c) return kn_fail_memory(error, "checking an experience base");
    c->base = (KnBase){.context = context,
                       .game = game,
                       .path = strdup(path),
                       .packed = KN_TEXT_EMPTY,
                       .room = aligned_alloc(16, 2 * ((game->position_size + 15) & ~(size_t)15))};
    status = c->base.path && c->base.room ? kn_base_in_child(path, look, c, NULL, 0, error)
                                          : kn_fail_memory(error, "checking an experience base");
    free(c->base.path);
    free(c->base.room);
    free(c);
    return status;
}
