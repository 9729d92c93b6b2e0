/* Worker processes: how a coordinator and its workers exchange messages, and a worker's main loop.
 *
 * The transport is a pair of functions, `send` and `receive`: Open MPI in jobs/mpi/main.c, threads with
 * mailboxes in the tests. Member 0 is the coordinator.
 *
 * A cancelled run does not wait for its workers: `lost` is then set, and the program is expected to end.
 *
 * Ownership: the workers outlive the contexts that know them. */
#ifndef KNACK_JOBS_WORKERS_H
#define KNACK_JOBS_WORKERS_H

#include "jobs/job.h"

struct KnWorkers {
    int size;         /* members, the coordinator included */
    const int *cores; /* by member: threads that it runs by default */
    /* Sends to member `to`, in order, without waiting for its receipt. Each member calls send and receive
     * from one thread at a time. */
    void (*send)(KnWorkers *workers, int to, const void *bytes, size_t size);
    /* Appends the next message to `message`; false if none has arrived. */
    bool (*receive)(KnWorkers *workers, int *from, KnText *message);
    /* The coordinator's own state. */
    atomic_bool busy; /* a job is open */
    atomic_bool lost; /* some worker is no longer waited for */
    uint64_t jobs_started;
    uint64_t indices_done; /* by workers */
};

/* Makes a worker's context for a data folder. */
typedef KnStatus (*KnOpenWorkerContext)(const char *data, KnContext **context, KnError *error);
/* The job type of a name, NULL if unknown. */
typedef const KnJobType *(*KnFindJobType)(const char *name);

/* A worker's main loop: runs jobs until the coordinator calls kn_workers_dismiss. */
void kn_workers_serve(KnWorkers *workers, KnOpenWorkerContext open_context, KnFindJobType find);

/* On the coordinator: ends every worker's main loop. */
void kn_workers_dismiss(KnWorkers *workers);

#endif
