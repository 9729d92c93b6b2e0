/* A player of general game playing: messages in, answers out, one match at a time. What carries the messages
 * is another matter (ggp_listen.h for sockets; the match manager talks to players of its own directly).
 *
 *     INFO -> ( ( name Knack ) ( status available ) )     START -> ready     PLAY -> the move     STOP ->
 * done     ABORT -> aborted PREVIEW -> ready
 *
 * A START while a match is on, any message about a match that is not, and rules that cannot be played are
 * answered with busy. A START said twice is ready twice. A match whose manager has not been heard of for long
 * (start clock, three play clocks and a minute) makes room for the next.
 *
 * Ownership: kn_ggp_new / kn_ggp_free. The options' texts are borrowed. May be asked from many threads at
 * once. */
#ifndef KNACK_PROTOCOLS_GGP_PLAYER_H
#define KNACK_PROTOCOLS_GGP_PLAYER_H

#include "protocols/ggp_match.h"

typedef struct KnGgp KnGgp;

typedef struct KnGgpOptions {
    KnGgpSeat seat;
    const char *name; /* one word */
} KnGgpOptions;

extern const char kn_ggp_default_spec[]; /* of a player that uses all its time */

/* Fails if the spec or the name makes no sense. */
KnStatus kn_ggp_new(const KnGgpOptions *options, KnGgp **ggp, KnError *error);
void kn_ggp_free(KnGgp *ggp); /* gives a match up, and waits for its threads */

/* Aborts the current match, so that every waiting request gets an answer at once: for the end of the program.
 */
void kn_ggp_give_up(KnGgp *ggp);

/* Answers a message that arrived at a time (kn_clock_now); waits while the player thinks. KN_INPUT: it is
 * none. */
KnStatus kn_ggp_answer(KnGgp *ggp, const char *text, size_t length, double arrived, KnText *reply,
                       KnError *error);

#endif
