#include "search/mcts_simultaneous.h"

#include <math.h>
#include <string.h>

#include "search/mcts_simultaneous_tree.h"

/* ---- Selection: decoupled UCT ---- */

/* A chance node. */
static uint32_t draw(KnMctsSimultaneous *m, uint32_t index, const KnSmctsAction *list, uint32_t count)
{
    KnPlayout *p = &m->playout;
    for (uint32_t i = 0; i < count; i++) p->moves[i] = list[i].move;
    return (uint32_t)kn_playout_draw(m->game, kn_smcts_position(m, index), m->game->nature, p->moves,
                                     (int)count, p->chances, p->rng);
}

/* UCB1 (Auer, Cesa-Bianchi and Fischer 2002) over one role's own moves. Untried moves come first; proved ones
 * are left out. */
static uint32_t select_action(KnMctsSimultaneous *m, const KnSmctsNode *node, const KnSmctsAction *list,
                              uint32_t count, const bool *barred)
{
    uint32_t best = KN_SMCTS_NONE;
    double highest = -1, log_visits = log((double)node->visits + 1);
    for (uint32_t i = 0; i < count; i++) {
        if ((barred && barred[i]) || kn_smcts_settled(m, &list[i])) continue;
        if (!list[i].visits) return i;
        double mean = list[i].total / list[i].visits;
        double bound = mean + m->options.exploration * sqrt(log_visits / list[i].visits);
        if (bound > highest) highest = bound, best = i;
    }
    for (uint32_t i = 0; best == KN_SMCTS_NONE; i++) { /* all are proved: any that is allowed */
        KN_ASSERT(i < count);
        if (!barred || !barred[i]) best = i;
    }
    return best;
}

/* Each role chooses its move, without regard to the others' (decoupled UCT). Returns the action of the only
 * role that decides, NULL if several do. `barred`: moves that `viewpoint` may not choose, or NULL. */
static KnSmctsAction *select_joint(KnMctsSimultaneous *m, KnSmctsStep *step, int viewpoint,
                                   const bool *barred)
{
    const KnSmctsNode *node = &m->nodes[step->node];
    KnSmctsAction *only = NULL;
    uint32_t first = node->first;
    for (int role = 0; role < m->game->roles; role++) {
        uint32_t count = kn_smcts_lengths(m, step->node)[role], pick = 0;
        step->chosen[role] = KN_SMCTS_NONE;
        if (!count) continue;
        const KnSmctsAction *list = m->actions + first;
        if (count > 1)
            pick = role == m->game->nature
                       ? draw(m, step->node, list, count)
                       : select_action(m, node, list, count, role == viewpoint ? barred : NULL);
        step->chosen[role] = first + pick;
        if (node->decider == role || (node->decider == KN_SMCTS_NOBODY && !only))
            only = &m->actions[first + pick];
        first += count;
    }
    return only;
}

/* ---- Backpropagation ---- */

/* Adds the results to every action of the path, and carries proofs up. */
static void back_up(KnMctsSimultaneous *m, int length, const double *results, bool proving)
{
    for (int i = length; i-- > 0;) {
        const KnSmctsStep *step = kn_smcts_step(m, i);
        KnSmctsNode *node = &m->nodes[step->node];
        node->visits++;
        for (int role = 0; role < m->game->roles; role++) {
            if (step->chosen[role] == KN_SMCTS_NONE) continue;
            m->actions[step->chosen[role]].visits++;
            m->actions[step->chosen[role]].total += results[role];
        }
        if (!proving || !m->options.solve) continue;
        if (!node->proved) node->proved = kn_smcts_prove(m, step->node, step);
        proving = node->proved;
    }
}

/* ---- The main loop ---- */

/* One iteration: selection, expansion, simulation, backpropagation. False when the budget ends. */
static bool iterate(KnMctsSimultaneous *m, uint32_t root, int viewpoint)
{
    double results[KN_ROLES_MAX];
    uint32_t at = root;
    int ply = 0;
    while (ply < KN_SEARCH_PLIES && !(m->nodes[at].proved && at != root)) {
        bool fresh = at != root && m->nodes[at].visits == 0; /* expanded at its second visit */
        if (!m->nodes[at].expanded && (fresh || !kn_smcts_expand(m, at))) break;
        KnSmctsStep *step = kn_smcts_step(m, ply++);
        step->node = at;
        KnSmctsAction *only = select_joint(m, step, viewpoint, at == root ? m->barred : NULL);
        if (!kn_meter_count(&m->meter)) return false;
        at = kn_smcts_follow(m, step, only);
        if (at == KN_SMCTS_NONE) { /* the tree is full: a playout from the position after the move */
            if (!kn_smcts_playout_single(m, results)) return false;
            m->playouts++;
            back_up(m, ply, results, false);
            return true;
        }
    }
    bool proved = m->nodes[at].proved;
    if (proved)
        memcpy(results, kn_smcts_proof(m, at), (size_t)m->game->roles * sizeof(double));
    else if (!kn_smcts_playout(m, at, results))
        return false;
    m->playouts++;
    m->nodes[at].visits += !m->nodes[at].expanded;
    back_up(m, ply, results, proved);
    return true;
}

/* Marks the root's moves that are not among the allowed ones; false if one of those is not legal. */
static bool bar_others(KnMctsSimultaneous *m, uint32_t root, int role, const KnMove *allowed, int count)
{
    const KnSmctsAction *list = kn_smcts_actions(m, root, role);
    uint32_t length = kn_smcts_lengths(m, root)[role];
    int found = 0;
    for (uint32_t i = 0; i < length; i++) {
        m->barred[i] = true;
        for (int k = 0; k < count && m->barred[i]; k++) m->barred[i] = list[i].move != allowed[k];
        found += !m->barred[i];
    }
    return found == count;
}

KnStatus kn_mcts_simultaneous_run(KnMctsSimultaneous *m, const void *position, int role,
                                  const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    if (!request->rng)
        return kn_fail(error, KN_USAGE, "Monte-Carlo tree search needs a random number generator");
    if (!request->budget.nodes && request->budget.seconds <= 0 && !request->cancel && !m->options.playouts)
        return kn_fail(error, KN_USAGE, "Monte-Carlo tree search needs a limit: playouts, nodes or seconds");
    kn_meter_start(&m->meter, &request->budget, request->cancel);
    m->playout.rng = request->rng;
    m->playouts = 0;
    m->batch = m->options.batch;
    if (!m->machine)
        m->batch = 1;
    else if (!m->batch)
        m->batch = !request->budget.nodes && !m->options.playouts
                       ? kn_smcts_choose_batch(m, position, request->budget.seconds)
                       : 1;
    if (m->count > m->capacity / 4 * 3 || m->action_count > m->action_capacity / 4 * 3)
        kn_mcts_simultaneous_clear(m);
    uint32_t root = kn_smcts_node(m, position);
    if (!m->nodes[root].expanded && kn_game_movers(m->game, position)) kn_smcts_expand(m, root);
    KnMove every[m->game->max_moves];
    const KnMove *allowed = request->allowed;
    int count = request->allowed_count;
    if (!allowed) {
        count = kn_game_moves_of(m->game, position, role, every);
        allowed = every;
    }
    if (!m->nodes[root].expanded || count < 1 || !bar_others(m, root, role, allowed, count))
        return kn_fail(error, KN_INPUT, "there is nothing to choose here, or an allowed move is not legal");
    while (!kn_smcts_decided(m, root, role) && (!m->options.playouts || m->playouts < m->options.playouts) &&
           iterate(m, root, role))
        continue;
    result->completed = !m->meter.stopped;
    result->stop = m->meter.stopped ? m->meter.why : KN_STOP_DONE;
    kn_smcts_answer(m, root, role, allowed, count, result);
    return KN_OK;
}
