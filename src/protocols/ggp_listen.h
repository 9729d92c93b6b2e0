/* A player of general game playing on the network: messages as HTTP requests, one a connection, the way game
 * managers send them.
 *
 * Own sockets and not the page's library, because the senders are old and odd (protocols/http_message.h), and
 * because here every answer has a clock: it begins when the connection is accepted. A connection has its own
 * thread, of which there are no more than KN_GGP_CONNECTIONS; it must have said its message within seconds.
 * Requests that a browser makes for a foreign page (those with an Origin) are refused.
 *
 * Ownership: kn_ggp_listen / kn_ggp_unlisten; the player is borrowed and must outlive it. */
#ifndef KNACK_PROTOCOLS_GGP_LISTEN_H
#define KNACK_PROTOCOLS_GGP_LISTEN_H

#include "protocols/ggp_player.h"

typedef struct KnGgpListener KnGgpListener;

enum {
    KN_GGP_CONNECTIONS = 400,
    KN_GGP_MESSAGE = 9 << 20 /* bytes */,
    KN_GGP_HEARING = 20 /* seconds to say it in */
};

/* Host NULL: 127.0.0.1. Port 0: any free one. */
KnStatus kn_ggp_listen(KnGgp *ggp, const char *host, int port, const KnLog *log, KnGgpListener **listener,
                       KnError *error);
int kn_ggp_port(const KnGgpListener *listener);
void kn_ggp_unlisten(KnGgpListener *listener); /* hears out the connections that are there */

#endif
