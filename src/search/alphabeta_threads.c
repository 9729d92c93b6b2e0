/* Lazy SMP: several threads search the same root, each on its own, and share the transposition table. What
 * one thread finds cuts or orders the moves of the others. Every second thread begins a ply deeper, so that
 * they do not all search the same tree at the same time. The answer is that of the deepest search, the first
 * thread's among equals. */
#include <pthread.h>
#include <stdlib.h>

#include "base/assert.h"
#include "search/alphabeta_core.h"

typedef struct SearchThread {
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
} SearchThread;

struct KnSearchThreads {
    int count;
    atomic_bool stop;
    SearchThread all[];
};

KnStatus kn_search_threads_open(KnSearch *s, KnError *error)
{
    int count = s->options.threads - 1;
    if (!s->table)
        return kn_fail(error, KN_USAGE, "threads=%d: threads share the transposition table: use table=on",
                       s->options.threads);
    KnSearchThreads *threads = s->threads = calloc(1, sizeof *threads + (size_t)count * sizeof *threads->all);
    if (!threads) return kn_fail_memory(error, "opening a search");
    KnSearchOptions options = s->options;
    options.threads = 1;
    options.solve = 0;
    options.shared = s->table;
    for (; threads->count < count; threads->count++) {
        KnSearch *search = kn_search_new(s->game, s->evaluation, &options, error);
        if (!search) return error ? error->status : KN_SYSTEM;
        search->first_depth = 1 + (threads->count + 1) % 2;
        threads->all[threads->count].search = search;
    }
    return KN_OK;
}

void kn_search_threads_free(KnSearchThreads *threads)
{
    for (int i = 0; threads && i < threads->count; i++) kn_search_free(threads->all[i].search);
    free(threads);
}

void kn_search_threads_clear(KnSearchThreads *threads)
{
    for (int i = 0; i < threads->count; i++) kn_search_clear(threads->all[i].search);
}

static void *help(void *argument)
{
    SearchThread *h = argument;
    h->status = kn_search_run(h->search, h->position, h->history, &h->request, &h->result, &h->error);
    return NULL;
}

KnBudget kn_search_threads_share(const KnSearch *s, KnBudget budget)
{
    uint64_t threads = (uint64_t)s->options.threads;
    if (budget.nodes) budget.nodes = budget.nodes / threads ? budget.nodes / threads : 1;
    return budget;
}

void kn_search_threads_start(KnSearch *s, const void *position, const KnHistory *history,
                             const KnSearchRequest *request, const KnRng *rng)
{
    KnSearchThreads *threads = s->threads;
    atomic_store(&threads->stop, false);
    for (int i = 0; i < threads->count; i++) {
        SearchThread *h = &threads->all[i];
        h->position = position;
        h->history = history;
        h->request = *request;
        h->request.budget = kn_search_threads_share(s, request->budget);
        h->request.cancel = &threads->stop;
        h->request.after_depth = NULL;
        h->rng = *rng; /* the same ranks: ties go to the same move */
        h->request.rng = request->rng ? &h->rng : NULL;
        h->running = pthread_create(&h->thread, NULL, help, h) == 0;
    }
}

void kn_search_threads_finish(KnSearch *s, KnSearchResult *result)
{
    KnSearchThreads *threads = s->threads;
    atomic_store(&threads->stop, true);
    KnSearchResult best = *result;
    uint64_t nodes = result->nodes, known = result->known;
    for (int i = 0; i < threads->count; i++) {
        SearchThread *h = &threads->all[i];
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
