/* What the files of the results store share: its connection, its rows, and the sums over them.
 *
 * Three levels of sums (XXH3, 64 bits) make a store say when its content is not what was written:
 *
 *     game   checksum   over everything in its row, its number and the identity of its run
 *     run    digest     the sum modulo 2^64 of the checksums of its games, with their number
 *            checksum   over the run's row: name, settings, summary, digest and the rest
 *     store  runs, sum  how many runs there are, and the sum of their checksums
 *
 * A sum of checksums does not depend on the order of the additions, so that two processes that fill one run
 * agree about it. It shows damage and edits, not forgery: a program that writes the file can also compute
 * sums.
 */
#ifndef KNACK_ARENA_STORE_INTERNAL_H
#define KNACK_ARENA_STORE_INTERNAL_H

#include <sqlite3.h>

#include "arena/store.h"

/* Version 2 has the sums; 1 had none. */
enum { KN_STORE_VERSION = 2, KN_STORE_BUSY_MS = 30000 };

/* Games of the transaction that runs, which the digest of their run does not count yet. */
typedef struct KnStorePending {
    int64_t run; /* 0: none */
    char identity[KN_HEX128];
    uint64_t games, digest;
} KnStorePending;

struct KnStore {
    sqlite3 *db;
    sqlite3_stmt *add;
    char *path;
    int version; /* of the file; 1 only where it cannot be written to */
    bool writable;
    KnStorePending pending;
};

/* A run's row with its sums. The strings belong to the statement. */
typedef struct KnStoreRun {
    KnRun run;
    uint64_t digest, checksum;
} KnStoreRun;

/* A game's row as it is stored, before anything is made of it. */
typedef struct KnStoreGame {
    KnStandingRecord record;
    uint64_t checksum;
} KnStoreGame;

#define KN_STORE_GAME_COLUMNS                                                                                \
    "number, first, start, moves, ending, fault, culprit, payoff0, payoff1, plies, nodes0, nodes1, "         \
    "seconds0, seconds1, decisions0, decisions1"

/* store.c: the connection */
KnStatus kn_store_fail(KnStore *store, const char *doing, KnError *error);
KnStatus kn_store_execute(KnStore *store, const char *sql, const char *doing, KnError *error);
KnStatus kn_store_prepare(KnStore *store, const char *sql, sqlite3_stmt **statement, KnError *error);
KnStatus kn_store_finish_statement(KnStore *store, sqlite3_stmt *statement, const char *doing,
                                   KnError *error);

/* store_file.c: opens the file of store->path, makes its tables, brings an older version up to date. */
KnStatus kn_store_open_file(KnStore *store, bool reading, KnError *error);

/* store_sums.c */
uint64_t kn_store_game_sum(const char *identity, const KnStandingRecord *record);
uint64_t kn_store_run_sum(const KnStoreRun *row);

/* Reads the row of a query over kn_store_run_columns. A row that does not fit its checksum gets its
 * `damage`. */
const char *kn_store_run_columns(const KnStore *store);
void kn_store_read_run(const KnStore *store, sqlite3_stmt *query, KnStoreRun *row);
void kn_store_read_game(sqlite3_stmt *query, KnStoreGame *row);

/* Within a transaction: adds games to the digest of a run, sets its summary (unless NULL), and renews the
 * sums above it. A row that is damaged already is refused. */
KnStatus kn_store_renew_run(KnStore *store, int64_t run, uint64_t games, uint64_t digest, const char *summary,
                            KnError *error);

/* Within a transaction: a run was made (runs 1, new), deleted (-1, old) or changed (0, both checksums). */
KnStatus kn_store_change_list(KnStore *store, int runs, uint64_t old, uint64_t new, KnError *error);

/* Within a transaction: takes the list of runs as it is. */
KnStatus kn_store_renew_list(KnStore *store, KnError *error);

/* Whether the list of runs is the one that was written. */
KnStatus kn_store_check_list(KnStore *store, KnError *error);

/* "restore it, or delete the run": what every message about damage ends with. */
KnStatus kn_store_damaged(const KnStore *store, const char *run, KnError *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
