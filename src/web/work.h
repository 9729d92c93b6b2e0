/* A small pool of threads for everything that thinks, so that the threads that talk to clients never do.
 *
 * Jobs start in the order in which they are due; the queue is bounded. A job belongs to whoever submits it
 * until it is submitted, then to the pool until `run` or `drop` is called, which is its end as far as the
 * pool is concerned.
 *
 * Ownership: kn_work_new / kn_work_free. kn_work_free drops what is waiting and waits for what is running:
 * see to it that jobs look at a cancel flag. */
#ifndef KNACK_WEB_WORK_H
#define KNACK_WEB_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct KnWork KnWork;

typedef struct KnJob {
    void (*run)(struct KnJob *job);
    void (*drop)(struct KnJob *job); /* instead of run, when the pool closes */
    double due;                      /* by kn_clock_now; 0: at once */
    struct KnJob *next;              /* the pool's own */
} KnJob;

KnStatus kn_work_new(int threads, size_t most, int nice, KnWork **work, KnError *error);
void kn_work_free(KnWork *work);

/* False if the queue is full or the pool closes; the job then stays the caller's. */
bool kn_work_submit(KnWork *work, KnJob *job);

/* Takes a job back that has not begun; false if it has. */
bool kn_work_withdraw(KnWork *work, KnJob *job);

/* Runs a function in the pool and waits for it. KN_STOPPED, with a message, if it could not begin within
 * `patience` seconds or the queue is full. */
KnStatus kn_work_call(KnWork *work, void (*function)(void *user), void *user, double patience,
                      KnError *error);

/* Jobs that are due but have not begun. */
size_t kn_work_waiting(KnWork *work);

#endif
