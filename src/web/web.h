/* The HTTP server: a JSON API (docs/api.md), one event stream for each browser tab, and the page.
 *
 *     kn_web_open      opens the state: sessions, engines, the database
 *     kn_web_answer    turns one request into one reply, without a socket: tests and fuzzers call it
 *     kn_web_listen    opens the sockets (libmicrohttpd), with one thread for each connection
 *     kn_web_close     stops everything and loses nothing
 *
 * Connection threads never compute: decisions and searches run on a few engine threads (thread_pool.h),
 * within the limits that /api/about shows.
 *
 * Ownership: the context and the strings of the options outlive the server. */
#ifndef KNACK_WEB_WEB_H
#define KNACK_WEB_WEB_H

#include "base/context.h"
#include "base/log.h"
#include "web/http.h"

typedef struct KnWeb KnWeb;

enum { KN_WEB_KEY = 64 }; /* letters of a key at most */

typedef struct KnWebOptions {
    const char *host;     /* an address to bind; NULL: 127.0.0.1 */
    int port;             /* 0: any free one */
    const char *name;     /* an additional name accepted in Host headers; NULL: none */
    const char *program;  /* the binary for worker processes; NULL: this program */
    int engines;          /* engine threads; 0: one for each core */
    double move_seconds;  /* limit of an engine's time for a move; 0: 10 */
    int games;            /* limit of sessions in memory; 0: 4000 */
    int connections;      /* limit of open connections; 0: 2000 */
    const char *key;      /* a class network: calls need this word in the cookie knack-key; NULL: none */
    bool without_threads; /* the caller calls kn_runs_poll: for the site (src/site/) */
    KnLog log;
} KnWebOptions;

KnStatus kn_web_open(const KnContext *context, const KnWebOptions *options, KnWeb **web, KnError *error);
KnStatus kn_web_listen(KnWeb *web, KnError *error);
int kn_web_port(const KnWeb *web);
void kn_web_close(KnWeb *web);

/* Starts an experiment of the lab (NULL: all) in a worker process; scale is "quick", "middle" or "paper". */
KnStatus kn_web_measure(KnWeb *web, const char *experiment, const char *scale, KnError *error);

/* Initialise the reply with KN_HTTP_REPLY; the caller frees it. */
void kn_web_answer(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply);

#endif
