#include "web/work.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { THREADS_MAX = 64 };

struct KnWork {
    pthread_mutex_t lock;
    pthread_cond_t news;
    KnJob *queue; /* by due time */
    size_t count, most;
    int nice;
    bool closing;
    pthread_t threads[THREADS_MAX];
    int thread_count;
};

/* kn_clock_now counts on the same clock. */
static void wait_until(KnWork *work, double due)
{
    struct timespec until = {.tv_sec = (time_t)due};
    until.tv_nsec = (long)((due - (double)until.tv_sec) * 1e9);
    pthread_cond_timedwait(&work->news, &work->lock, &until);
}

static void *serve(void *user)
{
    KnWork *work = user;
    if (work->nice) setpriority(PRIO_PROCESS, (id_t)gettid(), work->nice); /* Linux: of this thread alone */
    pthread_mutex_lock(&work->lock);
    while (!work->closing) {
        KnJob *job = work->queue;
        if (!job) {
            pthread_cond_wait(&work->news, &work->lock);
        } else if (job->due > kn_clock_now()) {
            wait_until(work, job->due);
        } else {
            work->queue = job->next;
            work->count--;
            pthread_mutex_unlock(&work->lock);
            job->run(job);
            pthread_mutex_lock(&work->lock);
        }
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

KnStatus kn_work_new(int threads, size_t most, int nice, KnWork **out, KnError *error)
{
    *out = NULL;
    KnWork *work = calloc(1, sizeof *work);
    if (!work) return kn_fail_memory(error, "starting threads");
    work->most = most;
    work->nice = nice;
    pthread_mutex_init(&work->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&work->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    while (work->thread_count < threads &&
           pthread_create(&work->threads[work->thread_count], NULL, serve, work) == 0)
        work->thread_count++;
    if (work->thread_count < threads) {
        kn_work_free(work);
        return kn_fail(error, KN_SYSTEM, "threads could not be started");
    }
    *out = work;
    return KN_OK;
}

void kn_work_free(KnWork *work)
{
    if (!work) return;
    pthread_mutex_lock(&work->lock);
    work->closing = true;
    KnJob *left = work->queue;
    work->queue = NULL;
    work->count = 0;
    pthread_cond_broadcast(&work->news);
    pthread_mutex_unlock(&work->lock);
    while (left) {
        KnJob *job = left;
        left = job->next;
        job->drop(job);
    }
    for (int i = 0; i < work->thread_count; i++) pthread_join(work->threads[i], NULL);
    pthread_cond_destroy(&work->news);
    pthread_mutex_destroy(&work->lock);
    free(work);
}

bool kn_work_submit(KnWork *work, KnJob *job)
{
    pthread_mutex_lock(&work->lock);
    bool taken = !work->closing && work->count < work->most;
    if (taken) {
        if (job->due <= 0) job->due = kn_clock_now();
        KnJob **at = &work->queue;
        while (*at && (*at)->due <= job->due) at = &(*at)->next;
        job->next = *at;
        *at = job;
        work->count++;
        pthread_cond_broadcast(&work->news);
    }
    pthread_mutex_unlock(&work->lock);
    return taken;
}

bool kn_work_withdraw(KnWork *work, KnJob *job)
{
    bool found = false;
    pthread_mutex_lock(&work->lock);
    for (KnJob **at = &work->queue; *at && !found; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            work->count--;
            found = true;
            break;
        }
    pthread_mutex_unlock(&work->lock);
    return found;
}

size_t kn_work_waiting(KnWork *work)
{
    double now = kn_clock_now();
    size_t count = 0;
    pthread_mutex_lock(&work->lock);
    for (const KnJob *job = work->queue; job && job->due <= now; job = job->next) count++;
    pthread_mutex_unlock(&work->lock);
    return count;
}

/* A call that somebody waits for. */
typedef struct Call {
    KnJob job;
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

static void call_run(KnJob *job)
{
    Call *call = (Call *)job;
    call_mark(call, RUNNING);
    call->function(call->user);
    call_mark(call, DONE);
}

static void call_drop(KnJob *job) { call_mark((Call *)job, DROPPED); }

KnStatus kn_work_call(KnWork *work, void (*function)(void *user), void *user, double patience, KnError *error)
{
    Call call = {
        .job = {.run = call_run, .drop = call_drop}, .function = function, .user = user, .state = WAITING};
    pthread_mutex_init(&call.lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&call.ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    bool taken = kn_work_submit(work, &call.job);
    if (taken) {
        double limit = kn_clock_now() + patience;
        struct timespec until = {.tv_sec = (time_t)limit,
                                 .tv_nsec = (long)((limit - (double)(time_t)limit) * 1e9)};
        pthread_mutex_lock(&call.lock);
        int waited = 0;
        while (call.state == WAITING && waited == 0)
            waited = pthread_cond_timedwait(&call.ended, &call.lock, &until);
        pthread_mutex_unlock(&call.lock);
        bool withdrawn = waited != 0 && kn_work_withdraw(work, &call.job);
        pthread_mutex_lock(&call.lock);
        while (!withdrawn && (call.state == WAITING || call.state == RUNNING))
            pthread_cond_wait(&call.ended, &call.lock);
        pthread_mutex_unlock(&call.lock);
    }
    bool done = call.state == DONE;
    pthread_cond_destroy(&call.ended);
    pthread_mutex_destroy(&call.lock);
    return done ? KN_OK : kn_fail(error, KN_STOPPED, "every engine is busy; try again in a moment");
}
