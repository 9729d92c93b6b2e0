/* A small thread pool for all computation, so that the threads of the connections never compute.
 *
 * Tasks start in the order of their due times; the queue is bounded. The pool owns a task from its submission
 * until it calls `run` or `drop`, which may free the task.
 *
 * Ownership: kn_thread_pool_new / kn_thread_pool_free. kn_thread_pool_free drops the waiting tasks and waits
 * for the running ones, so tasks must check a cancel flag. */
#ifndef KNACK_WEB_THREAD_POOL_H
#define KNACK_WEB_THREAD_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct KnThreadPool KnThreadPool;

typedef struct KnPoolTask {
    void (*run)(struct KnPoolTask *task);
    void (*drop)(struct KnPoolTask *task); /* called instead of run when the pool closes */
    double due;                            /* by kn_clock_now; 0: at once */
    struct KnPoolTask *next;               /* the pool's own */
} KnPoolTask;

KnStatus kn_thread_pool_new(int threads, size_t most, int nice, KnThreadPool **pool, KnError *error);
void kn_thread_pool_free(KnThreadPool *pool);

/* False if the queue is full or the pool closes; the caller then still owns the task. */
bool kn_thread_pool_submit(KnThreadPool *pool, KnPoolTask *task);

/* Removes a task that has not started; false if it has. */
bool kn_thread_pool_withdraw(KnThreadPool *pool, KnPoolTask *task);

/* Runs a function in the pool and waits for its end. KN_STOPPED if it cannot start within `timeout` seconds
 * or the queue is full. */
KnStatus kn_thread_pool_call(KnThreadPool *pool, void (*function)(void *user), void *user, double timeout,
                             KnError *error);

/* The number of tasks that are due but have not started. */
size_t kn_thread_pool_waiting(KnThreadPool *pool);

#endif
