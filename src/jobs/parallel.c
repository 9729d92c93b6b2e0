#include "jobs/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "jobs/coordinator.h"

int kn_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

enum { MOST_JOBS = 4096 };

int kn_jobs(int jobs)
{
    if (jobs > 0) return jobs;
    const char *text = getenv("KNACK_JOBS");
    long wanted = text ? strtol(text, NULL, 10) : 0;
    return wanted > 0 && wanted <= MOST_JOBS ? (int)wanted : kn_cores();
}

uint64_t kn_parallel_window(int jobs) { return (uint64_t)kn_jobs(jobs) * 8; }

/* Everything below `lock` is guarded by it. Indices are started in order, so that [0, started) is all that
 * ever ran and the lowest failure among them is the one a single thread would meet first: every lower index
 * has started. */
typedef struct Run {
    KnJobRun plan; /* without `commit`: no order, no window */
    KnTask task;
    KnJob *job; /* the part that worker processes do; NULL: none */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* a thread may start an index, or end */
    pthread_cond_t ready; /* the index to be committed next may have finished, or a thread ended */
    uint64_t started, committed;
    bool *finished;        /* by index % window */
    bool ended;            /* no further index is started */
    bool dropped;          /* a commit ended the run: running indices are not needed */
    uint64_t failed_index; /* the lowest failure so far; count: none */
    KnError failure;
    int threads; /* that have not ended */
} Run;

typedef struct Thread {
    Run *run;
    int number;
    pthread_t handle;
} Thread;

static bool cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

/* No index will start any more. */
static bool is_closed(Run *run)
{
    if (!run->ended && cancelled(run->plan.cancel)) run->ended = true;
    return run->ended || run->started == run->plan.count;
}

static bool has_room(const Run *run)
{
    return !run->plan.commit || run->started - run->committed < run->plan.window;
}

/* Waits until an index may start; false if none is left. */
static bool take_index(Run *run, uint64_t *index)
{
    for (;;) {
        if (is_closed(run)) return false;
        if (has_room(run)) break;
        pthread_cond_wait(&run->moved, &run->lock);
    }
    *index = run->started++;
    return true;
}

static void note_failure(Run *run, uint64_t index, KnStatus status, const KnError *error)
{
    run->ended = true;
    if (index >= run->failed_index) return;
    run->failed_index = index;
    run->failure = *error;
    run->failure.status = status;
}

static void note_end(Run *run, uint64_t index, KnStatus status, const KnError *error)
{
    if (status != KN_OK)
        note_failure(run, index, status, error);
    else if (run->plan.commit)
        run->finished[index % run->plan.window] = true;
    if (run->plan.commit && (index == run->committed || status != KN_OK)) pthread_cond_signal(&run->ready);
}

static void leave(Run *run)
{
    run->threads--;
    pthread_cond_broadcast(&run->moved);
    pthread_cond_signal(&run->ready);
}

static void *work(void *argument)
{
    Thread *thread = argument;
    Run *run = thread->run;
    pthread_mutex_lock(&run->lock);
    uint64_t index;
    while (take_index(run, &index)) {
        pthread_mutex_unlock(&run->lock);
        KnError error = {KN_OK, ""};
        KnStatus status = run->task(run->plan.user, thread->number, index, &error);
        pthread_mutex_lock(&run->lock);
        note_end(run, index, status, &error);
    }
    leave(run);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* ---- one more thread: assigns indices to worker processes and takes in their results ---- */

static void assign(Run *run)
{
    while (!is_closed(run) && has_room(run) && kn_job_has_room(run->job, run->plan.count - run->started))
        kn_job_assign(run->job, run->started++);
}

/* Takes in the results that have arrived; false if there were none. */
static bool receive(Run *run, int thread)
{
    KnJobResult result;
    bool any = false;
    while (kn_job_receive(run->job, &result)) {
        any = true;
        if (result.status == KN_OK)
            result.status = kn_job_unpack_result(kn_job_type(run->job), run->plan.user, thread, result.index,
                                                 &result.bytes, &result.error);
        pthread_mutex_lock(&run->lock);
        note_end(run, result.index == KN_NO_INDEX ? run->committed : result.index, result.status,
                 &result.error);
        pthread_mutex_unlock(&run->lock);
    }
    return any;
}

static void *coordinate(void *argument)
{
    Thread *thread = argument;
    Run *run = thread->run;
    bool dropped = false;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        assign(run);
        bool closed = is_closed(run), drop = run->dropped && !dropped;
        pthread_mutex_unlock(&run->lock);
        kn_job_flush(run->job);
        if (cancelled(run->plan.cancel))
            kn_job_abandon(run->job);
        else if (drop) {
            kn_job_drop(run->job);
            dropped = true;
        }
        bool any = receive(run, thread->number);
        if (closed && !kn_job_pending(run->job)) break;
        kn_job_sleep(run->job, !any);
    }
    pthread_mutex_lock(&run->lock);
    leave(run);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* The calling thread's part of an ordered run, under the lock: commits whatever is next, until nothing more
 * can come. Returns what a commit that ended the run returned. */
static KnStatus commit_in_order(Run *run, KnError *error)
{
    while (run->committed < run->plan.count && run->committed < run->failed_index) {
        if (!run->finished[run->committed % run->plan.window]) {
            if (!run->threads) break;
            pthread_cond_wait(&run->ready, &run->lock);
            continue;
        }
        uint64_t index = run->committed;
        run->finished[index % run->plan.window] = false;
        pthread_mutex_unlock(&run->lock);
        KnStatus status = run->plan.commit(run->plan.user, index, error);
        pthread_mutex_lock(&run->lock);
        if (status != KN_OK) {
            run->ended = run->dropped = true;
            pthread_cond_broadcast(&run->moved);
            return status;
        }
        run->committed++;
        pthread_cond_signal(&run->moved);
    }
    return KN_OK;
}

static KnStatus stopped(KnError *error) { return kn_fail(error, KN_STOPPED, "stopped on request"); }

static KnStatus report(KnError *error, const KnError *failure)
{
    if (error) *error = *failure;
    return failure->status;
}

/* The sequential loop, which every number of threads must agree with. */
static KnStatus run_alone(const KnJobRun *plan, KnTask task, KnError *error)
{
    for (uint64_t index = 0; index < plan->count; index++) {
        if (cancelled(plan->cancel)) return stopped(error);
        KnError failure = {KN_OK, ""};
        KnStatus status = task(plan->user, 0, index, &failure);
        failure.status = status;
        if (status != KN_OK) return report(error, &failure);
        if (!plan->commit) continue;
        status = plan->commit(plan->user, index, &failure);
        failure.status = status;
        if (status == KN_STOPPED) return KN_OK;
        if (status != KN_OK) return report(error, &failure);
    }
    return KN_OK;
}

/* Starts as many threads as the system grants; fewer than asked for change nothing but the time. The thread
 * that talks to the workers comes first, so that they start before this process is busy. */
static int start_threads(Run *run, Thread *threads, int jobs)
{
    int running = 0, coordinators = run->job ? 1 : 0;
    for (; running < jobs + coordinators; running++) {
        bool coordinates = running < coordinators;
        threads[running] = (Thread){run, coordinates ? jobs : running - coordinators, 0};
        pthread_mutex_lock(&run->lock);
        run->threads++;
        pthread_mutex_unlock(&run->lock);
        if (pthread_create(&threads[running].handle, NULL, coordinates ? coordinate : work,
                           &threads[running]) == 0)
            continue;
        pthread_mutex_lock(&run->lock);
        run->threads--;
        pthread_mutex_unlock(&run->lock);
        break;
    }
    return running;
}

static KnStatus run_together(KnJob *job, const KnJobRun *plan, int jobs, KnTask task, KnError *error)
{
    KN_ASSERT(!plan->commit || plan->window);
    Run run = {.plan = *plan, .task = task, .job = job, .failed_index = plan->count};
    Thread *threads = calloc((size_t)jobs + 1, sizeof *threads);
    if (plan->commit) run.finished = calloc(plan->window, sizeof *run.finished);
    if (!threads || (plan->commit && !run.finished)) {
        free(threads);
        free(run.finished);
        return kn_fail_memory(error, "starting threads");
    }
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.moved, NULL);
    pthread_cond_init(&run.ready, NULL);

    int running = start_threads(&run, threads, jobs);
    KnError commit_error = {KN_OK, ""};
    KnStatus committed = KN_OK;
    if (running && plan->commit) {
        pthread_mutex_lock(&run.lock);
        committed = commit_in_order(&run, &commit_error);
        pthread_mutex_unlock(&run.lock);
    }
    for (int i = 0; i < running; i++) pthread_join(threads[i].handle, NULL);
    pthread_cond_destroy(&run.ready);
    pthread_cond_destroy(&run.moved);
    pthread_mutex_destroy(&run.lock);
    free(threads);
    free(run.finished);

    if (!running) return run_alone(plan, task, error);
    /* A commit ends the run only at an index below every failure. */
    if (committed == KN_STOPPED) return KN_OK;
    if (committed != KN_OK) {
        commit_error.status = committed;
        return report(error, &commit_error);
    }
    if (run.failed_index < plan->count) return report(error, &run.failure);
    return run.started < plan->count ? stopped(error) : KN_OK;
}

static KnStatus run_here(const KnJobRun *plan, KnTask task, KnError *error)
{
    int jobs = kn_jobs(plan->jobs);
    if ((uint64_t)jobs > plan->count) jobs = (int)plan->count;
    return jobs <= 1 ? run_alone(plan, task, error) : run_together(NULL, plan, jobs, task, error);
}

KnStatus kn_parallel(int jobs, uint64_t count, KnTask task, void *user, const atomic_bool *cancel,
                     KnError *error)
{
    return run_here(&(KnJobRun){.jobs = jobs, .count = count, .user = user, .cancel = cancel}, task, error);
}

KnStatus kn_parallel_ordered(int jobs, uint64_t count, uint64_t window, KnTask task, KnCommit commit,
                             void *user, const atomic_bool *cancel, KnError *error)
{
    KnJobRun plan = {jobs, count, window ? window : kn_parallel_window(jobs), commit, user, cancel};
    return run_here(&plan, task, error);
}

KnStatus kn_job_step(KnJob *job, const KnJobType *type, const KnJobRun *run, KnError *error)
{
    KnJobRun plan = *run;
    if (!plan.window) plan.window = kn_parallel_window(plan.jobs);
    if (!job || plan.count < 2) return run_here(&plan, type->run, error);
    KN_ASSERT(kn_job_type(job) == type);
    return run_together(job, &plan, kn_jobs(plan.jobs), type->run, error);
}

KnStatus kn_job_run(const KnContext *context, const KnJobType *type, const void *payload, const KnJobRun *run,
                    KnError *error)
{
    KnJob *job;
    KnStatus status = kn_job_open(context, type, run->jobs, run->window, payload, &job, error);
    if (status == KN_OK) status = kn_job_step(job, type, run, error);
    kn_job_close(job);
    return status;
}
