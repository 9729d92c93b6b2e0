/* Work on many indices by several threads, with an outcome that does not depend on their number.
 *
 * Indices are handed out in order, each to the next idle worker. When one fails, no further index is started,
 * those already under way are finished, and the failure reported is that of the lowest failing index: the
 * same one that a single thread would have met first. `worker` is 0..jobs-1, for per-worker scratch memory.
 * `user` is shared: tasks run at the same time, and may write only what belongs to their worker or index.
 *
 * `cancel` (may be NULL) is looked at before each index; long tasks look at it themselves and return
 * KN_STOPPED. With jobs = 1 everything runs in the calling thread. jobs <= 0 means as many as there are
 * cores. */
#ifndef KNACK_BASE_PARALLEL_H
#define KNACK_BASE_PARALLEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef KnStatus (*KnTask)(void *user, int worker, uint64_t index, KnError *error);
typedef KnStatus (*KnCommit)(void *user, uint64_t index, KnError *error);

/* Cores that this process may run on, at least 1. */
int kn_cores(void);

/* The number of workers that a call with `jobs` uses (before it is capped by count). */
int kn_jobs(int jobs);

/* KN_OK when every index succeeded; KN_STOPPED when cancelled before that; otherwise the lowest failure. */
KnStatus kn_parallel(int jobs, uint64_t count, KnTask task, void *user, const atomic_bool *cancel,
                     KnError *error);

/* As kn_parallel, and calls `commit` for each index in strict order, one at a time, always in the calling
 * thread. Index i starts only once i - window has been committed, so that results may wait in slot i % window
 * of an array of `window` slots (0: kn_parallel_window(jobs)). When index i fails, everything below i has
 * been committed, and nothing from i on. A commit that returns KN_STOPPED ends the run cleanly, and
 * kn_parallel_ordered returns KN_OK: tasks under way finish, their results are dropped. Any other status of a
 * commit ends the run as a failure. After a cancel all finished indices before the first unfinished one are
 * committed, and KN_STOPPED is returned. */
KnStatus kn_parallel_ordered(int jobs, uint64_t count, uint64_t window, KnTask task, KnCommit commit,
                             void *user, const atomic_bool *cancel, KnError *error);

/* The window used for 0: enough that a few slow indices do not hold up the others. */
uint64_t kn_parallel_window(int jobs);

#endif
