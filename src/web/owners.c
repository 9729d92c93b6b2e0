#include "web/owners.h"

#include <string.h>
#include <sys/random.h>

KnStatus kn_key_make(char key[KN_KEY_SIZE], KnError *error)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789"; /* 32: none is mistaken for another */
    unsigned char bytes[KN_KEY_SIZE - 1];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return kn_fail_errno(error, "no random numbers for a key");
    for (size_t i = 0; i < sizeof bytes; i++) key[i] = letters[bytes[i] % 32];
    key[sizeof bytes] = '\0';
    return KN_OK;
}

bool kn_key_fits(const char *key, const char *other)
{
    if (!key || !other || strlen(key) != KN_KEY_SIZE - 1 || strlen(other) != KN_KEY_SIZE - 1) return false;
    unsigned difference = 0;
    for (size_t i = 0; i < KN_KEY_SIZE - 1; i++) difference |= (unsigned)(key[i] ^ other[i]);
    return difference == 0;
}

/* {"host": key, "seats": [{"name", "key"} or null by role]}. */
static const char *field(const KnSession *session, int role, const char *name)
{
    const json_t *seat = json_array_get(json_object_get(session->owners, "seats"), (size_t)role);
    return json_string_value(json_object_get(seat, name));
}

const char *kn_session_owner(const KnSession *session, int role) { return field(session, role, "name"); }

KnStatus kn_session_give_seat(KnSession *session, int role, const char *name, const char *key,
                              const char *host, KnError *error)
{
    int roles = session->cached->game->roles;
    const char *seat = role >= 0 && role < roles ? session->seats[role] : NULL;
    if (!seat || strcmp(seat, KN_SEAT_HUMAN) != 0)
        return kn_fail(error, KN_NO, "this seat is not a person's");
    if (kn_session_owner(session, role))
        return kn_fail(error, KN_NO, "this seat is %s's", kn_session_owner(session, role));
    if (!session->owners) {
        json_t *seats = json_array();
        for (int r = 0; r < roles; r++) json_array_append_new(seats, json_null());
        session->owners = json_pack("{ss so}", "host", host, "seats", seats);
    }
    json_t *owner = json_pack("{ss ss}", "name", name, "key", key);
    if (!owner || json_array_set_new(json_object_get(session->owners, "seats"), (size_t)role, owner) != 0)
        return kn_fail_memory(error, "giving a seat to somebody");
    return kn_session_changed(session, error);
}

/* The role that a key is for; -1 if it is for none. */
static int role_of(const KnSession *session, const char *key)
{
    for (int role = 0; role < session->cached->game->roles; role++)
        if (kn_key_fits(field(session, role, "key"), key)) return role;
    return -1;
}

/* A person who plays both sides of a board (alone, or in a game against oneself) holds one key for both. */
static bool may_move(const KnSession *session, const char *key, int *role)
{
    if (*role >= 0) return kn_key_fits(field(session, *role, "key"), key);
    uint32_t movers = kn_state_movers(session->state);
    for (int r = 0; r < session->cached->game->roles; r++)
        if (movers >> r & 1 && kn_key_fits(field(session, r, "key"), key)) {
            *role = r;
            return true;
        }
    *role = role_of(session, key);
    return *role >= 0;
}

KnSession *kn_call_owned_session(KnWeb *web, const KnCall *call, int *role, KnHttpReply *reply)
{
    const char *key;
    if (!kn_call_text(call, "key", false, 100, &key, reply)) return NULL;
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return NULL;
    pthread_mutex_lock(&session->lock);
    bool may = !session->owners ||
               (role ? may_move(session, key, role)
                     : kn_key_fits(json_string_value(json_object_get(session->owners, "host")), key));
    const char *owner = role && *role >= 0 ? kn_session_owner(session, *role) : NULL;
    if (!may)
        kn_reply_error(
            reply, 403, "key",
            role ? "this seat is %s's, and only its owner moves here; open the link that you were given"
                 : "the seats of this board have owners%s; only who opened it for them may change this",
            !role   ? ""
            : owner ? owner
                    : "somebody else");
    pthread_mutex_unlock(&session->lock);
    if (may) return session;
    kn_session_release(session);
    return NULL;
}
