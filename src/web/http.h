/* Requests and replies as plain values, so that tests and fuzzers need no socket.
 *
 * Ownership: a request borrows everything. Initialise a reply with KN_HTTP_REPLY and free it with
 * kn_reply_free; it borrows `bytes` (embedded files) and owns `text`. */
#ifndef KNACK_WEB_HTTP_H
#define KNACK_WEB_HTTP_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "web/events.h"

enum { KN_HTTP_ARGUMENTS = 16 };

typedef struct KnHttpPair {
    const char *name, *value; /* value "" for ?name */
} KnHttpPair;

typedef struct KnHttpRequest {
    const char *method;
    const char *path; /* decoded, without the query */
    KnHttpPair arguments[KN_HTTP_ARGUMENTS];
    int argument_count;
    const char *body; /* not terminated */
    size_t body_size;
    /* Headers; NULL where absent. */
    const char *host, *origin, *fetch_site, *content_type, *if_none_match, *last_event_id, *cookie,
        *accept_encoding;
    uint64_t client; /* key of the client's address in fair queues; 0: none */
} KnHttpRequest;

typedef struct KnHttpReply {
    int status;
    const char *type;
    KnText text;
    const void *bytes; /* sent instead of `text` if not NULL */
    size_t size;
    char etag[48];        /* with its quotes; "" for none */
    bool zipped;          /* `bytes` are packed by gzip */
    bool varies;          /* there are packed and plain bytes: caches keep them apart */
    char filename[64];    /* "": displayed, not saved */
    char allow[64];       /* with 405 */
    int retry_after;      /* seconds, with 429 and 503; 0: not said */
    KnListener *listener; /* a stream of events follows; the reply owns it */
} KnHttpReply;

#define KN_HTTP_REPLY ((KnHttpReply){.status = 200, .type = "application/json", .text = KN_TEXT_EMPTY})
void kn_reply_free(KnHttpReply *reply);

/* NULL if the query has no such argument. */
const char *kn_http_argument(const KnHttpRequest *request, const char *name);

/* False, with `value` unchanged, if the request has no such cookie or it is too long. */
bool kn_http_cookie(const KnHttpRequest *request, const char *name, char *value, size_t size);

/* A document; takes the reference. NULL becomes a 500 (memory). */
void kn_reply_json(KnHttpReply *reply, int status, json_t *document);

enum { KN_RETRY_SECONDS = 2 };

/* {"error": sentence, "field": which part of the request}; field may be NULL. With 429
 * and 503 the client is told to come back after KN_RETRY_SECONDS. */
void kn_reply_error(KnHttpReply *reply, int status, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Maps an error of the library: KN_USAGE (malformed) to 400, KN_NO (not possible now) to 409, KN_INPUT
 * (well-formed but wrong) to 422, KN_STOPPED (too much at once) to 429, KN_SYSTEM (failure of the machine) to
 * 503. */
void kn_reply_fail(KnHttpReply *reply, const KnError *error, const char *field);

#endif
