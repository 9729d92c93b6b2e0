/* The open connections, so that no client can shut the server for others.
 *
 * A connection waits for a request (until it is complete), works on one, or carries a stream of events. When
 * there are too many, one that waits is closed: of the client with the most connections, the one that has
 * waited longest. A connection that works is never closed. A client is an address (of IPv6 a network of 64
 * bits); its requests per second are limited. The machine's own addresses (127.0.0.1, ::1) are exempt from
 * that rate, since they can stand for many people behind a proxy.
 *
 * Ownership: kn_connections_new / kn_connections_free, after all are closed. All calls are thread-safe. */
#ifndef KNACK_WEB_CONNECTIONS_H
#define KNACK_WEB_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct KnConnections KnConnections;
typedef struct KnConnection KnConnection;

enum {
    KN_CONNECTION_FEW = 6,      /* connections that a browser opens */
    KN_CONNECTION_RATE = 500,   /* requests a second of a client */
    KN_CONNECTION_BURST = 1000, /* at once, after a pause */
    KN_CONNECTION_SECONDS = 60  /* within which a request must be complete */
};

KnConnections *kn_connections_new(int most); /* NULL without memory */
void kn_connections_free(KnConnections *connections);

/* Whether a client may open a connection now: beyond a few, only four times as many as are free. */
bool kn_connections_admit(KnConnections *connections, const struct sockaddr *address);

/* A new connection; it may close another. NULL without memory. The socket stays the caller's, who calls
 * kn_connection_close before closing it. */
KnConnection *kn_connection_open(KnConnections *connections, int fd, const struct sockaddr *address);
void kn_connection_close(KnConnection *connection);

/* The key of the client's address. */
uint64_t kn_connection_client(const KnConnection *connection);

typedef enum KnAdmission {
    KN_ADMITTED,
    KN_TOO_MANY_REQUESTS,   /* of this client */
    KN_TOO_MANY_CONNECTIONS /* of everybody, and none waits */
} KnAdmission;

/* A request has arrived completely. */
KnAdmission kn_connection_begin(KnConnection *connection);
void kn_connection_end(KnConnection *connection); /* its reply is sent */

#endif
