/* HTTP messages as they come off a wire, piece by piece: for the small servers and clients of protocols that
 * ride on HTTP. (The page has libmicrohttpd; what the world of general game playing sends is older and odder
 * than that accepts: bodies of no declared length, bare line feeds, HTTP/1.0 of all kinds.)
 *
 * A message is fed whatever has come until it is `whole`; bytes after it are ignored. At the end of the
 * connection kn_wire_end decides whether what is there will do. Memory is bounded by the limit on the body
 * and a fixed one on the head.
 *
 *     KnWire wire = kn_wire(KN_WIRE_REQUEST, limit);
 *     while (!wire.whole) { got = recv(...); if (!got) status = kn_wire_end(&wire, &error); else
 * kn_wire_feed(&wire, bytes, got, &error); }
 *
 * Ownership: kn_wire_free gives back what a message holds. */
#ifndef KNACK_BASE_WIRE_H
#define KNACK_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

typedef enum KnWireKind { KN_WIRE_REQUEST, KN_WIRE_RESPONSE } KnWireKind;

enum { KN_WIRE_HEAD = 1 << 16 }; /* bytes of the first line and the headers */

typedef struct KnWire {
    KnWireKind kind;
    size_t limit; /* of the body */
    KnText head;  /* with the empty line */
    KnText body;
    KnText line; /* of a chunk's size, or a trailer, as far as it has come */
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
} KnWire;

KnWire kn_wire(KnWireKind kind, size_t limit);
void kn_wire_free(KnWire *wire);

/* KN_INPUT if this is no HTTP, or too long; the message is of no use then. */
KnStatus kn_wire_feed(KnWire *wire, const void *bytes, size_t size, KnError *error);
KnStatus kn_wire_end(KnWire *wire, KnError *error); /* the other side will send no more */

/* The value of a header, without blanks around it, cut to the room there is; false if there is none (then it
 * is ""). */
bool kn_wire_header(const KnWire *wire, const char *name, char *value, size_t room);

#endif
