/* The processes of worker_processes.h as the system has them: this program again, with its output in files.
 * The site (src/site/) starts workers of the browser instead.
 *
 * Ownership: nothing is kept. */
#ifndef KNACK_WEB_PROCESSES_H
#define KNACK_WEB_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Starts `program` (NULL: this one) with the words of argv, ended by NULL, at a low priority; stdout and
 * stderr go to the files `out` and `log`. It has its own process group: Ctrl-C in the terminal then reaches
 * only the server, which stops its workers. */
KnStatus kn_process_start(const char *program, char **argv, const char *out, const char *log, pid_t *pid,
                          KnError *error);

typedef enum KnProcessState {
    KN_PROCESS_RUNS,
    KN_PROCESS_DONE,
    KN_PROCESS_INTERRUPTED,
    KN_PROCESS_FAILED
} KnProcessState;

/* How a process is that this one has started; `why` gets a sentence if something killed it, else "". After it
 * has ended it must not be asked for again. */
KnProcessState kn_process_look(pid_t pid, char *why, size_t size);

/* The first interrupt ends it at the next safe point, the second at once. */
void kn_process_interrupt(pid_t pid);

/* Whether a process of an earlier server still runs: process numbers are reused, so it must have its log
 * open. */
bool kn_process_writes(pid_t pid, const char *log);

#endif
