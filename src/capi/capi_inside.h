/* Shared by the files behind <knack/capi.h>. */
#ifndef KNACK_CAPI_CAPI_INSIDE_H
#define KNACK_CAPI_CAPI_INSIDE_H

#include <stdatomic.h>

#include <knack/capi.h>

#include "base/context.h"
#include "base/json.h"
#include "players/player.h"

struct KnCapi {
    KnContext *context;
    KnError error;
    atomic_bool cancel;
    atomic_int running;           /* long calls: a callback may make one inside of another */
    struct KnCapiPlayer *players; /* of kn_capi_player */
};

/* A game in progress. */
struct KnCapiGame {
    KnCapi *capi;
    KnGame *game;
    KnState *state;
    KnPlayer *player;
    char *spec;
};

/* Releases the rows of callback players; after the context is closed. */
void kn_capi_players_free(KnCapi *capi);

/* Surround a call that kn_capi_cancel stops. A cancellation stops all such calls in progress, or the next
 * one, and is over with the last of them. */
void kn_capi_begin(KnCapi *capi);
char *kn_capi_end(KnCapi *capi, KnStatus status, json_t *document); /* kn_capi_answer of such a call */

/* Ends a call: the document as text (takes its reference), or NULL if the status is not KN_OK. */
char *kn_capi_answer(KnCapi *capi, KnStatus status, json_t *document);

/* Parses a plan and rejects unknown members; `name` is the plan's name in messages. The caller releases it.
 */
KnStatus kn_capi_plan(KnCapi *capi, const char *text, const char *name, const char *const *known,
                      json_t **plan);

/* Optional members: an absent one leaves the value alone. */
KnStatus kn_capi_string(const KnJson *at, const char *key, const char **value, KnError *error);
KnStatus kn_capi_integer(const KnJson *at, const char *key, int64_t low, int64_t high, int64_t *value,
                         KnError *error);
KnStatus kn_capi_seed(const KnJson *at, const char *key, uint64_t *value, KnError *error);

#endif
