/* A worker's side of a job. The main thread exchanges messages with the coordinator. The job's threads take
 * indices from a queue and put results into an outbox, which wakes the main thread: results leave at once,
 * and only incoming messages are polled for. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "base/clock.h"
#include "jobs/coordinator.h"
#include "jobs/messages.h"
#include "jobs/workers.h"

/* The job at hand. What follows `lock` is guarded by it. */
typedef struct ActiveJob {
    const KnJobType *type;
    void *user;
    uint64_t number;
    int jobs;
    pthread_t *threads;
    int running;
    KnText bytes;  /* of the opening message; strings of the payload point into it */
    void *payload; /* the struct, for type->open */
    atomic_bool cancel;
    pthread_mutex_t lock;
    pthread_cond_t more; /* for threads */
    pthread_cond_t done; /* for the main thread */
    uint64_t *queue;     /* ring buffer */
    size_t room, first, count;
    bool over;
    KnText outbox;
    double took;          /* exponential moving average of a task's time, in ns */
    double took_reported; /* its value in the last message; the main thread's own */
} ActiveJob;

typedef struct WorkerLoop {
    KnWorkers *workers;
    KnOpenWorkerContext open_context;
    KnFindJobType find;
    KnContext *context;
    char *data;     /* its folder */
    ActiveJob *job; /* NULL between jobs */
    long sleep;
} WorkerLoop;

typedef struct Thread {
    ActiveJob *job;
    int number;
} Thread;

/* ---- threads ---- */

static void put_result(KnText *outbox, uint64_t index, KnStatus status, const KnText *bytes)
{
    kn_pack_u64(outbox, index);
    kn_pack_int(outbox, (int)status);
    kn_pack_u64(outbox, bytes->length);
    kn_pack_bytes(outbox, bytes->data, bytes->length);
}

static void put_failure(KnText *outbox, uint64_t index, const KnError *error)
{
    KnText why = KN_TEXT_EMPTY;
    kn_pack_string(&why, error->text);
    put_result(outbox, index, error->status, &why);
    kn_text_free(&why);
}

static bool next_index(ActiveJob *job, uint64_t *index)
{
    while (!job->count && !job->over) pthread_cond_wait(&job->more, &job->lock);
    if (job->over) return false;
    KN_ASSERT(job->count <= job->room && job->first < job->room);
    *index = job->queue[job->first];
    job->first = (job->first + 1) % job->room;
    job->count--;
    return true;
}

static void *work(void *argument)
{
    Thread thread = *(Thread *)argument;
    free(argument);
    ActiveJob *job = thread.job;
    KnText bytes = KN_TEXT_EMPTY;
    uint64_t index;
    pthread_mutex_lock(&job->lock);
    while (next_index(job, &index)) {
        pthread_mutex_unlock(&job->lock);
        KnError error = {KN_OK, ""};
        double began = kn_clock_now();
        KnStatus status = atomic_load(&job->cancel) ? kn_fail(&error, KN_STOPPED, "stopped on request")
                                                    : job->type->run(job->user, thread.number, index, &error);
        kn_text_clear(&bytes);
        if (status == KN_OK) kn_job_pack_result(job->type, job->user, thread.number, index, &bytes);
        if (status == KN_OK && !kn_text_ok(&bytes)) status = kn_fail_memory(&error, "sending a result");
        error.status = status;
        double took = 1e9 * (kn_clock_now() - began);
        pthread_mutex_lock(&job->lock);
        job->took += (took - job->took) / (job->took > 0 ? 16 : 1);
        if (status == KN_OK)
            put_result(&job->outbox, index, status, &bytes);
        else
            put_failure(&job->outbox, index, &error);
        pthread_cond_signal(&job->done);
    }
    pthread_mutex_unlock(&job->lock);
    kn_text_free(&bytes);
    return NULL;
}

static KnStatus start_threads(ActiveJob *job, KnError *error)
{
    job->threads = calloc((size_t)job->jobs, sizeof *job->threads);
    for (; job->threads && job->running < job->jobs; job->running++) {
        Thread *thread = malloc(sizeof *thread);
        if (!thread) break;
        *thread = (Thread){job, job->running};
        if (pthread_create(&job->threads[job->running], NULL, work, thread) == 0) continue;
        free(thread);
        break;
    }
    return job->running ? KN_OK : kn_fail(error, KN_SYSTEM, "no thread could be started");
}

/* ---- jobs ---- */

static void send_outbox(WorkerLoop *loop)
{
    ActiveJob *job = loop->job;
    KnText text = KN_TEXT_EMPTY;
    pthread_mutex_lock(&job->lock);
    if (job->outbox.length) {
        kn_pack_int(&text, KN_MESSAGE_RESULTS);
        kn_pack_u64(&text, job->number);
        job->took_reported = job->took;
        kn_pack_u64(&text, (uint64_t)job->took);
        kn_pack_bytes(&text, job->outbox.data, job->outbox.length);
        kn_text_clear(&job->outbox);
    }
    pthread_mutex_unlock(&job->lock);
    if (text.length) loop->workers->send(loop->workers, 0, text.data, text.length);
    kn_text_free(&text);
}

static void close_job(WorkerLoop *loop)
{
    ActiveJob *job = loop->job;
    if (!job) return;
    pthread_mutex_lock(&job->lock);
    job->over = true;
    pthread_cond_broadcast(&job->more);
    pthread_mutex_unlock(&job->lock);
    for (int i = 0; i < job->running; i++) pthread_join(job->threads[i], NULL);
    if (job->user) job->type->close(job->user);
    pthread_cond_destroy(&job->more);
    pthread_cond_destroy(&job->done);
    pthread_mutex_destroy(&job->lock);
    kn_text_free(&job->bytes);
    free(job->payload);
    kn_text_free(&job->outbox);
    free(job->threads);
    free(job->queue);
    free(job);
    loop->job = NULL;
}

static KnStatus take_context(WorkerLoop *loop, const char *data, KnError *error)
{
    if (loop->context && strcmp(loop->data, data) == 0) return KN_OK;
    kn_close(loop->context);
    free(loop->data);
    loop->context = NULL;
    if (!(loop->data = strdup(data))) return kn_fail_memory(error, "opening a job");
    return loop->open_context(data, &loop->context, error);
}

/* Makes the payload's struct and hands it to the job type. */
static KnStatus open_type(const KnWorkerSite *site, ActiveJob *job, KnUnpack *in, KnError *error)
{
    const KnJobType *type = job->type;
    if (type->payload.size) {
        job->payload = calloc(1, type->payload.size);
        if (!job->payload) return kn_fail_memory(error, "opening a job");
        kn_unpack_struct(in, &type->payload, job->payload);
    }
    if (!kn_unpack_ok(in))
        return kn_fail(error, KN_SYSTEM, "a malformed payload of a \"%s\" job", type->name);
    return type->open(site, job->payload, &job->user, error);
}

static KnStatus set_up(WorkerLoop *loop, ActiveJob *job, KnError *error)
{
    KnUnpack in = kn_unpack(job->bytes.data, job->bytes.length);
    const char *version = kn_unpack_string(&in), *data = kn_unpack_string(&in), *name = kn_unpack_string(&in);
    int jobs = kn_unpack_int(&in);
    uint64_t window = kn_unpack_u64(&in);
    if (!version || strcmp(version, KNACK_VERSION) != 0)
        return kn_fail(error, KN_SYSTEM,
                       "this rank runs knack %s, the coordinator %s; install the same version everywhere",
                       KNACK_VERSION, version ? version : "another version");
    if (!data || !name || in.truncated) return kn_fail(error, KN_SYSTEM, "a malformed message to open a job");
    KnStatus status = take_context(loop, data, error);
    if (status != KN_OK) return status;
    job->type = loop->find(name);
    if (!job->type) return kn_fail(error, KN_SYSTEM, "this rank knows no job type \"%s\"", name);
    job->jobs = kn_jobs(jobs);
    KnWorkerSite site = {loop->context, job->jobs, window, &job->cancel};
    status = open_type(&site, job, &in, error);
    return status == KN_OK ? start_threads(job, error) : status;
}

static void open_job(WorkerLoop *loop, uint64_t number, const KnUnpack *in)
{
    close_job(loop);
    ActiveJob *job = loop->job = calloc(1, sizeof *job);
    if (!job) return; /* no memory even to report it: the coordinator waits until somebody ends the program */
    job->number = number;
    job->bytes = job->outbox = KN_TEXT_EMPTY;
    kn_text_add_bytes(&job->bytes, in->at, in->left);
    atomic_init(&job->cancel, false);
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->more, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&job->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    KnError error = {KN_OK, ""};
    KnStatus status = set_up(loop, job, &error);
    error.status = status;
    if (status != KN_OK) {
        pthread_mutex_lock(&job->lock);
        put_failure(&job->outbox, KN_NO_INDEX, &error);
        pthread_mutex_unlock(&job->lock);
    }
}

static void queue_index(ActiveJob *job, uint64_t index)
{
    if (job->count == job->room) {
        size_t room = job->room ? 2 * job->room : 64;
        uint64_t *queue = malloc(room * sizeof *queue);
        if (!queue)
            return put_failure(&job->outbox, index,
                               &(KnError){KN_SYSTEM, "out of memory while queueing work"});
        for (size_t i = 0; i < job->count; i++) queue[i] = job->queue[(job->first + i) % job->room];
        free(job->queue);
        job->queue = queue;
        job->room = room;
        job->first = 0;
    }
    job->queue[(job->first + job->count++) % job->room] = index;
}

static void queue_ranges(ActiveJob *job, KnUnpack *in)
{
    pthread_mutex_lock(&job->lock);
    while (in->left) {
        uint64_t first = kn_unpack_u64(in), end = kn_unpack_u64(in);
        for (uint64_t i = first; i < end; i++) {
            if (job->running)
                queue_index(job, i);
            else
                put_failure(&job->outbox, i,
                            &(KnError){KN_STOPPED, "the job did not open"}); /* its error was sent before */
        }
    }
    pthread_cond_broadcast(&job->more);
    pthread_mutex_unlock(&job->lock);
}

static void apply_update(ActiveJob *job, KnUnpack *in)
{
    KnError error = {KN_OK, ""};
    if (!job->running || !job->type->update || job->type->update(job->user, in, &error) == KN_OK) return;
    pthread_mutex_lock(&job->lock);
    put_failure(&job->outbox, KN_NO_INDEX, &error);
    pthread_mutex_unlock(&job->lock);
}

/* ---- messages ---- */

/* False: the worker ends. */
static bool handle(WorkerLoop *loop, const KnText *message)
{
    KnUnpack in = kn_unpack(message->data, message->length);
    int kind = kn_unpack_int(&in);
    uint64_t number = kn_unpack_u64(&in);
    if (kind == KN_MESSAGE_EXIT) return false;
    if (kind == KN_MESSAGE_OPEN)
        open_job(loop, number, &in);
    else if (!loop->job || loop->job->number != number)
        return true;
    else if (kind == KN_MESSAGE_UPDATE)
        apply_update(loop->job, &in);
    else if (kind == KN_MESSAGE_RUN)
        queue_ranges(loop->job, &in);
    else if (kind == KN_MESSAGE_DROP)
        atomic_store(&loop->job->cancel, true);
    else if (kind == KN_MESSAGE_CLOSE)
        close_job(loop);
    return true;
}

/* Sleeps until the next poll, or until a task finishes. */
static void sleep_until_result(WorkerLoop *loop)
{
    ActiveJob *job = loop->job;
    if (!job) {
        nanosleep(&(struct timespec){.tv_nsec = KN_POLL_IDLE}, NULL);
        return;
    }
    long longest = kn_poll_longest(job->took_reported);
    loop->sleep = loop->sleep * 2 < longest ? loop->sleep * 2 : longest;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += loop->sleep;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&job->lock);
    if (!job->outbox.length && pthread_cond_timedwait(&job->done, &job->lock, &until) == 0)
        loop->sleep = KN_POLL_SHORTEST;
    pthread_mutex_unlock(&job->lock);
}

void kn_workers_serve(KnWorkers *workers, KnOpenWorkerContext open_context, KnFindJobType find)
{
    WorkerLoop loop = {
        .workers = workers, .open_context = open_context, .find = find, .sleep = KN_POLL_SHORTEST};
    KnText message = KN_TEXT_EMPTY;
    for (bool on = true; on;) {
        int from;
        bool any = false;
        for (; on && (kn_text_clear(&message), workers->receive(workers, &from, &message)); any = true)
            on = handle(&loop, &message);
        if (loop.job) send_outbox(&loop);
        if (any)
            loop.sleep = KN_POLL_SHORTEST;
        else if (on)
            sleep_until_result(&loop);
    }
    close_job(&loop);
    kn_close(loop.context);
    free(loop.data);
    kn_text_free(&message);
}
