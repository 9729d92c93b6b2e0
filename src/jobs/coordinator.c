/* The coordinator's side of a job: which worker has which indices. The workers' side is worker.c. */
#include "jobs/coordinator.h"

#include <stdlib.h>
#include <time.h>

#include "base/assert.h"
#include "jobs/messages.h"
#include "jobs/workers.h"

/* A worker holds AHEAD indices a thread, so that it does not wait for more while it works on one. Where tasks
 * are short it holds more, up to MOST_AHEAD, enough to be busy for AHEAD_TIME: messages take time too. */
enum { AHEAD = 2, MOST_AHEAD = 64, SLOTS_ENOUGH = 1024, AHEAD_TIME = 3000000 /* ns */ };

typedef struct Member {
    int jobs;
    uint64_t target, held; /* indices that it should hold, and holds */
    KnText ranges;         /* assigned, not yet sent: pairs of first and end */
    uint64_t next;         /* the index after the last range; KN_NO_INDEX: there is none */
} Member;

struct KnJob {
    KnWorkers *workers;
    const KnJobType *type;
    uint64_t number;
    Member *members; /* the first is the coordinator, and empty */
    int turn;        /* the worker that is considered first for the next index, from 0 */
    uint64_t pending;
    uint64_t threads; /* of all members */
    uint64_t share;   /* the most that one worker may hold of the window */
    bool abandoned;
    KnText message; /* being read */
    KnUnpack rest;
    int from;
    long sleep, longest_sleep;
};

static int member_jobs(const KnWorkers *workers, int member, int jobs)
{
    return jobs > 0 ? jobs : workers->cores[member];
}

uint64_t kn_job_window(const KnContext *context, int jobs)
{
    const KnWorkers *workers = kn_context_workers(context);
    if (!workers) return kn_parallel_window(jobs);
    uint64_t threads = (uint64_t)kn_jobs(jobs);
    for (int m = 1; m < workers->size; m++) threads += (uint64_t)member_jobs(workers, m, jobs);
    uint64_t few = threads * 8, many = threads * MOST_AHEAD;
    return many < SLOTS_ENOUGH ? many : few > SLOTS_ENOUGH ? few : SLOTS_ENOUGH;
}

static void start_message(KnText *text, KnMessage kind, uint64_t number)
{
    kn_text_clear(text);
    kn_pack_int(text, (int)kind);
    kn_pack_u64(text, number);
}

static void send_all(KnJob *job, const KnText *text)
{
    for (int m = 1; m < job->workers->size; m++)
        job->workers->send(job->workers, m, text->data, text->length);
}

static KnJob *new_job(KnWorkers *workers, const KnJobType *type, int jobs, uint64_t window)
{
    KnJob *job = calloc(1, sizeof *job);
    Member *members = calloc((size_t)workers->size, sizeof *members);
    if (!job || !members) {
        free(job);
        free(members);
        return NULL;
    }
    *job = (KnJob){.workers = workers,
                   .type = type,
                   .number = ++workers->jobs_started,
                   .members = members,
                   .message = KN_TEXT_EMPTY,
                   .sleep = KN_POLL_SHORTEST,
                   .longest_sleep = kn_poll_longest(0),
                   .share = window ? window / (uint64_t)workers->size : UINT64_MAX,
                   .threads = (uint64_t)kn_jobs(jobs)};
    for (int m = 1; m < workers->size; m++) {
        int threads = member_jobs(workers, m, jobs);
        KN_ASSERT(threads > 0);
        members[m] = (Member){.jobs = threads,
                              .target = (uint64_t)threads * AHEAD,
                              .ranges = KN_TEXT_EMPTY,
                              .next = KN_NO_INDEX};
        job->threads += (uint64_t)threads;
    }
    return job;
}

KnStatus kn_job_open(const KnContext *context, const KnJobType *type, int jobs, uint64_t window,
                     const void *payload, KnJob **out, KnError *error)
{
    KN_ASSERT(type->open && type->close && type->run && (payload != NULL) == (type->payload.size > 0));
    *out = NULL;
    KnWorkers *workers = context ? kn_context_workers(context) : NULL;
    if (!workers || workers->size < 2 || atomic_load(&workers->lost) || atomic_exchange(&workers->busy, true))
        return KN_OK;
    KnText text = KN_TEXT_EMPTY;
    KnJob *job = new_job(workers, type, jobs, window);
    start_message(&text, KN_MESSAGE_OPEN, workers->jobs_started);
    kn_pack_string(&text, KNACK_VERSION);
    kn_pack_string(&text, kn_context_data(context));
    kn_pack_string(&text, type->name);
    kn_pack_int(&text, jobs);
    kn_pack_u64(&text, window);
    if (payload) kn_pack_struct(&text, &type->payload, payload);
    if (job && kn_text_ok(&text)) {
        send_all(job, &text);
        *out = job;
    } else {
        if (job) free(job->members);
        free(job);
        atomic_store(&workers->busy, false);
    }
    kn_text_free(&text);
    return *out ? KN_OK : kn_fail_memory(error, "starting a job on workers");
}

void kn_job_close(KnJob *job)
{
    if (!job) return;
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_CLOSE, job->number);
    if (!job->abandoned) send_all(job, &text);
    kn_text_free(&text);
    for (int m = 1; m < job->workers->size; m++) kn_text_free(&job->members[m].ranges);
    kn_text_free(&job->message);
    atomic_store(&job->workers->busy, false);
    free(job->members);
    free(job);
}

const KnJobType *kn_job_type(const KnJob *job) { return job->type; }

void kn_job_update(KnJob *job, const KnText *bytes)
{
    if (!job) return;
    KN_ASSERT(job->type->update && !job->pending);
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_UPDATE, job->number);
    kn_pack_bytes(&text, bytes->data, bytes->length);
    send_all(job, &text);
    kn_text_free(&text);
}

/* ---- assigning ---- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Towards the end of a run no worker gets far ahead: what waits behind a long task at one worker could run at
 * another. */
static uint64_t target(const KnJob *job, const Member *member, uint64_t left)
{
    uint64_t one_each = (uint64_t)member->jobs, fair = left / (2 * job->threads) * one_each;
    uint64_t most = least(least(member->target, job->share), fair);
    return most < one_each ? one_each : most;
}

bool kn_job_has_room(KnJob *job, uint64_t left)
{
    int workers = job->workers->size - 1;
    for (int i = 0; i < workers && !job->abandoned; i++) {
        int m = 1 + (job->turn + i) % workers;
        if (job->members[m].held >= target(job, &job->members[m], left)) continue;
        job->turn = m - 1;
        return true;
    }
    return false;
}

static void end_range(Member *member)
{
    if (member->next != KN_NO_INDEX) kn_pack_u64(&member->ranges, member->next);
    member->next = KN_NO_INDEX;
}

void kn_job_assign(KnJob *job, uint64_t index)
{
    KN_ASSERT(index != KN_NO_INDEX && !job->abandoned);
    Member *member = &job->members[1 + job->turn];
    if (member->next != index) {
        end_range(member);
        kn_pack_u64(&member->ranges, index);
    }
    member->next = index + 1;
    member->held++;
    job->pending++;
    if (member->held % (uint64_t)member->jobs == 0) job->turn = (job->turn + 1) % (job->workers->size - 1);
}

void kn_job_flush(KnJob *job)
{
    KnText text = KN_TEXT_EMPTY;
    for (int m = 1; m < job->workers->size; m++) {
        Member *member = &job->members[m];
        end_range(member);
        if (!member->ranges.length) continue;
        start_message(&text, KN_MESSAGE_RUN, job->number);
        kn_pack_bytes(&text, member->ranges.data, member->ranges.length);
        kn_text_clear(&member->ranges);
        job->workers->send(job->workers, m, text.data, text.length);
    }
    kn_text_free(&text);
}

void kn_job_drop(KnJob *job)
{
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_DROP, job->number);
    send_all(job, &text);
    kn_text_free(&text);
}

void kn_job_abandon(KnJob *job)
{
    job->abandoned = true;
    job->pending = 0;
    atomic_store(&job->workers->lost, true);
}

uint64_t kn_job_pending(const KnJob *job) { return job->pending; }

/* ---- receiving ---- */

/* Reads the head of the next message of this job. Messages of an earlier job come from a worker that failed
 * there, and are skipped. */
static bool next_message(KnJob *job)
{
    for (;;) {
        kn_text_clear(&job->message);
        if (!job->workers->receive(job->workers, &job->from, &job->message)) return false;
        job->rest = kn_unpack(job->message.data, job->message.length);
        int kind = kn_unpack_int(&job->rest);
        if (kn_unpack_u64(&job->rest) != job->number || kind != KN_MESSAGE_RESULTS) continue;
        KN_ASSERT(job->from > 0 && job->from < job->workers->size);
        Member *member = &job->members[job->from];
        uint64_t took = kn_unpack_u64(&job->rest);
        job->longest_sleep = kn_poll_longest((double)took);
        member->target = (uint64_t)member->jobs * least(AHEAD + AHEAD_TIME / (took ? took : 1), MOST_AHEAD);
        return true;
    }
}

bool kn_job_receive(KnJob *job, KnJobResult *result)
{
    if (job->abandoned) return false;
    while (!job->rest.left)
        if (!next_message(job)) return false;
    KnUnpack *in = &job->rest;
    result->index = kn_unpack_u64(in);
    result->status = (KnStatus)kn_unpack_int(in);
    size_t size = kn_unpack_u64(in);
    const char *bytes = kn_unpack_bytes(in, size);
    result->bytes = kn_unpack(bytes ? bytes : "", bytes ? size : 0);
    if (in->truncated)
        result->status = kn_fail(&result->error, KN_SYSTEM, "rank %d sent a malformed result", job->from);
    else if (result->status != KN_OK) {
        const char *why = kn_unpack_string(&result->bytes);
        kn_fail(&result->error, result->status, "%s", why ? why : "failed without a message");
        if (result->index == KN_NO_INDEX) kn_fail_within(&result->error, "rank %d", job->from);
    }
    if (result->index == KN_NO_INDEX) return true;
    KN_ASSERT(job->members[job->from].held && job->pending);
    job->members[job->from].held--;
    job->pending--;
    job->workers->indices_done++;
    return true;
}

void kn_job_sleep(KnJob *job, bool idle)
{
    job->sleep = !idle                                 ? KN_POLL_SHORTEST
                 : job->sleep * 2 < job->longest_sleep ? job->sleep * 2
                                                       : job->longest_sleep;
    nanosleep(&(struct timespec){.tv_nsec = job->sleep}, NULL);
}

void kn_workers_dismiss(KnWorkers *workers)
{
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_EXIT, 0);
    for (int m = 1; m < workers->size; m++) workers->send(workers, m, text.data, text.length);
    kn_text_free(&text);
}

/* ---- results ---- */

void kn_job_pack_result(const KnJobType *type, void *user, int thread, uint64_t index, KnText *out)
{
    if (type->slot) {
        uint64_t count = 1;
        char *slot = type->slot(user, index, &count);
        for (uint64_t i = 0; i < count; i++) kn_pack_struct(out, &type->result, slot + i * type->result.size);
    }
    if (type->pack) type->pack(user, thread, index, out);
}

KnStatus kn_job_unpack_result(const KnJobType *type, void *user, int thread, uint64_t index, KnUnpack *in,
                              KnError *error)
{
    if (type->slot) {
        uint64_t count = 1;
        char *slot = type->slot(user, index, &count);
        for (uint64_t i = 0; i < count && !in->truncated; i++)
            kn_unpack_struct(in, &type->result, slot + i * type->result.size);
    }
    bool good = !in->truncated && (!type->unpack || type->unpack(user, thread, index, in));
    if (!good || !kn_unpack_ok(in))
        return kn_fail(error, KN_SYSTEM, "a malformed result of a \"%s\" job", type->name);
    return type->received ? type->received(user, index, error) : KN_OK;
}
