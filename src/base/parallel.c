#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    const char *said = getenv("KNACK_JOBS");
    long many = said ? strtol(said, NULL, 10) : 0;
    return many > 0 && many <= MOST_JOBS ? (int)many : kn_cores();
}

uint64_t kn_parallel_window(int jobs) { return (uint64_t)kn_jobs(jobs) * 8; }

/* Everything below `lock` is guarded by it. Indices are started in order, so that [0, started) is all that
 * ever ran and the lowest failure among them is the one a single thread would meet first: whoever could fail
 * lower has started. */
typedef struct Run {
    uint64_t count, window;
    KnTask task;
    KnCommit commit; /* NULL: no order, no window */
    void *user;
    const atomic_bool *cancel;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* a worker may start an index, or end */
    pthread_cond_t ready; /* the index to be committed next may have finished, or a worker ended */
    uint64_t started, committed;
    bool *finished;        /* by index % window */
    bool ended;            /* no further index is started */
    bool enough;           /* a commit said so: what is under way is not wanted */
    uint64_t failed_index; /* the lowest failure so far; count: none */
    KnError failure;
    int workers;      /* that have not ended */
    KnErrand *errand; /* what helpers do of it; NULL: nothing */
} Run;

typedef struct Worker {
    Run *run;
    int number;
    pthread_t thread;
} Worker;

static bool cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

/* No index will start any more. */
static bool is_closed(Run *run)
{
    if (!run->ended && cancelled(run->cancel)) run->ended = true;
    return run->ended || run->started == run->count;
}

static bool has_room(const Run *run) { return !run->commit || run->started - run->committed < run->window; }

/* Waits until an index may start; false if there is none for this worker any more. */
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
    else if (run->commit)
        run->finished[index % run->window] = true;
    if (run->commit && (index == run->committed || status != KN_OK)) pthread_cond_signal(&run->ready);
}

static void leave(Run *run)
{
    run->workers--;
    pthread_cond_broadcast(&run->moved);
    pthread_cond_signal(&run->ready);
}

static void *work(void *argument)
{
    Worker *worker = argument;
    Run *run = worker->run;
    pthread_mutex_lock(&run->lock);
    uint64_t index;
    while (take_index(run, &index)) {
        pthread_mutex_unlock(&run->lock);
        KnError error = {KN_OK, ""};
        KnStatus status = run->task(run->user, worker->number, index, &error);
        pthread_mutex_lock(&run->lock);
        note_end(run, index, status, &error);
    }
    leave(run);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* ---- helpers: one more thread, which gives indices away and takes what comes back for done here ---- */

static void hand_out(Run *run)
{
    while (!is_closed(run) && has_room(run) && kn_errand_room(run->errand, run->count - run->started))
        kn_errand_give(run->errand, run->started++);
}

/* Takes in what has come; false if that was nothing. */
static bool take_in(Run *run, int worker)
{
    KnCarried carried;
    bool any = false;
    while (kn_errand_collect(run->errand, &carried)) {
        any = true;
        if (carried.status == KN_OK)
            carried.status = kn_errand_duty(run->errand)
                                 ->unpack(run->user, worker, carried.index, &carried.bytes, &carried.error);
        pthread_mutex_lock(&run->lock);
        note_end(run, carried.index == KN_NO_INDEX ? run->committed : carried.index, carried.status,
                 &carried.error);
        pthread_mutex_unlock(&run->lock);
    }
    return any;
}

static void *carry(void *argument)
{
    Worker *worker = argument;
    Run *run = worker->run;
    bool dropped = false;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        hand_out(run);
        bool closed = is_closed(run), unwanted = run->enough;
        pthread_mutex_unlock(&run->lock);
        kn_errand_flush(run->errand);
        if (cancelled(run->cancel))
            kn_errand_abandon(run->errand);
        else if (unwanted && !dropped) {
            kn_errand_drop(run->errand);
            dropped = true;
        }
        bool any = take_in(run, worker->number);
        if (closed && !kn_errand_out(run->errand)) break;
        kn_errand_rest(run->errand, !any);
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
    while (run->committed < run->count && run->committed < run->failed_index) {
        if (!run->finished[run->committed % run->window]) {
            if (!run->workers) break;
            pthread_cond_wait(&run->ready, &run->lock);
            continue;
        }
        uint64_t index = run->committed;
        run->finished[index % run->window] = false;
        pthread_mutex_unlock(&run->lock);
        KnStatus status = run->commit(run->user, index, error);
        pthread_mutex_lock(&run->lock);
        if (status != KN_OK) {
            run->ended = run->enough = true;
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

/* The plain loop that every other number of workers must agree with. */
static KnStatus run_alone(uint64_t count, KnTask task, KnCommit commit, void *user, const atomic_bool *cancel,
                          KnError *error)
{
    for (uint64_t index = 0; index < count; index++) {
        if (cancelled(cancel)) return stopped(error);
        KnError failure = {KN_OK, ""};
        KnStatus status = task(user, 0, index, &failure);
        failure.status = status;
        if (status != KN_OK) return report(error, &failure);
        if (!commit) continue;
        status = commit(user, index, &failure);
        failure.status = status;
        if (status == KN_STOPPED) return KN_OK;
        if (status != KN_OK) return report(error, &failure);
    }
    return KN_OK;
}

/* Starts as many workers as the system grants; fewer than asked for change nothing but the time. The helpers'
 * thread comes first: their part is on its way before this process is busy. */
static int start_workers(Run *run, Worker *workers, int jobs)
{
    int running = 0, carriers = run->errand ? 1 : 0;
    for (; running < jobs + carriers; running++) {
        bool carries = running < carriers;
        workers[running] = (Worker){run, carries ? jobs : running - carriers, 0};
        pthread_mutex_lock(&run->lock);
        run->workers++;
        pthread_mutex_unlock(&run->lock);
        if (pthread_create(&workers[running].thread, NULL, carries ? carry : work, &workers[running]) == 0)
            continue;
        pthread_mutex_lock(&run->lock);
        run->workers--;
        pthread_mutex_unlock(&run->lock);
        break;
    }
    return running;
}

static KnStatus run_together(KnErrand *errand, int jobs, uint64_t count, uint64_t window, KnTask task,
                             KnCommit commit, void *user, const atomic_bool *cancel, KnError *error)
{
    Run run = {.count = count,
               .window = window,
               .task = task,
               .commit = commit,
               .user = user,
               .cancel = cancel,
               .failed_index = count,
               .errand = errand};
    Worker *workers = calloc((size_t)jobs + 1, sizeof *workers);
    if (commit) run.finished = calloc(window, sizeof *run.finished);
    if (!workers || (commit && !run.finished)) {
        free(workers);
        free(run.finished);
        return kn_fail_memory(error, "starting workers");
    }
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.moved, NULL);
    pthread_cond_init(&run.ready, NULL);

    int running = start_workers(&run, workers, jobs);
    KnError commit_error = {KN_OK, ""};
    KnStatus committed = KN_OK;
    if (running && commit) {
        pthread_mutex_lock(&run.lock);
        committed = commit_in_order(&run, &commit_error);
        pthread_mutex_unlock(&run.lock);
    }
    for (int i = 0; i < running; i++) pthread_join(workers[i].thread, NULL);
    pthread_cond_destroy(&run.ready);
    pthread_cond_destroy(&run.moved);
    pthread_mutex_destroy(&run.lock);
    free(workers);
    free(run.finished);

    if (!running) return run_alone(count, task, commit, user, cancel, error);
    /* A commit ends the run only at an index below every failure. */
    if (committed == KN_STOPPED) return KN_OK;
    if (committed != KN_OK) {
        commit_error.status = committed;
        return report(error, &commit_error);
    }
    if (run.failed_index < count) return report(error, &run.failure);
    return run.started < count ? stopped(error) : KN_OK;
}

static KnStatus run_all(int jobs, uint64_t count, uint64_t window, KnTask task, KnCommit commit, void *user,
                        const atomic_bool *cancel, KnError *error)
{
    jobs = kn_jobs(jobs);
    if ((uint64_t)jobs > count) jobs = (int)count;
    if (jobs <= 1) return run_alone(count, task, commit, user, cancel, error);
    return run_together(NULL, jobs, count, window, task, commit, user, cancel, error);
}

KnStatus kn_parallel(int jobs, uint64_t count, KnTask task, void *user, const atomic_bool *cancel,
                     KnError *error)
{
    return run_all(jobs, count, 0, task, NULL, user, cancel, error);
}

KnStatus kn_parallel_ordered(int jobs, uint64_t count, uint64_t window, KnTask task, KnCommit commit,
                             void *user, const atomic_bool *cancel, KnError *error)
{
    return run_all(jobs, count, window ? window : kn_parallel_window(jobs), task, commit, user, cancel,
                   error);
}

KnStatus kn_errand_run(KnErrand *errand, const KnDuty *duty, const KnText *news, int jobs, uint64_t count,
                       uint64_t window, KnCommit commit, void *user, const atomic_bool *cancel,
                       KnError *error)
{
    if (!window) window = kn_parallel_window(jobs);
    if (errand && news) kn_errand_tell(errand, news);
    if (!errand || count < 2) return run_all(jobs, count, window, duty->task, commit, user, cancel, error);
    return run_together(errand, kn_jobs(jobs), count, window, duty->task, commit, user, cancel, error);
}
