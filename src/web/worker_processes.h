/* Worker processes: long runs (matches, tournaments, training, the lab) are this program again, which writes
 * to the results store. So they survive a crash of the server, can be stopped at any time without loss, and
 * resume with the same command.
 *
 * Stdout and stderr of a worker go to files in DATA/web/; its progress and its error message are read from
 * their last lines. The list of workers is saved (persistence.h): a restarted server recognises a running
 * worker by the log file that it has open.
 *
 * Ownership: kn_runs_open / kn_runs_close, which stops the workers. JSON values are new references. All calls
 * are thread-safe. */
#ifndef KNACK_WEB_WORKER_PROCESSES_H
#define KNACK_WEB_WORKER_PROCESSES_H

#include <stdbool.h>

#include "web/state.h"

KnStatus kn_runs_open(KnWeb *web, KnRuns **runs, KnError *error);
void kn_runs_close(KnRuns *runs);

/* Starts `knack WORDS...` under a name. `about` ({"kind", ...}) is stored with it and shown; both are
 * borrowed. KN_STOPPED when too many are running, KN_NO when the name is in use. */
KnStatus kn_runs_start(KnRuns *runs, const char *name, json_t *about, json_t *words, KnError *error);

/* Interrupts a run. KN_INPUT if there is no such run, KN_NO if it is not running. */
KnStatus kn_runs_stop(KnRuns *runs, const char *name, KnError *error);

/* Starts the same command again after a stop or a failure. */
KnStatus kn_runs_resume(KnRuns *runs, const char *name, KnError *error);

/* {"name", "kind", "about", "state": running | stopped | done | failed, "progress": {...} or null, "message",
 * "started", "ended"}; NULL if there is no such run. */
json_t *kn_runs_show(KnRuns *runs, const char *name);
json_t *kn_runs_list(KnRuns *runs); /* latest first */

/* Looks at the running ones once, publishes how far they are and says whether any is left. A thread does it
 * twice a second; without threads (KnWebOptions) the caller of kn_web_open has to. */
bool kn_runs_poll(KnRuns *runs);

/* The document that a finished worker printed; NULL if there is none. */
json_t *kn_runs_output(KnRuns *runs, const char *name);

/* Whether a name is safe as a file name: letters, digits, . _ and -, at most 60, the first a letter or digit.
 */
bool kn_runs_name(const char *name);

#endif
