#include "search/breadth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "search/line.h"

/* The tree is one array in the order of expansion, so the array is also the queue. The children of a node are
 * adjacent and come after all nodes of lesser depth; one pass from the end backs up all values. */
typedef struct Node {
    KnMove move; /* from the parent */
    uint64_t hash;
    uint32_t parent;
    uint32_t first;    /* its first child */
    uint32_t children; /* 0: not expanded, or the game is over */
    uint32_t won_children;
    KnScore value; /* for the viewpoint */
    uint16_t ply;
    int8_t mover; /* -1: the game is over */
    bool won;     /* the viewpoint can force an end with a sufficient payoff from here */
    bool expanded;
} Node;

struct KnBreadth {
    const KnGame *game;
    const KnEvaluation *evaluation;
    KnBreadthOptions options;
    KnLine line;
    KnMeter meter;
    int viewpoint;
    Node *nodes;
    unsigned char *positions;
    size_t stride;
    uint32_t capacity, count;
    uint64_t *seen; /* hashes of visited positions, open addressing; NULL: not used */
    uint64_t seen_mask;
    KnMove *moves, *root_moves;
    double *chances; /* of nature's moves */
    KnRootMove *root;
    KnMove *pv;
};

enum { NO_NODE = UINT32_MAX };

KnBreadthOptions kn_breadth_options(const KnGame *game)
{
    return (KnBreadthOptions){.bytes = (size_t)64 << 20, .sufficient = game->payoff_high};
}

static bool visits_once(const KnGame *game)
{
    return game->roles == 1 && !(game->traits & KN_GAME_LOOKS_BACK);
}

size_t kn_breadth_bytes(const KnGame *game)
{
    return sizeof(Node) + ((game->position_size + 15) & ~(size_t)15) +
           (visits_once(game) ? 4 * sizeof(uint64_t) : 0);
}

static KnStatus take_memory(KnBreadth *b, KnError *error)
{
    size_t width = (size_t)b->game->max_moves, each = kn_breadth_bytes(b->game);
    bool once = visits_once(b->game);
    size_t fit = b->options.bytes / each, least = width + 1; /* the root and its moves must fit */
    if (fit < least) fit = least;
    b->capacity = fit < NO_NODE ? (uint32_t)fit : NO_NODE - 1;
    b->nodes = malloc(b->capacity * sizeof(Node));
    void *positions = NULL;
    if (posix_memalign(&positions, 16, b->capacity * b->stride) == 0) b->positions = positions;
    if (once) {
        uint64_t slots = 4;
        while (slots < 2 * (uint64_t)b->capacity) slots *= 2;
        b->seen = malloc(slots * sizeof *b->seen);
        b->seen_mask = slots - 1;
    }
    b->moves = malloc(width * sizeof *b->moves);
    b->root_moves = malloc(width * sizeof *b->root_moves);
    b->chances = malloc(width * sizeof *b->chances);
    b->root = malloc(width * sizeof *b->root);
    b->pv = malloc((KN_SEARCH_PLIES + 1) * sizeof *b->pv);
    if (!b->nodes || !b->positions || (once && !b->seen) || !b->moves || !b->root_moves || !b->chances ||
        !b->root || !b->pv)
        return kn_fail(error, KN_SYSTEM, "out of memory: %zu bytes for breadth-first search",
                       b->options.bytes);
    return kn_line_open(&b->line, b->game, error);
}

KnBreadth *kn_breadth_new(const KnGame *game, const KnEvaluation *evaluation, const KnBreadthOptions *options,
                          KnError *error)
{
    if (kn_search_check_game(game, error) != KN_OK) return NULL;
    KnBreadth *b = calloc(1, sizeof *b);
    if (!b) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    b->game = game;
    b->evaluation = evaluation;
    b->options = *options;
    b->stride = (game->position_size + 15) & ~(size_t)15;
    if (take_memory(b, error) == KN_OK) return b;
    kn_breadth_free(b);
    return NULL;
}

void kn_breadth_free(KnBreadth *b)
{
    if (!b) return;
    kn_line_close(&b->line);
    free(b->nodes);
    free(b->positions);
    free(b->seen);
    free(b->moves);
    free(b->root_moves);
    free(b->chances);
    free(b->root);
    free(b->pv);
    free(b);
}

static void *position_of(const KnBreadth *b, uint32_t node)
{
    KN_ASSERT(node < b->capacity);
    return b->positions + node * b->stride;
}

/* Inserts a position; false if it was there already. 0 marks an empty slot. */
static bool remember(KnBreadth *b, uint64_t hash)
{
    hash += hash == 0;
    for (uint64_t i = kn_mix64(hash) & b->seen_mask;; i = (i + 1) & b->seen_mask) {
        if (b->seen[i] == hash) return false;
        if (b->seen[i]) continue;
        b->seen[i] = hash;
        return true;
    }
}

/* The history of a node, from its chain of parents. */
static KnHistory history_of(KnBreadth *b, uint32_t node)
{
    int ply = b->nodes[node].ply;
    KN_ASSERT(ply <= KN_SEARCH_PLIES);
    for (uint32_t n = b->nodes[node].parent; n != NO_NODE; n = b->nodes[n].parent)
        b->line.hashes[b->line.past + b->nodes[n].ply] = b->nodes[n].hash;
    return kn_line_history(&b->line, ply);
}

/* Propagates a win upwards: the viewpoint needs one winning move; all moves of another role must lose to it.
 */
static void propagate_win(KnBreadth *b, uint32_t node)
{
    while (node != NO_NODE && !b->nodes[node].won) {
        b->nodes[node].won = true;
        node = b->nodes[node].parent;
        if (node == NO_NODE || b->nodes[node].mover == b->viewpoint) continue;
        Node *parent = &b->nodes[node];
        if (++parent->won_children < parent->children) return;
        KN_ASSERT(parent->won_children == parent->children);
    }
}

/* Fills a new node whose position is set: the mover, and the payoff or the evaluation. */
static void evaluate_node(KnBreadth *b, uint32_t index)
{
    KN_ASSERT(index < b->count);
    const KnGame *game = b->game;
    Node *node = &b->nodes[index];
    const void *position = position_of(b, index);
    double payoffs[KN_ROLES_MAX];
    bool over = game->type->moves(game, position, b->moves) == 0;
    if (over) {
        game->type->payoffs(game, position, payoffs);
    } else if (game->type->ended) {
        KnHistory history = history_of(b, index);
        over = game->type->ended(game, position, &history, payoffs);
    }
    node->mover = over ? -1 : (int8_t)game->type->mover(game, position);
    if (!over) {
        uint64_t plays = 0;
        node->value = kn_evaluate_counted(b->evaluation, position, b->viewpoint, &plays);
        kn_meter_charge(&b->meter, plays);
        return;
    }
    node->value = kn_score_of_payoff(game, payoffs[b->viewpoint], node->ply);
    if (payoffs[b->viewpoint] >= b->options.sufficient) propagate_win(b, index);
}

typedef enum Expansion { EXPANDED, NO_MEMORY, NO_BUDGET } Expansion;

/* Adds all children of a node, or none. They are evaluated when all exist, because propagate_win compares
 * with the number of children. */
static Expansion expand(KnBreadth *b, uint32_t index, const KnMove *moves, int count)
{
    const KnGame *game = b->game;
    Node *node = &b->nodes[index];
    KN_ASSERT(index < b->count && b->count <= b->capacity && !node->expanded);
    if (b->capacity - b->count < (uint32_t)count) return NO_MEMORY;
    uint32_t first = b->count;
    for (int i = 0; i < count; i++) {
        if (game->type->barred && index) {
            KnHistory history = history_of(b, index);
            if (game->type->barred(game, position_of(b, index), &history, moves[i])) continue;
        }
        if (!kn_meter_count(&b->meter)) {
            b->count = first;
            return NO_BUDGET;
        }
        void *child = position_of(b, b->count);
        memcpy(child, position_of(b, index), b->stride);
        game->type->play(game, child, moves[i]);
        uint64_t hash = game->type->hash(game, child);
        if (b->seen && !remember(b, hash) && index) continue;
        b->nodes[b->count++] =
            (Node){.move = moves[i], .hash = hash, .parent = index, .ply = (uint16_t)(node->ply + 1)};
    }
    node->first = first;
    node->children = b->count - first;
    node->expanded = true;
    for (uint32_t i = first; i < b->count; i++) evaluate_node(b, i);
    return EXPANDED;
}

/* Whether the node or one of its ancestors is won already, so that expanding it is useless. */
static bool is_decided(const KnBreadth *b, uint32_t node)
{
    for (; node != NO_NODE; node = b->nodes[node].parent)
        if (b->nodes[node].won) return true;
    return false;
}

/* Expands node by node until a win is forced, the tree is exhausted, or memory or budget ends. Sets the last
 * complete level.
 */
static KnStop grow(KnBreadth *b, int root_count, int depth, KnSearchResult *result)
{
    /* Backing up the values takes about 10 ns a node: that time is reserved. */
    double deadline = b->meter.deadline;
    for (uint32_t next = 0; next < b->count; next++) {
        Node *node = &b->nodes[next];
        result->depth = node->ply;
        if (b->nodes[0].won || node->ply >= depth) return KN_STOP_DONE;
        if (node->mover < 0 || is_decided(b, next)) continue;
        b->meter.deadline = deadline - 2e-8 * b->count;
        int count = next ? b->game->type->moves(b->game, position_of(b, next), b->moves) : root_count;
        Expansion expansion = expand(b, next, next ? b->moves : b->root_moves, count);
        if (expansion == NO_MEMORY) return KN_STOP_MEMORY;
        if (expansion == NO_BUDGET) return b->meter.why;
    }
    result->depth = b->nodes[b->count - 1].ply;
    return KN_STOP_DONE;
}

/* Backs up the values from the end of the array to its beginning: children come after their parents. A node
 * whose children all occurred before keeps an infinite value: it leads to nothing new. */
static void back_up(KnBreadth *b)
{
    for (uint32_t i = b->count; i-- > 0;) {
        Node *node = &b->nodes[i];
        if (!node->expanded) continue;
        KN_ASSERT(node->first > i && node->first + node->children <= b->count);
        const Node *child = b->nodes + node->first;
        bool mine = node->mover == b->viewpoint, chance = node->mover == b->game->nature;
        KnScore value = mine ? -KN_SCORE_INFINITE : KN_SCORE_INFINITE;
        double mean = 0;
        if (chance) {
            for (uint32_t k = 0; k < node->children; k++)
                b->moves[k] = child[k].move, b->chances[k] = 1.0 / node->children;
            if (b->game->type->chances)
                b->game->type->chances(b->game, position_of(b, i), b->moves, (int)node->children, b->chances);
        }
        for (uint32_t k = 0; k < node->children; k++) {
            if (chance)
                mean += b->chances[k] * child[k].value;
            else if (mine ? child[k].value > value : child[k].value < value)
                value = child[k].value;
        }
        node->value = chance ? (KnScore)lround(mean) : value;
    }
}

/* The principal variation; it ends at a chance node. */
static void write_pv(KnBreadth *b, uint32_t node, KnSearchResult *result)
{
    int length = 0;
    while (length < KN_SEARCH_PLIES) {
        b->pv[length++] = b->nodes[node].move;
        const Node *at = &b->nodes[node];
        if (!at->children || at->mover == b->game->nature) break;
        for (node = at->first; b->nodes[node].value != at->value;) node++;
        KN_ASSERT(node < at->first + at->children);
    }
    result->pv = b->pv;
    result->pv_length = length;
    result->leaf = position_of(b, node);
}

static void choose(KnBreadth *b, int count, KnRng *rng, KnSearchResult *result)
{
    const Node *root = &b->nodes[0];
    KN_ASSERT(!root->expanded || root->children == (uint32_t)count);
    int best = 0, equals = 0;
    for (int i = 0; i < count; i++) {
        b->root[i] = (KnRootMove){b->root_moves[i], 0, KN_BOUND_NONE, 0};
        if (!root->expanded) continue;
        b->root[i].score = b->nodes[root->first + (uint32_t)i].value;
        b->root[i].bound = KN_BOUND_EXACT;
        if (b->root[i].score < b->root[best].score) continue;
        equals = equals && b->root[i].score == b->root[best].score ? equals + 1 : 1;
        if (equals == 1 || (rng && kn_rng_below(rng, (uint32_t)equals) == 0)) best = i;
    }
    result->move = b->root_moves[best];
    result->root = b->root;
    result->root_count = count;
    if (!root->expanded) { /* no value is known */
        result->move = b->root_moves[rng ? (int)kn_rng_below(rng, (uint32_t)count) : 0];
        return;
    }
    result->score = b->root[best].score;
    write_pv(b, root->first + (uint32_t)best, result);
}

KnStatus kn_breadth_run(KnBreadth *b, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    kn_meter_start(&b->meter, &request->budget, request->cancel);
    int count;
    KnStatus status = kn_line_start(&b->line, position, history, error);
    if (status == KN_OK) status = kn_line_root_moves(&b->line, request, b->root_moves, &count, error);
    if (status != KN_OK) return status;
    b->viewpoint = b->game->type->mover(b->game, position);
    b->count = 1;
    b->nodes[0] = (Node){.move = KN_MOVE_NONE,
                         .hash = b->line.hashes[b->line.past],
                         .parent = NO_NODE,
                         .mover = (int8_t)b->viewpoint};
    memcpy(position_of(b, 0), kn_line_at(&b->line, 0), b->stride);
    if (b->seen) {
        memset(b->seen, 0, (b->seen_mask + 1) * sizeof *b->seen);
        remember(b, b->nodes[0].hash);
    }
    int depth = request->budget.depth;
    if (depth <= 0 || depth > KN_SEARCH_PLIES) depth = KN_SEARCH_PLIES;
    result->stop = grow(b, count, depth, result);
    result->completed = result->stop == KN_STOP_DONE;
    back_up(b);
    choose(b, count, request->rng, result);
    result->stored = b->count;
    result->nodes = b->meter.nodes;
    result->seconds = kn_meter_seconds(&b->meter);
    return KN_OK;
}
