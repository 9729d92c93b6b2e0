/* One match of general game playing from the view of one player, with threads that keep its clocks whatever
 * the rules and the player do.
 *
 * The thread that answers a message (a thread of the server) never reasons: it waits for others, and answers
 * in time. The *clock keeper* follows the moves and lists what is legal; the *search thread* lets the player
 * choose; a third thread grounds the rules. If grounding takes long, the clock keeper begins with the prover;
 * all change to the propositional network when it is ready. An answer is what the player chose; if that does
 * not come in time, what it thought first (it is asked for a tenth of its time, then for the rest), else a
 * legal move by chance; if even those are not known half a second after the clock (managers wait a second),
 * the word nil, for which the manager will put a move.
 *
 * Clocks begin when a message arrives (kn_clock_now). The player stops thinking a margin before the end; if
 * it does not, it is cancelled and then left behind within that margin.
 *
 * Ownership: kn_ggp_match_new / kn_ggp_match_free, which waits until threads that are reasoning have noticed
 * (some seconds at worst; kn_ggp_match_gone tells whether it would wait). Everything else may be called from
 * several threads at once. */
#ifndef KNACK_PROTOCOLS_GGP_MATCH_H
#define KNACK_PROTOCOLS_GGP_MATCH_H

#include <stdint.h>

#include "base/context.h"
#include "base/log.h"
#include "protocols/latency.h"
#include "protocols/ggp_message.h"

typedef struct KnGgpMatch KnGgpMatch;

typedef struct KnGgpSeat {
    const KnContext *context;
    const char *spec; /* of the player */
    double margin;    /* seconds before the end of a clock; 0: a fifth of it, from 0.3 to 2 s; never more than
                         two fifths */
    KnDelay *delay; /* how late threads are woken here: twice that is added, up to three fifths of the clock;
                       borrowed; NULL: not known */
    uint64_t seed;
    KnLog log;
} KnGgpSeat;

/* From a START message that arrived at a time. The seat's texts are borrowed for the match's life. Fails only
 * for want of memory or threads. */
KnStatus kn_ggp_match_new(const KnGgpSeat *seat, const KnGgpMessage *start, double arrived,
                          KnGgpMatch **match, KnError *error);
void kn_ggp_match_free(KnGgpMatch *match);

bool kn_ggp_match_is(const KnGgpMatch *match, KnPiece id);
bool kn_ggp_match_plays(const KnGgpMatch *match,
                        KnPiece role); /* whether this is the role it was started with */

/* Seconds of silence after which the manager must be gone. */
double kn_ggp_match_patience(const KnGgpMatch *match);

/* Waits until the match is ready, but no longer than the start clock allows. KN_INPUT: the rules cannot be
 * played; the error says why. */
KnStatus kn_ggp_match_wait(KnGgpMatch *match, KnError *error);

/* The moves made (none for NIL), and a move wanted: adds it to the reply, in time. */
void kn_ggp_match_play(KnGgpMatch *match, KnPiece moves, double arrived, KnText *reply);

/* The match is over, with these last moves, or (`aborted`) will not be finished. Returns at once; threads
 * wind up. */
void kn_ggp_match_stop(KnGgpMatch *match, KnPiece moves, bool aborted);
bool kn_ggp_match_gone(KnGgpMatch *match);

#endif
