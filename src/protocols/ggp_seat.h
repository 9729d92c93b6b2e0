/* Where a player sits, from the match manager's side: an address on the network, or a player of this process
 * behind the same protocol.
 *
 * Ownership: kn_ggp_manager_seat_open / kn_ggp_manager_seat_close. Texts of a question are the asker's. */
#ifndef KNACK_PROTOCOLS_GGP_SEAT_H
#define KNACK_PROTOCOLS_GGP_SEAT_H

#include <pthread.h>

#include "protocols/ggp_client.h"
#include "protocols/ggp_player.h"

typedef struct KnGgpManagerSeat {
    const char *label; /* as given */
    KnGgp *own;        /* NULL: at the address */
    KnGgpPeer peer;
} KnGgpManagerSeat;

/* An address or a spec; the seat says what else a player of our own needs. */
KnStatus kn_ggp_manager_seat_open(const char *text, const KnGgpSeat *seat, KnGgpManagerSeat *peer,
                                  KnError *error);
void kn_ggp_manager_seat_close(KnGgpManagerSeat *peer);

typedef struct KnGgpQuestion {
    const KnGgpManagerSeat *peer;
    KnText message;
    double patience; /* seconds to answer in */
    /* The results. */
    KnText reply;
    KnStatus status; /* as of kn_ggp_tell */
    KnError error;
    double seconds; /* that it took */
} KnGgpQuestion;

/* Asks all of them at once, and waits for the last. */
void kn_ggp_ask(KnGgpQuestion *questions, int count);

#endif
