/* The site: the server's request handling (web/web.h) in a worker of the browser, compiled to WebAssembly,
 * without sockets, threads and processes. worker.js calls what site.c exports; the files of this folder stand
 * in for those of the same name in other rooms (cmake/site.cmake lists which). */
#ifndef KNACK_SITE_SITE_H
#define KNACK_SITE_SITE_H

#include "web/thread_pool.h"

/* Runs one task that is due. Returns the seconds until the next one is due: 0 if there may be more at once,
 * negative if none waits. */
double kn_thread_pool_step(KnThreadPool *pool);

/* ---- what JavaScript calls; strings live until the next call ---- */

/* "" on success, else why not. */
const char *kn_site_open(const char *data);

/* A request {"method", "path", "query": {}, "body": text or null} becomes {"status", "type", "text",
 * "filename", "stream"?}. */
const char *kn_site_answer(const char *request);

/* The events of a stream that have come since the last call, as a server would send them; "" for none. */
const char *kn_site_events(int stream);
void kn_site_close_stream(int stream);

/* Computes a little; returns the seconds until there is more to do, negative for nothing. Moves go before
 * analyses. */
double kn_site_step(void);

/* Looks at the runs; whether any is in progress. */
int kn_site_poll(void);

/* Does a run, whose words are a JSON list, in a worker of its own. "" when it is done, else why not. */
const char *kn_site_run(const char *words);

#endif
