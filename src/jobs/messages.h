/* The messages between coordinator and workers (jobs/coordinator.c, jobs/worker.c). Each begins with its kind
 * and the number of the job; the comments list what follows. */
#ifndef KNACK_JOBS_MESSAGES_H
#define KNACK_JOBS_MESSAGES_H

typedef enum KnMessage {
    /* coordinator to worker */
    KN_MESSAGE_OPEN,   /* version, data folder, job type, jobs, window, payload */
    KN_MESSAGE_UPDATE, /* bytes that the job type defines */
    KN_MESSAGE_RUN,    /* ranges of indices: first, end */
    KN_MESSAGE_DROP,   /* cancel what is queued or running; each index is still answered */
    KN_MESSAGE_CLOSE,  /* end of the job */
    KN_MESSAGE_EXIT,   /* end of the worker */
    /* worker to coordinator */
    KN_MESSAGE_RESULTS /* mean time of a task in ns; then index, status and sized bytes of each result */
} KnMessage;

/* Both sides poll, since a blocking MPI call keeps a core busy. Between two polls they sleep, in ns: longer
 * where tasks are long, because every thread has one more index queued. */
enum {
    KN_POLL_SHORTEST = 50000,
    KN_POLL_USUAL = 1000000,
    KN_POLL_LONGEST = 10000000,
    KN_POLL_IDLE = 2000000
};

/* The longest sleep for tasks that take `task` ns. */
static inline long kn_poll_longest(double task)
{
    return task / 8 < KN_POLL_USUAL     ? KN_POLL_USUAL
           : task / 8 < KN_POLL_LONGEST ? (long)(task / 8)
                                        : KN_POLL_LONGEST;
}

#endif
