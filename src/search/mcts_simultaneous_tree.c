/* Nodes are found by their positions, so that transpositions share a node. Edges of joint moves have a hash
 * table of their own: a node where several roles decide has as many as there are combinations tried. */
#include "search/mcts_simultaneous_tree.h"

#include <stdlib.h>
#include <string.h>

KnMctsSimultaneousOptions kn_mcts_simultaneous_options(void)
{
    return (KnMctsSimultaneousOptions){.exploration = 0.5,
                                       .judged_exploration = 0.15,
                                       .bytes = (size_t)64 << 20,
                                       .playout_plies = 1000,
                                       .solve = true,
                                       .amaf = 100};
}

enum { ACTIONS_A_NODE = 8 }; /* most leaves are never expanded and have none */

static uint32_t power_above(uint64_t wanted)
{
    uint64_t size = 16;
    while (size < wanted) size *= 2;
    return (uint32_t)size;
}

static KnStatus take_memory(KnMctsSimultaneous *m, KnError *error)
{
    size_t roles = (size_t)m->game->roles, width = (size_t)m->game->max_moves;
    size_t each = sizeof(KnSmctsNode) + m->stride + roles * (sizeof(uint32_t) + sizeof(double)) +
                  5 * sizeof(uint32_t) + 2 * sizeof(KnSmctsEdge) + ACTIONS_A_NODE * sizeof(KnSmctsAction);
    size_t fit = m->options.bytes / each;
    if (fit < width + 2) fit = width + 2;
    m->capacity = fit < UINT32_MAX / 8 ? (uint32_t)fit : UINT32_MAX / 8;
    uint64_t actions = (uint64_t)m->capacity * ACTIONS_A_NODE, least = 2 * roles * width;
    m->action_capacity = (uint32_t)(actions < least        ? least
                                    : actions < UINT32_MAX ? actions
                                                           : UINT32_MAX - 1);
    uint32_t slots = power_above(2 * (uint64_t)m->capacity),
             edges = power_above((uint64_t)m->capacity * 3 / 2);
    m->slot_mask = slots - 1;
    m->edge_mask = edges - 1;
    m->nodes = malloc(m->capacity * sizeof *m->nodes);
    void *positions = NULL;
    if (posix_memalign(&positions, 64, m->capacity * m->stride) == 0) m->positions = positions;
    m->lengths = malloc(m->capacity * roles * sizeof *m->lengths);
    m->proofs = malloc(m->capacity * roles * sizeof *m->proofs);
    m->actions = malloc(m->action_capacity * sizeof *m->actions);
    m->expansions = malloc(m->capacity * sizeof *m->expansions);
    m->slots = calloc(slots, sizeof *m->slots);
    m->edges = calloc(edges, sizeof *m->edges);
    m->step_size = (sizeof(KnSmctsStep) + roles * (sizeof(uint32_t) + sizeof(float)) + 7) & ~(size_t)7;
    m->path = m->paths = malloc((KN_SEARCH_PLIES + 1) * m->step_size);
    m->playing = aligned_alloc(16, m->stride);
    m->playout.moves = malloc(width * sizeof *m->playout.moves);
    m->playout.chances = malloc(width * sizeof *m->playout.chances);
    m->barred = malloc(width * sizeof *m->barred);
    m->places = malloc(width * sizeof *m->places);
    m->root = malloc(width * sizeof *m->root);
    m->pv = malloc((KN_SEARCH_PLIES + 1) * sizeof *m->pv);
    if (m->nodes && m->positions && m->lengths && m->proofs && m->actions && m->expansions && m->slots &&
        m->edges && m->path && m->playing && m->playout.moves && m->playout.chances && m->barred &&
        m->places && m->root && m->pv)
        return KN_OK;
    return kn_fail(error, KN_SYSTEM, "out of memory: %zu bytes for Monte-Carlo tree search",
                   m->options.bytes);
}

static bool allow(void *user) { return kn_meter_count(user); }

KnMctsSimultaneous *kn_mcts_simultaneous_new(const KnGame *game, const KnMctsSimultaneousOptions *options,
                                             KnError *error)
{
    if (game->traits & KN_GAME_LOOKS_BACK) {
        kn_fail(error, KN_USAGE,
                "the rules of %s look back at earlier positions: transpositions cannot share a node",
                game->spec);
        return NULL;
    }
    KnMctsSimultaneous *m = calloc(1, sizeof *m);
    if (!m) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    m->game = game;
    m->options = *options;
    if (options->threads > 1) m->options.bytes /= (size_t)options->threads;
    m->stride = (game->position_size + 15) & ~(size_t)15;
    KnGdlMachine *machine = kn_game_gdl(game);
    if (machine && kn_gdl_machine_propnet(machine)) m->machine = machine;
    m->playout =
        (KnPlayout){.game = game, .plies = m->options.playout_plies, .allow = allow, .user = &m->meter};
    if (take_memory(m, error) == KN_OK && kn_smcts_amaf_new(m, error) == KN_OK &&
        kn_smcts_team_open(m, error) == KN_OK)
        return m;
    kn_mcts_simultaneous_free(m);
    return NULL;
}

void kn_mcts_simultaneous_free(KnMctsSimultaneous *m)
{
    if (!m) return;
    free(m->nodes);
    free(m->positions);
    free(m->lengths);
    free(m->proofs);
    free(m->actions);
    free(m->expansions);
    free(m->slots);
    free(m->edges);
    free(m->paths);
    free(m->lanes);
    free(m->playing);
    free(m->playout.moves);
    free(m->playout.chances);
    free(m->barred);
    free(m->places);
    free(m->root);
    free(m->pv);
    kn_smcts_amaf_free(m);
    kn_smcts_team_free(m);
    free(m);
}

void kn_mcts_simultaneous_limit(KnMctsSimultaneous *m, uint64_t playouts) { m->options.playouts = playouts; }

void kn_mcts_simultaneous_judge(KnMctsSimultaneous *m, const KnEvaluation *evaluation)
{
    KN_ASSERT(!evaluation || (m->game->roles == 2 && evaluation->payoffs));
    KnMctsSimultaneous *other;
    m->evaluation = evaluation;
    for (int i = 0; (other = kn_smcts_team_member(m, i)); i++) other->evaluation = evaluation;
    kn_mcts_simultaneous_clear(m);
}

void kn_mcts_simultaneous_clear(KnMctsSimultaneous *m)
{
    KnMctsSimultaneous *other;
    for (int i = 0; (other = kn_smcts_team_member(m, i)); i++) kn_mcts_simultaneous_clear(other);
    kn_smcts_amaf_clear(m);
    if (!m->count) return;
    memset(m->slots, 0, ((size_t)m->slot_mask + 1) * sizeof *m->slots);
    if (m->edge_count) memset(m->edges, 0, ((size_t)m->edge_mask + 1) * sizeof *m->edges);
    m->count = m->action_count = m->edge_count = m->expansion_count = 0;
    m->unopposed = false;
    m->full = m->stuck = false;
}

/* ---- Nodes ---- */

void kn_smcts_register(KnMctsSimultaneous *m, uint32_t node)
{
    uint32_t i = (uint32_t)(m->nodes[node].hash >> 20) & m->slot_mask;
    while (m->slots[i]) i = (i + 1) & m->slot_mask;
    m->slots[i] = node + 1;
}

/* *fresh: whether the node is new. */
static uint32_t find_node(KnMctsSimultaneous *m, const void *position, bool *fresh)
{
    const KnGame *game = m->game;
    uint64_t hash = game->type->hash(game, position);
    uint32_t i = (uint32_t)(hash >> 20) & m->slot_mask;
    *fresh = false;
    for (; m->slots[i]; i = (i + 1) & m->slot_mask) {
        uint32_t node = m->slots[i] - 1;
        if (m->nodes[node].hash == hash &&
            memcmp(kn_smcts_position(m, node), position, game->position_size) == 0)
            return node;
    }
    if (m->count == m->capacity) {
        m->full = !m->stuck;
        return KN_SMCTS_NONE;
    }
    uint32_t node = m->count++;
    m->slots[i] = node + 1;
    m->nodes[node] = (KnSmctsNode){.hash = hash, .table = KN_SMCTS_NONE, .decider = KN_SMCTS_NOBODY};
    memcpy(kn_smcts_position(m, node), position, game->position_size);
    *fresh = true;
    return node;
}

uint32_t kn_smcts_node_unasked(KnMctsSimultaneous *m, const void *position)
{
    bool fresh;
    return find_node(m, position, &fresh);
}

uint32_t kn_smcts_node(KnMctsSimultaneous *m, const void *position)
{
    const KnGame *game = m->game;
    bool fresh;
    uint32_t node = find_node(m, position, &fresh);
    if (fresh && !kn_game_movers(game, position)) {
        double payoffs[KN_ROLES_MAX];
        game->type->payoffs(game, position, payoffs);
        for (int role = 0; role < game->roles; role++)
            kn_smcts_proof(m, node)[role] = kn_smcts_result(game, payoffs[role]);
        m->nodes[node].proved = true;
        m->unopposed |= !kn_results_opposed(game, kn_smcts_proof(m, node), 1);
    }
    return node;
}

/* Lists the moves of all roles, in random order, so that the first of equals is a uniform choice. */
bool kn_smcts_expand(KnMctsSimultaneous *m, uint32_t index)
{
    const KnGame *game = m->game;
    KnSmctsNode *node = &m->nodes[index];
    uint32_t movers = kn_game_movers(game, kn_smcts_position(m, index)), first = m->action_count;
    int deciders = 0;
    for (int role = 0; role < game->roles; role++) {
        int count = movers >> role & 1
                        ? kn_game_moves_of(game, kn_smcts_position(m, index), role, m->playout.moves)
                        : 0;
        if (m->action_capacity - m->action_count < (uint32_t)count) {
            m->action_count = first;
            m->full = !m->stuck;
            return false;
        }
        kn_smcts_lengths(m, index)[role] = (uint32_t)count;
        KnSmctsAction *list = m->actions + m->action_count;
        for (int i = 0; i < count; i++) {
            uint32_t k = role == game->nature ? (uint32_t)i : kn_rng_below(m->playout.rng, (uint32_t)i + 1);
            list[i] = list[k];
            list[k] = (KnSmctsAction){.move = m->playout.moves[i], .child = KN_SMCTS_NONE};
        }
        m->action_count += (uint32_t)count;
        if (count < 2) continue;
        node->decider = deciders++ ? KN_SMCTS_MANY : (int8_t)role;
    }
    node->first = first;
    node->expanded = true;
    m->expansions[m->expansion_count++] = index;
    return true;
}

/* ---- Joint moves ---- */

KnSmctsAction *kn_smcts_actions(const KnMctsSimultaneous *m, uint32_t index, int role)
{
    KN_ASSERT(m->nodes[index].expanded && role < m->game->roles);
    uint32_t first = m->nodes[index].first;
    for (int r = 0; r < role; r++) first += kn_smcts_lengths(m, index)[r];
    return m->actions + first;
}

uint64_t kn_smcts_edge_key(const KnMctsSimultaneous *m, uint32_t node, const uint32_t *chosen)
{
    uint64_t key = kn_mix64(m->nodes[node].hash);
    for (int role = 0; role < m->game->roles; role++)
        key = kn_mix64(key ^ (chosen[role] == KN_SMCTS_NONE ? UINT64_MAX : m->actions[chosen[role]].move));
    return key + (key == 0);
}

KnSmctsEdge *kn_smcts_edge(const KnMctsSimultaneous *m, uint32_t node, uint64_t key)
{
    uint32_t i = (uint32_t)(key >> 20) & m->edge_mask;
    while (m->edges[i].key && (m->edges[i].key != key || m->edges[i].parent != node))
        i = (i + 1) & m->edge_mask;
    return &m->edges[i];
}

/* The action that knows where a step leads: that of the only role that decides; NULL if several do. */
static KnSmctsAction *only_action(const KnMctsSimultaneous *m, const KnSmctsStep *step)
{
    int decider = m->nodes[step->node].decider;
    for (int role = 0; role < m->game->roles; role++)
        if (step->chosen[role] != KN_SMCTS_NONE && (decider == role || decider == KN_SMCTS_NOBODY))
            return &m->actions[step->chosen[role]];
    return NULL;
}

uint32_t kn_smcts_known(const KnMctsSimultaneous *m, const KnSmctsStep *step)
{
    const KnSmctsAction *only = only_action(m, step);
    if (only) return only->child;
    const KnSmctsEdge *edge = kn_smcts_edge(m, step->node, kn_smcts_edge_key(m, step->node, step->chosen));
    return edge->key ? edge->child : KN_SMCTS_NONE;
}

static uint32_t link_to(KnMctsSimultaneous *m, const KnSmctsStep *step, bool ask)
{
    KnSmctsAction *only = only_action(m, step);
    if (!only && m->edge_count > m->edge_mask / 4 * 3) {
        m->full = !m->stuck;
        return KN_SMCTS_NONE;
    }
    uint32_t child = ask ? kn_smcts_node(m, m->playing) : kn_smcts_node_unasked(m, m->playing);
    if (only) {
        only->child = child;
        return child;
    }
    uint64_t key = kn_smcts_edge_key(m, step->node, step->chosen);
    KnSmctsEdge *edge = kn_smcts_edge(m, step->node, key);
    if (child != KN_SMCTS_NONE && !edge->key)
        *edge = (KnSmctsEdge){.key = key, .parent = step->node, .child = child & INT32_MAX}, m->edge_count++;
    return child;
}

uint32_t kn_smcts_link(KnMctsSimultaneous *m, const KnSmctsStep *step) { return link_to(m, step, false); }

uint32_t kn_smcts_follow(KnMctsSimultaneous *m, const KnSmctsStep *step)
{
    KnMove joint[KN_ROLES_MAX];
    for (int role = 0; role < m->game->roles; role++)
        joint[role] = step->chosen[role] == KN_SMCTS_NONE ? KN_MOVE_NONE
                                                          : m->actions[step->chosen[role]].move;
    memcpy(m->playing, kn_smcts_position(m, step->node), m->stride);
    kn_game_play_joint(m->game, m->playing, joint);
    return link_to(m, step, true);
}
