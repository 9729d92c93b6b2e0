/* Talking to players of general game playing that live elsewhere: a message out, an answer back, one
 * connection each.
 *
 * Ownership: plain values; nothing to free. */
#ifndef KNACK_PROTOCOLS_GGP_CLIENT_H
#define KNACK_PROTOCOLS_GGP_CLIENT_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

typedef struct KnGgpPeer {
    char name[280]; /* host:port, as given */
    struct sockaddr_storage address;
    socklen_t length;
} KnGgpPeer;

/* Whether a text looks like an address, host:port or [::1]:port, rather than a spec. */
bool kn_ggp_is_peer(const char *text);

/* Finds the address of host:port, once: names are not asked for again in the middle of a match. */
KnStatus kn_ggp_peer(const char *text, KnGgpPeer *peer, KnError *error);

/* Sends a message and waits for the answer, so long after the connection stands (which may take 5 s more).
 * What counts is when the answer came in, not when this thread got round to it; `arrived` gets that, by
 * kn_clock_now (may be NULL). KN_SYSTEM: there was no connection, or it broke; KN_STOPPED: the time was up;
 * KN_INPUT: what came is no answer. */
KnStatus kn_ggp_tell(const KnGgpPeer *peer, const char *message, size_t length, double seconds, KnText *reply,
                     double *arrived, KnError *error);

#endif
