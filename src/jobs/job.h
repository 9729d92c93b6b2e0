/* Jobs: an ordered parallel loop (jobs/parallel.h) whose indices may also run in other processes, perhaps on
 * other machines.
 *
 * A *job* is a range of indices and a task that works on each of them. The *coordinator* is the process that
 * runs the command; it prints and writes files. *Workers* are the other processes (jobs/workers.h). They set
 * up the same task from the job's *payload*, run indices of it, and send back each index's result. Threads of
 * the coordinator and workers take indices from the same queue, and results are committed in index order, so
 * that results, order and bytes are those of a single process.
 *
 * A *job type* describes all this. It stands beside the code it belongs to, with a row in src/job_types.c:
 *
 *     const KnJobType kn_match_job_type = {
 *         .name = "match",
 *         .summary = "games of a match",
 *         .payload = KN_LAYOUT(Payload, KN_STRINGS(Payload, game), KN_PLAIN(Payload, seed)),
 *         .open = open_job, .close = close_job,                     on a worker: payload -> state, and its
 * end .run = play_game,                                         one index, on either side .result =
 * KN_LAYOUT_PLAIN(Slot), .slot = result_slot};    what an index leaves behind, and where
 *
 * The coordinator runs it in one call:
 *
 *     KnJobRun run = {.jobs = jobs, .count = games, .window = kn_job_window(context, jobs),
 *                     .commit = commit_game, .user = &match, .cancel = cancel};
 *     status = kn_job_run(context, &kn_match_job_type, &payload, &run, error);
 *
 * Without workers, or inside another job, this is kn_parallel_ordered.
 *
 * Ownership: the payload is the caller's and is copied. On a worker it lives until `close` has returned. */
#ifndef KNACK_JOBS_JOB_H
#define KNACK_JOBS_JOB_H

#include "base/context.h"
#include "jobs/pack.h"
#include "jobs/parallel.h"

/* Where a worker runs a job. */
typedef struct KnWorkerSite {
    const KnContext *context; /* has no workers of its own: jobs inside a task run in this process */
    int jobs;                 /* threads that run the task */
    uint64_t window;          /* result slots: index i may use slot i % window */
    const atomic_bool *cancel;
} KnWorkerSite;

typedef struct KnJobType {
    const char *name, *summary;
    KnLayout payload;
    /* On a worker: makes `user` for `run` from the payload, which it may change and point into. `close` frees
     * what `open` made, also after `open` has failed (unless *user is NULL). */
    KnStatus (*open)(const KnWorkerSite *site, void *payload, void **user, KnError *error);
    void (*close)(void *user);
    /* On a worker: takes in what kn_job_update sent; NULL: the job type has no updates. */
    KnStatus (*update)(void *user, KnUnpack *in, KnError *error);
    KnTask run; /* on both sides */
    /* The result of an index, on both sides: `slot` returns its place, an array of *count structs (1 unless
     * it says otherwise). A result without a fixed layout is written by `pack` and read by `unpack`, after
     * the struct; `unpack` returns false where the bytes make no sense. `thread` is the one that ran the
     * index; with unpack, one beyond those of the coordinator. Each of these may be absent. */
    KnLayout result;
    void *(*slot)(void *user, uint64_t index, uint64_t *count);
    void (*pack)(void *user, int thread, uint64_t index, KnText *out);
    bool (*unpack)(void *user, int thread, uint64_t index, KnUnpack *in);
    /* On the coordinator, after a worker's result has arrived, while other indices run; may be NULL. */
    KnStatus (*received)(void *user, uint64_t index, KnError *error);
} KnJobType;

/* One run over indices; as the parameters of kn_parallel_ordered (commit NULL: as kn_parallel). */
typedef struct KnJobRun {
    int jobs;
    uint64_t count, window;
    KnCommit commit;
    void *user;
    const atomic_bool *cancel;
} KnJobRun;

/* Result slots that a run needs. */
uint64_t kn_job_window(const KnContext *context, int jobs);

KnStatus kn_job_run(const KnContext *context, const KnJobType *type, const void *payload, const KnJobRun *run,
                    KnError *error);

/* The same in parts, for several runs with one payload: open, then any number of steps, then close. A job is
 * NULL where nothing leaves this process; all calls accept that. */
typedef struct KnJob KnJob;

KnStatus kn_job_open(const KnContext *context, const KnJobType *type, int jobs, uint64_t window,
                     const void *payload, KnJob **job, KnError *error);
void kn_job_update(KnJob *job, const KnText *bytes); /* to every worker, before the next step */
KnStatus kn_job_step(KnJob *job, const KnJobType *type, const KnJobRun *run, KnError *error);
void kn_job_close(KnJob *job);

/* A result as it travels, for both sides. */
void kn_job_pack_result(const KnJobType *type, void *user, int thread, uint64_t index, KnText *out);
KnStatus kn_job_unpack_result(const KnJobType *type, void *user, int thread, uint64_t index, KnUnpack *in,
                              KnError *error);

#endif
