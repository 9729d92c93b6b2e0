#include "search/mcts.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "games/playout.h"
#include "search/line.h"

/* How far a node is grown, or proved. One thread claims each step, and others use what it writes once it is
 * done. */
typedef enum Stage { OPEN, CLAIMED, DONE } Stage;

/* A node counts the results of the role that moved into it. Positions are not kept: each iteration replays
 * its path. The children of a node stand together in a random order, so that the first of equals is a uniform
 * choice. */
typedef struct Node {
    KnMove move;
    _Atomic double total; /* of results in 0..1, for the role that chose the move */
    _Atomic uint32_t visits;
    uint32_t first, children;            /* once grown */
    float prior;                         /* the chance that the options' prior gives it */
    uint16_t distance;                   /* to the end, once proved */
    _Atomic int8_t mover;                /* -1: over */
    _Atomic unsigned char grown, proved; /* a Stage each */
} Node;

/* What each thread has of its own, in cache lines of its own. */
typedef struct Walker {
    _Alignas(64) KnMcts *tree;
    KnMeter meter;
    KnPlayout playout; /* also steps down the tree */
    KnRng rng;
    unsigned char *position; /* of the playout under way */
    size_t hashes_room;
    uint32_t path[KN_SEARCH_PLIES + 1];
    pthread_t thread;
    bool running;
    uint64_t judged; /* playouts that the evaluation judged */
} Walker;

/* Tree parallelisation (Chaslot, Winands and van den Herik 2008) without locks (Enzenberger and Mueller
 * 2009): a thread that waits for a lock sleeps, and waking it takes longer than an iteration. Counts are
 * atomic, and a node's children or proof are published as a whole. With several threads a visit is counted on
 * the way down and its result added on the way up, a virtual loss that sends the other threads elsewhere
 * meanwhile. */
struct KnMcts {
    const KnGame *game;
    const KnEvaluation *evaluation;
    KnMctsOptions options;
    KnLine line;
    Node *nodes;
    double *proofs;        /* results of all roles at each node that is proved */
    atomic_bool unopposed; /* an end was met at which what one gained the other did not lose */
    uint32_t capacity;
    uint64_t most; /* playouts of this search at most */
    KnMove *root_moves;
    KnRootMove *root;
    KnMove *pv;
    int threads;
    Walker *walkers;
    _Alignas(64) _Atomic uint32_t count; /* of nodes; apart from what all threads read all the time */
    _Atomic uint64_t made;               /* playouts begun, where they are limited */
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
    if (posix_memalign(&position, 64, (u->game->position_size + 63) & ~(size_t)63) == 0)
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
    u->walkers = aligned_alloc(_Alignof(Walker), (size_t)u->threads * sizeof *u->walkers);
    if (u->walkers) memset(u->walkers, 0, (size_t)u->threads * sizeof *u->walkers);
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
    KnMcts *u = aligned_alloc(_Alignof(KnMcts), sizeof *u);
    if (!u) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    memset(u, 0, sizeof *u);
    u->game = game;
    u->evaluation = evaluation;
    u->options = *options;
    if (u->options.playout_plies <= 0 || u->options.playout_plies > PLAYOUT_PLIES_MAX)
        u->options.playout_plies = PLAYOUT_PLIES_MAX;
    u->threads = options->threads > 1 ? options->threads : 1;
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
    w->judged++;
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

static bool is_done(const _Atomic unsigned char *stage) { return atomic_load(stage) == DONE; }

/* True for the one thread that may take a step. */
static bool claim(_Atomic unsigned char *stage)
{
    unsigned char open = OPEN;
    return atomic_compare_exchange_strong(stage, &open, CLAIMED);
}

/* Room for `kept` nodes, if there is some for `count`; UINT32_MAX if the tree is full. */
static uint32_t take_nodes(KnMcts *u, uint32_t count, uint32_t kept)
{
    uint32_t first = atomic_load(&u->count);
    do {
        if (u->capacity - first < count) return UINT32_MAX;
    } while (!atomic_compare_exchange_weak(&u->count, &first, first + kept));
    return first;
}

/* Adds a claimed node's children, in random order; false if the tree is full or the history bars all. */
static bool add_children(Walker *w, uint32_t index, const KnMove *moves, int count)
{
    KnMcts *u = w->tree;
    if (u->capacity - atomic_load(&u->count) < (uint32_t)count) return false;
    KnMove kept[count];
    double chances[count];
    uint32_t children = 0;
    if (u->options.prior)
        kn_meter_charge(&w->meter,
                        u->options.prior(u->options.prior_user, w->position, moves, count, chances));
    for (int i = 0; i < count; i++)
        if (index == 0 || !kn_playout_barred(&w->playout, w->position, moves[i])) {
            kept[children] = moves[i];
            chances[children++] = u->options.prior ? chances[i] : 0;
        }
    uint32_t first = children ? take_nodes(u, (uint32_t)count, children) : UINT32_MAX;
    if (first == UINT32_MAX) return false;
    for (uint32_t i = children; i > 0; i--) {
        uint32_t j = i > 1 ? kn_rng_below(w->playout.rng, i) : 0;
        u->nodes[first + i - 1] = (Node){.move = kept[j], .mover = -2, .prior = (float)chances[j]};
        kept[j] = kept[i - 1];
        chances[j] = chances[i - 1];
    }
    u->nodes[index].first = first;
    u->nodes[index].children = children;
    return true;
}

/* Expansion. False if the node stays a leaf, also while another thread expands it. */
static bool expand(Walker *w, uint32_t index, const KnMove *moves, int count)
{
    KN_ASSERT(index < w->tree->count);
    Node *node = &w->tree->nodes[index];
    if (!claim(&node->grown)) return false;
    bool added = add_children(w, index, moves, count);
    atomic_store(&node->grown, added ? DONE : OPEN);
    return added;
}

static uint32_t visits_of(const Node *node)
{
    return atomic_load_explicit(&node->visits, memory_order_relaxed);
}

static double total_of(const Node *node) { return atomic_load_explicit(&node->total, memory_order_relaxed); }

static int mover_of(const Node *node) { return atomic_load_explicit(&node->mover, memory_order_relaxed); }

/* Counts `more` visits and returns how many there were. One thread pays for no atomic operation. */
static uint32_t count_visit(const KnMcts *u, Node *node, int more)
{
    if (u->threads > 1) return atomic_fetch_add_explicit(&node->visits, (uint32_t)more, memory_order_relaxed);
    uint32_t before = visits_of(node);
    atomic_store_explicit(&node->visits, before + (uint32_t)more, memory_order_relaxed);
    return before;
}

static void add_result(const KnMcts *u, Node *node, double result)
{
    double before = total_of(node);
    if (u->threads == 1)
        atomic_store_explicit(&node->total, before + result, memory_order_relaxed);
    else
        while (!atomic_compare_exchange_weak_explicit(&node->total, &before, before + result,
                                                      memory_order_relaxed, memory_order_relaxed))
            continue;
}

/* Selection by PUCT (Rosin 2011): the mean result, and a bonus for what the prior holds likely that shrinks
 * with visits. What was never tried counts as the mean of its siblings. */
static uint32_t select_guided(const KnMcts *u, const Node *node)
{
    double total = 0, visits = 0, highest = -INFINITY;
    uint32_t best = node->first;
    for (uint32_t i = node->first; i < node->first + node->children; i++)
        total += total_of(&u->nodes[i]), visits += visits_of(&u->nodes[i]);
    double usual = visits > 0 ? total / visits : 0.5, reach = u->options.guidance * sqrt(visits + 1);
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (is_done(&child->proved)) continue;
        uint32_t tried = visits_of(child);
        double bound = (tried ? total_of(child) / tried : usual) +
                       reach * (double)child->prior / (1 + (double)tried);
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
    if (mover_of(node) == u->game->nature) {
        KnPlayout *p = &w->playout;
        for (uint32_t i = 0; i < node->children; i++) p->moves[i] = u->nodes[node->first + i].move;
        return node->first + (uint32_t)kn_playout_draw(u->game, w->position, mover_of(node), p->moves,
                                                       (int)node->children, p->chances, p->rng);
    }
    if (u->options.prior) return select_guided(u, node);
    double highest = -1, log_visits = kn_math_log((double)visits_of(node) + 1);
    uint32_t best = node->first;
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (is_done(&child->proved)) continue;
        uint32_t tried = visits_of(child);
        if (tried == 0) return i;
        double bound = total_of(child) / tried + u->options.exploration * sqrt(log_visits / tried);
        if (bound > highest) {
            highest = bound;
            best = i;
        }
    }
    return best;
}

static double *proof_of(const KnMcts *u, uint32_t node) { return u->proofs + node * (size_t)u->game->roles; }

/* Publishes a node's proof. False if another thread does, which carries it up the tree too. */
static bool publish_proof(KnMcts *u, uint32_t index, const double *results, int distance)
{
    Node *node = &u->nodes[index];
    if (!claim(&node->proved)) return false;
    memcpy(proof_of(u, index), results, (size_t)u->game->roles * sizeof(double));
    node->distance = (uint16_t)distance;
    atomic_store(&node->proved, DONE);
    return true;
}

/* What the other roles get if the mover takes its best proved move: the least among equals, for the mover
 * does not mind. False if a move that is not proved could be as good for the mover and worse for another. */
static bool settle_others(const KnMcts *u, const Node *node, uint32_t best, bool all, double *results)
{
    const KnGame *game = u->game;
    int mover = mover_of(node);
    memcpy(results, proof_of(u, best), (size_t)game->roles * sizeof(double));
    for (uint32_t i = node->first; i < node->first + node->children; i++)
        for (int role = 0; role < game->roles && is_done(&u->nodes[i].proved); role++)
            if (proof_of(u, i)[mover] == results[mover] && proof_of(u, i)[role] < results[role])
                results[role] = proof_of(u, i)[role];
    for (int role = 0; role < game->roles && !all; role++)
        if (role != mover && role != game->nature && results[role] > 0) return false;
    return true;
}

/* MCTS-Solver: a node is proved by a move to the mover's highest result, or once all moves are proved. Among
 * equals a win should be near and any other end far. Stages are sequentially consistent, so that of two
 * threads that prove the last two moves at the same time one sees both proofs. */
static bool prove(KnMcts *u, uint32_t index)
{
    const Node *node = &u->nodes[index];
    int mover = mover_of(node);
    bool all = true;
    uint32_t best = UINT32_MAX;
    if (mover == u->game->nature) return false; /* left to sampling */
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        if (!is_done(&u->nodes[i].proved)) {
            all = false;
            continue;
        }
        double value = proof_of(u, i)[mover], so_far = best == UINT32_MAX ? -1 : proof_of(u, best)[mover];
        bool nearer = best != UINT32_MAX && u->nodes[i].distance < u->nodes[best].distance;
        bool farther = best != UINT32_MAX && u->nodes[i].distance > u->nodes[best].distance;
        if (value > so_far || (value == so_far && (value >= 1 ? nearer : farther))) best = i;
    }
    if (best == UINT32_MAX || (!all && proof_of(u, best)[mover] < 1)) return false;
    double results[KN_ROLES_MAX];
    return settle_others(u, node, best, all, results) &&
           publish_proof(u, index, results, u->nodes[best].distance + 1);
}

/* Backpropagation: adds the results to every node of the path, for the role that chose it; carries proofs
 * up. */
static void back_up(Walker *w, int length, const double *results)
{
    KnMcts *u = w->tree;
    bool proving = u->options.solve && is_done(&u->nodes[w->path[length]].proved);
    for (int i = length; i >= 0; i--) {
        Node *node = &u->nodes[w->path[i]];
        if (i == 0 || u->threads == 1) count_visit(u, node, 1);
        if (i > 0) {
            int chooser = mover_of(&u->nodes[w->path[i - 1]]);
            KN_ASSERT(chooser >= 0 && chooser < u->game->roles);
            add_result(u, node, results[chooser]);
        }
        if (proving && i < length) proving = is_done(&node->proved) || prove(u, w->path[i]);
    }
}

/* Takes the virtual losses of an unfinished path back. */
static void take_back(Walker *w, int length)
{
    KnMcts *u = w->tree;
    for (int i = 1; i <= length && u->threads > 1; i++) count_visit(u, &u->nodes[w->path[i]], -1);
}

typedef enum Descent { TO_LEAF, TO_END, STOPPED } Descent;

/* Selection and expansion, down to a leaf or an end of the game, whose results are filled. */
static Descent descend(Walker *w, int *length, double *results)
{
    KnMcts *u = w->tree;
    int ply = 0;
    uint32_t at = w->path[0] = 0;
    while (is_done(&u->nodes[at].grown) && ply < KN_SEARCH_PLIES) {
        at = select_child(w, at);
        if (!step(w, u->nodes[at].move)) {
            take_back(w, ply);
            return STOPPED;
        }
        w->path[++ply] = at;
        Node *node = &u->nodes[at];
        /* Virtual loss */
        bool fresh = (u->threads > 1 ? count_visit(u, node, 1) : visits_of(node)) == 0;
        *length = ply;
        if (is_done(&node->grown)) continue;
        int count = list_moves(w, results);
        int mover = count ? u->game->type->mover(u->game, w->position) : -1;
        atomic_store_explicit(&node->mover, (int8_t)mover, memory_order_relaxed);
        if (count == 0) {
            if (u->options.solve) publish_proof(u, at, results, 0);
            if (!kn_results_opposed(u->game, results, 1))
                atomic_store_explicit(&u->unopposed, true, memory_order_relaxed);
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
    if (is_done(&u->nodes[0].proved)) return false;
    if (u->most != UINT64_MAX && atomic_fetch_add(&u->made, 1) >= u->most) return false;
    Descent descent = descend(w, &length, results);
    if (descent == STOPPED) return false;
    bool finished = descent == TO_END || simulate(w, results);
    if (finished)
        back_up(w, length, results);
    else
        take_back(w, length);
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
    return is_done(&node->proved) ? proof_of(u, child)[role]
           : node->visits         ? node->total / node->visits
                                  : 0.5;
}

/* The most visited child (robust child), unless a proved one is as good. UINT32_MAX: there is none. */
static uint32_t best_child(const KnMcts *u, uint32_t index)
{
    const Node *node = &u->nodes[index];
    uint32_t visited = UINT32_MAX, proved = UINT32_MAX;
    for (uint32_t i = node->first; is_done(&node->grown) && i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (!is_done(&child->proved)) {
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
    if (!is_done(&node->proved)) return (KnScore)lround((2 * value - 1) * (KN_SCORE_PAYOFF - 1));
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
                                  is_done(&node->proved) ? KN_BOUND_EXACT : KN_BOUND_NONE, node->visits};
    }
    uint32_t best = best_child(u, 0);
    result->move = u->nodes[best].move;
    result->score = score_of(u, best, root->mover);
    result->root = u->root;
    result->root_count = count;
    while (best != UINT32_MAX && result->pv_length < KN_SEARCH_PLIES) {
        u->pv[result->pv_length++] = u->nodes[best].move;
        if (u->nodes[best].mover == u->game->nature ||
            (!is_done(&u->nodes[best].proved) && !u->nodes[best].visits))
            break;
        best = best_child(u, best);
    }
    result->pv = u->pv;
    result->depth = result->pv_length;
    for (int i = 0; i < u->threads; i++) {
        result->nodes += u->walkers[i].meter.nodes;
        result->judged += u->walkers[i].judged;
    }
    result->guided = u->options.prior != NULL;
    result->seconds = kn_meter_seconds(&u->walkers[0].meter);
    result->stored = u->count;
    result->playouts = root->visits;
    result->assumes = atomic_load(&u->unopposed) ? KN_ASSUMES_OWN_POINTS : KN_ASSUMES_NOTHING;
    for (uint32_t i = 0; i < u->count; i++) result->solved += is_done(&u->nodes[i].proved);
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
    for (int i = 0; i < u->threads; i++) {
        kn_meter_start(&u->walkers[i].meter, &budget, request->cancel);
        u->walkers[i].judged = 0;
    }
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
    atomic_store_explicit(&u->unopposed, false, memory_order_relaxed);
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
