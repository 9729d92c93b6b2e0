/* Who may change a session: a board whose seats belong to people, each with a key, so that nobody moves for
 * another. A session without owners is anybody's who knows its id.
 *
 * A key is a secret of 16 letters and digits. It goes into a link and comes back in the body of a request
 * ("key"); no answer to anybody else contains it. The owners are saved with the session. */
#ifndef KNACK_WEB_OWNERS_H
#define KNACK_WEB_OWNERS_H

#include "web/session.h"

enum { KN_KEY_SIZE = 17 };

/* A new key, from the system's random numbers. */
KnStatus kn_key_make(char key[KN_KEY_SIZE], KnError *error);

/* Whether both are keys, and the same. Takes the same time for any two of the same length. */
bool kn_key_fits(const char *key, const char *other);

/* Gives a seat to the holder of a key; `host` is the key of who may change everything but move. The session's
 * lock is held. KN_NO if the seat is an engine's or has an owner. */
KnStatus kn_session_give_seat(KnSession *session, int role, const char *name, const char *key,
                              const char *host, KnError *error);

/* The name of a seat's owner; NULL if it has none. The lock is held. */
const char *kn_session_owner(const KnSession *session, int role);

/* The session of a call that moves for a role (-1: the one that the key is for), or with `role` NULL changes
 * something else. NULL, with the reply 403, if the session has owners and the call's key is not the right
 * one; NULL with another reply as kn_call_session. */
KnSession *kn_call_owned_session(KnWeb *web, const KnCall *call, int *role, KnHttpReply *reply);

#endif
