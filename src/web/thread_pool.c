#include "web/thread_pool.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "web/fair_share.h"

enum { THREADS_MAX = 256, NICE_BACK = 15, NICE_MAX = 19, KINDS = 1024 /* a power of two */ };

/* CPU of a task until it goes to the back, real time likewise (it may wait for a disk), the use of a flow
 * that counts as one of long tasks, CPU of a task until its priority falls, the half-life of what a client
 * has used, and the weight of the latest task in what its kind takes. */
static const double FRONT_CPU = 0.05, FRONT_SECONDS = 0.25, LONG_USE = 0.5, LOW_CPU = 0.05, HALF_LIFE = 10,
                    LATEST = 0.3;

/* A worker at the back never takes a lock: at its low priority it could be kept from running while it holds
 * one, and everybody would wait. When its task has run it says so (FINISHED) and its thread ends; the
 * supervisor does the rest. */
typedef enum Place { FRONT, ENDING, BACK, FINISHED } Place;

typedef struct Worker {
    struct KnThreadPool *pool;
    struct Worker *next;
    pthread_t thread;
    clockid_t clock;             /* CPU of this thread */
    id_t id;                     /* of the thread, for its priority */
    KnPoolTask *task;            /* valid until it has run only if it can be hurried */
    bool busy, can_hurry;        /* it has a task */
    uint64_t client, flow, kind; /* of the task */
    double started, cpu;         /* of the task */
    double charged;              /* CPU charged so far */
    bool hurried, lowered;
    _Atomic(Place) place; /* a thread at the back ends with its task: its priority cannot rise again */
} Worker;

struct KnThreadPool {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* for workers: another task, or the end */
    int pressed;            /* for the supervisor: an event file */
    KnPoolTask *queue;      /* by due time */
    size_t count;
    KnPoolPlan plan;
    bool closing;
    Worker *workers;
    int front, idle, back; /* workers at the front, those of them without a task, workers at the back */
    KnFairShare *share;
    double kinds[KINDS]; /* expected CPU of a task, by its kind's hash; 0: not known */
    pthread_t supervisor;
    bool supervised;
};

/* ---- time ---- */

static struct timespec time_of(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return time;
}

/* CLOCK_MONOTONIC, as kn_clock_now. */
static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Wakes the supervisor; needs no lock. */
static void press(const KnThreadPool *pool)
{
    uint64_t one = 1;
    ssize_t written = write(pool->pressed, &one, sizeof one);
    (void)written; /* it fails only when the counter is full: then the supervisor wakes anyway */
}

static double worker_cpu(const Worker *worker)
{
    struct timespec time;
    if (clock_gettime(worker->clock, &time) != 0) return worker->charged;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- the fair queue; the caller holds the lock ---- */

static void charge(KnThreadPool *pool, Worker *worker, double now)
{
    double cpu = worker_cpu(worker), seconds = cpu - worker->charged;
    worker->charged = cpu;
    if (worker->client) kn_fair_share_charge(pool->share, worker->client, seconds, now);
    if (worker->flow) kn_fair_share_charge(pool->share, worker->flow, seconds, now);
}

static void charge_all(KnThreadPool *pool, double now)
{
    for (Worker *worker = pool->workers; worker; worker = worker->next)
        if (worker->busy) charge(pool, worker, now);
}

typedef struct Use {
    double client, flow;
} Use;

/* What a client and a flow have used, with a task of this kind that is to come. */
static Use use_of(const KnThreadPool *pool, uint64_t client, uint64_t flow, uint64_t kind, double now)
{
    double expected = kind ? pool->kinds[kind & (KINDS - 1)] : 0;
    return (Use){kn_fair_share_used(pool->share, client, now) + expected,
                 kn_fair_share_used(pool->share, flow, now) + expected};
}

static void learn_kind(KnThreadPool *pool, const Worker *worker, bool ended)
{
    double cpu = worker_cpu(worker) - worker->cpu, *expected = &pool->kinds[worker->kind & (KINDS - 1)];
    if (!worker->kind) return;
    if (ended && !worker->hurried)
        *expected += LATEST * (cpu - *expected);
    else if (cpu > *expected)
        *expected = cpu;
}

static bool is_less(Use a, Use b) { return a.client != b.client ? a.client < b.client : a.flow < b.flow; }

static bool is_back_full(const KnThreadPool *pool) { return pool->back >= pool->plan.back; }

/* Whether a task is known to be long: its kind, or its flow. */
static bool is_long(const KnThreadPool *pool, const KnPoolTask *task, double now)
{
    return pool->plan.back > 0 && ((task->kind && pool->kinds[task->kind & (KINDS - 1)] >= FRONT_CPU) ||
                                   kn_fair_share_used(pool->share, task->flow, now) > LONG_USE);
}

/* The place in the queue of the task to start now; NULL if there is none. While the back is full, long tasks
 * wait. */
static KnPoolTask **next_task(KnThreadPool *pool, double now)
{
    KnPoolTask **best = NULL;
    Use least = {0, 0};
    bool full = is_back_full(pool);
    for (KnPoolTask **at = &pool->queue; *at && (*at)->due <= now; at = &(*at)->next) {
        if (full && is_long(pool, *at, now)) continue;
        Use use = use_of(pool, (*at)->client, (*at)->flow, (*at)->kind, now);
        if (best && !is_less(use, least)) continue;
        best = at;
        least = use;
    }
    return best;
}

/* When the next task comes due; negative if none waits for its time. */
static double next_due(const KnThreadPool *pool, double now)
{
    for (const KnPoolTask *task = pool->queue; task; task = task->next)
        if (task->due > now) return task->due;
    return -1;
}

/* ---- workers ---- */

/* What a task has used, when it has run. The caller holds the lock. */
static void account(KnThreadPool *pool, Worker *worker)
{
    charge(pool, worker, kn_clock_now());
    learn_kind(pool, worker, true);
    worker->task = NULL;
    worker->busy = false;
}

static bool add_worker(KnThreadPool *pool);

/* Moves a worker that has a task to the back, and replaces it at the front. */
static void move_back(KnThreadPool *pool, Worker *worker)
{
    Place place = FRONT;
    if (!atomic_compare_exchange_strong(&worker->place, &place, BACK)) return; /* it has just run */
    learn_kind(pool, worker, false);
    pool->front--;
    pool->back++;
    worker->lowered = false;
    add_worker(pool);
    press(pool);
}

/* Lowers the priority of workers at the back once they compute: at its beginning a task may hold a lock. When
 * to look again; negative if all are low. */
static double lower_back(const KnThreadPool *pool, double now)
{
    double again = -1;
    int nice = pool->plan.nice + NICE_BACK;
    for (Worker *worker = pool->workers; worker; worker = worker->next) {
        if (worker->lowered || !worker->busy || atomic_load(&worker->place) != BACK) continue;
        if (worker_cpu(worker) - worker->cpu < LOW_CPU)
            again = now + LOW_CPU;
        else {
            worker->lowered = true;
            setpriority(PRIO_PROCESS, worker->id, nice < NICE_MAX ? nice : NICE_MAX);
        }
    }
    return again;
}

/* False, without the lock, if the task went to the back. */
static bool run_task(KnThreadPool *pool, Worker *worker, KnPoolTask **at)
{
    KnPoolTask *task = *at;
    KN_ASSERT(pool->count > 0 && pool->idle > 0);
    bool is_known_long = is_long(pool, task, kn_clock_now());
    *at = task->next;
    pool->count--;
    pool->idle--;
    worker->task = task;
    worker->busy = true;
    worker->can_hurry = task->hurry != NULL;
    worker->client = task->client;
    worker->flow = task->flow;
    worker->kind = task->kind;
    worker->started = kn_clock_now();
    worker->cpu = worker->charged = worker_cpu(worker);
    worker->hurried = false;
    if (is_known_long) move_back(pool, worker);
    if (pool->count && !pool->idle) press(pool);
    void (*end)(KnPoolTask * task) = task->end;
    pthread_mutex_unlock(&pool->lock);
    task->run(task);
    Place place = FRONT;
    if (pool->plan.back && !atomic_compare_exchange_strong(&worker->place, &place, ENDING)) {
        atomic_store(&worker->place, FINISHED);
        press(pool);
        return false;
    }
    pthread_mutex_lock(&pool->lock);
    account(pool, worker);
    atomic_store(&worker->place, FRONT);
    if (end) {
        pthread_mutex_unlock(&pool->lock);
        end(task);
        pthread_mutex_lock(&pool->lock);
    }
    pool->idle++;
    return true;
}

static void *serve(void *user)
{
    Worker *worker = user;
    KnThreadPool *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    worker->id = (id_t)gettid();
    if (pool->plan.nice) setpriority(PRIO_PROCESS, worker->id, pool->plan.nice); /* of this thread only */
    while (!pool->closing) {
        double now = kn_clock_now();
        charge_all(pool, now);
        KnPoolTask **at = next_task(pool, now);
        double due = next_due(pool, now);
        if (at) {
            if (!run_task(pool, worker, at)) return NULL;
        } else if (due > 0) {
            struct timespec until = time_of(due);
            pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
        } else
            pthread_cond_wait(&pool->changed, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool add_worker(KnThreadPool *pool)
{
    Worker *worker = calloc(1, sizeof *worker);
    if (!worker) return false;
    worker->pool = pool;
    if (pthread_create(&worker->thread, NULL, serve, worker) != 0) { /* it waits for the lock */
        free(worker);
        return false;
    }
    pthread_getcpuclockid(worker->thread, &worker->clock);
    worker->next = pool->workers;
    pool->workers = worker;
    pool->front++;
    pool->idle++;
    return true;
}

/* Completes the tasks that have run at the back. Their threads have ended or are about to. */
static void complete_back(KnThreadPool *pool)
{
    for (Worker **at = &pool->workers; *at;) {
        Worker *worker = *at;
        if (!pool->plan.back || !worker->busy || atomic_load(&worker->place) != FINISHED) {
            at = &worker->next;
            continue;
        }
        *at = worker->next;
        KnPoolTask *task = worker->task;
        account(pool, worker);
        pool->back--;
        pthread_mutex_unlock(&pool->lock);
        pthread_join(worker->thread, NULL);
        task->end(task);
        free(worker);
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->changed); /* the back has a place: flows of long tasks may go on */
        at = &pool->workers;
    }
}

/* ---- the supervisor: moves long tasks to the back ---- */

/* Hurries the task at the back whose client, and then flow, has used the most. */
static void hurry_one(KnThreadPool *pool, double now)
{
    Worker *most = NULL;
    Use highest = {0, 0};
    for (Worker *worker = pool->workers; worker; worker = worker->next) {
        if (!worker->busy || atomic_load(&worker->place) != BACK || worker->hurried || !worker->can_hurry)
            continue;
        Use use = use_of(pool, worker->client, worker->flow, 0, now);
        if (most && !is_less(highest, use)) continue;
        most = worker;
        highest = use;
    }
    if (!most) return;
    most->hurried = true;
    most->task->hurry(most->task);
}

/* Makes room at the front for a task that waits. Returns when to look again; negative: when woken. */
static double make_room(KnThreadPool *pool, double now)
{
    while (pool->front < pool->plan.threads && add_worker(pool)) {
    } /* if one could not start before */
    if (!pool->plan.back || pool->idle > 0 || !next_task(pool, now)) return -1;
    Worker *longest = NULL;
    double most = 0;
    for (Worker *worker = pool->workers; worker; worker = worker->next) {
        if (!worker->busy || atomic_load(&worker->place) != FRONT) continue;
        double part = (worker_cpu(worker) - worker->cpu) / FRONT_CPU;
        double real = (now - worker->started) / FRONT_SECONDS;
        if (real > part) part = real;
        if (!longest || part > most) {
            longest = worker;
            most = part;
        }
    }
    if (longest && most >= 1 && pool->back < THREADS_MAX - pool->plan.threads) {
        if (is_back_full(pool)) hurry_one(pool, now);
        move_back(pool, longest);
        return -1;
    }
    return now + FRONT_CPU * (most < 0.9 ? 1 - most : 0.1); /* at the earliest */
}

static void *supervise(void *user)
{
    KnThreadPool *pool = user;
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing || pool->back > 0) {
        complete_back(pool);
        double now = kn_clock_now();
        charge_all(pool, now);
        double again = pool->closing ? -1 : make_room(pool, now), low = lower_back(pool, now);
        if (again < 0 || (low > 0 && low < again)) again = low;
        bool last = pool->closing && pool->back == 0;
        pthread_mutex_unlock(&pool->lock);
        struct pollfd pressed = {.fd = pool->pressed, .events = POLLIN};
        uint64_t count;
        if (!last && poll(&pressed, 1, again > 0 ? (int)((again - now) * 1e3) + 1 : -1) > 0 &&
            read(pool->pressed, &count, sizeof count) < 0) {
        }
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* ---- life ---- */

KnStatus kn_thread_pool_new(const KnPoolPlan *plan, KnThreadPool **out, KnError *error)
{
    *out = NULL;
    KN_ASSERT(plan->threads > 0 && plan->threads + plan->back <= THREADS_MAX);
    KnThreadPool *pool = calloc(1, sizeof *pool);
    if (!pool) return kn_fail_memory(error, "starting threads");
    pool->plan = *plan;
    pthread_mutex_init(&pool->lock, NULL);
    init_condition(&pool->changed);
    pool->share = kn_fair_share_new(HALF_LIFE);
    pthread_mutex_lock(&pool->lock);
    pool->pressed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bool good = pool->share != NULL && pool->pressed >= 0;
    while (good && pool->front < plan->threads) good = add_worker(pool);
    if (good) good = pool->supervised = pthread_create(&pool->supervisor, NULL, supervise, pool) == 0;
    pthread_mutex_unlock(&pool->lock);
    if (!good) {
        kn_thread_pool_free(pool);
        return kn_fail(error, KN_SYSTEM, "cannot start threads");
    }
    *out = pool;
    return KN_OK;
}

void kn_thread_pool_end(KnThreadPool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    KnPoolTask *left = pool->queue;
    pool->queue = NULL;
    pool->count = 0;
    for (Worker *worker = pool->workers; worker; worker = worker->next)
        if (worker->busy && worker->can_hurry) worker->task->hurry(worker->task);
    pthread_cond_broadcast(&pool->changed);
    press(pool);
    pthread_mutex_unlock(&pool->lock);
    while (left) {
        KnPoolTask *task = left;
        left = task->next;
        task->drop(task);
    }
}

void kn_thread_pool_free(KnThreadPool *pool)
{
    if (!pool) return;
    kn_thread_pool_end(pool);
    if (pool->supervised) pthread_join(pool->supervisor, NULL);
    while (pool->workers) {
        Worker *worker = pool->workers;
        pthread_join(worker->thread, NULL);
        pool->workers = worker->next;
        free(worker);
    }
    kn_fair_share_free(pool->share);
    pthread_cond_destroy(&pool->changed);
    if (pool->pressed >= 0) close(pool->pressed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* ---- submitting ---- */

/* The caller holds the lock. */
static bool has_room(const KnThreadPool *pool, uint64_t client)
{
    if (pool->closing || pool->count >= pool->plan.most) return false;
    size_t own = 0;
    for (const KnPoolTask *task = pool->queue; client && task; task = task->next)
        own += task->client == client;
    return kn_fair_share_allows(own, pool->count, pool->plan.most);
}

bool kn_thread_pool_has_room(KnThreadPool *pool, uint64_t client)
{
    pthread_mutex_lock(&pool->lock);
    bool room = has_room(pool, client);
    pthread_mutex_unlock(&pool->lock);
    return room;
}

bool kn_thread_pool_submit(KnThreadPool *pool, KnPoolTask *task)
{
    KN_ASSERT(task->run && task->drop && (task->end || (!task->hurry && !pool->plan.back)));
    pthread_mutex_lock(&pool->lock);
    bool taken = has_room(pool, task->client);
    if (taken) {
        if (task->due <= 0) task->due = kn_clock_now();
        KnPoolTask **at = &pool->queue;
        while (*at && (*at)->due <= task->due) at = &(*at)->next;
        task->next = *at;
        *at = task;
        pool->count++;
        if (pool->idle)
            pthread_cond_broadcast(&pool->changed);
        else
            press(pool);
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
    const KnPoolCall *plan;
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
    call->plan->function(call->plan->user);
}

static void call_end(KnPoolTask *task) { call_mark((Call *)task, DONE); }

static void call_hurry(KnPoolTask *task)
{
    const Call *call = (const Call *)task;
    call->plan->hurry(call->plan->user);
}

static void call_drop(KnPoolTask *task) { call_mark((Call *)task, DROPPED); }

KnStatus kn_thread_pool_call(KnThreadPool *pool, const KnPoolCall *plan, KnError *error)
{
    Call call = {.task = {.run = call_run,
                          .end = call_end,
                          .drop = call_drop,
                          .hurry = plan->hurry ? call_hurry : NULL,
                          .client = plan->client,
                          .flow = plan->flow,
                          .kind = plan->kind},
                 .plan = plan,
                 .state = WAITING};
    pthread_mutex_init(&call.lock, NULL);
    init_condition(&call.ended);
    bool taken = kn_thread_pool_submit(pool, &call.task);
    if (taken) {
        struct timespec until = time_of(kn_clock_now() + plan->timeout);
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

/* Others have threads of their own; analyses share theirs by looking for who waits. */
double kn_thread_pool_stretch(const KnThreadPool *pool) { return (void)pool, 30; }
