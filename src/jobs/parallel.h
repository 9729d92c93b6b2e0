/* A parallel loop over indices on a pool of threads, with results that do not depend on the number of
 * threads.
 *
 * Threads take the indices in order. When one fails, no further index starts, those already running finish,
 * and the failure reported is that of the lowest failing index: the one that a single thread would have met
 * first. `thread` is 0..jobs-1, for scratch memory of its own. `user` is shared: tasks run at the same time,
 * and may write only what belongs to their thread or index.
 *
 * `cancel` (may be NULL) is read before each index; long tasks read it themselves and return KN_STOPPED. With
 * jobs = 1 everything runs in the calling thread. jobs <= 0 means one thread for each core. */
#ifndef KNACK_JOBS_PARALLEL_H
#define KNACK_JOBS_PARALLEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef KnStatus (*KnTask)(void *user, int thread, uint64_t index, KnError *error);
typedef KnStatus (*KnCommit)(void *user, uint64_t index, KnError *error);

/* Cores that this process may run on, at least 1. */
int kn_cores(void);

/* The number of threads that `jobs` stands for: KNACK_JOBS or the cores where it is 0. */
int kn_jobs(int jobs);

/* KN_OK when every index succeeded; KN_STOPPED when cancelled before that; otherwise the lowest failure. */
KnStatus kn_parallel(int jobs, uint64_t count, KnTask task, void *user, const atomic_bool *cancel,
                     KnError *error);

/* As kn_parallel, and calls `commit` for each index in strict order, one at a time, always in the calling
 * thread. Index i starts only once i - window has been committed, so that results may wait in slot i % window
 * of an array of `window` slots (0: kn_parallel_window(jobs)).
 * - When index i fails, everything below i has been committed, and nothing from i on.
 * - A commit that returns KN_STOPPED ends the run: running tasks finish, their results are dropped, and
 *   kn_parallel_ordered returns KN_OK. Any other status of a commit ends the run as a failure.
 * - After a cancel all finished indices before the first unfinished one are committed, and KN_STOPPED is
 *   returned. */
KnStatus kn_parallel_ordered(int jobs, uint64_t count, uint64_t window, KnTask task, KnCommit commit,
                             void *user, const atomic_bool *cancel, KnError *error);

/* The window used for 0: enough that a few slow indices do not hold up the others. */
uint64_t kn_parallel_window(int jobs);

#endif
