/* How every SQLite file of the project is opened: a write-ahead log, so that readers never wait for a writer,
 * and patience with other processes at the same file. The log needs memory that all processes at the file
 * share, which those on two machines do not have: on a network file system a rollback journal takes its
 * place, which needs no more than working locks. */
#ifndef KNACK_BASE_SQLITE_H
#define KNACK_BASE_SQLITE_H

#include <sqlite3.h>

/* To be called once after opening, before any other statement. From then on a statement that finds the file
 * locked waits up to wait_ms. Returns an SQLite result code; sqlite3_errmsg says more. */
int kn_sqlite_share(sqlite3 *db, int wait_ms);

#endif
