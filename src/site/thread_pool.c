/* web/thread_pool.h without threads: tasks wait in one queue, and the worker's loop runs them one after the
 * other (kn_thread_pool_step). A function that somebody waits for runs at once. */
#include "web/thread_pool.h"

#include <stdlib.h>

#include "base/clock.h"
#include "site/site.h"

struct KnThreadPool {
    KnPoolTask *first;
    size_t count, most;
    bool ended;
};

KnStatus kn_thread_pool_new(const KnPoolPlan *plan, KnThreadPool **out, KnError *error)
{
    KnThreadPool *pool = *out = calloc(1, sizeof *pool);
    if (!pool) return kn_fail_memory(error, "starting the engines");
    pool->most = plan->most;
    return KN_OK;
}

void kn_thread_pool_end(KnThreadPool *pool)
{
    if (!pool) return;
    pool->ended = true;
    while (pool->first) {
        KnPoolTask *task = pool->first;
        pool->first = task->next;
        pool->count--;
        task->drop(task);
    }
}

void kn_thread_pool_free(KnThreadPool *pool)
{
    kn_thread_pool_end(pool);
    free(pool);
}

bool kn_thread_pool_has_room(KnThreadPool *pool, uint64_t client)
{
    (void)client;
    return !pool->ended && pool->count < pool->most;
}

bool kn_thread_pool_submit(KnThreadPool *pool, KnPoolTask *task)
{
    if (!kn_thread_pool_has_room(pool, task->client)) return false;
    KnPoolTask **end = &pool->first;
    while (*end) end = &(*end)->next;
    *end = task;
    task->next = NULL;
    pool->count++;
    return true;
}

bool kn_thread_pool_withdraw(KnThreadPool *pool, KnPoolTask *task)
{
    for (KnPoolTask **at = &pool->first; *at; at = &(*at)->next)
        if (*at == task) {
            *at = task->next;
            pool->count--;
            return true;
        }
    return false;
}

KnStatus kn_thread_pool_call(KnThreadPool *pool, const KnPoolCall *call, KnError *error)
{
    if (pool->ended) return kn_fail(error, KN_STOPPED, "the page is closing");
    call->function(call->user);
    return KN_OK;
}

size_t kn_thread_pool_waiting(KnThreadPool *pool)
{
    size_t due = 0;
    for (const KnPoolTask *task = pool->first; task; task = task->next) due += task->due <= kn_clock_now();
    return due;
}

/* Nothing else is done while a task runs, and people wait. */
double kn_thread_pool_stretch(const KnThreadPool *pool) { return (void)pool, 0.5; }

double kn_thread_pool_step(KnThreadPool *pool)
{
    double soonest = -1, now = kn_clock_now();
    for (KnPoolTask **at = &pool->first; *at; at = &(*at)->next) {
        KnPoolTask *task = *at;
        double wait = task->due - now;
        if (wait > 0) {
            if (soonest < 0 || wait < soonest) soonest = wait;
            continue;
        }
        *at = task->next;
        pool->count--;
        void (*end)(KnPoolTask *) = task->end;
        task->run(task);
        if (end) end(task);
        return 0;
    }
    return soonest;
}
