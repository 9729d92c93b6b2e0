/* Proven values are carried up the tree (MCTS-Solver: Winands, Bjornsson and Saito 2008), here for general
 * payoffs, chance nodes and simultaneous moves. */
#include "search/mcts_simultaneous_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/matrix_game.h"

/* ---- Proofs ---- */

/* Chance node: all moves are proved; the mean. */
static bool prove_chance(KnMctsSimultaneous *m, uint32_t index, const KnSmctsAction *list, uint32_t count)
{
    const KnGame *game = m->game;
    double mean[KN_ROLES_MAX] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!kn_smcts_settled(m, &list[i])) return false;
        m->playout.moves[i] = list[i].move;
        m->playout.chances[i] = 1.0 / count;
    }
    if (game->type->chances)
        game->type->chances(game, kn_smcts_position(m, index), m->playout.moves, (int)count,
                            m->playout.chances);
    for (uint32_t i = 0; i < count; i++)
        for (int role = 0; role < game->roles; role++)
            mean[role] += m->playout.chances[i] * kn_smcts_proof(m, list[i].child)[role];
    memcpy(kn_smcts_proof(m, index), mean, (size_t)game->roles * sizeof(double));
    return true;
}

/* The best of a role's moves that are proved: nearer wins and farther other ends among equals. KN_SMCTS_NONE
 * if there is none. */
static uint32_t best_proved(const KnMctsSimultaneous *m, const KnSmctsAction *list, uint32_t count, int role,
                            const bool *barred, bool *all)
{
    uint32_t best = KN_SMCTS_NONE;
    *all = true;
    for (uint32_t i = 0; i < count; i++) {
        if (barred && barred[i]) continue;
        if (!kn_smcts_settled(m, &list[i])) {
            *all = false;
            continue;
        }
        if (best == KN_SMCTS_NONE) {
            best = i;
            continue;
        }
        double value = kn_smcts_proof(m, list[i].child)[role],
               so_far = kn_smcts_proof(m, list[best].child)[role];
        int nearer = (int)m->nodes[list[best].child].distance - (int)m->nodes[list[i].child].distance;
        if (value > so_far || (value == so_far && (value >= 1 ? nearer > 0 : nearer < 0))) best = i;
    }
    return best;
}

/* What the other roles get if a role takes its best proved move: the least among equals, for the role does
 * not mind. False if a move that is not proved could be as good for the role and worse for another. */
static bool settle_others(const KnMctsSimultaneous *m, const KnSmctsAction *list, uint32_t count, int role,
                          uint32_t best, bool all, double *results)
{
    const KnGame *game = m->game;
    memcpy(results, kn_smcts_proof(m, list[best].child), (size_t)game->roles * sizeof(double));
    for (uint32_t i = 0; i < count; i++) {
        if (!kn_smcts_settled(m, &list[i])) continue;
        const double *other = kn_smcts_proof(m, list[i].child);
        for (int r = 0; r < game->roles; r++)
            if (other[role] == results[role] && other[r] < results[r]) results[r] = other[r];
    }
    for (int r = 0; r < game->roles && !all; r++)
        if (r != role && r != game->nature && results[r] > 0) return false;
    return true;
}

bool kn_smcts_prove(KnMctsSimultaneous *m, uint32_t index, const KnSmctsStep *step)
{
    KnSmctsNode *node = &m->nodes[index];
    int role = node->decider;
    if (role == KN_SMCTS_MANY) return kn_smcts_prove_joint(m, index);
    if (role == KN_SMCTS_NOBODY) { /* one way on: any role's only move knows where it leads */
        const KnSmctsAction *only = NULL;
        for (int r = 0; r < m->game->roles && !only; r++)
            if (step->chosen[r] != KN_SMCTS_NONE) only = &m->actions[step->chosen[r]];
        if (!only || !kn_smcts_settled(m, only)) return false;
        memcpy(kn_smcts_proof(m, index), kn_smcts_proof(m, only->child),
               (size_t)m->game->roles * sizeof(double));
        node->distance = (uint16_t)(m->nodes[only->child].distance + 1);
        return true;
    }
    const KnSmctsAction *list = kn_smcts_actions(m, index, role);
    uint32_t count = kn_smcts_lengths(m, index)[role];
    if (role == m->game->nature) return prove_chance(m, index, list, count);
    bool all;
    uint32_t best = best_proved(m, list, count, role, NULL, &all);
    if (best == KN_SMCTS_NONE || (!all && kn_smcts_proof(m, list[best].child)[role] < 1)) return false;
    double results[KN_ROLES_MAX];
    if (!settle_others(m, list, count, role, best, all, results)) return false;
    memcpy(kn_smcts_proof(m, index), results, (size_t)m->game->roles * sizeof(double));
    node->distance = (uint16_t)(m->nodes[list[best].child].distance + 1);
    return true;
}

/* ---- The answer ---- */

/* A proved node that is some plies away. */
static KnScore score_proved(const KnMctsSimultaneous *m, uint32_t node, int plies, int role)
{
    const KnGame *game = m->game;
    double value = kn_smcts_proof(m, node)[role];
    double payoff = value >= 1 ? game->payoff_high
                               : game->payoff_low + value * (game->payoff_high - game->payoff_low);
    return kn_score_of_payoff(game, payoff, m->nodes[node].distance + plies);
}

static KnScore score_of(const KnMctsSimultaneous *m, const KnSmctsAction *action, int role)
{
    if (!kn_smcts_settled(m, action)) {
        double mean = action->visits ? action->total / action->visits : 0.5;
        return (KnScore)lround((2 * mean - 1) * (KN_SCORE_PAYOFF - 1));
    }
    return score_proved(m, action->child, 1, role);
}

/* The most visited move, unless a proved one is worth as much. */
static uint32_t best_action(const KnMctsSimultaneous *m, const KnSmctsAction *list, uint32_t count, int role,
                            const bool *barred)
{
    bool all;
    uint32_t proved = best_proved(m, list, count, role, barred, &all), visited = KN_SMCTS_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!(barred && barred[i]) && !kn_smcts_settled(m, &list[i]) &&
            (visited == KN_SMCTS_NONE || list[i].visits > list[visited].visits))
            visited = i;
    if (proved == KN_SMCTS_NONE || visited == KN_SMCTS_NONE)
        return proved == KN_SMCTS_NONE ? visited : proved;
    double mean = list[visited].visits ? list[visited].total / list[visited].visits : 0;
    return kn_smcts_proof(m, list[proved].child)[role] >= mean ? proved : visited;
}

/* Goes on through positions where nobody has a choice, with the moves that a sequential view shows there.
 * KN_SMCTS_NONE: the tree ends. */
static uint32_t skip_forced(KnMctsSimultaneous *m, uint32_t node, int viewpoint, KnSearchResult *result)
{
    while (m->nodes[node].expanded && m->nodes[node].decider == KN_SMCTS_NOBODY &&
           result->pv_length < KN_SEARCH_PLIES) {
        uint32_t next = m->actions[m->nodes[node].first].child;
        if (next == KN_SMCTS_NONE) return KN_SMCTS_NONE;
        const KnSmctsAction *shown = kn_smcts_lengths(m, node)[viewpoint]
                                         ? kn_smcts_actions(m, node, viewpoint)
                                         : &m->actions[m->nodes[node].first];
        m->pv[result->pv_length++] = shown->move;
        node = next;
    }
    return node;
}

/* The line of best moves as long as one role at a time decides. */
static void write_line(KnMctsSimultaneous *m, uint32_t node, int viewpoint, uint32_t first_best,
                       KnSearchResult *result)
{
    uint32_t best = first_best;
    int role = viewpoint;
    while (result->pv_length < KN_SEARCH_PLIES) {
        const KnSmctsAction *action = kn_smcts_actions(m, node, role) + best;
        m->pv[result->pv_length++] = action->move;
        if (m->nodes[node].decider != role || action->child == KN_SMCTS_NONE) break;
        node = skip_forced(m, action->child, viewpoint, result);
        if (node == KN_SMCTS_NONE) break;
        role = m->nodes[node].decider;
        if (!m->nodes[node].expanded || role < 0 || role == m->game->nature || !m->nodes[node].visits) break;
        best = best_action(m, kn_smcts_actions(m, node, role), kn_smcts_lengths(m, node)[role], role, NULL);
    }
}

static int by_move(const void *x, const void *y)
{
    KnMove a = ((const KnSmctsPlace *)x)->move, b = ((const KnSmctsPlace *)y)->move;
    return (a > b) - (a < b);
}

void kn_smcts_sort(KnMctsSimultaneous *m, const KnSmctsAction *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) m->places[i] = (KnSmctsPlace){list[i].move, i};
    qsort(m->places, count, sizeof *m->places, by_move);
}

uint32_t kn_smcts_find(const KnMctsSimultaneous *m, uint32_t count, KnMove move)
{
    const KnSmctsPlace *place = bsearch(&(KnSmctsPlace){.move = move}, m->places, count, sizeof *place,
                                        by_move);
    return place ? place->action : KN_SMCTS_NONE;
}

/* A move of a mixed strategy. */
static uint32_t draw_move(KnRng *rng, const double *chances, uint32_t count)
{
    uint32_t likeliest = 0, mixed = 0;
    for (uint32_t i = 0; i < count; i++) {
        mixed += chances[i] > 0;
        if (chances[i] > chances[likeliest]) likeliest = i;
    }
    if (mixed < 2) return likeliest;
    double left = kn_rng_real(rng);
    for (uint32_t i = 0; i < count; i++) {
        left -= chances[i];
        if (left < 0) return i;
    }
    return likeliest;
}

void kn_smcts_answer(KnMctsSimultaneous *m, uint32_t root, int role, const KnMove *allowed, int count,
                     KnSearchResult *result)
{
    const KnSmctsAction *list = kn_smcts_actions(m, root, role);
    uint32_t length = kn_smcts_lengths(m, root)[role];
    for (int i = 0; i < count; i++) {
        uint32_t k = kn_smcts_find(m, length, allowed[i]);
        KN_ASSERT(k < length);
        bool alone = m->nodes[root].decider == role;
        m->root[i] = (KnRootMove){allowed[i], score_of(m, &list[k], role),
                                  alone && kn_smcts_settled(m, &list[k]) ? KN_BOUND_EXACT : KN_BOUND_NONE,
                                  list[k].visits};
    }
    double chances[KN_MATRIX_GAME_MOST];
    KnSmctsKnown known = m->nodes[root].decider == KN_SMCTS_MANY && m->options.solve
                             ? kn_smcts_joint_answer(m, root, role, m->barred, chances)
                             : KN_SMCTS_OPEN;
    uint32_t best = known == KN_SMCTS_MIXED ? draw_move(m->playout.rng, chances, length)
                                            : best_action(m, list, length, role, m->barred);
    result->mixed = known == KN_SMCTS_MIXED && chances[best] < 1;
    result->move = list[best].move;
    result->score = known == KN_SMCTS_OPEN ? score_of(m, &list[best], role) : score_proved(m, root, 0, role);
    result->root = m->root;
    result->root_count = count;
    write_line(m, root, role, best, result);
    result->pv = m->pv;
    result->depth = result->pv_length;
    result->nodes = m->meter.nodes;
    result->seconds = kn_meter_seconds(&m->meter);
    result->stored = m->count;
    result->playouts = m->evaluation ? 0 : m->playouts;
    result->assumes = m->unopposed ? KN_ASSUMES_OWN_POINTS : KN_ASSUMES_NOTHING;
    for (uint32_t i = 0; i < m->count; i++) result->solved += m->nodes[i].proved;
}

/* Whether more samples could change the answer. */
bool kn_smcts_decided(const KnMctsSimultaneous *m, uint32_t root, int role)
{
    if (!m->options.solve) return false;
    if (m->nodes[root].decider != role) {
        double chances[KN_MATRIX_GAME_MOST];
        if (!m->nodes[root].proved || !m->nodes[root].visits) return false;
        return m->nodes[root].decider != KN_SMCTS_MANY ||
               kn_smcts_joint_answer(m, root, role, m->barred, chances) != KN_SMCTS_OPEN;
    }
    bool all;
    const KnSmctsAction *list = kn_smcts_actions(m, root, role);
    uint32_t best = best_proved(m, list, kn_smcts_lengths(m, root)[role], role, m->barred, &all);
    return best != KN_SMCTS_NONE && (all || kn_smcts_proof(m, list[best].child)[role] >= 1);
}
