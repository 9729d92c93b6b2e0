/* Runs that take long are processes of their own: this program again, writing the results store or the lab's
 * results. So they survive this server, can be stopped at any instant without loss, and resumed by the same
 * command.
 *
 * A child's stdout and stderr go to files in DATA/web/, from whose last lines progress and complaints are
 * read. What was started is kept (keep.h): after a restart of the server, children that still run are found
 * again by the file that they write to.
 *
 * Ownership: kn_runs_open / kn_runs_close, which stops the children. JSON values are new references. All
 * calls may come from any thread. */
#ifndef KNACK_WEB_CHILDREN_H
#define KNACK_WEB_CHILDREN_H

#include <stdbool.h>

#include "web/state.h"

KnStatus kn_runs_open(KnWeb *web, KnRuns **runs, KnError *error);
void kn_runs_close(KnRuns *runs);

/* Starts `knack WORDS...` under a name. `about` ({"kind", ...}) is kept with it and shown; both are borrowed.
 * KN_STOPPED when too many are running, KN_NO when the name is in use. */
KnStatus kn_runs_start(KnRuns *runs, const char *name, json_t *about, json_t *words, KnError *error);

/* Interrupts a running one. KN_INPUT if there is none of the name, KN_NO if it does not run. */
KnStatus kn_runs_stop(KnRuns *runs, const char *name, KnError *error);

/* The same command again, for one that was stopped or failed. */
KnStatus kn_runs_resume(KnRuns *runs, const char *name, KnError *error);

/* {"name", "kind", "about", "state": running | stopped | done | failed, "progress": {...} or null, "message",
 * "started", "ended"}; NULL if there is none. */
json_t *kn_runs_show(KnRuns *runs, const char *name);
json_t *kn_runs_list(KnRuns *runs); /* latest first */

/* The document that a finished child printed; NULL if there is none. */
json_t *kn_runs_output(KnRuns *runs, const char *name);

/* Letters, digits, . _ and -, at most 60, beginning with a letter or digit: a name that is safe as a file's.
 */
bool kn_runs_name(const char *name);

#endif
