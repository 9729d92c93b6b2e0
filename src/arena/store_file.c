/* The file of the results store: making it, opening it where nothing may be written, and bringing one of an
 * older version up to date. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/store_internal.h"
#include "base/file.h"
#include "base/sqlite.h"

static const char schema[] =
    "CREATE TABLE runs("
    "  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, identity TEXT NOT NULL UNIQUE,"
    "  settings TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '', created TEXT NOT NULL,"
    "  games INTEGER NOT NULL, unchecked INTEGER NOT NULL, digest INTEGER NOT NULL, checksum INTEGER NOT "
    "NULL);"
    "CREATE TABLE games("
    "  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  first INTEGER NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL, ending TEXT NOT NULL, fault TEXT "
    "NOT NULL,"
    "  culprit INTEGER NOT NULL, payoff0 REAL NOT NULL, payoff1 REAL NOT NULL, plies INTEGER NOT NULL,"
    "  nodes0 INTEGER NOT NULL, nodes1 INTEGER NOT NULL, seconds0 REAL NOT NULL, seconds1 REAL NOT NULL,"
    "  decisions0 INTEGER NOT NULL, decisions1 INTEGER NOT NULL, checksum INTEGER NOT NULL,"
    "  PRIMARY KEY(run, number)) WITHOUT ROWID;"
    "CREATE TABLE contents(runs INTEGER NOT NULL, sum INTEGER NOT NULL);"
    "INSERT INTO contents VALUES(0, 0);";

/* The version that the file says it is; 0 for a new one. */
static KnStatus read_version(KnStore *store, int *version, KnError *error)
{
    sqlite3_stmt *query;
    *version = -1;
    KnStatus status = kn_store_prepare(store, "PRAGMA user_version", &query, error);
    if (status != KN_OK) return status;
    if (sqlite3_step(query) == SQLITE_ROW)
        *version = sqlite3_column_int(query, 0);
    else
        status = kn_store_fail(store, "opening", error);
    sqlite3_finalize(query);
    return status;
}

/* ---- From version 1, which had no sums ---- */

static const char widen[] = "ALTER TABLE runs ADD COLUMN games INTEGER NOT NULL DEFAULT 0;"
                            "ALTER TABLE runs ADD COLUMN unchecked INTEGER NOT NULL DEFAULT 0;"
                            "ALTER TABLE runs ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;"
                            "ALTER TABLE runs ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;"
                            "ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;"
                            "CREATE TABLE contents(runs INTEGER NOT NULL, sum INTEGER NOT NULL);";

/* The games of a run, and their checksums: kept here until all are read, since a table is not changed while
 * it is read. */
typedef struct Stamps {
    struct Stamp {
        int64_t number;
        uint64_t sum;
    } * stamps;
    size_t count, room;
} Stamps;

static KnStatus read_stamps(KnStore *store, const KnStoreRun *row, Stamps *s, KnError *error)
{
    sqlite3_stmt *query;
    KnStatus status = kn_store_prepare(
        store, "SELECT " KN_STORE_GAME_COLUMNS ", checksum FROM games WHERE run = ?", &query, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(query, 1, row->run.id);
    int code;
    while (status == KN_OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        if (code != SQLITE_ROW) {
            status = kn_store_fail(store, "reading games", error);
            break;
        }
        if (s->count == s->room) {
            size_t room = s->room ? 2 * s->room : 1024;
            struct Stamp *grown = realloc(s->stamps, room * sizeof *grown);
            if (!grown) {
                status = kn_fail_memory(error, "reading games");
                break;
            }
            s->stamps = grown;
            s->room = room;
        }
        KnStoreGame game;
        kn_store_read_game(query, &game);
        s->stamps[s->count++] = (struct Stamp){(int64_t)game.record.index,
                                               kn_store_game_sum(row->run.identity, &game.record)};
    }
    sqlite3_finalize(query);
    return status;
}

/* Gives the games of a run their checksums, and counts them as unchecked. */
static KnStatus stamp_run(KnStore *store, KnStoreRun *row, KnError *error)
{
    Stamps s = {0};
    sqlite3_stmt *update = NULL;
    KnStatus status = read_stamps(store, row, &s, error);
    if (status == KN_OK)
        status = kn_store_prepare(store, "UPDATE games SET checksum = ? WHERE run = ? AND number = ?",
                                  &update, error);
    for (size_t i = 0; i < s.count && status == KN_OK; i++) {
        sqlite3_bind_int64(update, 1, (sqlite3_int64)s.stamps[i].sum);
        sqlite3_bind_int64(update, 2, row->run.id);
        sqlite3_bind_int64(update, 3, s.stamps[i].number);
        if (sqlite3_step(update) != SQLITE_DONE) status = kn_store_fail(store, "stamping games", error);
        sqlite3_reset(update);
        row->digest += s.stamps[i].sum;
    }
    sqlite3_finalize(update);
    free(s.stamps);
    row->run.games = row->run.unchecked = s.count;
    row->checksum = kn_store_run_sum(row);
    if (status == KN_OK)
        status = kn_store_prepare(
            store, "UPDATE runs SET games = ?1, unchecked = ?1, digest = ?2, checksum = ?3 WHERE id = ?4",
            &update, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(update, 1, (sqlite3_int64)row->run.games);
    sqlite3_bind_int64(update, 2, (sqlite3_int64)row->digest);
    sqlite3_bind_int64(update, 3, (sqlite3_int64)row->checksum);
    sqlite3_bind_int64(update, 4, row->run.id);
    return kn_store_finish_statement(store, update, "stamping a run", error);
}

/* One run after the other, by number: rows are changed in between. */
static KnStatus stamp_runs(KnStore *store, KnError *error)
{
    KnStatus status = KN_OK;
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT %s FROM runs WHERE id > ? ORDER BY id LIMIT 1",
             kn_store_run_columns(store));
    for (int64_t after = INT64_MIN; status == KN_OK;) {
        sqlite3_stmt *query;
        status = kn_store_prepare(store, sql, &query, error);
        if (status != KN_OK) break;
        sqlite3_bind_int64(query, 1, after);
        int code = sqlite3_step(query);
        if (code == SQLITE_ROW) {
            KnStoreRun row;
            kn_store_read_run(store, query, &row);
            status =
                row.run.id > after
                    ? stamp_run(store, &row, error)
                    : kn_fail(error, KN_INPUT,
                              "%s: its runs are out of order: the file is damaged; put a copy of it back",
                              store->path);
            after = row.run.id;
        } else if (code != SQLITE_DONE)
            status = kn_store_fail(store, "reading runs", error);
        sqlite3_finalize(query);
        if (code == SQLITE_DONE) break;
    }
    return status == KN_OK ? kn_store_renew_list(store, error) : status;
}

/* ---- Opening ---- */

/* With the file locked for writing: somebody else may have been faster. */
static KnStatus bring_up_to_date(KnStore *store, KnError *error)
{
    char stamp[64];
    KnStatus status = read_version(store, &store->version, error);
    if (status != KN_OK || store->version < 0 || store->version >= KN_STORE_VERSION) return status;
    bool old = store->version == 1;
    status = kn_store_execute(store, old ? widen : schema, "making the tables", error);
    store->version = KN_STORE_VERSION;
    if (status == KN_OK && old) status = stamp_runs(store, error);
    snprintf(stamp, sizeof stamp, "PRAGMA user_version=%d", KN_STORE_VERSION);
    return status == KN_OK ? kn_store_execute(store, stamp, "making the tables", error) : status;
}

/* Makes the tables in a new file; refuses one that a newer program made. A file that is up to date is not
 * locked: a reader need not wait for a match that writes all the time. */
static KnStatus set_up(KnStore *store, KnError *error)
{
    KnStatus status = kn_store_execute(store, "PRAGMA foreign_keys=ON", "opening", error);
    if (status == KN_OK) status = read_version(store, &store->version, error);
    if (status == KN_OK && store->writable && store->version >= 0 && store->version < KN_STORE_VERSION) {
        status = kn_store_execute(store, "BEGIN IMMEDIATE", "opening", error);
        if (status != KN_OK) return status;
        status = bring_up_to_date(store, error);
        if (status == KN_OK) status = kn_store_execute(store, "COMMIT", "opening", error);
        if (status != KN_OK) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    if (status == KN_OK && (store->version < 1 || store->version > KN_STORE_VERSION))
        status = kn_fail(error, KN_INPUT,
                         "%s: its format is version %d, this program knows %d; use a newer knack, or "
                         "another folder with --data",
                         store->path, store->version, KN_STORE_VERSION);
    return status;
}

static bool has_content(const char *path, const char *suffix)
{
    struct stat info;
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%s%s", path, suffix);
    bool found = kn_text_ok(&name) && stat(name.data, &info) == 0 && info.st_size > 0;
    kn_text_free(&name);
    return found;
}

/* Whether a connection can keep its log beside the file. */
static bool can_write(const char *path)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) *slash = '\0';
    bool can = access(path, W_OK) == 0 && access(slash && folder[0] ? folder : ".", W_OK) == 0;
    free(folder);
    return can;
}

/* Without a log beside it the file is complete, and SQLite need not look for one. With a log SQLite needs the
 * index of it, which it can make only where it may write. */
static KnStatus open_fixed(KnStore *store, KnError *error)
{
    KnText uri = KN_TEXT_EMPTY;
    bool log = has_content(store->path, "-wal");
    if (log && !has_content(store->path, "-shm"))
        return kn_fail(
            error, KN_SYSTEM,
            "%s: has a log of changes that are not in the file yet, and its folder is read-only; copy "
            "both (results.db and results.db-wal) to where you may write, and name that folder "
            "with --data",
            store->path);
    kn_text_add(&uri, "file:");
    for (const char *at = store->path; *at; at++)
        if (strchr("?#%", *at))
            kn_text_printf(&uri, "%%%02x", (unsigned)(unsigned char)*at);
        else
            kn_text_add_char(&uri, *at);
    kn_text_add(&uri, log ? "?mode=ro" : "?mode=ro&immutable=1");
    KnStatus status = KN_OK;
    if (!kn_text_ok(&uri))
        status = kn_fail_memory(error, "opening the results store");
    else if (sqlite3_open_v2(uri.data, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) != SQLITE_OK)
        status = kn_store_fail(store, "opening", error);
    kn_text_free(&uri);
    return status;
}

/* A folder without a store, for a reader: the store that would be made there. */
static KnStatus open_empty(KnStore *store, KnError *error)
{
    store->writable = true;
    if (sqlite3_open_v2(":memory:", &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return kn_store_fail(store, "opening", error);
    return set_up(store, error);
}

KnStatus kn_store_open_file(KnStore *store, bool reading, KnError *error)
{
    if (reading && access(store->path, F_OK) != 0 && errno == ENOENT) return open_empty(store, error);
    if (reading && !can_write(store->path)) {
        KnStatus status = open_fixed(store, error);
        return status == KN_OK ? set_up(store, error) : status;
    }
    store->writable = true;
    if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
            SQLITE_OK ||
        kn_sqlite_share(store->db, KN_STORE_BUSY_MS) != SQLITE_OK)
        return kn_store_fail(store, "opening", error);
    return set_up(store, error);
}
