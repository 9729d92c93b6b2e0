/* One depth-first traversal serves both counts. It needs one position and one move list a level, allocated
 * once. With several threads, the traversal first stops at a shallow level and records the moves to each node
 * there (the frontier); the nodes are counted separately, each replayed from the root, and summed in order.
 */
#include "games/perft.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "jobs/parallel.h"

/* Positions are aligned to 16 bytes and padded: they are copied block by block. */
typedef struct Block {
    _Alignas(16) uint64_t words[2];
} Block;

typedef struct Walker {
    const KnGame *game;
    unsigned flags;
    const atomic_bool *cancel;
    int depth;
    bool games; /* count complete games */
    bool plain; /* alternating, no history: the fast path */
    bool stopped;
    size_t blocks;      /* blocks of a position */
    size_t list;        /* length of a level's move list: max_moves for each role */
    Block *positions;   /* depth + 1 */
    KnMove *moves;      /* depth lists */
    KnMove *joints;     /* depth + 1 joint moves: the path to the current node */
    uint64_t *hashes;   /* depth + 1, kept only for KN_PERFT_HISTORY */
    uint64_t sequences; /* result */
    KnPerftGames totals;
    struct Frontier *frontier; /* stop at its level and record; NULL: traverse everything */
} Walker;

/* Nodes of one level: weight and path of each. */
typedef struct Frontier {
    int level;
    size_t count, capacity;
    uint64_t *weights;
    KnMove *joints; /* level * roles a node */
    bool failed;    /* out of memory */
} Frontier;

static void walker_free(Walker *walker)
{
    free(walker->positions);
    free(walker->moves);
    free(walker->joints);
    free(walker->hashes);
}

static bool walker_make(Walker *walker, const KnGame *game, const void *position, int depth,
                        const KnPerft *how, bool games)
{
    size_t levels = (size_t)depth + 1, roles = (size_t)game->roles;
    bool history = how->flags & KN_PERFT_HISTORY && (game->type->ended || game->type->barred);
    *walker =
        (Walker){.game = game, .flags = how->flags, .cancel = how->cancel, .depth = depth, .games = games};
    walker->plain = !games && !history && !game->type->moves_of;
    walker->blocks = (game->position_size + sizeof(Block) - 1) / sizeof(Block);
    walker->list = (size_t)game->max_moves * (game->type->moves_of ? roles : 1);
    walker->positions = aligned_alloc(sizeof(Block), levels * walker->blocks * sizeof(Block));
    walker->moves = calloc(levels * walker->list, sizeof(KnMove));
    walker->joints = calloc(levels * roles, sizeof(KnMove));
    walker->hashes = history ? calloc(levels, sizeof(uint64_t)) : NULL;
    if (!walker->positions || !walker->moves || !walker->joints || (history && !walker->hashes)) {
        walker_free(walker);
        return false;
    }
    memset(walker->positions, 0, levels * walker->blocks * sizeof(Block));
    memcpy(walker->positions, position, game->position_size);
    return true;
}

static Block *position_at(const Walker *walker, int level)
{
    return walker->positions + (size_t)level * walker->blocks;
}

static void copy_position(const Walker *walker, Block *to, const Block *from)
{
    for (size_t i = 0; i < walker->blocks; i++) to[i] = from[i];
}

static uint64_t paths_of(const Walker *walker, const void *position, KnMove move)
{
    return (uint64_t)walker->game->type->paths(walker->game, position, move);
}

static bool counts_paths(const Walker *walker)
{
    return walker->flags & KN_PERFT_PATHS && walker->game->type->paths;
}

/* What a game that ends before the last ply adds. */
static uint64_t counts_leaves(const Walker *walker) { return (walker->flags & KN_PERFT_LEAVES) != 0; }

static bool told_to_stop(Walker *walker)
{
    if (walker->cancel && atomic_load_explicit(walker->cancel, memory_order_relaxed)) walker->stopped = true;
    return walker->stopped;
}

/* Number of moves of a node, or of ways to carry them out. `moves` is scratch. */
static uint64_t count_last(const Walker *walker, const void *position, KnMove *moves, bool paths)
{
    const KnGame *game = walker->game;
    if (game->type->count) return (uint64_t)game->type->count(game, position, paths);
    int count = game->type->moves(game, position, moves);
    if (!paths) return (uint64_t)count;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) total += paths_of(walker, position, moves[i]);
    return total;
}

/* The inner loop: alternating, no history, at least two plies. Bulk counting: moves of the last ply are
 * counted, not played. */
static uint64_t count_plain(Walker *walker, int level, int left)
{
    KN_ASSERT(left >= 2);
    if (left > 4 && told_to_stop(walker)) return 0;
    const KnGame *game = walker->game;
    const Block *position = position_at(walker, level);
    Block *next = position_at(walker, level + 1);
    KnMove *moves = walker->moves + (size_t)level * walker->list, *next_moves = moves + walker->list;
    int count = game->type->moves(game, position, moves);
    bool paths = counts_paths(walker);
    bool weigh = paths &&
                 count_last(walker, position, next_moves, true) != (uint64_t)count; /* rarely more than 1 */
    if (!count) return counts_leaves(walker);
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        copy_position(walker, next, position);
        game->type->play(game, next, moves[i]);
        uint64_t below = left == 2 ? count_last(walker, next, next_moves, paths)
                                   : count_plain(walker, level + 1, left - 1);
        if (!below && left == 2) below = counts_leaves(walker);
        total += weigh ? paths_of(walker, position, moves[i]) * below : below;
    }
    return total;
}

static void write_down(Walker *walker, uint64_t weight)
{
    Frontier *frontier = walker->frontier;
    size_t length = (size_t)frontier->level * (size_t)walker->game->roles;
    if (frontier->count == frontier->capacity) {
        size_t capacity = frontier->capacity ? 2 * frontier->capacity : 256;
        void *weights = realloc(frontier->weights, capacity * sizeof(uint64_t));
        if (weights) frontier->weights = weights;
        void *joints = realloc(frontier->joints, capacity * length * sizeof(KnMove));
        if (joints) frontier->joints = joints;
        if (!weights || !joints) {
            frontier->failed = walker->stopped = true;
            return;
        }
        frontier->capacity = capacity;
    }
    frontier->weights[frontier->count] = weight;
    memcpy(frontier->joints + frontier->count++ * length, walker->joints, length * sizeof(KnMove));
}

/* Moves of a role that the rules and, if kept, the history allow. */
static int allowed_moves(const Walker *walker, int level, int role, KnMove *moves)
{
    const KnGame *game = walker->game;
    const void *position = position_at(walker, level);
    int count = kn_game_moves_of(game, position, role, moves);
    if (!walker->hashes || !game->type->barred) return count;
    KnHistory history = {.hashes = walker->hashes, .count = (size_t)level};
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!game->type->barred(game, position, &history, moves[i])) moves[kept++] = moves[i];
    return kept;
}

static void walk(Walker *walker, int level, uint64_t weight);

/* The choices of each role at a node. */
typedef struct Choice {
    int count[KN_ROLES_MAX], at[KN_ROLES_MAX];
    KnMove *moves[KN_ROLES_MAX];
} Choice;

/* Plays every joint move; the last role's move changes fastest. */
static void walk_below(Walker *walker, int level, uint64_t weight, Choice *choice)
{
    const KnGame *game = walker->game;
    const Block *position = position_at(walker, level);
    KnMove *joint = walker->joints + (size_t)level * (size_t)game->roles;
    int role;
    do {
        uint64_t ways = weight;
        for (role = 0; role < game->roles; role++) {
            joint[role] = choice->count[role] ? choice->moves[role][choice->at[role]] : KN_MOVE_NONE;
            if (joint[role] != KN_MOVE_NONE && counts_paths(walker))
                ways *= paths_of(walker, position, joint[role]);
        }
        copy_position(walker, position_at(walker, level + 1), position);
        kn_game_play_joint(game, position_at(walker, level + 1), joint);
        walk(walker, level + 1, ways);
        for (role = game->roles - 1; role >= 0; role--) {
            if (++choice->at[role] < choice->count[role]) break;
            choice->at[role] = 0;
        }
    } while (role >= 0 && !walker->stopped);
}

static void finish(Walker *walker, int level, uint64_t weight)
{
    walker->totals.complete += weight;
    walker->sequences += weight * counts_leaves(walker);
    if (level > walker->totals.longest) walker->totals.longest = level;
}

/* The general case; adds its results, times the weight, to the walker's counts. */
static void walk(Walker *walker, int level, uint64_t weight)
{
    const KnGame *game = walker->game;
    const void *position = position_at(walker, level);
    if (walker->frontier && level == walker->frontier->level) {
        write_down(walker, weight);
        return;
    }
    if (!walker->games && level == walker->depth) {
        walker->sequences += weight;
        return;
    }
    if (walker->plain && !walker->frontier) {
        int left = walker->depth - level;
        uint64_t below = left > 1 ? count_plain(walker, level, left)
                                  : count_last(walker, position, walker->moves, counts_paths(walker));
        walker->sequences += weight * (below ? below : counts_leaves(walker));
        return;
    }
    if (told_to_stop(walker)) return;
    Choice choice = {0};
    uint64_t joints = 1;
    uint32_t movers = kn_game_movers(game, position);
    if (walker->hashes) {
        KnHistory history = {.hashes = walker->hashes, .count = (size_t)level};
        double payoffs[KN_ROLES_MAX];
        walker->hashes[level] = game->type->hash(game, position);
        if (movers && game->type->ended && game->type->ended(game, position, &history, payoffs)) movers = 0;
    }
    if (!movers) {
        finish(walker, level, weight);
        return;
    }
    if (level == walker->depth) {
        walker->totals.unfinished += weight;
        return;
    }
    KnMove *list = walker->moves + (size_t)level * walker->list;
    for (int role = 0; role < game->roles; role++) {
        if (!(movers >> role & 1)) continue;
        choice.moves[role] = list;
        choice.count[role] = allowed_moves(walker, level, role, list);
        list += game->max_moves;
        uint64_t ways = (uint64_t)choice.count[role];
        if (counts_paths(walker))
            for (int i = (int)(ways = 0); i < choice.count[role]; i++)
                ways += paths_of(walker, position, choice.moves[role][i]);
        joints *= ways;
    }
    if (!joints) return;
    if (!walker->games && level + 1 == walker->depth)
        walker->sequences += weight * joints;
    else
        walk_below(walker, level, weight, &choice);
}

/* Shared by threads: the parallel loop runs over the frontier. */
typedef struct Shared {
    const Frontier *frontier;
    const KnPerft *how;
    Walker *walkers; /* one for each thread */
    uint64_t *sequences;
    KnPerftGames *totals;
} Shared;

static KnStatus count_node(void *user, int worker, uint64_t index, KnError *error)
{
    Shared *workers = user;
    Walker *walker = &workers->walkers[worker];
    const KnGame *game = walker->game;
    size_t roles = (size_t)game->roles;
    const KnMove *joints = workers->frontier->joints + index * (size_t)workers->frontier->level * roles;
    for (int level = 0; level < workers->frontier->level; level++) {
        if (walker->hashes) walker->hashes[level] = game->type->hash(game, position_at(walker, level));
        copy_position(walker, position_at(walker, level + 1), position_at(walker, level));
        kn_game_play_joint(game, position_at(walker, level + 1), joints + (size_t)level * roles);
    }
    walker->sequences = 0;
    walker->totals = (KnPerftGames){0};
    walk(walker, workers->frontier->level, workers->frontier->weights[index]);
    if (walker->stopped) return kn_fail(error, KN_STOPPED, "counting was stopped");
    workers->sequences[index] = walker->sequences;
    workers->totals[index] = walker->totals;
    return KN_OK;
}

static void add_games(KnPerftGames *sum, const KnPerftGames *part)
{
    sum->complete += part->complete;
    sum->unfinished += part->unfinished;
    if (part->longest > sum->longest) sum->longest = part->longest;
}

/* Counts the frontier recorded by `root` and adds to root's counts. */
static KnStatus count_frontier(Walker *root, const Frontier *frontier, const KnPerft *how, int jobs,
                               KnError *error)
{
    Shared workers = {.frontier = frontier, .how = how};
    workers.walkers = calloc((size_t)jobs, sizeof *workers.walkers);
    workers.sequences = calloc(frontier->count, sizeof *workers.sequences);
    workers.totals = calloc(frontier->count, sizeof *workers.totals);
    int made = 0;
    if (workers.walkers && workers.sequences && workers.totals)
        while (made < jobs && walker_make(&workers.walkers[made], root->game, root->positions, root->depth,
                                          how, root->games))
            made++;
    KnStatus status = made == jobs
                          ? kn_parallel(jobs, frontier->count, count_node, &workers, how->cancel, error)
                          : kn_fail_memory(error, "counting moves");
    for (size_t i = 0; status == KN_OK && i < frontier->count; i++) {
        root->sequences += workers.sequences[i];
        add_games(&root->totals, &workers.totals[i]);
    }
    while (made) walker_free(&workers.walkers[--made]);
    free(workers.walkers);
    free(workers.sequences);
    free(workers.totals);
    return status;
}

/* Finds the first level with enough nodes for all threads, then counts from there. */
static KnStatus count_in_parallel(Walker *root, const KnPerft *how, int jobs, KnError *error)
{
    Frontier frontier = {0};
    size_t enough = 16 * (size_t)jobs;
    while (frontier.level + 2 < root->depth && frontier.count < enough && !root->stopped) {
        free(frontier.weights);
        free(frontier.joints);
        frontier = (Frontier){.level = frontier.level + 1};
        root->sequences = 0;
        root->totals = (KnPerftGames){0};
        root->frontier = &frontier;
        walk(root, 0, 1);
    }
    root->frontier = NULL;
    KnStatus status = KN_OK;
    if (frontier.failed)
        status = kn_fail_memory(error, "counting moves");
    else if (root->stopped)
        status = kn_fail(error, KN_STOPPED, "counting was stopped");
    else if (frontier.count)
        status = count_frontier(root, &frontier, how, jobs, error);
    free(frontier.weights);
    free(frontier.joints);
    return status;
}

static KnStatus run(const KnGame *game, const void *position, int depth, const KnPerft *how, bool games,
                    uint64_t *sequences, KnPerftGames *totals, KnError *error)
{
    static const KnPerft simply = {.jobs = 1};
    if (!how) how = &simply;
    if (depth < 0 || depth > KN_PERFT_DEPTH_MAX)
        return kn_fail(error, KN_USAGE, "a depth of %d makes no sense; 0 to %d", depth, KN_PERFT_DEPTH_MAX);
    Walker root;
    if (!walker_make(&root, game, position, depth, how, games))
        return kn_fail_memory(error, "counting moves");
    int jobs = kn_jobs(how->jobs);
    KnStatus status = KN_OK;
    if (jobs > 1 && depth > 4)
        status = count_in_parallel(&root, how, jobs, error);
    else {
        walk(&root, 0, 1);
        if (root.stopped) status = kn_fail(error, KN_STOPPED, "counting was stopped");
    }
    if (status == KN_OK && sequences) *sequences = root.sequences;
    if (status == KN_OK && totals) *totals = root.totals;
    walker_free(&root);
    return status;
}

KnStatus kn_perft(const KnGame *game, const void *position, int depth, const KnPerft *how, uint64_t *count,
                  KnError *error)
{
    return run(game, position, depth, how, false, count, NULL, error);
}

KnStatus kn_perft_games(const KnGame *game, const void *position, int depth, const KnPerft *how,
                        KnPerftGames *count, KnError *error)
{
    return run(game, position, depth, how, true, NULL, count, error);
}
