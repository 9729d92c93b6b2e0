/* What survives a restart, kill -9 included: sessions and the runs started by this server, in DATA/web.db.
 *
 * A row is committed before the answer is sent. Write-ahead log with synchronous=NORMAL, as in the results
 * store (arena/store.h). The number of rows is bounded: beyond the limit the least recently saved ones are
 * deleted, finished games before games in progress.
 *
 * Every row has a checksum over all that it says. What does not fit (a bit that flipped, an edit by another
 * program) is named in an error or in the log, and never given out as what was written.
 *
 * Ownership: kn_persistence_open / kn_persistence_close. All calls are thread-safe. */
#ifndef KNACK_WEB_PERSISTENCE_H
#define KNACK_WEB_PERSISTENCE_H

#include <jansson.h>
#include <stdint.h>

#include "base/context.h"
#include "base/log.h"

typedef struct KnPersistence KnPersistence;

enum {
    KN_KEEP_SESSIONS = 10000,              /* beyond this, games that are over or not begun are deleted */
    KN_KEEP_SESSIONS_IN_PROGRESS = 100000, /* beyond this, any game */
    KN_KEEP_RUNS = 1000
};

/* Kinds of documents. The names stand in users' files. */
#define KN_SAVED_SESSION "contest"
#define KN_SAVED_RUN     "run"
#define KN_SAVED_ROOM    "room"

/* Deletions and damage go to `log`, which may be NULL and must outlive the database. */
KnStatus kn_persistence_open(const KnContext *context, const KnLog *log, KnPersistence **persistence,
                             KnError *error);
void kn_persistence_close(KnPersistence *persistence);

/* Stores a document by kind and id. Borrows `saved`. */
KnStatus kn_persistence_put(KnPersistence *persistence, const char *kind, const char *id, const json_t *saved,
                            KnError *error);

/* A new reference; NULL, with KN_OK, if there is none. KN_SYSTEM for a row that is not what was written. */
KnStatus kn_persistence_get(KnPersistence *persistence, const char *kind, const char *id, json_t **saved,
                            KnError *error);
KnStatus kn_persistence_delete(KnPersistence *persistence, const char *kind, const char *id, KnError *error);

/* All documents of a kind, the most recent first, as [{"id", "saved"}]. Those that are not what was written
 * are left out and go to the log. */
KnStatus kn_persistence_list(KnPersistence *persistence, const char *kind, int most, json_t **rows,
                             KnError *error);

#endif
