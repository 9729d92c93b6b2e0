/* AMAF values ("all moves as first"; RAVE, Gelly and Silver 2007): what came of the playouts below a node in
 * which a role made a move, whenever it did. They are known long before a move has visits of its own, so they
 * tell which moves to try first, and how long the others can wait.
 *
 * A node with few visits uses the table of the nearest node above it that has enough (GRAVE, Cazenave 2015).
 * A table holds all moves of all roles, so only nodes with many visits have one. What it says is taken as a
 * difference to its mean, which is added to the mean of the node: so it serves in won and lost positions
 * alike.
 */
#include "search/mcts_simultaneous_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/gdl/propnet_reasoner.h"

/* AMAF values guide what exploration would find out: less of that is needed, and an untried move counts as if
 * it had visits. */
static const float EXPLORES = 0.8f, VISITS = 2;

enum { ENOUGH = 50 }; /* visits of a node that gets a table, and playouts in a table that is used */

KnStatus kn_smcts_amaf_new(KnMctsSimultaneous *m, KnError *error)
{
    enum { SHARE = 4 }; /* of the memory */
    if (!m->machine) return KN_OK;
    const KnPropnet *net = kn_propnet_reasoner_net(kn_gdl_machine_propnet(m->machine));
    size_t roles = (size_t)m->game->roles;
    m->table_size = net->action_count;
    for (uint32_t a = 0; a < net->action_count; a++)
        if (net->actions[a].number >= m->table_moves) m->table_moves = net->actions[a].number + 1;
    m->action_of = calloc(m->table_moves * roles + 1, sizeof *m->action_of);
    if (!m->action_of) return kn_fail_memory(error, "opening a search");
    for (int role = 0; role < net->roles; role++)
        for (uint32_t a = net->first_action[role]; a < net->first_action[role + 1]; a++)
            m->action_of[(size_t)role * m->table_moves + net->actions[a].number] = a;
    if (m->options.amaf <= 0) return KN_OK;
    size_t each = m->table_size * sizeof *m->tables + roles * sizeof *m->table_totals;
    m->table_count = (uint32_t)(m->options.bytes / SHARE / (each + 1)) + 1;
    m->made_room = m->table_size + (KN_SEARCH_PLIES + 1) * (uint32_t)roles;
    m->tables = calloc((size_t)m->table_count * m->table_size + 1, sizeof *m->tables);
    m->table_totals = calloc(m->table_count * roles, sizeof *m->table_totals);
    m->table_games = calloc(m->table_count, sizeof *m->table_games);
    m->free_tables = malloc(m->table_count * sizeof *m->free_tables);
    m->made.actions = malloc((m->made_room + 1) * sizeof *m->made.actions);
    if (!m->tables || !m->table_totals || !m->table_games || !m->free_tables || !m->made.actions)
        return kn_fail_memory(error, "opening a search");
    kn_smcts_amaf_clear(m);
    return KN_OK;
}

void kn_smcts_amaf_free(KnMctsSimultaneous *m)
{
    free(m->tables);
    free(m->table_totals);
    free(m->table_games);
    free(m->free_tables);
    free(m->action_of);
    free(m->made.actions);
}

void kn_smcts_amaf_clear(KnMctsSimultaneous *m)
{
    m->free_count = m->table_count;
    for (uint32_t i = 0; i < m->table_count; i++) m->free_tables[i] = m->table_count - 1 - i;
}

static void give_table(KnMctsSimultaneous *m, uint32_t node)
{
    uint32_t table = m->free_tables[--m->free_count];
    m->nodes[node].table = table;
    m->table_games[table] = 0;
    memset(m->tables + (size_t)table * m->table_size, 0, m->table_size * sizeof *m->tables);
    memset(m->table_totals + (size_t)table * (size_t)m->game->roles, 0,
           (size_t)m->game->roles * sizeof *m->table_totals);
}

uint32_t kn_smcts_amaf_table(KnMctsSimultaneous *m, uint32_t node, uint32_t above)
{
    const KnSmctsNode *n = &m->nodes[node];
    if (n->table == KN_SMCTS_NONE) {
        if (!m->free_count || (n->visits < ENOUGH && node != m->origin)) return above;
        give_table(m, node);
    }
    return m->table_games[n->table] >= ENOUGH || above == KN_SMCTS_NONE ? n->table : above;
}

void kn_smcts_amaf_drop(KnMctsSimultaneous *m, uint32_t node)
{
    if (m->nodes[node].table == KN_SMCTS_NONE) return;
    m->free_tables[m->free_count++] = m->nodes[node].table;
    m->nodes[node].table = KN_SMCTS_NONE;
}

void kn_smcts_amaf_add(KnMctsSimultaneous *m, const KnSmctsStep *step, const double *results)
{
    const KnPropnet *net = kn_propnet_reasoner_net(kn_gdl_machine_propnet(m->machine));
    uint32_t table = m->nodes[step->node].table;
    for (int role = 0; role < m->game->roles; role++) /* what is chosen here counts here too */
        if (step->chosen[role] != KN_SMCTS_NONE && m->made.count < m->made_room)
            m->made.actions[m->made.count++] = kn_smcts_action_of(m, role,
                                                                  m->actions[step->chosen[role]].move);
    if (table == KN_SMCTS_NONE) return;
    KnSmctsAmaf *rows = m->tables + (size_t)table * m->table_size;
    m->table_games[table]++;
    for (int role = 0; role < m->game->roles; role++)
        m->table_totals[(size_t)table * (size_t)m->game->roles + (size_t)role] += results[role];
    for (uint32_t i = 0; i < m->made.count; i++) {
        uint32_t action = m->made.actions[i];
        int role = 0;
        while (action >= net->first_action[role + 1]) role++;
        rows[action].visits++;
        rows[action].total += (float)results[role];
    }
}

uint32_t kn_smcts_amaf_select(const KnMctsSimultaneous *m, const KnSmctsNode *node, const KnSmctsAction *list,
                              uint32_t count, int role, uint32_t table, const bool *barred)
{
    const KnSmctsAmaf *rows = m->tables + (size_t)table * m->table_size;
    const uint32_t *action_of = m->action_of + (size_t)role * m->table_moves;
    float total = 0, visits = 0, most = (float)m->options.amaf, highest = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        total += (float)list[i].total;
        visits += (float)list[i].visits;
    }
    uint32_t best = KN_SMCTS_NONE, games = m->table_games[table];
    double table_total = m->table_totals[(size_t)table * (size_t)m->game->roles + (size_t)role];
    float mean = visits > 0 ? total / visits : 0.5f,
          shift = mean - (games ? (float)(table_total / games) : 0.5f),
          explores = (float)m->options.exploration * EXPLORES,
          spread = explores * explores * kn_smcts_log(node->visits + 1);
    for (uint32_t i = 0; i < count; i++) {
        if ((barred && barred[i]) || list[i].closed) continue;
        const KnSmctsAmaf *row = &rows[action_of[list[i].move]];
        float tried = (float)list[i].visits, made = (float)row->visits;
        float weight = made * most / (made + most) + 0.01f;
        float prior = made > 0 ? row->total / made + shift : mean;
        float bound = ((float)list[i].total + weight * prior) / (tried + weight) +
                      sqrtf(spread / (tried + VISITS));
        if (bound > highest) highest = bound, best = i;
    }
    for (uint32_t i = 0; best == KN_SMCTS_NONE; i++) { /* all are proved: any that is allowed */
        KN_ASSERT(i < count);
        if (!barred || !barred[i]) best = i;
    }
    return best;
}
