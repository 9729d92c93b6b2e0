/* The workbench server: a documented JSON API (docs/api.md), one stream of events a tab, and the page itself.
 *
 *     kn_web_open      the state: contests, engines, what is kept
 *     kn_web_answer    one request to one reply, without any socket: what tests and fuzzers call
 *     kn_web_listen    the sockets (libmicrohttpd); a thread a connection, so that a slow client holds up
 * nobody else kn_web_close     stops everything; nothing is lost
 *
 * Threads that talk to clients never think: whatever takes time runs on a few engine threads (work.h) within
 * bounds that /api/about tells.
 *
 * Ownership: the context and the strings of the options outlive the server. */
#ifndef KNACK_WEB_WEB_H
#define KNACK_WEB_WEB_H

#include "base/context.h"
#include "base/log.h"
#include "web/http.h"

typedef struct KnWeb KnWeb;

typedef struct KnWebOptions {
    const char *host;    /* an address to bind; NULL: 127.0.0.1 */
    int port;            /* 0: any free one */
    const char *name;    /* one more name that the server may be called by in Host headers; NULL: none */
    const char *program; /* the binary that runs are started with; NULL: this very program */
    int engines;         /* threads that think; 0: as many as cores */
    double move_seconds; /* the longest that an engine may think about a move; 0: 10 */
    int contests;        /* the most that are open in memory; 0: 500 */
    int connections;     /* the most at once; 0: 1000 */
    KnLog log;
} KnWebOptions;

KnStatus kn_web_open(const KnContext *context, const KnWebOptions *options, KnWeb **web, KnError *error);
KnStatus kn_web_listen(KnWeb *web, KnError *error);
int kn_web_port(const KnWeb *web);
void kn_web_close(KnWeb *web);

/* Starts measuring an experiment of the lab (NULL: all) in a process of its own; scale is "quick" or "paper".
 */
KnStatus kn_web_measure(KnWeb *web, const char *experiment, const char *scale, KnError *error);

/* The reply starts as KN_HTTP_REPLY and is freed by the caller. */
void kn_web_answer(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply);

#endif
