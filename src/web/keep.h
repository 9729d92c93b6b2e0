/* What must survive a restart, kill -9 included: contests in progress and the runs that were started here, in
 * DATA/web.db.
 *
 * A row is committed before the answer is sent. Write-ahead log, synchronous=NORMAL, as in the results store
 * (arena/store.h). Rows are bounded: beyond the limit those that nobody has touched longest are dropped.
 *
 * Ownership: kn_keep_open / kn_keep_close. All calls may come from any thread. */
#ifndef KNACK_WEB_KEEP_H
#define KNACK_WEB_KEEP_H

#include <jansson.h>
#include <stdint.h>

#include "base/context.h"

typedef struct KnKeep KnKeep;

enum { KN_KEEP_CONTESTS = 10000, KN_KEEP_RUNS = 1000 };

KnStatus kn_keep_open(const KnContext *context, KnKeep **keep, KnError *error);
void kn_keep_close(KnKeep *keep);

/* Documents by kind ("contest", "run") and id. `saved` is borrowed. */
KnStatus kn_keep_put(KnKeep *keep, const char *kind, const char *id, const json_t *saved, KnError *error);

/* A new reference; NULL, with KN_OK, if there is none. */
KnStatus kn_keep_get(KnKeep *keep, const char *kind, const char *id, json_t **saved, KnError *error);
KnStatus kn_keep_delete(KnKeep *keep, const char *kind, const char *id, KnError *error);

/* All of a kind, latest first, as [{"id", "saved"}]. */
KnStatus kn_keep_list(KnKeep *keep, const char *kind, int most, json_t **rows, KnError *error);

#endif
