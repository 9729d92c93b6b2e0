/* knack-mpi under mpirun, for tests: what it printed, beside what `knack` printed. Tests skip themselves,
 * saying so, where there is no Open MPI. All runs are in the test's own folder. */
#ifndef KNACK_TESTS_RANKS_H
#define KNACK_TESTS_RANKS_H

#include <sys/types.h>

#include "base/text.h"

/* Skips the test unless knack-mpi was built and mpirun is there. */
void ranks_needed(void);

/* Runs a command line (for sh, without the program's name) on `ranks` ranks; 0: with the ordinary binary.
 * Returns the exit code; `out` and `complaints` (either may be NULL) get what it printed. */
int ranks_run(int ranks, const char *words, KnText *out, KnText *complaints);

/* Starts it and returns mpirun's process; its outputs go to the files NAME.out and NAME.err. */
pid_t ranks_start(int ranks, const char *words, const char *name);
/* The process of a rank, 0 as long as there is none. */
pid_t ranks_find(pid_t mpirun, int rank);

/* Without the lines that tell of time. */
void ranks_drop_times(KnText *out);

/* Runs it with the ordinary binary and on 2 and 3 ranks, and compares what is printed, times left out. "@" in
 * the words stands for a new folder each time; where there is one, its files must be equal too but for those
 * that `except` (a pattern of find) names. */
void ranks_compare(const char *words, const char *except);

#endif
