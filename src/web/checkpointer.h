/* Moves what stands in a database's write-ahead log into the database, on a thread of its own.
 *
 * SQLite would do it in whatever call happens to fill the log: that call waits for the disk, and with it
 * everybody who waits for the database's lock. A checkpoint beside the writers delays none of them.
 *
 * Ownership: kn_checkpointer_new / kn_checkpointer_free, the latter before the database is closed. */
#ifndef KNACK_WEB_CHECKPOINTER_H
#define KNACK_WEB_CHECKPOINTER_H

#include <pthread.h>
#include <sqlite3.h>

typedef struct KnCheckpointer KnCheckpointer;

/* For the open database `db`, whose users hold `lock`; the caller holds it too, or is the only one yet. NULL
 * if there is no thread or memory for it: then SQLite does it as ever. */
KnCheckpointer *kn_checkpointer_new(sqlite3 *db, const char *path, pthread_mutex_t *lock);
void kn_checkpointer_free(KnCheckpointer *checkpointer);

#endif
