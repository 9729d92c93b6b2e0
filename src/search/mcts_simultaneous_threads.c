/* Root parallelisation (Cazenave and Jouandeau 2007): several threads grow trees of their own from the same
 * root, and the statistics of its moves are added up. A tree that all share would need a lock or atomic
 * counts at every step of selection, which takes as long as a bit-parallel playout, and proofs, pruning and
 * AMAF tables would all have to be published; separate trees share nothing, and differ enough by their random
 * choices that their sum is better than any of them. A proof in one tree counts for all. */
#include "search/mcts_simultaneous_tree.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Member {
    KnMctsSimultaneous *search;
    pthread_t thread;
    bool running;
    const void *position;
    int role;
    KnSearchRequest request;
    KnRng rng;
    KnSearchResult result;
    KnStatus status;
} Member;

struct KnSmctsTeam {
    atomic_bool halt; /* somebody has decided the root, or the caller has lost interest */
    int count;        /* of the others */
    Member members[];
};

KnStatus kn_smcts_team_open(KnMctsSimultaneous *m, KnError *error)
{
    int count = m->options.threads - 1;
    if (count < 1) return KN_OK;
    m->team = calloc(1, sizeof *m->team + (size_t)count * sizeof *m->team->members);
    if (!m->team) return kn_fail_memory(error, "opening a search");
    KnMctsSimultaneousOptions alone = m->options;
    alone.threads = 1;
    for (; m->team->count < count; m->team->count++) {
        KnMctsSimultaneous *search = kn_mcts_simultaneous_new(m->game, &alone, error);
        if (!search) return KN_SYSTEM;
        search->halt = &m->team->halt;
        m->team->members[m->team->count].search = search;
    }
    m->halt = &m->team->halt;
    return KN_OK;
}

void kn_smcts_team_free(KnMctsSimultaneous *m)
{
    for (int i = 0; m->team && i < m->team->count; i++) kn_mcts_simultaneous_free(m->team->members[i].search);
    free(m->team);
}

KnMctsSimultaneous *kn_smcts_team_member(const KnMctsSimultaneous *m, int index)
{
    return m->team && index < m->team->count ? m->team->members[index].search : NULL;
}

static void *grow(void *user)
{
    Member *member = user;
    KnError error;
    member->status = kn_smcts_run_alone(member->search, member->position, member->role, &member->request,
                                        &member->result, &error);
    return NULL;
}

/* Adds what another tree found to the rows of the root, which are in the same order. */
static void add_rows(KnSearchResult *sum, KnRootMove *rows, const KnSearchResult *part)
{
    KN_ASSERT(sum->root_count == part->root_count);
    for (int i = 0; i < sum->root_count; i++) {
        const KnRootMove *more = &part->root[i];
        KnRootMove *row = &rows[i];
        KN_ASSERT(row->move == more->move);
        uint64_t visits = row->visits + more->visits;
        if (row->bound != KN_BOUND_EXACT && more->bound == KN_BOUND_EXACT) {
            row->bound = KN_BOUND_EXACT;
            row->score = more->score;
        } else if (row->bound != KN_BOUND_EXACT && visits) {
            double total = (double)row->score * (double)row->visits +
                           (double)more->score * (double)more->visits;
            row->score = (KnScore)(total / (double)visits);
        }
        row->visits = visits;
    }
    sum->nodes += part->nodes;
    sum->stored += part->stored;
    sum->solved += part->solved;
    sum->playouts += part->playouts;
    if (part->assumes) sum->assumes = part->assumes;
}

/* The most visited move, unless a proved one is worth as much. */
static int best_row(const KnSearchResult *sum)
{
    int proved = -1, visited = -1;
    for (int i = 0; i < sum->root_count; i++) {
        const KnRootMove *row = &sum->root[i];
        int *best = row->bound == KN_BOUND_EXACT ? &proved : &visited;
        if (*best < 0 ||
            (best == &proved ? row->score > sum->root[*best].score : row->visits > sum->root[*best].visits))
            *best = i;
    }
    if (proved < 0 || visited < 0) return proved < 0 ? visited : proved;
    return sum->root[proved].score >= sum->root[visited].score ? proved : visited;
}

/* The line of the tree that has seen most of the move. */
static void take_line(KnMctsSimultaneous *m, int best, const uint64_t *own_visits, KnSearchResult *sum)
{
    KnMove move = sum->root[best].move;
    uint64_t most = 0;
    bool found = false;
    if (sum->move == move) most = own_visits[best], found = true;
    for (int i = 0; i < m->team->count; i++) {
        const Member *member = &m->team->members[i];
        if (!member->running || member->status != KN_OK || member->result.move != move) continue;
        if (found && member->result.root[best].visits <= most) continue;
        most = member->result.root[best].visits;
        found = true;
        sum->pv = member->result.pv;
        sum->pv_length = member->result.pv_length;
    }
    if (!found) m->pv[0] = move, sum->pv = m->pv, sum->pv_length = 1;
    sum->depth = sum->pv_length;
}

/* Adds up what all found. */
static void merge(KnMctsSimultaneous *m, int role, KnSearchResult *result)
{
    uint64_t own_visits[result->root_count];
    for (int i = 0; i < result->root_count; i++) own_visits[i] = m->root[i].visits;
    const KnSearchResult *solved = NULL, own = *result;
    bool many = m->nodes[m->origin].decider == KN_SMCTS_MANY;
    if (many && kn_smcts_decided(m, m->origin, role)) solved = &own;
    for (int i = 0; i < m->team->count; i++) {
        Member *member = &m->team->members[i];
        if (!member->running || member->status != KN_OK) continue;
        add_rows(result, m->root, &member->result);
        if (member->result.completed && kn_smcts_decided(member->search, member->search->origin, role)) {
            result->completed = true;
            result->stop = KN_STOP_DONE;
            if (many && !solved) solved = &member->result;
        }
    }
    if (solved) { /* a move of a mixed strategy, which no sum of visits knows */
        result->move = solved->move;
        result->score = solved->score;
        result->mixed = solved->mixed;
        result->pv = solved->pv;
        result->depth = result->pv_length = solved->pv_length;
        return;
    }
    int best = best_row(result);
    take_line(m, best, own_visits, result);
    result->move = result->root[best].move;
    result->score = result->root[best].score;
}

KnStatus kn_smcts_run_team(KnMctsSimultaneous *m, const void *position, int role,
                           const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    struct KnSmctsTeam *team = m->team;
    uint64_t threads = (uint64_t)team->count + 1, playouts = m->options.playouts;
    KnSearchRequest share = *request;
    if (share.budget.nodes) share.budget.nodes = (share.budget.nodes + threads - 1) / threads;
    if (playouts) m->options.playouts = (playouts + threads - 1) / threads;
    atomic_store(&team->halt, false);
    for (int i = 0; i < team->count; i++) {
        Member *member = &team->members[i];
        member->position = position;
        member->role = role;
        member->request = share;
        member->request.cancel = &team->halt;
        member->request.rng = &member->rng;
        if (request->rng) member->rng = kn_rng_seeded(kn_rng_next(request->rng));
        member->search->options.playouts = m->options.playouts;
        member->running = request->rng && pthread_create(&member->thread, NULL, grow, member) == 0;
    }
    KnStatus status = kn_smcts_run_alone(m, position, role, &share, result, error);
    if (status != KN_OK || (request->cancel && atomic_load(request->cancel))) atomic_store(&team->halt, true);
    for (int i = 0; i < team->count; i++)
        if (team->members[i].running) pthread_join(team->members[i].thread, NULL);
    m->options.playouts = playouts;
    if (status == KN_OK) merge(m, role, result);
    return status;
}
