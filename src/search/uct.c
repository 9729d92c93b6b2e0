#include "search/uct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/line.h"

/* A node keeps what the role that moved into it got out of it. Positions are not kept: a playout replays its
 * way. The children of a node stand together, in a random order drawn when they were made, so that among
 * equals the first is an even choice. */
typedef struct Node {
    KnMove move;
    double total; /* of results in 0..1, for the role that chose the move */
    uint32_t visits;
    uint32_t first, children;
    uint16_t distance; /* to the end, where it is proved */
    int8_t mover;      /* -1: over */
    bool expanded, proved;
} Node;

struct KnUct {
    const KnGame *game;
    const KnEvaluation *evaluation;
    KnUctOptions options;
    KnLine line;
    KnMeter meter;
    KnRng *rng;
    Node *nodes;
    double *proofs; /* results of all roles at each node that is proved */
    uint32_t capacity, count;
    unsigned char *position; /* of the playout under way */
    uint64_t *hashes;        /* its past and way so far */
    size_t hashes_room, hashes_count;
    uint32_t path[KN_SEARCH_PLIES + 1];
    KnMove *moves, *root_moves;
    double *chances;
    KnRootMove *root;
    KnMove *pv;
};

enum { PLAYOUT_PLIES_MAX = 100000 };

KnUctOptions kn_uct_options(void)
{
    return (KnUctOptions){
        .exploration = 0.7, .bytes = (size_t)64 << 20, .playout_plies = 1000, .solve = true};
}

static KnStatus take_memory(KnUct *u, KnError *error)
{
    size_t width = (size_t)u->game->max_moves, roles = (size_t)u->game->roles;
    size_t fit = u->options.bytes / (sizeof(Node) + roles * sizeof(double));
    if (fit < width + 1) fit = width + 1; /* the root and its moves */
    u->capacity = fit < UINT32_MAX ? (uint32_t)fit : UINT32_MAX;
    u->nodes = malloc(u->capacity * sizeof(Node));
    u->proofs = malloc(u->capacity * roles * sizeof(double));
    void *position = NULL;
    if (posix_memalign(&position, 16, (u->game->position_size + 15) & ~(size_t)15) == 0)
        u->position = position;
    u->moves = malloc(width * sizeof *u->moves);
    u->root_moves = malloc(width * sizeof *u->root_moves);
    u->chances = malloc(width * sizeof *u->chances);
    u->root = malloc(width * sizeof *u->root);
    u->pv = malloc((KN_SEARCH_PLIES + 1) * sizeof *u->pv);
    if (!u->nodes || !u->proofs || !u->position || !u->moves || !u->root_moves || !u->chances || !u->root ||
        !u->pv)
        return kn_fail(error, KN_SYSTEM, "out of memory: %zu bytes for tree sampling", u->options.bytes);
    return kn_line_open(&u->line, u->game, error);
}

KnUct *kn_uct_new(const KnGame *game, const KnEvaluation *evaluation, const KnUctOptions *options,
                  KnError *error)
{
    if (kn_search_check_game(game, error) != KN_OK) return NULL;
    KnUct *u = calloc(1, sizeof *u);
    if (!u) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    u->game = game;
    u->evaluation = evaluation;
    u->options = *options;
    if (u->options.playout_plies <= 0 || u->options.playout_plies > PLAYOUT_PLIES_MAX)
        u->options.playout_plies = PLAYOUT_PLIES_MAX;
    if (take_memory(u, error) == KN_OK) return u;
    kn_uct_free(u);
    return NULL;
}

void kn_uct_free(KnUct *u)
{
    if (!u) return;
    kn_line_close(&u->line);
    free(u->nodes);
    free(u->proofs);
    free(u->position);
    free(u->hashes);
    free(u->moves);
    free(u->root_moves);
    free(u->chances);
    free(u->root);
    free(u->pv);
    free(u);
}

/* ---- Results: payoffs as numbers from 0 to 1, a role each ---- */

static void results_of_payoffs(const KnUct *u, double *results)
{
    double low = u->game->payoff_low, range = u->game->payoff_high - low;
    for (int role = 0; role < u->game->roles; role++)
        results[role] = range > 0 ? (results[role] - low) / range : 0.5;
}

static void results_of_evaluation(KnUct *u, double *results)
{
    uint64_t plays = 0;
    for (int role = 0; role < u->game->roles; role++)
        results[role] = u->evaluation ? kn_percent_of_score(
                                            u->evaluation,
                                            kn_evaluate_counted(u->evaluation, u->position, role, &plays)) /
                                            100
                                      : 0.5;
    kn_meter_charge(&u->meter, plays);
}

/* ---- Playing on in the position at hand ---- */

static bool looks_back(const KnUct *u) { return u->game->traits & KN_GAME_LOOKS_BACK; }

static bool step(KnUct *u, KnMove move)
{
    if (!kn_meter_count(&u->meter)) return false;
    if (looks_back(u)) u->hashes[u->hashes_count++] = u->game->type->hash(u->game, u->position);
    u->game->type->play(u->game, u->position, move);
    return true;
}

/* Lists the moves of the position at hand; 0 and the results if it is over. Barred moves are still among
 * them. */
static int list_moves(KnUct *u, double *results)
{
    const KnGame *game = u->game;
    int count = game->type->moves(game, u->position, u->moves);
    if (count == 0) {
        game->type->payoffs(game, u->position, results);
    } else if (game->type->ended) {
        KnHistory history = {u->hashes, u->hashes_count};
        if (game->type->ended(game, u->position, &history, results)) count = 0;
    }
    if (count == 0) results_of_payoffs(u, results);
    return count;
}

static bool barred(const KnUct *u, KnMove move)
{
    KnHistory history = {u->hashes, u->hashes_count};
    return u->game->type->barred && u->game->type->barred(u->game, u->position, &history, move);
}

/* Nature's choice among moves, by its chances. */
static int draw(KnUct *u, const KnMove *moves, int count)
{
    if (!u->game->type->chances) return (int)kn_rng_below(u->rng, (uint32_t)count);
    u->game->type->chances(u->game, u->position, moves, count, u->chances);
    double at = kn_rng_real(u->rng);
    int i = 0;
    while (i < count - 1 && (at -= u->chances[i]) >= 0) i++;
    return i;
}

/* To the end by random moves, or until the limit. False when the budget ends. */
static bool playout(KnUct *u, double *results)
{
    for (int ply = 0; ply < u->options.playout_plies; ply++) {
        int count = list_moves(u, results);
        if (count == 0) return true;
        bool nature = u->game->nature >= 0 && u->game->type->mover(u->game, u->position) == u->game->nature;
        int pick = nature ? draw(u, u->moves, count) : (int)kn_rng_below(u->rng, (uint32_t)count);
        while (barred(u, u->moves[pick])) { /* never all of them are */
            u->moves[pick] = u->moves[--count];
            if (count == 0) return results_of_evaluation(u, results), true;
            pick = (int)kn_rng_below(u->rng, (uint32_t)count);
        }
        if (!step(u, u->moves[pick])) return false;
    }
    if (list_moves(u, results)) results_of_evaluation(u, results);
    return true;
}

/* ---- The tree ---- */

/* Makes a node's children, in random order; false if there is no room. */
static bool expand(KnUct *u, uint32_t index, const KnMove *moves, int count)
{
    if (u->capacity - u->count < (uint32_t)count) return false;
    Node *node = &u->nodes[index];
    node->first = u->count;
    for (int i = 0; i < count; i++)
        if (index == 0 || !barred(u, moves[i])) u->nodes[u->count++] = (Node){.move = moves[i], .mover = -2};
    node->children = u->count - node->first;
    node->expanded = node->children > 0;
    for (uint32_t i = node->children; i > 1; i--) {
        uint32_t j = kn_rng_below(u->rng, i);
        Node *a = &u->nodes[node->first + i - 1], *b = &u->nodes[node->first + j], kept = *a;
        *a = *b;
        *b = kept;
    }
    return node->expanded;
}

/* The child to go down to: the highest upper bound; one never tried comes before all. Proved ones are left
 * alone. */
static uint32_t select_child(KnUct *u, uint32_t index)
{
    const Node *node = &u->nodes[index];
    if (node->mover == u->game->nature) {
        for (uint32_t i = 0; i < node->children; i++) u->moves[i] = u->nodes[node->first + i].move;
        return node->first + (uint32_t)draw(u, u->moves, (int)node->children);
    }
    double most = -1, spread = log((double)node->visits + 1);
    uint32_t best = node->first;
    for (uint32_t i = node->first; i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (child->proved) continue;
        if (child->visits == 0) return i;
        double bound = child->total / child->visits + u->options.exploration * sqrt(spread / child->visits);
        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

static double *proof_of(const KnUct *u, uint32_t node) { return u->proofs + node * (size_t)u->game->roles; }

/* A proved node whose role can reach its highest result needs no more; else all moves must be known. Nearer
 * wins and farther other ends are preferred among equals. */
static bool prove(KnUct *u, uint32_t index)
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

/* Adds a result to every node of the way, each for the role that chose it; carries proofs up. */
static void back_up(KnUct *u, int length, const double *results)
{
    bool proving = u->options.solve && u->nodes[u->path[length]].proved;
    for (int i = length; i >= 0; i--) {
        Node *node = &u->nodes[u->path[i]];
        node->visits++;
        if (i > 0) {
            int chooser = u->nodes[u->path[i - 1]].mover;
            node->total += results[chooser];
        }
        if (proving && i < length) proving = node->proved || prove(u, u->path[i]);
    }
}

/* One descent, one playout. False when the budget ends. */
static bool sample(KnUct *u)
{
    double results[KN_ROLES_MAX];
    memcpy(u->position, kn_line_at(&u->line, 0), u->game->position_size);
    u->hashes_count = u->line.past;
    int ply = 0;
    uint32_t at = u->path[0] = 0;
    while (u->nodes[at].expanded && ply < KN_SEARCH_PLIES) {
        at = select_child(u, at);
        if (!step(u, u->nodes[at].move)) return false;
        u->path[++ply] = at;
        Node *node = &u->nodes[at];
        if (node->expanded) continue;
        int count = list_moves(u, results);
        node->mover = count ? (int8_t)u->game->type->mover(u->game, u->position) : -1;
        if (count == 0) {
            if (u->options.solve) {
                node->proved = true;
                memcpy(proof_of(u, at), results, (size_t)u->game->roles * sizeof(double));
            }
            back_up(u, ply, results);
            return true;
        }
        if (node->visits == 0 || !expand(u, at, u->moves, count)) break;
    }
    if (!playout(u, results)) return false;
    back_up(u, ply, results);
    return true;
}

/* ---- The answer ---- */

/* What a child is worth to the role at its parent, and whether that is sure. */
static double worth(const KnUct *u, uint32_t child, int role)
{
    const Node *node = &u->nodes[child];
    return node->proved ? proof_of(u, child)[role] : node->visits ? node->total / node->visits : 0.5;
}

/* The most visited child, unless a proved one is worth as much. UINT32_MAX if there is none. */
static uint32_t best_child(const KnUct *u, uint32_t index)
{
    const Node *node = &u->nodes[index];
    uint32_t visited = UINT32_MAX, proved = UINT32_MAX;
    for (uint32_t i = node->first; node->expanded && i < node->first + node->children; i++) {
        const Node *child = &u->nodes[i];
        if (!child->proved) {
            if (visited == UINT32_MAX || child->visits > u->nodes[visited].visits) visited = i;
            continue;
        }
        double value = worth(u, i, node->mover),
               so_far = proved == UINT32_MAX ? -1 : worth(u, proved, node->mover);
        bool sooner = proved != UINT32_MAX && child->distance < u->nodes[proved].distance;
        bool later = proved != UINT32_MAX && child->distance > u->nodes[proved].distance;
        if (value > so_far || (value == so_far && (value >= 1 ? sooner : later))) proved = i;
    }
    if (visited == UINT32_MAX || proved == UINT32_MAX) return visited == UINT32_MAX ? proved : visited;
    return worth(u, proved, node->mover) >= worth(u, visited, node->mover) ? proved : visited;
}

static KnScore score_of(const KnUct *u, uint32_t child, int role)
{
    const Node *node = &u->nodes[child];
    double value = worth(u, child, role);
    if (!node->proved) return (KnScore)lround((2 * value - 1) * (KN_SCORE_PAYOFF - 1));
    double low = u->game->payoff_low, high = u->game->payoff_high;
    double payoff = value >= 1 ? high : low + value * (high - low); /* no rounding at the top */
    return kn_score_of_payoff(u->game, payoff, node->distance + 1);
}

static void answer(KnUct *u, int count, KnSearchResult *result)
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
    result->nodes = u->meter.nodes;
    result->seconds = kn_meter_seconds(&u->meter);
    result->stored = u->count;
    result->playouts = root->visits;
    for (uint32_t i = 0; i < u->count; i++) result->solved += u->nodes[i].proved;
}

/* The past with room for the longest way on. */
static KnStatus take_past(KnUct *u, KnError *error)
{
    size_t room = u->line.past + KN_SEARCH_PLIES + (size_t)u->options.playout_plies + 2;
    if (!looks_back(u)) return KN_OK;
    if (room > u->hashes_room) {
        uint64_t *hashes = realloc(u->hashes, room * sizeof *hashes);
        if (!hashes) return kn_fail_memory(error, "sampling a tree");
        u->hashes = hashes;
        u->hashes_room = room;
    }
    memcpy(u->hashes, u->line.hashes, u->line.past * sizeof *u->hashes);
    return KN_OK;
}

KnStatus kn_uct_run(KnUct *u, const void *position, const KnHistory *history, const KnSearchRequest *request,
                    KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    if (!request->rng) return kn_fail(error, KN_USAGE, "tree sampling needs a random number generator");
    if (!request->budget.nodes && request->budget.seconds <= 0 && !request->cancel && !u->options.playouts)
        return kn_fail(error, KN_USAGE, "tree sampling needs a limit: playouts, nodes or seconds");
    kn_meter_start(&u->meter, &request->budget, request->cancel);
    int count;
    KnStatus status = kn_line_start(&u->line, position, history, error);
    if (status == KN_OK) status = kn_line_root_moves(&u->line, request, u->root_moves, &count, error);
    if (status == KN_OK) status = take_past(u, error);
    if (status != KN_OK) return status;
    u->rng = request->rng;
    u->count = 1;
    u->nodes[0] = (Node){.move = KN_MOVE_NONE, .mover = (int8_t)u->game->type->mover(u->game, position)};
    expand(u, 0, u->root_moves, count);
    uint64_t made = 0;
    while (!u->nodes[0].proved && (!u->options.playouts || made < u->options.playouts) && sample(u)) made++;
    result->completed = !u->meter.stopped;
    result->stop = u->meter.stopped ? u->meter.why : KN_STOP_DONE;
    answer(u, count, result);
    return KN_OK;
}
