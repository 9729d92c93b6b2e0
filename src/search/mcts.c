#include "search/mcts.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "games/playout.h"
#include "search/line.h"

/* A node counts the results of the role that moved into it. Positions are not kept: each iteration replays
 * its path. The children of a node stand together in a random order, so that the first of equals is a uniform
 * choice. */
typedef struct Node {
    KnMove move;
    double total; /* of results in 0..1, for the role that chose the move */
    uint32_t visits;
    uint32_t first, children;
    uint16_t distance; /* to the end, where it is proved */
    int8_t mover;      /* -1: over */
    bool expanded, proved;
    float prior; /* the chance that the options' prior gives it */
} Node;

/* What each thread has of its own. */
typedef struct Walker {
    KnMcts *tree;
    KnMeter meter;
    KnPlayout playout; /* also steps down the tree */
    KnRng rng;
    unsigned char *position; /* of the playout under way */
    size_t hashes_room;
    uint32_t path[KN_SEARCH_PLIES + 1];
    pthread_t thread;
    bool running;
} Walker;

/* Tree parallelisation (Chaslot, Winands and van den Herik 2008): threads share the tree under a lock, and
 * make their playouts without it. With several threads a visit is counted on the way down and its result
 * added on the way up, a virtual loss that sends the other threads elsewhere meanwhile. */
struct KnMcts {
    const KnGame *game;
    const KnEvaluation *evaluation;
    KnMctsOptions options;
    KnLine line;
    Node *nodes;
    double *proofs; /* results of all roles at each node that is proved */
    uint32_t capacity, count;
    uint64_t made; /* playouts begun */
    uint64_t most; /* playouts of this search at most */
    KnMove *root_moves;
    KnRootMove *root;
    KnMove *pv;
    int threads;
    Walker *walkers;
    pthread_mutex_t lock; /* of nodes, proofs, count and made, with several threads */
};

enum { PLAYOUT_PLIES_MAX = 100000 };

KnMctsOptions kn_mcts_options(void)
{
    return (KnMctsOptions){
        .exploration = 0.7, .bytes = (size_t)64 << 20, .playout_plies = 1000, .solve = true};
}

static bool allow(void *user) { return kn_meter_count(user); }

static bool open_walker(KnMcts *u, Walker *w)
{
    size_t width = (size_t)u->game->max_moves;
    void *position = NULL;
    if (posix_memalign(&position, 16, (u->game->position_size + 15) & ~(size_t)15) == 0)
        w->position = position;
    w->tree = u;
    w->playout = (KnPlayout){.game = u->game,
                             .plies = u->options.playout_plies,
                             .moves = malloc(width * sizeof *w->playout.moves),
                             .chances = malloc(width * sizeof *w->playout.chances),
                             .allow = allow,
                             .user = &w->meter};
    return w->position && w->playout.moves && w->playout.chances;
}

static void close_walker(Walker *w)
{
    free(w->position);
    free(w->playout.hashes);
    free(w->playout.moves);
    free(w->playout.chances);
}

static KnStatus take_memory(KnMcts *u, KnError *error)
{
    size_t width = (size_t)u->game->max_moves, roles = (size_t)u->game->roles;
    size_t fit = u->options.bytes / (sizeof(Node) + roles * sizeof(double));
    if (fit < width + 1) fit = width + 1; /* the root and its moves */
    u->capacity = fit < UINT32_MAX ? (uint32_t)fit : UINT32_MAX;
    u->nodes = malloc(u->capacity * sizeof(Node));
    u->proofs = malloc(u->capacity * roles * sizeof(double));
    u->walkers = calloc((size_t)u->threads, sizeof *u->walkers);
    bool walkers = u->walkers;
    for (int i = 0; walkers && i < u->threads; i++) walkers = open_walker(u, &u->walkers[i]);
    u->root_moves = malloc(width * sizeof *u->root_moves);
    u->root = malloc(width * sizeof *u->root);
    u->pv = malloc((KN_SEARCH_PLIES + 1) * sizeof *u->pv);
    if (!u->nodes || !u->proofs || !walkers || !u->root_moves || !u->root || !u->pv)
        return kn_fail(error, KN_SYSTEM, "out of memory: %zu bytes for Monte-Carlo tree search",
                       u->options.bytes);
    return kn_line_open(&u->line, u->game, error);
}

KnMcts *kn_mcts_new(const KnGame *game, const KnEvaluation *evaluation, const KnMctsOptions *options,
                    KnError *error)
{
    if (kn_search_check_game(game, error) != KN_OK) return NULL;
    KnMcts *u = calloc(1, sizeof *u);
    if (!u) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    u->game = game;
    u->evaluation = evaluation;
    u->options = *options;
    if (u->options.playout_plies <= 0 || u->options.playout_plies > PLAYOUT_PLIES_MAX)
        u->options.playout_plies = PLAYOUT_PLIES_MAX;
    u->threads = options->threads > 1 ? options->threads : 1;
    pthread_mutex_init(&u->lock, NULL);
    if (take_memory(u, error) == KN_OK) return u;
    kn_mcts_free(u);
    return NULL;
}

void kn_mcts_free(KnMcts *u)
{
    if (!u) return;
    kn_line_close(&u->line);
    free(u->nodes);
    free(u->proofs);
    for (int i = 0; u->walkers && i < u->threads; i++) close_walker(&u->walkers[i]);
    free(u->walkers);
    pthread_mutex_destroy(&u->lock);
    free(u->root_moves);
    free(u->root);
    free(u->pv);
    free(u);
}

/* ---- Results: payoffs as numbers from 0 to 1, a role each ---- */

static void results_of_payoffs(const KnMcts *u, double *results)
{
    double low = u->game->payoff_low, range = u->game->payoff_high - low;
    for (int role = 0; role < u->game->roles; role++)
        results[role] = range > 0 ? (results[role] - low) / range : 0.5;
}

static void results_of_evaluation(Walker *w, double *results)
{
    const KnMcts *u = w->tree;
    uint64_t plays = 0;
    for (int role = 0; role < u->game->roles; role++)
        results[role] = u->evaluation ? kn_percent_of_score(
                                            u->evaluation,
                                            kn_evaluate_counted(u->evaluation, w->position, role, &plays)) /
                                            100
                                      : 0.5;
    kn_meter_charge(&w->meter, plays);
}

/* ---- Playing on from the current position ---- */

static bool step(Walker *w, KnMove move)
{
    if (!kn_meter_count(&w->meter)) return false;
    kn_playout_step(&w->playout, w->position, move);
    return true;
}

/* Lists the moves of the current position; 0 and the results if the game is over. */
static int list_moves(Walker *w, double *results)
{
    int count = kn_playout_moves(&w->playout, w->position, results);
    if (count == 0) results_of_payoffs(w->tree, results);
    return count;
}

/* A playout from the current position. False when the budget ends. */
static bool simulate(Walker *w, double *results)
{
    KnPlayoutEnd end = kn_playout_run(&w->playout, w->position, results);
    if (end == KN_PLAYOUT_STOPPED) return false;
    if (end == KN_PLAYOUT_OVER)
        results_of_payoffs(w->tree, results);
    else
        results_of_evaluation(w, results);
    return true;
}

/* ---- The tree ---- */

/* Expansion: adds a node's children, in random order; false if the tree is full. */
static bool expand(Walker *w, uint32_t index, const KnMove *moves, int count)
{
    KnMcts *u = w->tree;
    KN_ASSERT(index < u->count && !u->nodes[index].expanded);
    if (u->capacity - u->count < (uint32_t)count) return false;
    Node *node = &u->nodes[index];
    double chances[count];
    if (u->options.prior)
        kn_meter_charge(&w->meter,
                        u->options.prior(u->options.prior_user, w->position, moves, count, chances));
    node->first = u->count;
    for (int i = 0; i < count; i++)
        if (index == 0 || !kn_playout_barred(&w->playout, w->position, moves[i]))
            u->nodes[u->count++] =
                (Node){.move = moves[i], .mover = -2, .prior = u->options.prior ? (float)chances[i] : 0};
    node->children = u->count - node->first;
    node->expanded = node->children > 0;
    for (uint32_t i = node->children; i > 1; i--) {
        uint32_t j = kn_rng_below(w->playout.rng, i);
        Node *a = &u->nodes[node->first + i - 1], *b = &u->nodes[node->first + j], kept = *a;
        *a = *b;
        *b = kept;
    }
    return node->expanded;
}

/* Selection by PUCT (Rosin 2011): the mean result, and a bonus for what the prior holds likely that shrinks
 * with visits. What was never tried counts as the mean of its siblings. */
static uint32_t select_guided(const KnMcts *u, const Node *node)
{
    double total = 0, visits = 0, highest = -INFINITY;
    uint32_t best = node->first;
    for (uint32_t i = node->first; i < node->first + node->children; i++)
        total += u->nodes[i].total, visits += u->nodes[i].visits;
    double usual = visits > 0 ? total / visits : 0.5, reach = u->options.guidance * sqrt(visits + 1);
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (child->proved) continue;
        double bound = (child->visits ? child->total / child->visits : usual) +
                       reach * (double)child->prior / (1 + (double)child->visits);
        if (bound > highest) {
            highest = bound;
            best = i;
        }
    }
    return best;
}

/* Selection: UCB1 (Auer, Cesa-Bianchi and Fischer 2002). Untried children come first, proved ones are left
 * out. */
static uint32_t select_child(Walker *w, uint32_t index)
{
    const KnMcts *u = w->tree;
    const Node *node = &u->nodes[index];
    if (node->mover == u->game->nature) {
        KnPlayout *p = &w->playout;
        for (uint32_t i = 0; i < node->children; i++) p->moves[i] = u->nodes[node->first + i].move;
        return node->first + (uint32_t)kn_playout_draw(u->game, w->position, node->mover, p->moves,
                                                       (int)node->children, p->chances, p->rng);
    }
    if (u->options.prior) return select_guided(u, node);
    double highest = -1, log_visits = kn_math_log((double)node->visits + 1);
    uint32_t best = node->first;
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (child->proved) continue;
        if (child->visits == 0) return i;
        double bound = child->total / child->visits +
                       u->options.exploration * sqrt(log_visits / child->visits);
        if (bound > highest) {
            highest = bound;
            best = i;
        }
    }
    return best;
}

static double *proof_of(const KnMcts *u, uint32_t node) { return u->proofs + node * (size_t)u->game->roles; }

/* MCTS-Solver: a node is proved by a move to the mover's highest result, or once all moves are proved. Among
 * equals a win should be near and any other end far. */
static bool prove(KnMcts *u, uint32_t index)
{
    Node *node = &u->nodes[index];
    int roles = u->game->roles, mover = node->mover;
    bool all = true;
    uint32_t best = UINT32_MAX;
    if (mover == u->game->nature) return false; /* left to sampling */
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        if (!u->nodes[i].proved) {
            all = false;
            continue;
        }
        double value = proof_of(u, i)[mover], so_far = best == UINT32_MAX ? -1 : proof_of(u, best)[mover];
        bool nearer = best != UINT32_MAX && u->nodes[i].distance < u->nodes[best].distance;
        bool farther = best != UINT32_MAX && u->nodes[i].distance > u->nodes[best].distance;
        if (value > so_far || (value == so_far && (value >= 1 ? nearer : farther))) best = i;
    }
    if (best == UINT32_MAX || (!all && proof_of(u, best)[mover] < 1)) return false;
    memcpy(proof_of(u, index), proof_of(u, best), (size_t)roles * sizeof(double));
    node->proved = true;
    node->distance = (uint16_t)(u->nodes[best].distance + 1);
    return true;
}

/* Backpropagation: adds the results to every node of the path, for the role that chose it; carries proofs
 * up. */
static void back_up(Walker *w, int length, const double *results)
{
    KnMcts *u = w->tree;
    bool proving = u->options.solve && u->nodes[w->path[length]].proved;
    for (int i = length; i >= 0; i--) {
        Node *node = &u->nodes[w->path[i]];
        if (i == 0 || u->threads == 1) node->visits++;
        if (i > 0) {
            int chooser = u->nodes[w->path[i - 1]].mover;
            KN_ASSERT(chooser >= 0 && chooser < u->game->roles);
            node->total += results[chooser];
        }
        if (proving && i < length) proving = node->proved || prove(u, w->path[i]);
    }
}

static void lock(KnMcts *u)
{
    if (u->threads > 1) pthread_mutex_lock(&u->lock);
}

static void unlock(KnMcts *u)
{
    if (u->threads > 1) pthread_mutex_unlock(&u->lock);
}

/* Takes the virtual losses of an unfinished path back. */
static void take_back(Walker *w, int length)
{
    for (int i = 1; i <= length && w->tree->threads > 1; i++) w->tree->nodes[w->path[i]].visits--;
}

typedef enum Descent { TO_LEAF, TO_END, STOPPED } Descent;

/* Selection and expansion, down to a leaf or an end of the game, whose results are filled. */
static Descent descend(Walker *w, int *length, double *results)
{
    KnMcts *u = w->tree;
    int ply = 0;
    uint32_t at = w->path[0] = 0;
    while (u->nodes[at].expanded && ply < KN_SEARCH_PLIES) {
        at = select_child(w, at);
        if (!step(w, u->nodes[at].move)) {
            take_back(w, ply);
            return STOPPED;
        }
        w->path[++ply] = at;
        Node *node = &u->nodes[at];
        bool fresh = node->visits == 0;
        if (u->threads > 1) node->visits++; /* virtual loss */
        *length = ply;
        if (node->expanded) continue;
        int count = list_moves(w, results);
        node->mover = count ? (int8_t)u->game->type->mover(u->game, w->position) : -1;
        if (count == 0) {
            if (u->options.solve) {
                node->proved = true;
                memcpy(proof_of(u, at), results, (size_t)u->game->roles * sizeof(double));
            }
            return TO_END;
        }
        if (fresh || !expand(w, at, w->playout.moves, count)) break;
    }
    return TO_LEAF;
}

/* One iteration: selection, expansion, simulation, backpropagation. False when the budget ends. */
static bool iterate(Walker *w)
{
    KnMcts *u = w->tree;
    double results[KN_ROLES_MAX];
    memcpy(w->position, kn_line_at(&u->line, 0), u->game->position_size);
    w->playout.hash_count = u->line.past;
    int length = 0;
    lock(u);
    bool enough = u->nodes[0].proved || u->made >= u->most;
    u->made += !enough;
    Descent descent = enough ? STOPPED : descend(w, &length, results);
    unlock(u);
    if (descent == STOPPED) return false;
    bool finished = descent == TO_END || simulate(w, results);
    lock(u);
    if (finished)
        back_up(w, length, results);
    else
        take_back(w, length);
    unlock(u);
    return finished;
}

static void *walk(void *argument)
{
    while (iterate(argument)) continue;
    return NULL;
}

/* ---- The answer ---- */

/* The value of a child to a role: proved, or the mean of its results. */
static double value_of(const KnMcts *u, uint32_t child, int role)
{
    const Node *node = &u->nodes[child];
    return node->proved ? proof_of(u, child)[role] : node->visits ? node->total / node->visits : 0.5;
}

/* The most visited child (robust child), unless a proved one is as good. UINT32_MAX: there is none. */
static uint32_t best_child(const KnMcts *u, uint32_t index)
{
    const Node *node = &u->nodes[index];
    uint32_t visited = UINT32_MAX, proved = UINT32_MAX;
    for (uint32_t i = node->first; node->expanded && i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (!child->proved) {
            if (visited == UINT32_MAX || child->visits > u->nodes[visited].visits) visited = i;
            continue;
        }
        double value = value_of(u, i, node->mover),
               so_far = proved == UINT32_MAX ? -1 : value_of(u, proved, node->mover);
        bool sooner = proved != UINT32_MAX && child->distance < u->nodes[proved].distance;
        bool later = proved != UINT32_MAX && child->distance > u->nodes[proved].distance;
        if (value > so_far || (value == so_far && (value >= 1 ? sooner : later))) proved = i;
    }
    if (visited == UINT32_MAX || proved == UINT32_MAX) return visited == UINT32_MAX ? proved : visited;
    return value_of(u, proved, node->mover) >= value_of(u, visited, node->mover) ? proved : visited;
}

static KnScore score_of(const KnMcts *u, uint32_t child, int role)
{
    const Node *node = &u->nodes[child];
    double value = value_of(u, child, role);
    if (!node->proved) return (KnScore)lround((2 * value - 1) * (KN_SCORE_PAYOFF - 1));
    double low = u->game->payoff_low, high = u->game->payoff_high;
    double payoff = value >= 1 ? high : low + value * (high - low); /* no rounding at the top */
    return kn_score_of_payoff(u->game, payoff, node->distance + 1);
}

static void answer(KnMcts *u, int count, KnSearchResult *result)
{
    const Node *root = &u->nodes[0];
    for (int i = 0; i < count; i++) {
        uint32_t child = root->first; /* children were shuffled */
        while (u->nodes[child].move != u->root_moves[i]) child++;
        const Node *node = &u->nodes[child];
        u->root[i] = (KnRootMove){u->root_moves[i], score_of(u, child, root->mover),
                                  node->proved ? KN_BOUND_EXACT : KN_BOUND_NONE, node->visits};
    }
    uint32_t best = best_child(u, 0);
    result->move = u->nodes[best].move;
    result->score = score_of(u, best, root->mover);
    result->root = u->root;
    result->root_count = count;
    while (best != UINT32_MAX && result->pv_length < KN_SEARCH_PLIES) {
        u->pv[result->pv_length++] = u->nodes[best].move;
        if (u->nodes[best].mover == u->game->nature || (!u->nodes[best].proved && !u->nodes[best].visits))
            break;
        best = best_child(u, best);
    }
    result->pv = u->pv;
    result->depth = result->pv_length;
    for (int i = 0; i < u->threads; i++) result->nodes += u->walkers[i].meter.nodes;
    result->seconds = kn_meter_seconds(&u->walkers[0].meter);
    result->stored = u->count;
    result->playouts = root->visits;
    for (uint32_t i = 0; i < u->count; i++) result->solved += u->nodes[i].proved;
}

/* The history, with room for the longest playout. */
static KnStatus copy_history(KnMcts *u, Walker *w, KnError *error)
{
    size_t room = u->line.past + KN_SEARCH_PLIES + (size_t)u->options.playout_plies + 2;
    if (!(u->game->traits & KN_GAME_LOOKS_BACK)) return KN_OK;
    if (room > w->hashes_room) {
        uint64_t *hashes = realloc(w->playout.hashes, room * sizeof *hashes);
        if (!hashes) return kn_fail_memory(error, "sampling a tree");
        w->playout.hashes = hashes;
        w->hashes_room = room;
    }
    memcpy(w->playout.hashes, u->line.hashes, u->line.past * sizeof *w->playout.hashes);
    return KN_OK;
}

KnStatus kn_mcts_run(KnMcts *u, const void *position, const KnHistory *history,
                     const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    if (!request->rng)
        return kn_fail(error, KN_USAGE, "Monte-Carlo tree search needs a random number generator");
    if (!request->budget.nodes && request->budget.seconds <= 0 && !request->cancel && !u->options.playouts)
        return kn_fail(error, KN_USAGE, "Monte-Carlo tree search needs a limit: playouts, nodes or seconds");
    KnBudget budget = request->budget; /* of a thread */
    if (budget.nodes) budget.nodes = (budget.nodes + (uint64_t)u->threads - 1) / (uint64_t)u->threads;
    for (int i = 0; i < u->threads; i++) kn_meter_start(&u->walkers[i].meter, &budget, request->cancel);
    int count;
    KnStatus status = kn_line_start(&u->line, position, history, error);
    if (status == KN_OK) status = kn_line_root_moves(&u->line, request, u->root_moves, &count, error);
    for (int i = 0; i < u->threads && status == KN_OK; i++) status = copy_history(u, &u->walkers[i], error);
    if (status != KN_OK) return status;
    Walker *first = &u->walkers[0];
    first->playout.rng = request->rng;
    u->made = 0;
    u->most = request->open_ended || !u->options.playouts ? UINT64_MAX : u->options.playouts;
    u->count = 1;
    u->nodes[0] = (Node){.move = KN_MOVE_NONE, .mover = (int8_t)u->game->type->mover(u->game, position)};
    memcpy(first->position, position, u->game->position_size);
    expand(first, 0, u->root_moves, count);
    for (int i = 1; i < u->threads; i++) {
        Walker *w = &u->walkers[i];
        w->rng = kn_rng_stream(kn_rng_next(request->rng), (uint64_t)i);
        w->playout.rng = &w->rng;
    }
    for (int i = 1; i < u->threads; i++)
        u->walkers[i].running = pthread_create(&u->walkers[i].thread, NULL, walk, &u->walkers[i]) == 0;
    walk(first);
    for (int i = 1; i < u->threads; i++)
        if (u->walkers[i].running) pthread_join(u->walkers[i].thread, NULL);
    result->completed = !first->meter.stopped;
    result->stop = first->meter.stopped ? first->meter.why : KN_STOP_DONE;
    answer(u, count, result);
    return KN_OK;
}
