/* Lazy SMP: several threads search the same root, each on its own, and share the transposition table. What
 * one thread finds cuts or orders the moves of the others. Every second thread begins a ply deeper, so that
 * they do not all search the same tree at the same time. The answer is that of the deepest search, the first
 * thread's among equals. */
#include <pthread.h>
#include <stdlib.h>

#include "base/assert.h"
#include "search/alphabeta_core.h"

typedef struct Helper {
    KnSearch *search;
    pthread_t thread;
    bool running;
    const void *position;
    const KnHistory *history;
    KnSearchRequest request;
    KnRng rng;
    KnSearchResult result;
    KnStatus status;
    KnError error;
} Helper;

struct KnTeam {
    int count;
    atomic_bool stop;
    Helper helpers[];
};

KnStatus kn_team_open(KnSearch *s, KnError *error)
{
    int count = s->options.threads - 1;
    if (!s->table)
        return kn_fail(error, KN_USAGE, "threads=%d: threads share the transposition table: use table=on",
                       s->options.threads);
    KnTeam *team = s->team = calloc(1, sizeof *team + (size_t)count * sizeof *team->helpers);
    if (!team) return kn_fail_memory(error, "opening a search");
    KnSearchOptions options = s->options;
    options.threads = 1;
    options.solve = 0;
    options.shared = s->table;
    for (; team->count < count; team->count++) {
        KnSearch *search = kn_search_new(s->game, s->evaluation, &options, error);
        if (!search) return error ? error->status : KN_SYSTEM;
        search->first_depth = 1 + (team->count + 1) % 2;
        team->helpers[team->count].search = search;
    }
    return KN_OK;
}

void kn_team_free(KnTeam *team)
{
    for (int i = 0; team && i < team->count; i++) kn_search_free(team->helpers[i].search);
    free(team);
}

void kn_team_clear(KnTeam *team)
{
    for (int i = 0; i < team->count; i++) kn_search_clear(team->helpers[i].search);
}

static void *help(void *argument)
{
    Helper *h = argument;
    h->status = kn_search_run(h->search, h->position, h->history, &h->request, &h->result, &h->error);
    return NULL;
}

KnBudget kn_team_share(const KnSearch *s, KnBudget budget)
{
    uint64_t threads = (uint64_t)s->options.threads;
    if (budget.nodes) budget.nodes = budget.nodes / threads ? budget.nodes / threads : 1;
    return budget;
}

void kn_team_start(KnSearch *s, const void *position, const KnHistory *history,
                   const KnSearchRequest *request, const KnRng *rng)
{
    KnTeam *team = s->team;
    atomic_store(&team->stop, false);
    for (int i = 0; i < team->count; i++) {
        Helper *h = &team->helpers[i];
        h->position = position;
        h->history = history;
        h->request = *request;
        h->request.budget = kn_team_share(s, request->budget);
        h->request.cancel = &team->stop;
        h->request.after_depth = NULL;
        h->rng = *rng; /* the same ranks: ties go to the same move */
        h->request.rng = request->rng ? &h->rng : NULL;
        h->running = pthread_create(&h->thread, NULL, help, h) == 0;
    }
}

void kn_team_finish(KnSearch *s, KnSearchResult *result)
{
    KnTeam *team = s->team;
    atomic_store(&team->stop, true);
    KnSearchResult best = *result;
    uint64_t nodes = result->nodes, known = result->known;
    for (int i = 0; i < team->count; i++) {
        Helper *h = &team->helpers[i];
        if (!h->running) continue;
        pthread_join(h->thread, NULL);
        if (h->status != KN_OK) continue;
        nodes += h->result.nodes;
        known += h->result.known;
        if (h->result.depth > best.depth && h->result.root_count == best.root_count) {
            KnStop stop = best.stop;
            best = h->result;
            best.stop = stop;
        }
    }
    best.nodes = nodes;
    best.known = known;
    best.seconds = result->seconds;
    *result = best;
}
