#include "web/thread_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"

enum { THREADS_MAX = 64 };

struct KnThreadPool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    KnPoolTask *queue; /* by due time */
    size_t count, most;
    int nice;
    bool closing;
    pthread_t threads[THREADS_MAX];
    int thread_count;
};

/* CLOCK_MONOTONIC, as kn_clock_now. */
static void wait_until(KnThreadPool *pool, double due)
{
    struct timespec until = {.tv_sec = (time_t)due};
    until.tv_nsec = (long)((due - (double)until.tv_sec) * 1e9);
    pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
}

static void *serve(void *user)
{
    KnThreadPool *pool = user;
    if (pool->nice)
        setpriority(PRIO_PROCESS, (id_t)gettid(),
                    pool->nice); /* on Linux this affects only the calling thread */
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        KnPoolTask *task = pool->queue;
        if (!task) {
            pthread_cond_wait(&pool->changed, &pool->lock);
        } else if (task->due > kn_clock_now()) {
            wait_until(pool, task->due);
        } else {
            KN_ASSERT(pool->count > 0);
            pool->queue = task->next;
            pool->count--;
            pthread_mutex_unlock(&pool->lock);
            task->run(task);
            pthread_mutex_lock(&pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

KnStatus kn_thread_pool_new(int threads, size_t most, int nice, KnThreadPool **out, KnError *error)
{
    *out = NULL;
    KnThreadPool *pool = calloc(1, sizeof *pool);
    if (!pool) return kn_fail_memory(error, "starting threads");
    pool->most = most;
    pool->nice = nice;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    while (pool->thread_count < threads &&
           pthread_create(&pool->threads[pool->thread_count], NULL, serve, pool) == 0)
        pool->thread_count++;
    if (pool->thread_count < threads) {
        kn_thread_pool_free(pool);
        return kn_fail(error, KN_SYSTEM, "cannot start threads");
    }
    *out = pool;
    return KN_OK;
}

void kn_thread_pool_free(KnThreadPool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    KnPoolTask *left = pool->queue;
    pool->queue = NULL;
    pool->count = 0;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    while (left) {
        KnPoolTask *task = left;
        left = task->next;
        task->drop(task);
    }
    for (int i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

bool kn_thread_pool_submit(KnThreadPool *pool, KnPoolTask *task)
{
    KN_ASSERT(task->run && task->drop);
    pthread_mutex_lock(&pool->lock);
    bool taken = !pool->closing && pool->count < pool->most;
    if (taken) {
        if (task->due <= 0) task->due = kn_clock_now();
        KnPoolTask **at = &pool->queue;
        while (*at && (*at)->due <= task->due) at = &(*at)->next;
        task->next = *at;
        *at = task;
        pool->count++;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

bool kn_thread_pool_withdraw(KnThreadPool *pool, KnPoolTask *task)
{
    bool found = false;
    pthread_mutex_lock(&pool->lock);
    for (KnPoolTask **at = &pool->queue; *at && !found; at = &(*at)->next)
        if (*at == task) {
            *at = task->next;
            pool->count--;
            found = true;
            break;
        }
    pthread_mutex_unlock(&pool->lock);
    return found;
}

size_t kn_thread_pool_waiting(KnThreadPool *pool)
{
    double now = kn_clock_now();
    size_t count = 0;
    pthread_mutex_lock(&pool->lock);
    for (const KnPoolTask *task = pool->queue; task && task->due <= now; task = task->next) count++;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

/* A function that runs in the pool while its caller waits. */
typedef struct Call {
    KnPoolTask task;
    void (*function)(void *user);
    void *user;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    enum { WAITING, RUNNING, DONE, DROPPED } state;
} Call;

static void call_mark(Call *call, unsigned state)
{
    pthread_mutex_lock(&call->lock);
    call->state = state;
    pthread_cond_signal(&call->ended);
    pthread_mutex_unlock(&call->lock);
}

static void call_run(KnPoolTask *task)
{
    Call *call = (Call *)task;
    call_mark(call, RUNNING);
    call->function(call->user);
    call_mark(call, DONE);
}

static void call_drop(KnPoolTask *task) { call_mark((Call *)task, DROPPED); }

KnStatus kn_thread_pool_call(KnThreadPool *pool, void (*function)(void *user), void *user, double timeout,
                             KnError *error)
{
    Call call = {
        .task = {.run = call_run, .drop = call_drop}, .function = function, .user = user, .state = WAITING};
    pthread_mutex_init(&call.lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&call.ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    bool taken = kn_thread_pool_submit(pool, &call.task);
    if (taken) {
        double limit = kn_clock_now() + timeout;
        struct timespec until = {.tv_sec = (time_t)limit,
                                 .tv_nsec = (long)((limit - (double)(time_t)limit) * 1e9)};
        pthread_mutex_lock(&call.lock);
        int waited = 0;
        while (call.state == WAITING && waited == 0)
            waited = pthread_cond_timedwait(&call.ended, &call.lock, &until);
        pthread_mutex_unlock(&call.lock);
        bool withdrawn = waited != 0 && kn_thread_pool_withdraw(pool, &call.task);
        pthread_mutex_lock(&call.lock);
        while (!withdrawn && (call.state == WAITING || call.state == RUNNING))
            pthread_cond_wait(&call.ended, &call.lock);
        pthread_mutex_unlock(&call.lock);
    }
    bool done = call.state == DONE;
    pthread_cond_destroy(&call.ended);
    pthread_mutex_destroy(&call.lock);
    return done ? KN_OK : kn_fail(error, KN_STOPPED, "all engines are busy; try again in a moment");
}
