/* A small thread pool for all computation, so that the threads of the connections never compute.
 *
 * Fair queue: of the tasks that are due, the one starts whose client has used the least time lately, and of
 * that client's the one whose flow (session) has. The time that tasks of its kind (a game and a player) have
 * taken counts as used, so that short ones go first. Equal ones start in the order of their due times. The
 * queue is bounded, and so is the part of it that one client may fill.
 *
 * Long tasks go behind: a task that has run for a while (FRONT_CPU in thread_pool.c) when others wait moves
 * to the back. Its thread gets a low priority and another takes the next task. There is a limit of tasks at
 * the back. Where it is reached, flows and kinds known to be long wait for a place, and to make one for a
 * newcomer the pool hurries the task whose client has used the most: it answers with what it has.
 *
 * In such a pool `run` only computes once it has begun: it may hold a lock that others need at its beginning,
 * while its priority is normal; what needs locks afterwards belongs in `end`.
 *
 * The pool owns a task from its submission until it calls `end` (without one, `run`) or `drop`, which may
 * free the task.
 *
 * Ownership: kn_thread_pool_new / kn_thread_pool_free. kn_thread_pool_free drops the waiting tasks and waits
 * for the running ones, so tasks must check a cancel flag. */
#ifndef KNACK_WEB_THREAD_POOL_H
#define KNACK_WEB_THREAD_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct KnThreadPool KnThreadPool;

typedef struct KnPoolTask {
    void (*run)(struct KnPoolTask *task);
    void (*end)(struct KnPoolTask *task);   /* after run, by a thread of normal priority, and may free the
                                               task; NULL: run may, in a pool without a back */
    void (*drop)(struct KnPoolTask *task);  /* called instead of run when the pool closes */
    void (*hurry)(struct KnPoolTask *task); /* while it runs, under the pool's lock: sets a flag that ends it
                                               soon; NULL: it cannot be hurried, else `end` is
                                               needed */
    double due;                             /* by kn_clock_now; 0: at once */
    uint64_t client, flow;                  /* whom its time is charged to; 0: nobody */
    uint64_t kind;                          /* tasks of a kind take about the same time; 0: not known */
    struct KnPoolTask *next;                /* the pool's own */
} KnPoolTask;

typedef struct KnPoolPlan {
    int threads; /* tasks at the front at the same time */
    int back;    /* long tasks at the back at the same time; 0: a task keeps its thread to its end */
    size_t most; /* waiting tasks */
    int nice;    /* priority of the threads */
} KnPoolPlan;

KnStatus kn_thread_pool_new(const KnPoolPlan *plan, KnThreadPool **pool, KnError *error);
void kn_thread_pool_free(KnThreadPool *pool);

/* Ends the work soon: drops the waiting tasks, hurries the running ones and takes no more. */
void kn_thread_pool_end(KnThreadPool *pool);

/* False if the queue has no place for this client or the pool closes; the caller then still owns the task. */
bool kn_thread_pool_submit(KnThreadPool *pool, KnPoolTask *task);

/* Whether the queue has a place for a task of this client now. */
bool kn_thread_pool_has_room(KnThreadPool *pool, uint64_t client);

/* Removes a task that has not started; false if it has. */
bool kn_thread_pool_withdraw(KnThreadPool *pool, KnPoolTask *task);

/* A function to run in the pool. */
typedef struct KnPoolCall {
    void (*function)(void *user);
    void (*hurry)(void *user); /* as that of a task; may be NULL */
    void *user;
    uint64_t client, flow, kind;
    double timeout; /* seconds within which it must start */
} KnPoolCall;

/* Runs a function in the pool and waits for its end. KN_STOPPED if it cannot start in time or the queue is
 * full. */
KnStatus kn_thread_pool_call(KnThreadPool *pool, const KnPoolCall *call, KnError *error);

/* Seconds that a task should take at a stretch at most, where it can go on later. */
double kn_thread_pool_stretch(const KnThreadPool *pool);

/* The number of tasks that are due but have not started. */
size_t kn_thread_pool_waiting(KnThreadPool *pool);

#endif
