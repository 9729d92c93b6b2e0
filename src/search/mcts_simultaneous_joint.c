/* Proofs where several roles choose at once, without knowledge of the others' choice.
 *
 * Backward induction (Bosansky et al. 2016): between two roles whose results add up to the same whatever they
 * do, a node all of whose joint moves are proved is a matrix game of known payoffs. It is worth what both can
 * be sure of in the mean, and mixed strategies say how to play there. Without that, a node is proved where
 * nothing that the roles choose matters: all joint moves give the same results, or all that are left when one
 * role makes a move to its highest payoff. */
#include "search/mcts_simultaneous_tree.h"

#include <math.h>
#include <string.h>

#include "search/matrix_game.h"

/* The proved children of all joint moves of a node, in the order in which the first role's moves change
 * first; KN_SMCTS_NONE: not proved. */
typedef struct Joint {
    uint32_t node, count;
    uint32_t children[KN_MATRIX_GAME_MOST];
} Joint;

/* How many joint moves come between two neighbouring moves of a role. */
static uint32_t stride_of(const KnMctsSimultaneous *m, uint32_t node, int role)
{
    uint32_t stride = 1;
    for (int r = 0; r < role; r++)
        if (kn_smcts_lengths(m, node)[r]) stride *= kn_smcts_lengths(m, node)[r];
    return stride;
}

static bool gather(const KnMctsSimultaneous *m, uint32_t node, Joint *joint)
{
    const uint32_t *lengths = kn_smcts_lengths(m, node);
    uint64_t ways = 1;
    for (int role = 0; role < m->game->roles; role++)
        if (lengths[role] && (ways *= lengths[role]) > KN_MATRIX_GAME_MOST) return false;
    joint->node = node;
    joint->count = (uint32_t)ways;
    for (uint32_t way = 0; way < joint->count; way++) {
        uint32_t rest = way, chosen[KN_ROLES_MAX], start = m->nodes[node].first;
        for (int role = 0; role < m->game->roles; role++) {
            chosen[role] = lengths[role] ? start + rest % lengths[role] : KN_SMCTS_NONE;
            if (lengths[role]) rest /= lengths[role];
            start += lengths[role];
        }
        const KnSmctsEdge *edge = kn_smcts_edge(m, node, kn_smcts_edge_key(m, node, chosen));
        joint->children[way] = edge->key && m->nodes[edge->child].proved ? edge->child : KN_SMCTS_NONE;
    }
    return true;
}

/* Whether all joint moves with a role's move (or all at all: -1) are proved and give the same results; the
 * farthest of the nodes to which they lead. */
static bool settled(const KnMctsSimultaneous *m, const Joint *joint, int role, uint32_t move, uint32_t *child)
{
    uint32_t stride = role < 0 ? 1 : stride_of(m, joint->node, role),
             length = role < 0 ? 1 : kn_smcts_lengths(m, joint->node)[role];
    *child = KN_SMCTS_NONE;
    for (uint32_t way = 0; way < joint->count; way++) {
        uint32_t next = joint->children[way];
        if (way / stride % length != move) continue;
        if (next == KN_SMCTS_NONE) return false;
        if (*child != KN_SMCTS_NONE && memcmp(kn_smcts_proof(m, *child), kn_smcts_proof(m, next),
                                              (size_t)m->game->roles * sizeof(double)) != 0)
            return false;
        if (*child == KN_SMCTS_NONE || m->nodes[next].distance > m->nodes[*child].distance) *child = next;
    }
    return true;
}

/* A role's move to its highest payoff whatever the others do; KN_SMCTS_NONE: none. */
static uint32_t winning_move(const KnMctsSimultaneous *m, const Joint *joint, int role, const bool *barred,
                             uint32_t *child)
{
    for (uint32_t i = 0; i < kn_smcts_lengths(m, joint->node)[role]; i++)
        if (!(barred && barred[i]) && settled(m, joint, role, i, child) &&
            kn_smcts_proof(m, *child)[role] >= 1)
            return i;
    return KN_SMCTS_NONE;
}

/* The node as a matrix game, and what both get together. False: it is none, or not all is proved. `barred`:
 * moves of the first role that do not count. */
static bool as_matrix(const KnMctsSimultaneous *m, const Joint *joint, const bool *barred, double *entries,
                      KnMatrixGame *game, double *sum)
{
    static const double CLOSE = 1e-9;
    if (m->game->roles != 2 || m->game->nature >= 0) return false;
    const uint32_t *lengths = kn_smcts_lengths(m, joint->node);
    *game = (KnMatrixGame){.columns = (int)lengths[1], .entries = entries};
    for (uint32_t i = 0; i < lengths[0]; i++) {
        if (barred && barred[i]) continue;
        for (uint32_t j = 0; j < lengths[1]; j++) {
            uint32_t child = joint->children[j * lengths[0] + i];
            if (child == KN_SMCTS_NONE) return false;
            const double *results = kn_smcts_proof(m, child);
            bool first = game->rows == 0 && j == 0;
            if (first) *sum = results[0] + results[1];
            if (fabs(results[0] + results[1] - *sum) > CLOSE) return false;
            entries[game->rows * game->columns + (int)j] = results[0];
        }
        game->rows++;
    }
    return game->rows > 0;
}

static void take(KnMctsSimultaneous *m, uint32_t node, uint32_t child)
{
    memcpy(kn_smcts_proof(m, node), kn_smcts_proof(m, child), (size_t)m->game->roles * sizeof(double));
    m->nodes[node].distance = (uint16_t)(m->nodes[child].distance + 1);
}

bool kn_smcts_prove_joint(KnMctsSimultaneous *m, uint32_t node)
{
    Joint joint;
    uint32_t child;
    if (!gather(m, node, &joint)) return false;
    for (int role = -1; role < m->game->roles; role++) {
        if (role == m->game->nature && role >= 0) continue;
        bool proved = role < 0 ? settled(m, &joint, -1, 0, &child)
                               : winning_move(m, &joint, role, NULL, &child) != KN_SMCTS_NONE;
        if (!proved) continue;
        take(m, node, child);
        return true;
    }
    double entries[KN_MATRIX_GAME_MOST], sum = 0, value;
    KnMatrixGame game;
    if (!as_matrix(m, &joint, NULL, entries, &game, &sum) || !kn_matrix_game_solve(&game, &value, NULL, NULL))
        return false;
    uint16_t farthest = 0;
    for (uint32_t way = 0; way < joint.count; way++)
        if (m->nodes[joint.children[way]].distance > farthest)
            farthest = m->nodes[joint.children[way]].distance;
    kn_smcts_proof(m, node)[0] = value;
    kn_smcts_proof(m, node)[1] = sum - value;
    m->nodes[node].distance = (uint16_t)(farthest + 1);
    return true;
}

/* Writes the chances of a role's moves among those that are not barred. */
static bool mix(const KnMctsSimultaneous *m, const Joint *joint, int role, const bool *barred,
                double *chances)
{
    const uint32_t *lengths = kn_smcts_lengths(m, joint->node);
    double entries[KN_MATRIX_GAME_MOST], turned[KN_MATRIX_GAME_MOST], sum = 0, value;
    KnMatrixGame game;
    if (!as_matrix(m, joint, role == 0 ? barred : NULL, entries, &game, &sum)) return false;
    if (role == 1) { /* as the one who chooses the row, of what is left */
        int columns = game.rows, rows = 0;
        for (int j = 0; j < game.columns; j++) {
            if (barred && barred[j]) continue;
            for (int i = 0; i < columns; i++) turned[rows * columns + i] = -entries[i * game.columns + j];
            rows++;
        }
        game = (KnMatrixGame){rows, columns, turned};
    }
    double some[game.rows];
    if (!kn_matrix_game_solve(&game, &value, some, NULL)) return false;
    for (uint32_t i = 0, next = 0; i < lengths[role]; i++)
        chances[i] = barred && barred[i] ? 0 : some[next++];
    return true;
}

KnSmctsKnown kn_smcts_joint_answer(const KnMctsSimultaneous *m, uint32_t node, int role, const bool *barred,
                                   double *chances)
{
    Joint joint;
    uint32_t child, length = kn_smcts_lengths(m, node)[role];
    if (!m->nodes[node].proved || !gather(m, node, &joint)) return KN_SMCTS_OPEN;
    uint32_t move = winning_move(m, &joint, role, barred, &child);
    if (move != KN_SMCTS_NONE) {
        for (uint32_t i = 0; i < length; i++) chances[i] = i == move;
        return KN_SMCTS_MIXED;
    }
    if (settled(m, &joint, -1, 0, &child)) return KN_SMCTS_ALIKE;
    for (int other = 0; other < m->game->roles; other++)
        if (other != role && other != m->game->nature &&
            winning_move(m, &joint, other, NULL, &child) != KN_SMCTS_NONE)
            return KN_SMCTS_ALIKE;
    return mix(m, &joint, role, barred, chances) ? KN_SMCTS_MIXED : KN_SMCTS_OPEN;
}
