/* An incremental parser for HTTP/1 messages, for the small servers and clients of general game playing. (The
 * page's server is libmicrohttpd. It refuses what game managers send: bodies without a declared length, bare
 * line feeds, HTTP/1.0 of all kinds.)
 *
 * Feed a message until it is `whole`; further bytes are ignored. At the end of the connection
 * kn_http_message_end decides whether the message is complete. Memory is bounded: KN_HTTP_HEAD bytes of head,
 * `limit` bytes of body.
 *
 *     KnHttpMessage message = kn_http_message(KN_HTTP_REQUEST, limit);
 *     while (!message.whole && status == KN_OK) {
 *         got = recv(...);
 *         status = got ? kn_http_message_feed(&message, bytes, got, &error) : kn_http_message_end(&message,
 * &error);
 *     }
 *
 * Ownership: kn_http_message_free frees what a message holds. */
#ifndef KNACK_PROTOCOLS_HTTP_MESSAGE_H
#define KNACK_PROTOCOLS_HTTP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

typedef enum KnHttpMessageKind { KN_HTTP_REQUEST, KN_HTTP_RESPONSE } KnHttpMessageKind;

enum { KN_HTTP_HEAD = 1 << 16 }; /* bytes of the first line and the headers */

typedef struct KnHttpMessage {
    KnHttpMessageKind kind;
    size_t limit; /* of the body */
    KnText head;  /* with the empty line */
    KnText body;
    KnText line; /* a chunk size or trailer, incomplete so far */
    int phase;
    size_t left; /* of the body or chunk */
    /* Known when the head is there. */
    bool has_head;
    char method[16]; /* of a request */
    int status;      /* of a response */
    int minor;       /* HTTP/1.minor */
    bool open_ended; /* the body has no declared length: it ends with the connection, or when the reader is
                        content */
    bool whole;
} KnHttpMessage;

KnHttpMessage kn_http_message(KnHttpMessageKind kind, size_t limit);
void kn_http_message_free(KnHttpMessage *message);

/* KN_INPUT if this is not HTTP, or too long; the message is unusable then. */
KnStatus kn_http_message_feed(KnHttpMessage *message, const void *bytes, size_t size, KnError *error);
KnStatus kn_http_message_end(KnHttpMessage *message, KnError *error); /* end of the connection */

/* The value of a header, without blanks around it, cut to the room there is; false if there is none (then it
 * is ""). */
bool kn_http_message_header(const KnHttpMessage *message, const char *name, char *value, size_t room);

#endif
