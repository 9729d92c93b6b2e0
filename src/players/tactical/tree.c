#include "players/tactical/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256, ROWS = 8 };

/* How many playouts of its own a move needs to count as much as those in which it came later. */
static const double equivalence = 600;
static const double exploration = 0.05;

typedef struct Node {
    int16_t point;
    bool expanded;
    uint32_t first, children;
    double visits, wins;             /* of whoever plays it, hints included */
    double given;                    /* visits that are hints */
    double later_visits, later_wins; /* of playouts in which he played there at any time after */
} Node;

struct KnGoTree {
    const KnGame *game;
    double komi;
    Node *nodes;
    uint32_t capacity, count;
    KnMeter meter;
    KnLight root, board;
    uint8_t first[KN_LIGHT_POINTS];
    uint32_t path[PATH];
    int length;
};

KnGoTree *kn_go_tree_new(const KnGame *game, size_t bytes)
{
    KnGoTree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    tree->game = game;
    tree->komi = kn_go_komi(game);
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

static void add_child(KnGoTree *t, int point) { t->nodes[t->count++] = (Node){.point = (int16_t)point}; }

/* All sensible moves of the position at hand; a pass if there are none. */
static void expand(KnGoTree *t, Node *node, int colour)
{
    if (t->capacity - t->count < (uint32_t)t->board.empties + 1) return;
    node->first = t->count;
    for (int i = 0; i < t->board.empties; i++) {
        int point = t->board.empty[i];
        if (kn_light_legal(&t->board, point, colour) && !kn_light_eye(&t->board, point, colour))
            add_child(t, point);
    }
    if (t->count == node->first) add_child(t, KN_LIGHT_PASS);
    node->children = t->count - node->first;
    node->expanded = true;
}

static double worth(const Node *child, double log_visits)
{
    double own = child->visits > 0 ? child->wins / child->visits : 0.5,
           later = child->later_visits > 0 ? child->later_wins / child->later_visits : 0.6;
    double trust = sqrt(equivalence / (3 * child->visits + equivalence));
    if (child->later_visits <= 0 && child->visits > 0) trust = 0;
    return (1 - trust) * own + trust * later + exploration * sqrt(log_visits / (child->visits + 1));
}

static uint32_t select_child(KnGoTree *t, const Node *node, KnRng *rng)
{
    double best = -1, log_visits = log(node->visits + 2);
    uint32_t chosen = node->first, from = kn_rng_below(rng, node->children); /* equals are chosen evenly */
    for (uint32_t i = 0; i < node->children; i++) {
        uint32_t at = node->first + (from + i) % node->children;
        double value = worth(&t->nodes[at], log_visits);
        if (value > best) best = value, chosen = at;
    }
    return chosen;
}

/* Down the tree, a playout, and the result up again. */
static void sample(KnGoTree *t, int colour, KnRng *rng)
{
    uint32_t at = 0;
    int mover = colour;
    t->board = t->root;
    t->length = 0;
    t->path[t->length++] = 0;
    while (t->nodes[at].expanded && t->length < PATH && t->board.passes < 2) {
        at = select_child(t, &t->nodes[at], rng);
        kn_light_play(&t->board, t->nodes[at].point, mover);
        t->path[t->length++] = at;
        mover = 3 - mover;
    }
    if (t->board.passes < 2 && t->nodes[at].visits >= 1) expand(t, &t->nodes[at], mover);
    memset(t->first, 0, sizeof t->first);
    int moves = t->board.passes < 2 ? kn_light_playout(&t->board, mover, rng, t->first) : 0;
    kn_meter_charge(&t->meter, (uint64_t)(moves + t->length - 1));
    double margin = kn_light_margin(&t->board) - t->komi, black = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
    for (int i = t->length - 1; i >= 0; i--) {
        Node *node = &t->nodes[t->path[i]];
        int played = (i % 2) ? colour : 3 - colour, next = 3 - played;
        node->visits++, node->wins += played == 1 ? black : 1 - black;
        for (uint32_t c = 0; node->expanded && c < node->children; c++) {
            Node *child = &t->nodes[node->first + c];
            if (t->first[child->point] != next || !child->point) continue;
            child->later_visits++, child->later_wins += next == 1 ? black : 1 - black;
        }
        if (node->point)
            t->first[node->point] = (uint8_t)played; /* earlier than what the playout did there */
    }
}

static void prepare(KnGoTree *t, const KnGoTreeRequest *request)
{
    t->count = 0;
    add_child(t, KN_LIGHT_PASS);
    kn_light_set(&t->root, t->game, request->position);
    Node *root = &t->nodes[0];
    int colour = t->game->type->mover(t->game, request->position) + 1, passing = 0;
    root->first = t->count;
    for (int i = 0; i < request->allowed_count; i++) {
        int point = kn_light_from_move(&t->root, t->game, request->allowed[i]);
        passing |= point == KN_LIGHT_PASS;
        if (point && !kn_light_eye(&t->root, point, colour)) add_child(t, point);
    }
    if (t->count == root->first) /* only eyes are left */
        add_child(t, passing ? KN_LIGHT_PASS : kn_light_from_move(&t->root, t->game, request->allowed[0]));
    root->children = t->count - root->first;
    root->expanded = true;
    for (int i = 0; i < request->hint_count; i++)
        for (uint32_t c = root->first; c < t->count; c++) {
            Node *child = &t->nodes[c];
            if (kn_light_move(&t->root, t->game, child->point) != request->hints[i].move) continue;
            child->given += request->hints[i].visits;
            child->visits += request->hints[i].visits,
                child->wins += request->hints[i].visits * request->hints[i].result;
            child->later_visits += request->hints[i].visits,
                child->later_wins += request->hints[i].visits * request->hints[i].result;
        }
}

static double real_visits(const Node *node) { return node->visits - node->given; }

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

static void report(KnGoTree *t, KnGoTreeResult *result)
{
    const Node *root = &t->nodes[0];
    uint32_t best = most_visited(t, root);
    result->move = kn_light_move(&t->root, t->game, t->nodes[best].point);
    result->result = t->nodes[best].visits > 0 ? t->nodes[best].wins / t->nodes[best].visits : 0.5;
    for (uint32_t c = root->first; c < root->first + root->children;
         c++) { /* the ROWS most visited, in order */
        const Node *child = &t->nodes[c];
        int at = result->row_count < ROWS ? result->row_count++ : ROWS;
        for (; at > 0 && result->rows[at - 1].visits < real_visits(child); at--)
            if (at < ROWS) result->rows[at] = result->rows[at - 1];
        if (at < ROWS)
            result->rows[at] = (KnGoRow){kn_light_move(&t->root, t->game, child->point), real_visits(child),
                                         child->visits > 0 ? child->wins / child->visits : 0.5};
    }
    for (const Node *node = root; node->expanded && result->length < ROWS && node->visits > 0;) {
        node = &t->nodes[most_visited(t, node)];
        if (node->visits <= 0) break;
        result->line[result->length++] = kn_light_move(&t->root, t->game, node->point);
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
