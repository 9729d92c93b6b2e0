/* Where a player sits, from the match manager's side: an address on the network, or a player of this process
 * behind the same protocol.
 *
 * Ownership: kn_ggp_chair_open / kn_ggp_chair_close. Texts of a question are the asker's. */
#ifndef KNACK_SERVERS_GGP_CHAIR_H
#define KNACK_SERVERS_GGP_CHAIR_H

#include <pthread.h>

#include "engines/ggp_client.h"
#include "servers/ggp.h"

typedef struct KnGgpChair {
    const char *label; /* as given */
    KnGgp *own;        /* NULL: at the address */
    KnGgpPeer peer;
} KnGgpChair;

/* An address or a spec; the seat says what else a player of our own needs. */
KnStatus kn_ggp_chair_open(const char *text, const KnGgpSeat *seat, KnGgpChair *chair, KnError *error);
void kn_ggp_chair_close(KnGgpChair *chair);

typedef struct KnGgpQuestion {
    const KnGgpChair *chair;
    KnText message;
    double patience; /* seconds to answer in */
    /* What came of it. */
    KnText reply;
    KnStatus status; /* as of kn_ggp_tell */
    KnError error;
    double seconds; /* that it took */
} KnGgpQuestion;

/* Asks all of them at once, and waits for the last. */
void kn_ggp_ask(KnGgpQuestion *questions, int count);

#endif
