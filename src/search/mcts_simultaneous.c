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
static uint32_t select_action(const KnMctsSimultaneous *m, const KnSmctsNode *node, const KnSmctsAction *list,
                              uint32_t count, const bool *barred)
{
    uint32_t best = KN_SMCTS_NONE;
    double explores = kn_smcts_exploration(m);
    float highest = -1, spread = (float)(explores * explores) * kn_smcts_log(node->visits + 1);
    for (uint32_t i = 0; i < count; i++) {
        if ((barred && barred[i]) || list[i].closed) continue;
        if (!list[i].visits) return i;
        float visits = (float)list[i].visits;
        float bound = ((float)list[i].total + sqrtf(spread * visits)) / visits;
        if (bound > highest) highest = bound, best = i;
    }
    for (uint32_t i = 0; best == KN_SMCTS_NONE; i++) { /* all are proved: any that is allowed */
        KN_ASSERT(i < count);
        if (!barred || !barred[i]) best = i;
    }
    return best;
}

/* Each role chooses its move, without regard to the others' (decoupled UCT). `table`: of AMAF values, or
 * KN_SMCTS_NONE; `barred`: moves that `viewpoint` may not choose, or NULL. */
static void select_joint(KnMctsSimultaneous *m, KnSmctsStep *step, int viewpoint, uint32_t table,
                         const bool *barred)
{
    const KnSmctsNode *node = &m->nodes[step->node];
    uint32_t first = node->first;
    for (int role = 0; role < m->game->roles; role++) {
        uint32_t count = kn_smcts_lengths(m, step->node)[role], pick = 0;
        step->chosen[role] = KN_SMCTS_NONE;
        if (!count) continue;
        const KnSmctsAction *list = m->actions + first;
        if (count > 1)
            pick = role == m->game->nature ? draw(m, step->node, list, count)
                   : table != KN_SMCTS_NONE
                       ? kn_smcts_amaf_select(m, node, list, count, role, table,
                                              role == viewpoint ? barred : NULL)
                       : select_action(m, node, list, count, role == viewpoint ? barred : NULL);
        step->chosen[role] = first + pick;
        first += count;
    }
}

/* Where several roles decide, a node is proved when all joint moves are, but selection by UCB1 follows a few
 * and never meets the others. So some of the paths that would end in a proved node try any joint move
 * instead. That also breaks up the step of two rules that follow each other through the same cycle. */
static bool probes(KnMctsSimultaneous *m, const KnSmctsStep *step, uint32_t next)
{
    enum { ONE_IN = 8 };
    const KnSmctsNode *node = &m->nodes[step->node];
    bool open = !node->proved || step->node == m->origin; /* whose answer may have been pruned */
    return node->decider == KN_SMCTS_MANY && m->options.solve && open && m->nodes[next].proved &&
           kn_rng_below(m->playout.rng, ONE_IN) == 0;
}

/* Any joint move, but for chance and for moves that are not allowed. Uniformly: what is drawn counts in the
 * statistics, and to prefer what is not proved yet makes them worse. */
static void draw_joint(KnMctsSimultaneous *m, KnSmctsStep *step)
{
    uint32_t first = m->nodes[step->node].first;
    for (int role = 0; role < m->game->roles; role++) {
        uint32_t count = kn_smcts_lengths(m, step->node)[role];
        if (count && role != m->game->nature) {
            uint32_t pick = kn_rng_below(m->playout.rng, count);
            bool barred = step->node == m->origin && role == m->viewpoint && m->barred[pick];
            if (!barred) step->chosen[role] = first + pick;
        }
        first += count;
    }
}

/* ---- Backpropagation ---- */

void kn_smcts_count(KnMctsSimultaneous *m, uint32_t leaf, int length, int by)
{
    for (int i = 0; i < length; i++) {
        KnSmctsStep *step = kn_smcts_step(m, i);
        float *lent = kn_smcts_lent(m, step),
              first = m->nodes[step->node].decider == KN_SMCTS_MANY ? 0.5f : 0;
        m->nodes[step->node].visits += (uint32_t)by;
        for (int role = 0; role < m->game->roles; role++) {
            if (step->chosen[role] == KN_SMCTS_NONE) continue;
            KnSmctsAction *action = &m->actions[step->chosen[role]];
            if (by > 0) lent[role] = action->visits ? (float)(action->total / action->visits) : first;
            action->total += by * (double)lent[role];
            action->visits = (uint32_t)((int)action->visits + by) & INT32_MAX;
        }
    }
    if (leaf != KN_SMCTS_NONE) m->nodes[leaf].visits += (uint32_t)by;
}

/* Notes that the way of a step leads to a proved node. Whether that may say something new of the node above:
 * where several roles decide, only the first time. */
static bool close_way(KnMctsSimultaneous *m, const KnSmctsStep *step)
{
    int decider = m->nodes[step->node].decider;
    if (decider >= 0) m->actions[step->chosen[decider]].closed = 1;
    if (decider != KN_SMCTS_MANY || m->nodes[step->node].proved) return true;
    KnSmctsEdge *edge = kn_smcts_edge(m, step->node, kn_smcts_edge_key(m, step->node, step->chosen));
    bool fresh = edge->key && !edge->closed;
    if (fresh) edge->closed = 1;
    return fresh;
}

void kn_smcts_back_up(KnMctsSimultaneous *m, int length, const double *results, bool proving)
{
    for (int i = length; i-- > 0;) {
        KnSmctsStep *step = kn_smcts_step(m, i);
        const float *lent = kn_smcts_lent(m, step);
        KnSmctsNode *node = &m->nodes[step->node];
        for (int role = 0; role < m->game->roles; role++)
            if (step->chosen[role] != KN_SMCTS_NONE)
                m->actions[step->chosen[role]].total += results[role] - (double)lent[role];
        if (kn_smcts_amaf(m)) kn_smcts_amaf_add(m, step, results);
        if (!proving || !m->options.solve) continue;
        proving = close_way(m, step) && (node->proved || kn_smcts_prove(m, step->node, step));
        node->proved |= proving;
    }
}

/* ---- The main loop ---- */

bool kn_smcts_descend(KnMctsSimultaneous *m, uint32_t *leaf, int *length, bool *fresh)
{
    uint32_t at = m->origin, table = KN_SMCTS_NONE;
    int ply = 0;
    if (fresh) *fresh = false;
    while (ply < KN_SEARCH_PLIES && at != KN_SMCTS_NONE && !(m->nodes[at].proved && at != m->origin)) {
        bool unseen = at != m->origin && m->nodes[at].visits == 0; /* expanded at its second visit */
        if (!m->nodes[at].expanded && (unseen || !kn_smcts_expand(m, at))) break;
        KnSmctsStep *step = kn_smcts_step(m, ply++);
        step->node = at;
        if (kn_smcts_amaf(m)) table = kn_smcts_amaf_table(m, at, table);
        select_joint(m, step, m->viewpoint, table, at == m->origin ? m->barred : NULL);
        if (!kn_meter_count(&m->meter)) return false;
        at = kn_smcts_known(m, step);
        if (at != KN_SMCTS_NONE && probes(m, step, at)) {
            draw_joint(m, step);
            at = kn_smcts_known(m, step);
        }
        if (at != KN_SMCTS_NONE) continue;
        if (fresh) {
            *fresh = true;
            break;
        }
        at = kn_smcts_follow(m, step);
    }
    *leaf = at;
    *length = ply;
    return true;
}

/* One iteration: selection, expansion, simulation, backpropagation. False when the budget ends. */
static bool iterate(KnMctsSimultaneous *m)
{
    double results[KN_ROLES_MAX];
    uint32_t leaf;
    int length;
    if (!kn_smcts_descend(m, &leaf, &length, NULL)) return false;
    bool proved = leaf != KN_SMCTS_NONE && m->nodes[leaf].proved;
    m->made.count = 0;
    if (proved)
        memcpy(results, kn_smcts_proof(m, leaf), (size_t)m->game->roles * sizeof(double));
    else if (leaf == KN_SMCTS_NONE ? !kn_smcts_playout_single(m, results)
                                   : !kn_smcts_playout(m, leaf, results))
        return false;
    m->begun++;
    m->playouts++;
    kn_smcts_count(m, leaf, length, 1);
    kn_smcts_back_up(m, length, results, proved);
    if (m->full) kn_smcts_prune(m, m->origin);
    return true;
}

bool kn_smcts_wanted(const KnMctsSimultaneous *m)
{
    return (!m->options.playouts || m->begun < m->options.playouts) && !kn_smcts_halted(m) &&
           !kn_smcts_decided(m, m->origin, m->viewpoint);
}

static void grow_singly(KnMctsSimultaneous *m)
{
    while (kn_smcts_wanted(m) && iterate(m)) continue;
}

/* A part of the time goes to single playouts. Returns whether lanes would make the whole search, tree
 * included, so much faster that they are worth what they cost where several roles choose at once: each path
 * is selected without the others' results, and what a move is worth hangs on them. */
static bool try_singly(KnMctsSimultaneous *m)
{
    enum { FASTER = 4 };
    static const double PART = 0.125, MOST_SECONDS = 0.2;
    if (kn_meter_narrow(&m->meter, fmin(PART, MOST_SECONDS / m->meter.budget.seconds))) grow_singly(m);
    double each = kn_meter_seconds(&m->meter) / (double)(m->begun + 1),
           played = (double)m->played / (double)(m->begun + 1);
    m->meter.stopped = false;
    if (!kn_meter_narrow(&m->meter, 1)) return false;
    double saved = played * (m->single_seconds - m->batch_seconds / KN_GDL_LANES);
    return each > FASTER * (each - saved);
}

/* Marks the root's moves that are not among the allowed ones; false if one of those is not legal. */
static bool bar_others(KnMctsSimultaneous *m, uint32_t root, int role, const KnMove *allowed, int count)
{
    const KnSmctsAction *list = kn_smcts_actions(m, root, role);
    uint32_t length = kn_smcts_lengths(m, root)[role];
    int found = 0;
    kn_smcts_sort(m, list, length);
    memset(m->barred, true, length * sizeof *m->barred);
    for (int k = 0; k < count; k++) {
        uint32_t i = kn_smcts_find(m, length, allowed[k]);
        if (i == KN_SMCTS_NONE) continue;
        found += m->barred[i];
        m->barred[i] = false;
    }
    return found == count;
}

/* The root of a run, with its actions unless the game is over there. Makes room for it if there is none. */
static uint32_t enter(KnMctsSimultaneous *m, const void *position)
{
    bool over = !kn_game_movers(m->game, position);
    uint32_t root = kn_smcts_node(m, position);
    if (root != KN_SMCTS_NONE && (over || m->nodes[root].expanded || kn_smcts_expand(m, root))) return root;
    if (root != KN_SMCTS_NONE && kn_smcts_prune(m, root) && kn_smcts_expand(m, m->origin)) return m->origin;
    kn_mcts_simultaneous_clear(m);
    root = kn_smcts_node(m, position);
    if (!over) kn_smcts_expand(m, root);
    return root;
}

KnStatus kn_mcts_simultaneous_run(KnMctsSimultaneous *m, const void *position, int role,
                                  const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    return m->team ? kn_smcts_run_team(m, position, role, request, result, error)
                   : kn_smcts_run_alone(m, position, role, request, result, error);
}

KnStatus kn_smcts_run_alone(KnMctsSimultaneous *m, const void *position, int role,
                            const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    if (!request->rng)
        return kn_fail(error, KN_USAGE, "Monte-Carlo tree search needs a random number generator");
    if (!request->budget.nodes && request->budget.seconds <= 0 && !request->cancel && !m->options.playouts)
        return kn_fail(error, KN_USAGE, "Monte-Carlo tree search needs a limit: playouts, nodes or seconds");
    kn_meter_start(&m->meter, &request->budget, request->cancel);
    m->playout.rng = request->rng;
    m->batch = m->options.batch;
    if (!m->machine)
        m->batch = 1;
    else if (!m->batch)
        m->batch = !request->budget.nodes && !m->options.playouts
                       ? kn_smcts_choose_batch(m, position, request->budget.seconds)
                       : 1;
    uint32_t root = enter(m, position);
    KnMove every[m->game->max_moves];
    const KnMove *allowed = request->allowed;
    int count = request->allowed_count;
    if (!allowed) {
        count = kn_game_moves_of(m->game, position, role, every);
        allowed = every;
    }
    if (!m->nodes[root].expanded || count < 1 || !bar_others(m, root, role, allowed, count))
        return kn_fail(error, KN_INPUT, "there is nothing to choose here, or an allowed move is not legal");
    m->begun = m->playouts = m->played = 0;
    m->full = m->stuck = false;
    m->origin = root;
    m->at_once = m->nodes[root].decider == KN_SMCTS_MANY;
    m->viewpoint = role;
    if (m->batch > 1 && !m->options.batch && m->at_once && !try_singly(m)) m->batch = 1;
    if (m->batch > 1) {
        KnStatus status = kn_smcts_run_lanes(m, error);
        if (status != KN_OK) return status;
    } else {
        grow_singly(m);
    }
    bool decided = kn_smcts_decided(m, m->origin, role), halted = kn_smcts_halted(m) && !decided;
    if (m->halt && decided) atomic_store(m->halt, true);
    result->completed = !m->meter.stopped && !halted;
    result->stop = m->meter.stopped ? m->meter.why : halted ? KN_STOP_CANCEL : KN_STOP_DONE;
    kn_smcts_answer(m, m->origin, role, allowed, count, result);
    return KN_OK;
}
