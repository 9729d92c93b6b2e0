#include "methods/widening/tactical_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"

enum { PATH = 256, ROWS = 8 };

/* RAVE's equivalence parameter k: the number of visits at which the move's own mean and its AMAF mean count
 * equally. */
static const double equivalence = 600;
static const double exploration = 0.05;

typedef struct Node {
    int16_t point;
    bool expanded;
    uint32_t first, children;
    double visits, wins;             /* for the player of the move, hints included */
    double prior_visits, prior_wins; /* of them, what was there before the first playout */
    double amaf_visits,
        amaf_wins; /* all moves as first: playouts in which the same player moved here later */
} Node;

struct KnGoTree {
    const KnGame *game;
    double komi;
    Node *nodes;
    uint32_t capacity, count;
    KnMeter meter;
    KnPlayoutBoard root, board;
    KnPlayoutPatterns patterns;
    uint8_t first[KN_PLAYOUT_POINTS];
    uint32_t path[PATH];
    int length;
};

KnGoTree *kn_go_tree_new(const KnGame *game, size_t bytes)
{
    KnGoTree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    tree->game = game;
    tree->komi = kn_go_komi(game);
    kn_playout_patterns_fill(&tree->patterns);
    size_t fit = bytes / sizeof(Node), least = (size_t)game->max_moves + 2;
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

static void add_prior(Node *child, double visits, double result)
{
    child->prior_visits += visits, child->visits += visits;
    child->prior_wins += visits * result, child->wins += visits * result;
}

static int distance(const KnPlayoutBoard *b, int p, int q)
{
    int dx = abs(p % b->stride - q % b->stride), dy = abs(p / b->stride - q / b->stride);
    return dx + dy + (dx > dy ? dx : dy);
}

/* A point of the first or second line with nothing near it: 1 or 2; 3: the third line; 0: stones are near. */
static int empty_line(const KnPlayoutBoard *b, int point)
{
    int x = point % b->stride, y = point / b->stride, line = b->size;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            if (u < 1 || v < 1 || u > b->size || v > b->size || abs(dx) + abs(dy) > 3) continue;
            if (b->colour[v * b->stride + u]) return 0;
        }
    const int sides[4] = {x, y, b->size + 1 - x, b->size + 1 - y};
    for (int i = 0; i < 4; i++) line = sides[i] < line ? sides[i] : line;
    return line <= 3 ? line : 0;
}

/* Prior knowledge as virtual visits: captures and saves, shape, closeness to the last move; against
 * self-atari and the edge of an empty area. */
static void set_prior(const KnGoTree *t, Node *child, int colour)
{
    const KnPlayoutBoard *b = &t->board;
    int point = child->point;
    add_prior(child, 10, 0.5);
    if (point == KN_PLAYOUT_PASS) return;
    int gain = kn_playout_board_gain(b, point, colour), line = empty_line(b, point);
    if (gain)
        add_prior(child, gain > 1 ? 30 : 10, 1);
    else if (kn_playout_board_self_atari(b, point, colour))
        add_prior(child, 10, 0);
    if (kn_playout_board_shape(b, point)) add_prior(child, 10, 1);
    if (line) add_prior(child, 10, line == 3);
    if (b->last && distance(b, b->last, point) <= 3) add_prior(child, 15, 1);
}

/* Adds all legal moves that do not fill an eye; a pass if there are none. */
static void expand(KnGoTree *t, Node *node, int colour)
{
    if (t->capacity - t->count < (uint32_t)t->board.empties + 1) return;
    KN_ASSERT(!node->expanded);
    node->first = t->count;
    for (int i = 0; i < t->board.empties; i++) {
        int point = t->board.empty[i];
        if (kn_playout_board_legal(&t->board, point, colour) &&
            !kn_playout_board_eye(&t->board, point, colour)) {
            add_child(t, point);
            set_prior(t, &t->nodes[t->count - 1], colour);
        }
    }
    if (t->count == node->first) add_child(t, KN_PLAYOUT_PASS);
    node->children = t->count - node->first;
    node->expanded = true;
}

/* The weighted mean of the move's own value and its AMAF value (the hand-selected schedule of Gelly and
 * Silver), plus an exploration term as in UCB1 (Auer et al. 2002). */
static double selection_value(const Node *child, double log_visits)
{
    double own = child->visits > 0 ? child->wins / child->visits : 0.5,
           amaf = child->amaf_visits > 0 ? child->amaf_wins / child->amaf_visits : 0.6;
    double beta = sqrt(equivalence / (3 * child->visits + equivalence));
    if (child->amaf_visits <= 0 && child->visits > 0) beta = 0;
    return (1 - beta) * own + beta * amaf + exploration * sqrt(log_visits / (child->visits + 1));
}

static uint32_t select_child(KnGoTree *t, const Node *node, KnRng *rng)
{
    KN_ASSERT(node->expanded && node->children > 0 && node->first + node->children <= t->count);
    double best = -1, log_visits = kn_math_log(node->visits + 2);
    uint32_t chosen = node->first, from = kn_rng_below(rng, node->children); /* ties are broken evenly */
    for (uint32_t i = 0; i < node->children; i++) {
        uint32_t at = node->first + (from + i) % node->children;
        double value = selection_value(&t->nodes[at], log_visits);
        if (value > best) best = value, chosen = at;
    }
    return chosen;
}

/* One iteration: selection, expansion, playout and backpropagation. */
static void sample(KnGoTree *t, int colour, KnRng *rng)
{
    uint32_t at = 0;
    int mover = colour;
    t->board = t->root;
    t->length = 0;
    t->path[t->length++] = 0;
    while (t->nodes[at].expanded && t->length < PATH && t->board.passes < 2) {
        at = select_child(t, &t->nodes[at], rng);
        kn_playout_board_play(&t->board, t->nodes[at].point, mover);
        t->path[t->length++] = at;
        mover = 3 - mover;
    }
    if (t->board.passes < 2 && t->nodes[at].visits >= 1) expand(t, &t->nodes[at], mover);
    memset(t->first, 0, sizeof t->first);
    int moves = t->board.passes < 2 ? kn_playout_board_run(&t->board, mover, rng, t->first) : 0;
    kn_meter_charge(&t->meter, (uint64_t)(moves + t->length - 1));
    double margin = kn_playout_board_margin(&t->board) - t->komi, black = margin > 0   ? 1
                                                                          : margin < 0 ? 0
                                                                                       : 0.5;
    for (int i = t->length - 1; i >= 0; i--) {
        Node *node = &t->nodes[t->path[i]];
        int played = (i % 2) ? colour : 3 - colour, next = 3 - played;
        node->visits++, node->wins += played == 1 ? black : 1 - black;
        for (uint32_t c = 0; node->expanded && c < node->children; c++) {
            Node *child = &t->nodes[node->first + c];
            if (t->first[child->point] != next || !child->point) continue;
            child->amaf_visits++, child->amaf_wins += next == 1 ? black : 1 - black;
        }
        if (node->point) t->first[node->point] = (uint8_t)played; /* the first move on a point counts */
    }
}

static void prepare(KnGoTree *t, const KnGoTreeRequest *request)
{
    KN_ASSERT(request->allowed_count >= 1 && request->allowed_count <= t->game->max_moves);
    t->count = 0;
    add_child(t, KN_PLAYOUT_PASS);
    kn_playout_board_set(&t->root, t->game, request->position);
    t->root.patterns = &t->patterns;
    Node *root = &t->nodes[0];
    int colour = t->game->type->mover(t->game, request->position) + 1, passing = 0;
    root->first = t->count;
    for (int i = 0; i < request->allowed_count; i++) {
        int point = kn_playout_board_from_move(&t->root, t->game, request->allowed[i]);
        passing |= point == KN_PLAYOUT_PASS;
        if (point && !kn_playout_board_eye(&t->root, point, colour)) add_child(t, point);
    }
    if (t->count == root->first) /* all allowed moves fill eyes */
        add_child(t, passing ? KN_PLAYOUT_PASS
                             : kn_playout_board_from_move(&t->root, t->game, request->allowed[0]));
    root->children = t->count - root->first;
    root->expanded = true;
    t->board = t->root;
    for (uint32_t c = root->first; c < t->count; c++) set_prior(t, &t->nodes[c], colour);
    for (int i = 0; i < request->hint_count; i++)
        for (uint32_t c = root->first; c < t->count; c++) {
            Node *child = &t->nodes[c];
            if (kn_playout_board_move(&t->root, t->game, child->point) != request->hints[i].move) continue;
            child->prior_visits += request->hints[i].visits;
            child->prior_wins += request->hints[i].visits * request->hints[i].result;
            child->visits += request->hints[i].visits,
                child->wins += request->hints[i].visits * request->hints[i].result;
            child->amaf_visits += request->hints[i].visits,
                child->amaf_wins += request->hints[i].visits * request->hints[i].result;
        }
}

static double real_visits(const Node *node) { return node->visits - node->prior_visits; }

static uint32_t most_visited(const KnGoTree *t, const Node *node)
{
    uint32_t best = node->first;
    for (uint32_t c = node->first; c < node->first + node->children; c++)
        if (real_visits(&t->nodes[c]) > real_visits(&t->nodes[best]) ||
            (real_visits(&t->nodes[c]) == real_visits(&t->nodes[best]) &&
             t->nodes[c].visits > t->nodes[best].visits))
            best = c;
    return best;
}

static KnGoRow row_of(const KnGoTree *t, const Node *child)
{
    KnMove move = kn_playout_board_move(&t->root, t->game, child->point);
    double visits = real_visits(child);
    return (KnGoRow){move, visits, visits > 0 ? (child->wins - child->prior_wins) / visits : 0};
}

static void report(KnGoTree *t, KnGoTreeResult *result)
{
    const Node *root = &t->nodes[0];
    uint32_t best = most_visited(t, root);
    result->move = kn_playout_board_move(&t->root, t->game, t->nodes[best].point);
    KnGoRow chosen = row_of(t, &t->nodes[best]);
    result->tried = chosen.visits;
    result->won = chosen.visits * chosen.result;
    result->result = t->nodes[best].visits > 0 ? t->nodes[best].wins / t->nodes[best].visits : 0.5;
    for (uint32_t c = root->first; c < root->first + root->children;
         c++) { /* the ROWS most visited, in order */
        const Node *child = &t->nodes[c];
        int at = result->row_count < ROWS ? result->row_count++ : ROWS;
        for (; at > 0 && result->rows[at - 1].visits < real_visits(child); at--)
            if (at < ROWS) result->rows[at] = result->rows[at - 1];
        if (at < ROWS) result->rows[at] = row_of(t, child);
    }
    for (const Node *node = root; node->expanded && result->length < ROWS && node->visits > 0;) {
        node = &t->nodes[most_visited(t, node)];
        if (node->visits <= 0) break;
        result->line[result->length++] = kn_playout_board_move(&t->root, t->game, node->point);
    }
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
    if (t->nodes[0].children > 1)
        while (result->playouts < most && (t->meter.nodes < t->meter.next || kn_meter_look(&t->meter))) {
            sample(t, colour, request->rng);
            result->playouts++;
        }
    result->nodes = t->meter.nodes;
    report(t, result);
}
