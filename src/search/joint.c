#include "search/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/gdl/gdl.h"
#include "games/gdl/playouts.h"

enum { NONE = UINT32_MAX, BATCH = 256 };
enum { MANY = -2, NOBODY = -1 }; /* who decides at a node, besides a role */

/* What a role knows of one of its moves at a node. Where it alone decides, also where the move leads. */
typedef struct Action {
    KnMove move;
    double total; /* of results in 0..1 */
    uint32_t visits;
    uint32_t child;
} Action;

/* The moves of all roles stand together in the list of actions, role after role. */
typedef struct Node {
    uint64_t hash;
    uint32_t first; /* of its actions */
    uint32_t visits;
    uint16_t distance; /* to the end, where it is proved */
    int8_t decider;
    bool expanded, proved;
} Node;

typedef struct Edge { /* of a node where several decide */
    uint64_t key;     /* 0: free */
    uint32_t child;
} Edge;

typedef struct Step {
    uint32_t node;
    uint32_t chosen[]; /* action of each role; NONE: it does not move */
} Step;

struct KnJoint {
    const KnGame *game;
    KnGdlMachine *machine; /* that plays random games fast; NULL: there is none */
    KnJointOptions options;
    KnMeter meter;
    KnRng *rng;
    size_t stride;
    uint32_t capacity, count, action_capacity, action_count;
    Node *nodes;
    unsigned char *positions;
    uint32_t *lengths; /* how many moves each role has at each node */
    double *proofs;    /* results of all roles at each node that is proved */
    Action *actions;
    uint32_t *slots; /* nodes by hash, place + 1 */
    uint32_t slot_mask;
    Edge *edges;
    uint32_t edge_mask, edge_count;
    unsigned char *path; /* Steps */
    size_t step_size;
    unsigned char *playing; /* the position of a random game */
    KnMove *moves;
    double *chances;
    bool *barred; /* actions of the root that are not allowed */
    KnRootMove *root;
    KnMove *pv;
    uint64_t playouts;
    int batch;
    double batch_seconds;
};

KnJointOptions kn_joint_options(void)
{
    return (KnJointOptions){
        .exploration = 0.5, .bytes = (size_t)64 << 20, .playout_plies = 1000, .solve = true};
}

/* ---- Life ---- */

static uint32_t power_above(uint64_t wanted)
{
    uint64_t size = 16;
    while (size < wanted) size *= 2;
    return (uint32_t)size;
}

static KnStatus take_memory(KnJoint *j, KnError *error)
{
    size_t roles = (size_t)j->game->roles, width = (size_t)j->game->max_moves;
    size_t each = sizeof(Node) + j->stride + roles * (sizeof(uint32_t) + sizeof(double)) +
                  4 * sizeof(uint32_t) + 2 * sizeof(Edge) + 16 * sizeof(Action);
    size_t fit = j->options.bytes / each;
    if (fit < width + 2) fit = width + 2;
    j->capacity = fit < UINT32_MAX / 8 ? (uint32_t)fit : UINT32_MAX / 8;
    uint64_t actions = (uint64_t)j->capacity * 16, least = 2 * roles * width;
    j->action_capacity = (uint32_t)(actions < least        ? least
                                    : actions < UINT32_MAX ? actions
                                                           : UINT32_MAX - 1);
    uint32_t slots = power_above(2 * (uint64_t)j->capacity),
             edges = power_above((uint64_t)j->capacity * 3 / 2);
    j->slot_mask = slots - 1;
    j->edge_mask = edges - 1;
    j->nodes = malloc(j->capacity * sizeof *j->nodes);
    void *positions = NULL;
    if (posix_memalign(&positions, 64, j->capacity * j->stride) == 0) j->positions = positions;
    j->lengths = malloc(j->capacity * roles * sizeof *j->lengths);
    j->proofs = malloc(j->capacity * roles * sizeof *j->proofs);
    j->actions = malloc(j->action_capacity * sizeof *j->actions);
    j->slots = calloc(slots, sizeof *j->slots);
    j->edges = calloc(edges, sizeof *j->edges);
    j->step_size = (sizeof(Step) + roles * sizeof(uint32_t) + 7) & ~(size_t)7;
    j->path = malloc((KN_SEARCH_PLIES + 1) * j->step_size);
    j->playing = aligned_alloc(16, j->stride);
    j->moves = malloc(width * sizeof *j->moves);
    j->chances = malloc(width * sizeof *j->chances);
    j->barred = malloc(width * sizeof *j->barred);
    j->root = malloc(width * sizeof *j->root);
    j->pv = malloc((KN_SEARCH_PLIES + 1) * sizeof *j->pv);
    if (j->nodes && j->positions && j->lengths && j->proofs && j->actions && j->slots && j->edges &&
        j->path && j->playing && j->moves && j->chances && j->barred && j->root && j->pv)
        return KN_OK;
    return kn_fail(error, KN_SYSTEM, "out of memory: %zu bytes for tree sampling", j->options.bytes);
}

KnJoint *kn_joint_new(const KnGame *game, const KnJointOptions *options, KnError *error)
{
    if (game->traits & KN_GAME_LOOKS_BACK) {
        kn_fail(error, KN_USAGE,
                "the rules of %s look back: positions met by different ways are not the same", game->spec);
        return NULL;
    }
    KnJoint *j = calloc(1, sizeof *j);
    if (!j) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    j->game = game;
    j->options = *options;
    j->stride = (game->position_size + 15) & ~(size_t)15;
    KnGdlMachine *machine = kn_game_gdl(game);
    if (machine && kn_gdl_machine_fast(machine)) j->machine = machine;
    if (take_memory(j, error) == KN_OK) return j;
    kn_joint_free(j);
    return NULL;
}

void kn_joint_free(KnJoint *j)
{
    if (!j) return;
    free(j->nodes);
    free(j->positions);
    free(j->lengths);
    free(j->proofs);
    free(j->actions);
    free(j->slots);
    free(j->edges);
    free(j->path);
    free(j->playing);
    free(j->moves);
    free(j->chances);
    free(j->barred);
    free(j->root);
    free(j->pv);
    free(j);
}

void kn_joint_limit(KnJoint *j, uint64_t playouts) { j->options.playouts = playouts; }

void kn_joint_clear(KnJoint *j)
{
    if (!j->count) return;
    memset(j->slots, 0, ((size_t)j->slot_mask + 1) * sizeof *j->slots);
    memset(j->edges, 0, ((size_t)j->edge_mask + 1) * sizeof *j->edges);
    j->count = j->action_count = j->edge_count = 0;
}

/* ---- Nodes ---- */

static unsigned char *position_of(const KnJoint *j, uint32_t node) { return j->positions + node * j->stride; }
static uint32_t *lengths_of(const KnJoint *j, uint32_t node)
{
    return j->lengths + node * (size_t)j->game->roles;
}
static double *proof_of(const KnJoint *j, uint32_t node) { return j->proofs + node * (size_t)j->game->roles; }
static Step *step_at(const KnJoint *j, int ply)
{
    return (Step *)(void *)(j->path + (size_t)ply * j->step_size);
}

static double result_of(const KnGame *game, double payoff)
{
    double range = game->payoff_high - game->payoff_low;
    return range > 0 ? (payoff - game->payoff_low) / range : 0.5;
}

/* The node of a position, new if it was never met; an end is proved at once. NONE if there is no room. */
static uint32_t node_of(KnJoint *j, const void *position)
{
    const KnGame *game = j->game;
    uint64_t hash = game->type->hash(game, position);
    uint32_t i = (uint32_t)(hash >> 20) & j->slot_mask;
    for (; j->slots[i]; i = (i + 1) & j->slot_mask) {
        uint32_t node = j->slots[i] - 1;
        if (j->nodes[node].hash == hash && memcmp(position_of(j, node), position, game->position_size) == 0)
            return node;
    }
    if (j->count == j->capacity) return NONE;
    uint32_t node = j->count++;
    j->slots[i] = node + 1;
    j->nodes[node] = (Node){.hash = hash, .decider = NOBODY};
    memcpy(position_of(j, node), position, game->position_size);
    if (!kn_game_movers(game, position)) {
        double payoffs[KN_ROLES_MAX];
        game->type->payoffs(game, position, payoffs);
        for (int role = 0; role < game->roles; role++)
            proof_of(j, node)[role] = result_of(game, payoffs[role]);
        j->nodes[node].proved = true;
    }
    return node;
}

/* Lists everybody's moves, in random order, so that among equals the first is an even choice; false if there
 * is no room. */
static bool expand(KnJoint *j, uint32_t index)
{
    const KnGame *game = j->game;
    Node *node = &j->nodes[index];
    uint32_t movers = kn_game_movers(game, position_of(j, index)), first = j->action_count;
    int deciders = 0;
    for (int role = 0; role < game->roles; role++) {
        int count = movers >> role & 1 ? kn_game_moves_of(game, position_of(j, index), role, j->moves) : 0;
        if (j->action_capacity - j->action_count < (uint32_t)count) {
            j->action_count = first;
            return false;
        }
        lengths_of(j, index)[role] = (uint32_t)count;
        Action *list = j->actions + j->action_count;
        for (int i = 0; i < count; i++) {
            uint32_t k = role == game->nature ? (uint32_t)i : kn_rng_below(j->rng, (uint32_t)i + 1);
            list[i] = list[k];
            list[k] = (Action){.move = j->moves[i], .child = NONE};
        }
        j->action_count += (uint32_t)count;
        if (count < 2) continue;
        node->decider = deciders++ ? MANY : (int8_t)role;
    }
    node->first = first;
    node->expanded = true;
    return true;
}

/* ---- Going down ---- */

static uint32_t draw(KnJoint *j, uint32_t index, const Action *list, uint32_t count)
{
    const KnGame *game = j->game;
    if (!game->type->chances) return kn_rng_below(j->rng, count);
    for (uint32_t i = 0; i < count; i++) j->moves[i] = list[i].move;
    game->type->chances(game, position_of(j, index), j->moves, (int)count, j->chances);
    double at = kn_rng_real(j->rng);
    uint32_t i = 0;
    while (i < count - 1 && (at -= j->chances[i]) >= 0) i++;
    return i;
}

static bool is_settled(const KnJoint *j, const Action *action)
{
    return action->child != NONE && j->nodes[action->child].proved;
}

/* A role's choice by the highest upper bound; what was never tried comes first, what is proved is left alone.
 */
static uint32_t select_action(KnJoint *j, const Node *node, const Action *list, uint32_t count,
                              const bool *barred)
{
    uint32_t best = NONE;
    double most = -1, spread = log((double)node->visits + 1);
    for (uint32_t i = 0; i < count; i++) {
        if ((barred && barred[i]) || is_settled(j, &list[i])) continue;
        if (!list[i].visits) return i;
        double bound = list[i].total / list[i].visits +
                       j->options.exploration * sqrt(spread / list[i].visits);
        if (bound > most) most = bound, best = i;
    }
    for (uint32_t i = 0; best == NONE; i++) /* all are proved, or cannot be told apart: any that is allowed */
        if (!barred || !barred[i]) best = i;
    return best;
}

/* Where the joint move of a step leads; NONE if there is no room for it. */
static uint32_t follow(KnJoint *j, const Step *step, Action *only)
{
    const KnGame *game = j->game;
    Edge *edge = NULL;
    if (only && only->child != NONE) return only->child;
    if (!only) {
        uint64_t key = kn_mix64(step->node);
        for (int role = 0; role < game->roles; role++) key = kn_mix64(key ^ step->chosen[role]);
        key += key == 0;
        uint32_t i = (uint32_t)(key >> 20) & j->edge_mask;
        while (j->edges[i].key && j->edges[i].key != key) i = (i + 1) & j->edge_mask;
        edge = &j->edges[i];
        if (edge->key) return edge->child;
        if (j->edge_count > j->edge_mask / 4 * 3) return NONE;
        edge->key = key;
        edge->child = NONE;
    }
    KnMove joint[KN_ROLES_MAX];
    for (int role = 0; role < game->roles; role++)
        joint[role] = step->chosen[role] == NONE ? KN_MOVE_NONE : j->actions[step->chosen[role]].move;
    memcpy(j->playing, position_of(j, step->node), j->stride);
    kn_game_play_joint(game, j->playing, joint);
    uint32_t child = node_of(j, j->playing);
    if (only)
        only->child = child;
    else if (child == NONE)
        edge->key = 0; /* nothing was put behind it since: the table stays whole */
    else
        edge->child = child, j->edge_count++;
    return child;
}

/* ---- Random games ---- */

/* Step by step, so that a clock is kept even where a single step is slow. */
static bool playout_slowly(KnJoint *j, double *results)
{
    const KnGame *game = j->game;
    for (int ply = 0; ply < j->options.playout_plies; ply++) {
        uint32_t movers = kn_game_movers(game, j->playing);
        if (!movers) {
            game->type->payoffs(game, j->playing, results);
            for (int role = 0; role < game->roles; role++) results[role] = result_of(game, results[role]);
            return true;
        }
        KnMove joint[KN_ROLES_MAX];
        for (int role = 0; role < game->roles; role++) {
            joint[role] = KN_MOVE_NONE;
            int count = movers >> role & 1 ? kn_game_moves_of(game, j->playing, role, j->moves) : 0;
            if (!count) continue;
            uint32_t pick = kn_rng_below(j->rng, (uint32_t)count);
            if (role == game->nature && game->type->chances) {
                game->type->chances(game, j->playing, j->moves, count, j->chances);
                double at = kn_rng_real(j->rng);
                for (pick = 0; pick < (uint32_t)count - 1 && (at -= j->chances[pick]) >= 0;) pick++;
            }
            joint[role] = j->moves[pick];
        }
        if (!kn_meter_count(&j->meter)) return false;
        kn_game_play_joint(game, j->playing, joint);
    }
    for (int role = 0; role < game->roles; role++) results[role] = 0.5;
    return true;
}

static bool playout(KnJoint *j, uint32_t node, double *results)
{
    if (!j->machine) {
        memcpy(j->playing, position_of(j, node), j->stride);
        return playout_slowly(j, results);
    }
    KnGdlPlayouts out;
    KnError error;
    if (!kn_meter_count(&j->meter)) return false;
    const uint64_t *facts = kn_gdl_facts(position_of(j, node));
    double started = j->batch > 1 ? kn_clock_now() : 0;
    if (j->batch > 1 && started + 1.5 * j->batch_seconds > j->meter.deadline) {
        j->meter.stopped = true; /* another would end too late */
        j->meter.why = KN_STOP_TIME;
        return false;
    }
    KnStatus status = j->batch > 1
                          ? kn_gdl_playouts(j->machine, facts, (uint64_t)j->batch,
                                            (uint32_t)j->options.playout_plies, j->rng, &out, &error)
                          : kn_gdl_playouts_singly(j->machine, facts, 1, (uint32_t)j->options.playout_plies,
                                                   j->rng, &out, &error);
    if (j->batch > 1) { /* the least so far: what a busy machine adds to one says nothing of the next */
        double took = kn_clock_now() - started;
        if (j->batch_seconds <= 0 || took < j->batch_seconds) j->batch_seconds = took;
    }
    if (status != KN_OK || !out.games) {
        for (int role = 0; role < j->game->roles; role++) results[role] = 0.5;
        return status == KN_OK;
    }
    kn_meter_charge(&j->meter, out.plies);
    for (int role = 0; role < j->game->roles; role++)
        results[role] = (double)out.totals[role] / (double)out.games / 100;
    return true;
}

/* ---- Coming back ---- */

/* All moves of nature are known: their mean. */
static bool prove_chance(KnJoint *j, uint32_t index, const Action *list, uint32_t count)
{
    const KnGame *game = j->game;
    double mean[KN_ROLES_MAX] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!is_settled(j, &list[i])) return false;
        j->moves[i] = list[i].move;
        j->chances[i] = 1.0 / count;
    }
    if (game->type->chances)
        game->type->chances(game, position_of(j, index), j->moves, (int)count, j->chances);
    for (uint32_t i = 0; i < count; i++)
        for (int role = 0; role < game->roles; role++)
            mean[role] += j->chances[i] * proof_of(j, list[i].child)[role];
    memcpy(proof_of(j, index), mean, (size_t)game->roles * sizeof(double));
    return true;
}

/* All joint moves are known, and come to the same. */
static bool prove_many(KnJoint *j, uint32_t index)
{
    enum { MOST = 4096 };
    const KnGame *game = j->game;
    const uint32_t *lengths = lengths_of(j, index);
    uint64_t ways = 1;
    for (int role = 0; role < game->roles; role++)
        if (lengths[role] && (ways *= lengths[role]) > MOST) return false;
    uint32_t first = NONE;
    for (uint64_t way = 0; way < ways; way++) {
        uint64_t rest = way, key = kn_mix64(index);
        uint32_t start = j->nodes[index].first;
        for (int role = 0; role < game->roles; role++) {
            uint32_t chosen = lengths[role] ? start + (uint32_t)(rest % lengths[role]) : NONE;
            if (lengths[role]) rest /= lengths[role];
            start += lengths[role];
            key = kn_mix64(key ^ chosen);
        }
        key += key == 0;
        uint32_t i = (uint32_t)(key >> 20) & j->edge_mask;
        while (j->edges[i].key && j->edges[i].key != key) i = (i + 1) & j->edge_mask;
        if (!j->edges[i].key || !j->nodes[j->edges[i].child].proved) return false;
        if (first == NONE) first = j->edges[i].child;
        if (memcmp(proof_of(j, first), proof_of(j, j->edges[i].child),
                   (size_t)game->roles * sizeof(double)) != 0)
            return false;
    }
    memcpy(proof_of(j, index), proof_of(j, first), (size_t)game->roles * sizeof(double));
    j->nodes[index].distance = (uint16_t)(j->nodes[first].distance + 1);
    return true;
}

/* The best of a role's moves that are proved: nearer wins and farther other ends among equals. NONE if there
 * is none. */
static uint32_t best_proved(const KnJoint *j, const Action *list, uint32_t count, int role,
                            const bool *barred, bool *all)
{
    uint32_t best = NONE;
    *all = true;
    for (uint32_t i = 0; i < count; i++) {
        if (barred && barred[i]) continue;
        if (!is_settled(j, &list[i])) {
            *all = false;
            continue;
        }
        if (best == NONE) {
            best = i;
            continue;
        }
        double value = proof_of(j, list[i].child)[role], so_far = proof_of(j, list[best].child)[role];
        int nearer = (int)j->nodes[list[best].child].distance - (int)j->nodes[list[i].child].distance;
        if (value > so_far || (value == so_far && (value >= 1 ? nearer > 0 : nearer < 0))) best = i;
    }
    return best;
}

static Action *list_of(const KnJoint *j, uint32_t index, int role)
{
    uint32_t first = j->nodes[index].first;
    for (int r = 0; r < role; r++) first += lengths_of(j, index)[r];
    return j->actions + first;
}

static bool prove(KnJoint *j, uint32_t index, const Step *step)
{
    Node *node = &j->nodes[index];
    int role = node->decider;
    if (role == MANY) return prove_many(j, index);
    if (role == NOBODY) { /* one way on: any role's only move knows where it leads */
        const Action *only = NULL;
        for (int r = 0; r < j->game->roles && !only; r++)
            if (step->chosen[r] != NONE) only = &j->actions[step->chosen[r]];
        if (!only || !is_settled(j, only)) return false;
        memcpy(proof_of(j, index), proof_of(j, only->child), (size_t)j->game->roles * sizeof(double));
        node->distance = (uint16_t)(j->nodes[only->child].distance + 1);
        return true;
    }
    const Action *list = list_of(j, index, role);
    uint32_t count = lengths_of(j, index)[role];
    if (role == j->game->nature) return prove_chance(j, index, list, count);
    bool all;
    uint32_t best = best_proved(j, list, count, role, NULL, &all);
    if (best == NONE || (!all && proof_of(j, list[best].child)[role] < 1)) return false;
    memcpy(proof_of(j, index), proof_of(j, list[best].child), (size_t)j->game->roles * sizeof(double));
    node->distance = (uint16_t)(j->nodes[list[best].child].distance + 1);
    return true;
}

static void back_up(KnJoint *j, int length, const double *results, bool proving)
{
    for (int i = length; i-- > 0;) {
        const Step *step = step_at(j, i);
        Node *node = &j->nodes[step->node];
        node->visits++;
        for (int role = 0; role < j->game->roles; role++) {
            if (step->chosen[role] == NONE) continue;
            j->actions[step->chosen[role]].visits++;
            j->actions[step->chosen[role]].total += results[role];
        }
        if (!proving || !j->options.solve) continue;
        if (!node->proved) node->proved = prove(j, step->node, step);
        proving = node->proved;
    }
}

/* One way down, one judgement. False when the budget ends. */
static bool sample(KnJoint *j, uint32_t root, int viewpoint)
{
    double results[KN_ROLES_MAX];
    uint32_t at = root;
    int ply = 0;
    while (ply < KN_SEARCH_PLIES && !(j->nodes[at].proved && at != root)) {
        if (!j->nodes[at].expanded && ((at != root && j->nodes[at].visits == 0) || !expand(j, at))) break;
        Step *step = step_at(j, ply);
        Node *node = &j->nodes[at];
        Action *only = NULL;
        uint32_t first = node->first;
        step->node = at;
        for (int role = 0; role < j->game->roles; role++) {
            uint32_t count = lengths_of(j, at)[role];
            step->chosen[role] = NONE;
            if (!count) continue;
            const Action *list = j->actions + first;
            uint32_t pick = count == 1 ? 0
                            : role == j->game->nature
                                ? draw(j, at, list, count)
                                : select_action(j, node, list, count,
                                                at == root && role == viewpoint ? j->barred : NULL);
            step->chosen[role] = first + pick;
            if (node->decider == role || (node->decider == NOBODY && !only)) only = &j->actions[first + pick];
            first += count;
        }
        if (!kn_meter_count(&j->meter)) return false;
        uint32_t child = follow(j, step, only);
        ply++;
        if (child == NONE) { /* full: judge from here, as one would a leaf */
            if (!playout_slowly(j, results)) return false;
            j->playouts++;
            back_up(j, ply, results, false);
            return true;
        }
        at = child;
    }
    bool proved = j->nodes[at].proved;
    if (proved)
        memcpy(results, proof_of(j, at), (size_t)j->game->roles * sizeof(double));
    else if (!playout(j, at, results))
        return false;
    j->playouts++;
    j->nodes[at].visits += !j->nodes[at].expanded;
    back_up(j, ply, results, proved);
    return true;
}

/* ---- The answer ---- */

static KnScore score_of(const KnJoint *j, const Action *action, int role)
{
    const KnGame *game = j->game;
    if (!is_settled(j, action)) {
        double mean = action->visits ? action->total / action->visits : 0.5;
        return (KnScore)lround((2 * mean - 1) * (KN_SCORE_PAYOFF - 1));
    }
    double value = proof_of(j, action->child)[role];
    double payoff = value >= 1 ? game->payoff_high
                               : game->payoff_low + value * (game->payoff_high - game->payoff_low);
    return kn_score_of_payoff(game, payoff, j->nodes[action->child].distance + 1);
}

/* The most visited move, unless a proved one is worth as much. */
static uint32_t best_action(const KnJoint *j, const Action *list, uint32_t count, int role,
                            const bool *barred)
{
    bool all;
    uint32_t proved = best_proved(j, list, count, role, barred, &all), visited = NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!(barred && barred[i]) && !is_settled(j, &list[i]) &&
            (visited == NONE || list[i].visits > list[visited].visits))
            visited = i;
    if (proved == NONE || visited == NONE) return proved == NONE ? visited : proved;
    double mean = list[visited].visits ? list[visited].total / list[visited].visits : 0;
    return proof_of(j, list[proved].child)[role] >= mean ? proved : visited;
}

/* Goes on through positions where nobody has a choice, with the moves that a sequential view shows there.
 * NONE: the tree ends. */
static uint32_t skip_forced(KnJoint *j, uint32_t node, int viewpoint, KnSearchResult *result)
{
    while (j->nodes[node].expanded && j->nodes[node].decider == NOBODY &&
           result->pv_length < KN_SEARCH_PLIES) {
        uint32_t next = j->actions[j->nodes[node].first].child;
        if (next == NONE) return NONE;
        const Action *shown = lengths_of(j, node)[viewpoint] ? list_of(j, node, viewpoint)
                                                             : &j->actions[j->nodes[node].first];
        j->pv[result->pv_length++] = shown->move;
        node = next;
    }
    return node;
}

/* The line of best moves as long as one role at a time decides. */
static void write_line(KnJoint *j, uint32_t node, int viewpoint, uint32_t first_best, KnSearchResult *result)
{
    uint32_t best = first_best;
    int role = viewpoint;
    while (result->pv_length < KN_SEARCH_PLIES) {
        const Action *action = list_of(j, node, role) + best;
        j->pv[result->pv_length++] = action->move;
        if (j->nodes[node].decider != role || action->child == NONE) break;
        node = skip_forced(j, action->child, viewpoint, result);
        if (node == NONE) break;
        role = j->nodes[node].decider;
        if (!j->nodes[node].expanded || role < 0 || role == j->game->nature || !j->nodes[node].visits) break;
        best = best_action(j, list_of(j, node, role), lengths_of(j, node)[role], role, NULL);
    }
}

static void answer(KnJoint *j, uint32_t root, int role, const KnMove *allowed, int count,
                   KnSearchResult *result)
{
    const Action *list = list_of(j, root, role);
    uint32_t length = lengths_of(j, root)[role];
    for (int i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < length - 1 && list[k].move != allowed[i]) k++;
        bool alone = j->nodes[root].decider == role;
        j->root[i] = (KnRootMove){allowed[i], score_of(j, &list[k], role),
                                  alone && is_settled(j, &list[k]) ? KN_BOUND_EXACT : KN_BOUND_NONE,
                                  list[k].visits};
    }
    uint32_t best = best_action(j, list, length, role, j->barred);
    result->move = list[best].move;
    result->score = score_of(j, &list[best], role);
    result->root = j->root;
    result->root_count = count;
    write_line(j, root, role, best, result);
    result->pv = j->pv;
    result->depth = result->pv_length;
    result->nodes = j->meter.nodes;
    result->seconds = kn_meter_seconds(&j->meter);
    result->stored = j->count;
    result->playouts = j->playouts * (uint64_t)j->batch;
    for (uint32_t i = 0; i < j->count; i++) result->solved += j->nodes[i].proved;
}

/* Whether more samples could change the answer. */
static bool is_decided(const KnJoint *j, uint32_t root, int role)
{
    if (!j->options.solve) return false;
    if (j->nodes[root].decider != role) return j->nodes[root].proved && j->nodes[root].visits > 0;
    bool all;
    const Action *list = list_of(j, root, role);
    uint32_t best = best_proved(j, list, lengths_of(j, root)[role], role, j->barred, &all);
    return best != NONE && (all || proof_of(j, list[best].child)[role] >= 1);
}

/* Marks the root's moves that are not among the allowed ones; false if one of those is not legal. */
static bool bar_others(KnJoint *j, uint32_t root, int role, const KnMove *allowed, int count)
{
    const Action *list = list_of(j, root, role);
    uint32_t length = lengths_of(j, root)[role];
    int found = 0;
    for (uint32_t i = 0; i < length; i++) {
        j->barred[i] = true;
        for (int k = 0; k < count && j->barred[i]; k++) j->barred[i] = list[i].move != allowed[k];
        found += !j->barred[i];
    }
    return found == count;
}

/* Better judgements pay where there is time for many of them all the same; the tree must grow first. */
static int choose_batch(KnJoint *j, const void *position, double seconds)
{
    enum { ENOUGH = 2000 };
    static const double WORTH_MEASURING = 0.5;
    KnGdlPlayouts out;
    KnError error;
    if (j->batch_seconds <= 0 && seconds >= WORTH_MEASURING) {
        double started =
            kn_clock_now(); /* one alone first: on a large sheet a batch could take the whole clock */
        if (kn_gdl_playouts_singly(j->machine, kn_gdl_facts(position), 1, (uint32_t)j->options.playout_plies,
                                   j->rng, &out, &error) != KN_OK)
            return 1;
        if ((kn_clock_now() - started) * 200 > seconds) return 1;
        started = kn_clock_now();
        if (kn_gdl_playouts(j->machine, kn_gdl_facts(position), BATCH, (uint32_t)j->options.playout_plies,
                            j->rng, &out, &error) != KN_OK)
            return 1;
        j->batch_seconds = kn_clock_now() - started;
    }
    return j->batch_seconds > 0 && seconds > ENOUGH * j->batch_seconds ? BATCH : 1;
}

KnStatus kn_joint_run(KnJoint *j, const void *position, int role, const KnSearchRequest *request,
                      KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    if (!request->rng) return kn_fail(error, KN_USAGE, "tree sampling needs a random number generator");
    if (!request->budget.nodes && request->budget.seconds <= 0 && !request->cancel && !j->options.playouts)
        return kn_fail(error, KN_USAGE, "tree sampling needs a limit: playouts, nodes or seconds");
    kn_meter_start(&j->meter, &request->budget, request->cancel);
    j->rng = request->rng;
    j->playouts = 0;
    j->batch = j->options.batch;
    if (!j->machine)
        j->batch = 1;
    else if (!j->batch)
        j->batch = !request->budget.nodes && !j->options.playouts
                       ? choose_batch(j, position, request->budget.seconds)
                       : 1;
    if (j->count > j->capacity / 4 * 3 || j->action_count > j->action_capacity / 4 * 3) kn_joint_clear(j);
    uint32_t root = node_of(j, position);
    if (!j->nodes[root].expanded && kn_game_movers(j->game, position)) expand(j, root);
    KnMove every[j->game->max_moves];
    const KnMove *allowed = request->allowed;
    int count = request->allowed_count;
    if (!allowed) {
        count = kn_game_moves_of(j->game, position, role, every);
        allowed = every;
    }
    if (!j->nodes[root].expanded || count < 1 || !bar_others(j, root, role, allowed, count))
        return kn_fail(error, KN_INPUT, "there is nothing to choose here, or an allowed move is not legal");
    while (!is_decided(j, root, role) && (!j->options.playouts || j->playouts < j->options.playouts) &&
           sample(j, root, role))
        continue;
    result->completed = !j->meter.stopped;
    result->stop = j->meter.stopped ? j->meter.why : KN_STOP_DONE;
    answer(j, root, role, allowed, count, result);
    return KN_OK;
}
