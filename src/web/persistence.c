#include "web/persistence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sqlite.h"
#include "web/checkpointer.h"

/* Version 2 has a checksum in every row. */
enum { BUSY_MS = 10000, TRIM_EVERY = 256, FORMAT_VERSION = 2 };

struct KnPersistence {
    pthread_mutex_t lock;
    sqlite3 *db;
    sqlite3_stmt *put, *get, *remove;
    KnCheckpointer *checkpointer;
    const KnLog *log;
    char *path;
    unsigned puts;
};

static KnStatus database_fail(KnPersistence *persistence, const char *doing, KnError *error)
{
    return kn_fail(error, KN_SYSTEM,
                   "%s: %s: %s; check that the folder is writable and the disk has space, or choose "
                   "another folder with --data",
                   persistence->path, doing,
                   persistence->db ? sqlite3_errmsg(persistence->db) : "out of memory");
}

static KnStatus prepare(KnPersistence *persistence, const char *sql, sqlite3_stmt **statement, KnError *error)
{
    return sqlite3_prepare_v2(persistence->db, sql, -1, statement, NULL) == SQLITE_OK
               ? KN_OK
               : database_fail(persistence, "preparing a query", error);
}

static KnStatus execute(KnPersistence *persistence, const char *sql, KnError *error)
{
    return sqlite3_exec(persistence->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? KN_OK
               : database_fail(persistence, "opening", error);
}

/* ---- checksums ---- */

/* Over all that a row says; SQLite gives NULL for text that is damaged. */
static sqlite3_int64 sum_of(const char *kind, const char *id, const char *saved, sqlite3_int64 touched)
{
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, kind ? kind : "");
    kn_digest_string(&digest, id ? id : "");
    kn_digest_string(&digest, saved ? saved : "");
    kn_digest_u64(&digest, (uint64_t)touched);
    return (sqlite3_int64)kn_digest_end(&digest).low;
}

#define ROW_COLUMNS "kind, id, saved, touched, checksum"
enum { KIND, ID, SAVED, TOUCHED, CHECKSUM };

static const char *text_at(sqlite3_stmt *query, int column)
{
    return (const char *)sqlite3_column_text(query, column);
}

static sqlite3_int64 sum_of_row(sqlite3_stmt *query)
{
    return sum_of(text_at(query, KIND), text_at(query, ID), text_at(query, SAVED),
                  sqlite3_column_int64(query, TOUCHED));
}

/* The document of a row that a query of ROW_COLUMNS has reached; NULL if it is not what was written. */
static json_t *document_at(sqlite3_stmt *query)
{
    if (sqlite3_column_type(query, CHECKSUM) != SQLITE_INTEGER ||
        sqlite3_column_int64(query, CHECKSUM) != sum_of_row(query))
        return NULL;
    return json_loads(text_at(query, SAVED), 0, NULL);
}

static KnStatus damaged(const KnPersistence *persistence, const char *kind, const char *id, KnError *error)
{
    return kn_fail(error, KN_SYSTEM,
                   "%s: the saved %s %s is not what was written: damaged, or changed by another program; "
                   "restore the file from a copy, or go on without it",
                   persistence->path, strcmp(kind, KN_SAVED_SESSION) == 0 ? "game" : "run", id);
}

/* ---- the file's format ---- */

/* Rows of a file without checksums get theirs: they are taken as they are, and checked from now on. */
static KnStatus add_checksums(KnPersistence *persistence, KnError *error)
{
    sqlite3_stmt *query = NULL, *update = NULL;
    KnStatus status = execute(persistence, "ALTER TABLE kept ADD COLUMN checksum INTEGER", error);
    if (status == KN_OK) status = prepare(persistence, "SELECT " ROW_COLUMNS " FROM kept", &query, error);
    if (status == KN_OK)
        status = prepare(persistence, "UPDATE kept SET checksum = ? WHERE kind = ? AND id = ?", &update,
                         error);
    int code = SQLITE_DONE;
    while (status == KN_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        sqlite3_bind_int64(update, 1, sum_of_row(query));
        sqlite3_bind_value(update, 2, sqlite3_column_value(query, KIND));
        sqlite3_bind_value(update, 3, sqlite3_column_value(query, ID));
        if (sqlite3_step(update) != SQLITE_DONE) status = database_fail(persistence, "opening", error);
        sqlite3_reset(update);
    }
    if (status == KN_OK && code != SQLITE_DONE) status = database_fail(persistence, "opening", error);
    sqlite3_finalize(query);
    sqlite3_finalize(update);
    return status;
}

static KnStatus read_number(KnPersistence *persistence, const char *sql, int *number, KnError *error)
{
    sqlite3_stmt *query;
    KnStatus status = prepare(persistence, sql, &query, error);
    if (status != KN_OK) return status;
    if (sqlite3_step(query) == SQLITE_ROW)
        *number = sqlite3_column_int(query, 0);
    else
        status = database_fail(persistence, "opening", error);
    sqlite3_finalize(query);
    return status;
}

/* A game in progress: with moves, and not over. Damaged rows are none, and keep no file from opening. */
#define PLAYING                                                                                              \
    "(CASE WHEN json_valid(saved) THEN coalesce(json_extract(saved, '$.moves'), '') != '' AND NOT "          \
    "coalesce(json_extract(saved, '$.over'), 0) ELSE 0 END)"

/* Brings the tables to the current format. The caller has begun a transaction, so that two servers that open
 * an old file at once do not both widen it. Version 0 marks a new file, and files written before there was a
 * version number, which have the format of version 1. */
static KnStatus set_up_tables(KnPersistence *persistence, KnError *error)
{
    static const char tables[] =
        "CREATE TABLE IF NOT EXISTS kept(kind TEXT NOT NULL, id TEXT NOT NULL, saved TEXT NOT NULL,"
        " touched INTEGER NOT NULL, PRIMARY KEY(kind, id)) WITHOUT ROWID;"
        "CREATE INDEX IF NOT EXISTS kept_touched ON kept(kind, touched);"
        "CREATE INDEX IF NOT EXISTS kept_playing ON kept(kind, " PLAYING ", touched);";
    int version = 0;
    KnStatus status = read_number(persistence, "PRAGMA user_version", &version, error);
    if (status == KN_OK && (version < 0 || version > FORMAT_VERSION))
        status = kn_fail(error, KN_INPUT,
                         "%s: its format is version %d, this program knows %d; use a newer knack, or another "
                         "folder with --data",
                         persistence->path, version, FORMAT_VERSION);
    if (status == KN_OK) status = execute(persistence, tables, error);
    if (status != KN_OK || version == FORMAT_VERSION) return status;
    status = add_checksums(persistence, error);
    return status == KN_OK ? execute(persistence, "PRAGMA user_version=2", error) : status;
}

static KnStatus set_up(KnPersistence *persistence, KnError *error)
{
    if (kn_sqlite_share(persistence->db, BUSY_MS) != SQLITE_OK)
        return database_fail(persistence, "opening", error);
    KnStatus status = execute(persistence, "BEGIN IMMEDIATE", error);
    if (status != KN_OK) return status;
    status = set_up_tables(persistence, error);
    if (status == KN_OK) status = execute(persistence, "COMMIT", error);
    if (status != KN_OK) sqlite3_exec(persistence->db, "ROLLBACK", NULL, NULL, NULL);
    if (status == KN_OK)
        status = prepare(persistence, "INSERT OR REPLACE INTO kept(" ROW_COLUMNS ") VALUES(?,?,?,?,?)",
                         &persistence->put, error);
    if (status == KN_OK)
        status = prepare(persistence, "SELECT " ROW_COLUMNS " FROM kept WHERE kind = ? AND id = ?",
                         &persistence->get, error);
    if (status == KN_OK)
        status = prepare(persistence, "DELETE FROM kept WHERE kind = ? AND id = ?", &persistence->remove,
                         error);
    return status;
}

KnStatus kn_persistence_open(const KnContext *context, const KnLog *log, KnPersistence **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_mkdirs(kn_context_data(context), error);
    if (status != KN_OK) return status;
    KnPersistence *persistence = calloc(1, sizeof *persistence);
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, kn_context_data(context), "web.db");
    if (persistence) persistence->path = strdup(path.data);
    kn_text_free(&path);
    if (!persistence || !persistence->path) {
        free(persistence);
        return kn_fail_memory(error, "opening the server's database");
    }
    persistence->log = log;
    pthread_mutex_init(&persistence->lock, NULL);
    if (sqlite3_open_v2(persistence->path, &persistence->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        NULL) != SQLITE_OK)
        status = database_fail(persistence, "opening", error);
    if (status == KN_OK) status = set_up(persistence, error);
    if (status == KN_OK)
        persistence->checkpointer = kn_checkpointer_new(persistence->db, persistence->path,
                                                        &persistence->lock);
    if (status == KN_OK)
        *out = persistence;
    else
        kn_persistence_close(persistence);
    return status;
}

void kn_persistence_close(KnPersistence *persistence)
{
    if (!persistence) return;
    kn_checkpointer_free(persistence->checkpointer);
    sqlite3_finalize(persistence->put);
    sqlite3_finalize(persistence->get);
    sqlite3_finalize(persistence->remove);
    sqlite3_close(persistence->db);
    pthread_mutex_destroy(&persistence->lock);
    free(persistence->path);
    free(persistence);
}

static int count_rows(KnPersistence *persistence, const char *kind)
{
    sqlite3_stmt *query;
    if (prepare(persistence, "SELECT count(*) FROM kept WHERE kind = ?", &query, NULL) != KN_OK) return 0;
    sqlite3_bind_text(query, 1, kind, -1, SQLITE_STATIC);
    int count = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int(query, 0) : 0;
    sqlite3_finalize(query);
    return count;
}

/* Deletes the rows of a kind beyond a limit, the least recently saved first. With `spare`, games in progress
 * (with moves and not over) stay, however many they are: visitors who open games and leave must not push out
 * a game that somebody plays. */
static void trim_to(KnPersistence *persistence, const char *kind, int limit, bool spare)
{
    static const char all[] =
        "DELETE FROM kept WHERE kind = ?1 AND id IN (SELECT id FROM kept WHERE kind = ?1 "
        "ORDER BY touched DESC LIMIT -1 OFFSET ?2)";
    static const char others[] = "DELETE FROM kept WHERE kind = ?1 AND NOT " PLAYING
                                 " AND id IN (SELECT id FROM kept WHERE kind = ?1 "
                                 "ORDER BY " PLAYING " DESC, touched DESC LIMIT -1 OFFSET ?2)";
    sqlite3_stmt *statement;
    if (count_rows(persistence, kind) <= limit) return;
    if (prepare(persistence, spare ? others : all, &statement, NULL) != KN_OK) return;
    sqlite3_bind_text(statement, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, limit);
    int changed = sqlite3_step(statement) == SQLITE_DONE ? sqlite3_changes(persistence->db) : 0;
    if (changed > 0)
        kn_log(persistence->log, KN_LOG_INFO, "deleted %d saved %s beyond the limit of %d, %s", changed,
               strcmp(kind, KN_SAVED_SESSION) == 0 ? "games" : "runs", limit,
               spare ? "those that were over or not begun" : "the oldest");
    sqlite3_finalize(statement);
}

static void trim(KnPersistence *persistence, const char *kind)
{
    if (strcmp(kind, KN_SAVED_SESSION) != 0)
        trim_to(persistence, kind, KN_KEEP_RUNS, false);
    else {
        trim_to(persistence, kind, KN_KEEP_SESSIONS, true);
        trim_to(persistence, kind, KN_KEEP_SESSIONS_IN_PROGRESS, false);
    }
}

KnStatus kn_persistence_put(KnPersistence *persistence, const char *kind, const char *id, const json_t *saved,
                            KnError *error)
{
    KN_ASSERT(*kind && *id && json_is_object(saved));
    char *text = json_dumps(saved, JSON_COMPACT);
    if (!text) return kn_fail_memory(error, "saving a game");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    sqlite3_int64 touched = (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000,
                  sum = sum_of(kind, id, text, touched);
    pthread_mutex_lock(&persistence->lock);
    sqlite3_bind_text(persistence->put, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(persistence->put, 2, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(persistence->put, 3, text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(persistence->put, 4, touched);
    sqlite3_bind_int64(persistence->put, 5, sum);
    KnStatus status = sqlite3_step(persistence->put) == SQLITE_DONE
                          ? KN_OK
                          : database_fail(persistence, "writing", error);
    sqlite3_reset(persistence->put);
    sqlite3_clear_bindings(persistence->put);
    if (status == KN_OK && persistence->puts++ % TRIM_EVERY == 0) trim(persistence, kind);
    pthread_mutex_unlock(&persistence->lock);
    free(text);
    return status;
}

KnStatus kn_persistence_get(KnPersistence *persistence, const char *kind, const char *id, json_t **saved,
                            KnError *error)
{
    *saved = NULL;
    KnStatus status = KN_OK;
    pthread_mutex_lock(&persistence->lock);
    sqlite3_bind_text(persistence->get, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(persistence->get, 2, id, -1, SQLITE_STATIC);
    int code = sqlite3_step(persistence->get);
    if (code == SQLITE_ROW) {
        *saved = document_at(persistence->get);
        if (!*saved) status = damaged(persistence, kind, id, error);
    } else if (code != SQLITE_DONE)
        status = database_fail(persistence, "reading", error);
    sqlite3_reset(persistence->get);
    sqlite3_clear_bindings(persistence->get);
    pthread_mutex_unlock(&persistence->lock);
    return status;
}

KnStatus kn_persistence_delete(KnPersistence *persistence, const char *kind, const char *id, KnError *error)
{
    pthread_mutex_lock(&persistence->lock);
    sqlite3_bind_text(persistence->remove, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(persistence->remove, 2, id, -1, SQLITE_STATIC);
    KnStatus status = sqlite3_step(persistence->remove) == SQLITE_DONE
                          ? KN_OK
                          : database_fail(persistence, "deleting", error);
    sqlite3_reset(persistence->remove);
    sqlite3_clear_bindings(persistence->remove);
    pthread_mutex_unlock(&persistence->lock);
    return status;
}

KnStatus kn_persistence_list(KnPersistence *persistence, const char *kind, int most, json_t **rows,
                             KnError *error)
{
    *rows = json_array();
    sqlite3_stmt *query;
    pthread_mutex_lock(&persistence->lock);
    KnStatus status = prepare(persistence,
                              "SELECT " ROW_COLUMNS " FROM kept WHERE kind = ? ORDER BY touched DESC LIMIT ?",
                              &query, error);
    int code = SQLITE_DONE;
    if (status == KN_OK) {
        sqlite3_bind_text(query, 1, kind, -1, SQLITE_STATIC);
        sqlite3_bind_int(query, 2, most);
        while ((code = sqlite3_step(query)) == SQLITE_ROW) {
            const char *id = text_at(query, ID);
            json_t *saved = document_at(query);
            KnError told;
            if (saved && id)
                json_array_append_new(*rows, json_pack("{ss so}", "id", id, "saved", saved));
            else {
                damaged(persistence, kind, id ? id : "(without a name)", &told);
                kn_log(persistence->log, KN_LOG_WARNING, "%s", told.text);
            }
        }
        if (code != SQLITE_DONE) status = database_fail(persistence, "reading", error);
        sqlite3_finalize(query);
    }
    pthread_mutex_unlock(&persistence->lock);
    return status;
}
