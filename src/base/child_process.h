/* Child processes that speak a protocol of lines (GTP, NBoard, the pipe protocol), with deadlines.
 *
 * sh runs the command in a process group of its own, so that everything it starts can be ended with it.
 * Writing and reading have a deadline. Ending gives the program a moment to exit, then kills the group. The
 * group is also killed when this process ends without calling kn_child_end, by kill -9 too. The last part of
 * what the program writes to its standard error is kept for error messages.
 *
 * Ownership: kn_child_start / kn_child_end (NULL is fine). One thread at a time. */
#ifndef KNACK_BASE_CHILD_PROCESS_H
#define KNACK_BASE_CHILD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { KN_CHILD_LINE = 1 << 16 /* the longest line that is taken */ };

typedef struct KnChild KnChild;

/* Starts `sh -c COMMAND`. A command that does not exist is reported by the first read or write: sh then exits
 * with status 127. */
KnStatus kn_child_start(const char *command, KnChild **child, KnError *error);
void kn_child_end(KnChild *child);

/* Appends the dialogue from now on to this file: > to the program, < from it, * its start and end. */
KnStatus kn_child_log(KnChild *child, const char *path, KnError *error);

/* Processor time that the program and its own children have used so far, in seconds. */
double kn_child_cpu_seconds(const KnChild *child);

/* Writes a line (the newline is added). KN_FORFEIT if the program is gone or does not read. */
KnStatus kn_child_write(KnChild *child, const char *line, double seconds, KnError *error);

/* The next line without its newline. KN_FORFEIT with the reason if it does not come in time, is too long, or
 * the program is gone (how it ended, and the last of what it complained about); KN_STOPPED when cancelled
 * (`cancel` may be NULL). */
KnStatus kn_child_read(KnChild *child, double seconds, const atomic_bool *cancel, KnText *line,
                       KnError *error);

#endif
