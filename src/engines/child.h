/* A program of somebody else's, run beside ours and spoken to in lines, with a watch on it.
 *
 * The command is run by sh in a process group of its own, so that everything it starts can be ended with it.
 * Nothing here waits longer than it was told to: writing and reading have a deadline, and ending gives the
 * program a moment to leave by itself, then kills the group. What it writes to its standard error is read
 * over, and its last part kept for messages.
 *
 * Meant for every protocol of lines (GTP, NBoard, the pipe protocol): a player of this room opens a child,
 * asks, and turns what comes back into moves.
 *
 * Ownership: kn_child_start / kn_child_end (NULL will do). One thread at a time. */
#ifndef KNACK_ENGINES_CHILD_H
#define KNACK_ENGINES_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { KN_CHILD_LINE = 1 << 16 /* the longest line that is taken */ };

typedef struct KnChild KnChild;

/* Starts `sh -c COMMAND`. That the command cannot be found shows only when it is spoken to: sh then exits
 * with 127. */
KnStatus kn_child_start(const char *command, KnChild **child, KnError *error);
void kn_child_end(KnChild *child);

/* From now on everything that is said goes to the end of this file too: > to the program, < from it, * its
 * beginning and end. */
KnStatus kn_child_log(KnChild *child, const char *path, KnError *error);

/* Writes a line (the newline is added). KN_SYSTEM if the program is gone or does not read. */
KnStatus kn_child_write(KnChild *child, const char *line, double seconds, KnError *error);

/* The next line without its newline. KN_SYSTEM with the reason if it does not come in time, is too long, or
 * the program is gone (how it ended, and the last of what it complained about); KN_STOPPED when cancelled
 * (`cancel` may be NULL). */
KnStatus kn_child_read(KnChild *child, double seconds, const atomic_bool *cancel, KnText *line,
                       KnError *error);

#endif
