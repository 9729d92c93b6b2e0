#include "methods/widening/tactical_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "methods/widening/tactical_prior.h"

enum { PATH = 256, ROWS = 8, LOOK = 64 /* playouts between two looks whether the move is decided */ };

/* Nodes are small, since a second makes millions of them. Visits and wins count for the player of the move
 * and include the priors. */
typedef struct Node {
    uint32_t first; /* children: moves of the other side */
    uint16_t children;
    int16_t point;
    float visits, wins;
    float prior_visits, prior_wins;
    float amaf_visits, amaf_wins; /* all moves as first: playouts in which the same player moved here later */
} Node;

struct KnGoTree {
    const KnGame *game;
    double komi;
    KnGoTreeOptions options;
    Node *nodes;
    uint32_t capacity, count;
    KnMeter meter;
    KnPlayoutBoard root, board;
    KnPlayoutPolicy policy;
    uint8_t first[KN_PLAYOUT_POINTS];
    uint32_t path[PATH];
    int length;
};

KnGoTree *kn_go_tree_new(const KnGame *game, const KnGoTreeOptions *options)
{
    KnGoTree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    tree->game = game;
    tree->komi = kn_go_komi(game);
    tree->options = *options;
    kn_playout_policy_fill(&tree->policy, options->playout);
    size_t fit = options->bytes / sizeof(Node), least = (size_t)game->max_moves + 2;
    tree->capacity = (uint32_t)(fit < least ? least : fit > 1u << 28 ? 1u << 28 : fit);
    tree->nodes = malloc(tree->capacity * sizeof *tree->nodes);
    if (tree->nodes) return tree;
    free(tree);
    return NULL;
}

void kn_go_tree_free(KnGoTree *tree)
{
    if (tree) free(tree->nodes);
    free(tree);
}

static void add_child(KnGoTree *t, int point)
{
    KN_ASSERT(t->count < t->capacity && point >= 0 && point < KN_PLAYOUT_POINTS);
    t->nodes[t->count++] = (Node){.point = (int16_t)point};
}

static void add_prior(Node *child, double visits, double wins)
{
    child->prior_visits += (float)visits, child->prior_wins += (float)wins;
}

static void set_priors(KnGoTree *t, uint32_t from, int colour)
{
    uint8_t distance[KN_PLAYOUT_POINTS];
    kn_go_distances(&t->board, distance);
    for (uint32_t c = from; c < t->count; c++) {
        KnGoPrior prior = kn_go_prior(&t->policy, &t->board, distance, t->nodes[c].point, colour);
        add_prior(&t->nodes[c], prior.visits, prior.wins);
    }
}

/* Adds all legal moves that do not fill an eye, and the pass. */
static void expand(KnGoTree *t, uint32_t at, int colour)
{
    if (t->capacity - t->count < (uint32_t)t->board.empties + 1) return;
    KN_ASSERT(!t->nodes[at].children);
    uint32_t first = t->count;
    for (int i = 0; i < t->board.empties; i++) {
        int point = t->board.empty[i];
        if (kn_playout_board_legal(&t->board, point, colour) &&
            !kn_playout_board_eye(&t->board, point, colour))
            add_child(t, point);
    }
    add_child(t, KN_PLAYOUT_PASS);
    set_priors(t, first, colour);
    t->nodes[at].first = first;
    t->nodes[at].children = (uint16_t)(t->count - first);
}

/* The share of won playouts, the prior included. */
static double own_value(const Node *node)
{
    double visits = (double)node->visits + (double)node->prior_visits;
    return visits > 0 ? ((double)node->wins + (double)node->prior_wins) / visits : 0.5;
}

/* The weighted mean of the move's own value and its AMAF value, weighted for the least mean squared error
 * (Silver 2009), plus an exploration term as in UCB1 (Auer and others 2002). */
static double selection_value(const KnGoTreeOptions *options, const Node *child, double log_visits)
{
    double visits = (double)child->visits + (double)child->prior_visits, own = own_value(child), value = own;
    if (child->amaf_visits > 0 && options->rave > 0) {
        double others = child->amaf_visits,
               beta = others / (others + visits + others * visits / options->rave);
        value = (1 - beta) * own + beta * (double)child->amaf_wins / others;
    }
    if (options->exploration > 0) value += options->exploration * sqrt(log_visits / (visits + 1));
    return value;
}

static uint32_t select_child(KnGoTree *t, const Node *node, KnRng *rng)
{
    KN_ASSERT(node->children > 0 && node->first + node->children <= t->count);
    double best = -1, log_visits = kn_math_log(node->visits + 2);
    uint32_t chosen = node->first, from = kn_rng_below(rng, node->children); /* ties are broken evenly */
    for (uint32_t i = 0; i < node->children; i++) {
        uint32_t at = node->first + (from + i) % node->children;
        double value = selection_value(&t->options, &t->nodes[at], log_visits);
        if (value > best) best = value, chosen = at;
    }
    return chosen;
}

/* Black's result of the game that was played out from the end of the path. */
static double play_out(KnGoTree *t, int mover, KnRng *rng)
{
    int moves = 0, margin;
    memset(t->first, 0, sizeof t->first);
    if (t->board.passes < 2) {
        moves = kn_playout_policy_run(&t->policy, &t->board, mover, rng, t->first);
        margin = kn_playout_board_margin(&t->board);
    } else
        margin = kn_playout_board_area(&t->board);
    kn_meter_charge(&t->meter, (uint64_t)(moves + t->length - 1));
    return margin > t->komi ? 1 : margin < t->komi ? 0 : 0.5;
}

/* Every node of the path learns the result, and its children what followed. */
static void update(KnGoTree *t, int colour, double black)
{
    for (int i = t->length - 1; i >= 0; i--) {
        Node *node = &t->nodes[t->path[i]], *child = &t->nodes[node->first];
        int played = (i % 2) ? colour : 3 - colour, next = 3 - played;
        float won = (float)(next == 1 ? black : 1 - black);
        node->visits++, node->wins += 1 - won;
        for (uint32_t c = 0; c < node->children; c++, child++) {
            if (t->first[child->point] != next || !child->point) continue;
            child->amaf_visits++, child->amaf_wins += won;
        }
        if (node->point) t->first[node->point] = (uint8_t)played; /* the first move on a point counts */
    }
}

/* One iteration: selection, expansion, playout and backpropagation. */
static void sample(KnGoTree *t, int colour, KnRng *rng)
{
    uint32_t at = 0;
    int mover = colour;
    t->board = t->root;
    t->length = 0;
    t->path[t->length++] = 0;
    while (t->length < PATH && t->board.passes < 2) {
        if (!t->nodes[at].children && t->nodes[at].visits >= t->options.expand) expand(t, at, mover);
        if (!t->nodes[at].children) break;
        at = select_child(t, &t->nodes[at], rng);
        kn_playout_board_play(&t->board, t->nodes[at].point, mover);
        t->path[t->length++] = at;
        mover = 3 - mover;
    }
    update(t, colour, play_out(t, mover, rng));
}

static void prepare(KnGoTree *t, const KnGoTreeRequest *request)
{
    KN_ASSERT(request->allowed_count >= 1 && request->allowed_count <= t->game->max_moves);
    t->count = 0;
    add_child(t, KN_PLAYOUT_PASS);
    kn_playout_board_set(&t->root, t->game, request->position);
    Node *root = &t->nodes[0];
    int colour = t->game->type->mover(t->game, request->position) + 1;
    root->first = t->count;
    for (int i = 0; i < request->allowed_count; i++) {
        int point = kn_playout_board_from_move(&t->root, t->game, request->allowed[i]);
        if (!point || !kn_playout_board_eye(&t->root, point, colour)) add_child(t, point);
    }
    if (t->count == root->first) /* all allowed moves fill eyes */
        add_child(t, kn_playout_board_from_move(&t->root, t->game, request->allowed[0]));
    root->children = (uint16_t)(t->count - root->first);
    t->root.last = kn_playout_board_from_move(&t->root, t->game, request->last);
    t->board = t->root;
    set_priors(t, root->first, colour);
    for (int i = 0; i < request->hint_count; i++)
        for (uint32_t c = root->first; c < t->count; c++) {
            const KnGoHint *hint = &request->hints[i];
            Node *child = &t->nodes[c];
            if (kn_playout_board_move(&t->root, t->game, child->point) != hint->move) continue;
            add_prior(child, hint->visits, hint->visits * hint->result);
        }
}

static uint32_t most_visited(const KnGoTree *t, const Node *node)
{
    uint32_t best = node->first;
    for (uint32_t c = node->first; c < node->first + node->children; c++)
        if (t->nodes[c].visits > t->nodes[best].visits ||
            (t->nodes[c].visits == t->nodes[best].visits &&
             t->nodes[c].prior_visits > t->nodes[best].prior_visits))
            best = c;
    return best;
}

static KnGoRow row_of(const KnGoTree *t, const Node *child)
{
    KnMove move = kn_playout_board_move(&t->root, t->game, child->point);
    double visits = child->visits;
    return (KnGoRow){move, visits, visits > 0 ? (double)child->wins / visits : 0};
}

static void report(KnGoTree *t, KnGoTreeResult *result)
{
    const Node *root = &t->nodes[0];
    uint32_t best = most_visited(t, root);
    result->move = kn_playout_board_move(&t->root, t->game, t->nodes[best].point);
    KnGoRow chosen = row_of(t, &t->nodes[best]);
    result->tried = chosen.visits;
    result->won = chosen.visits * chosen.result;
    result->result = chosen.visits > 0 ? chosen.result : own_value(&t->nodes[best]);
    for (uint32_t c = root->first; c < root->first + root->children;
         c++) { /* the ROWS most visited, in order */
        const Node *child = &t->nodes[c];
        int at = result->row_count < ROWS ? result->row_count++ : ROWS;
        for (; at > 0 && result->rows[at - 1].visits < child->visits; at--)
            if (at < ROWS) result->rows[at] = result->rows[at - 1];
        if (at < ROWS) result->rows[at] = row_of(t, child);
    }
    for (const Node *node = root; node->children && result->length < ROWS && node->visits > 0;) {
        node = &t->nodes[most_visited(t, node)];
        if (node->visits <= 0) break;
        result->line[result->length++] = kn_playout_board_move(&t->root, t->game, node->point);
    }
}

/* Whether no other move can become the most visited one with the playouts that are left. */
static bool decided(const KnGoTree *t, uint64_t playouts, uint64_t most)
{
    const Node *root = &t->nodes[0];
    double best = 0, second = 0, left = (double)(most - playouts), share = INFINITY;
    for (uint32_t c = root->first; c < root->first + root->children; c++) {
        double visits = t->nodes[c].visits;
        if (visits > best)
            second = best, best = visits;
        else if (visits > second)
            second = visits;
    }
    if (best - second <= 1) return false;
    if (t->meter.budget.seconds > 0) share = t->meter.budget.seconds / kn_meter_seconds(&t->meter) - 1;
    if (t->meter.budget.nodes) {
        double nodes = (double)t->meter.budget.nodes / (double)t->meter.nodes - 1;
        share = nodes < share ? nodes : share;
    }
    if (share * (double)playouts < left) left = share * (double)playouts;
    return best - second > left;
}

void kn_go_tree_run(KnGoTree *t, const KnGoTreeRequest *request, KnGoTreeResult *result)
{
    *result = (KnGoTreeResult){0};
    kn_meter_start(&t->meter, &request->budget, request->cancel);
    prepare(t, request);
    int colour = t->game->type->mover(t->game, request->position) + 1;
    bool bounded = request->playouts || request->budget.nodes || request->budget.seconds > 0 ||
                   request->cancel;
    uint64_t most = request->playouts ? request->playouts : bounded ? UINT64_MAX : 1000;
    bool single = t->nodes[0].children == 1;
    if (single && request->allowed_count > 1 && most > LOOK) most = LOOK; /* the others fill eyes */
    while (result->playouts < most && (t->meter.nodes < t->meter.next || kn_meter_look(&t->meter))) {
        sample(t, colour, request->rng);
        result->playouts++;
        if (result->playouts % LOOK == 0 && !single && decided(t, result->playouts, most)) break;
    }
    result->nodes = t->meter.nodes;
    report(t, result);
}
