#include "web/persistence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/sqlite.h"

enum { BUSY_MS = 10000, TRIM_EVERY = 256, FORMAT_VERSION = 1 };

struct KnPersistence {
    pthread_mutex_t lock;
    sqlite3 *db;
    sqlite3_stmt *put, *get, *remove;
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

/* Version 0 marks files written before there was a version number; they have the format of version 1. */
static KnStatus check_version(KnPersistence *persistence, KnError *error)
{
    sqlite3_stmt *query;
    KnStatus status = prepare(persistence, "PRAGMA user_version", &query, error);
    if (status != KN_OK) return status;
    int version = -1;
    if (sqlite3_step(query) == SQLITE_ROW)
        version = sqlite3_column_int(query, 0);
    else
        status = database_fail(persistence, "opening", error);
    sqlite3_finalize(query);
    if (status == KN_OK && (version < 0 || version > FORMAT_VERSION))
        status = kn_fail(error, KN_INPUT,
                         "%s: its format is version %d, this program knows %d; use a newer knack, or another "
                         "folder with --data",
                         persistence->path, version, FORMAT_VERSION);
    if (status == KN_OK && version == 0 &&
        sqlite3_exec(persistence->db, "PRAGMA user_version=1", NULL, NULL, NULL) != SQLITE_OK)
        status = database_fail(persistence, "opening", error);
    return status;
}

static KnStatus set_up(KnPersistence *persistence, KnError *error)
{
    if (kn_sqlite_share(persistence->db, BUSY_MS) != SQLITE_OK)
        return database_fail(persistence, "opening", error);
    KnStatus usable = check_version(persistence, error);
    if (usable != KN_OK) return usable;
    static const char sql[] =
        "CREATE TABLE IF NOT EXISTS kept(kind TEXT NOT NULL, id TEXT NOT NULL, saved TEXT NOT NULL,"
        " touched INTEGER NOT NULL, PRIMARY KEY(kind, id)) WITHOUT ROWID;"
        "CREATE INDEX IF NOT EXISTS kept_touched ON kept(kind, touched);";
    if (sqlite3_exec(persistence->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return database_fail(persistence, "opening", error);
    KnStatus status = prepare(persistence,
                              "INSERT OR REPLACE INTO kept(kind, id, saved, touched) VALUES(?,?,?,?)",
                              &persistence->put, error);
    if (status == KN_OK)
        status = prepare(persistence, "SELECT saved FROM kept WHERE kind = ? AND id = ?", &persistence->get,
                         error);
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
        *out = persistence;
    else
        kn_persistence_close(persistence);
    return status;
}

void kn_persistence_close(KnPersistence *persistence)
{
    if (!persistence) return;
    sqlite3_finalize(persistence->put);
    sqlite3_finalize(persistence->get);
    sqlite3_finalize(persistence->remove);
    sqlite3_close(persistence->db);
    pthread_mutex_destroy(&persistence->lock);
    free(persistence->path);
    free(persistence);
}

/* Deletes the rows of a kind beyond a limit, the least recently saved first. With `spare`, games in progress
 * (with moves and not over) stay, however many they are: visitors who open games and leave must not push out
 * a game that somebody plays. */
static void trim_to(KnPersistence *persistence, const char *kind, int limit, bool spare)
{
#define SPARED                                                                                               \
    "(coalesce(json_extract(saved, '$.moves'), '') != '' AND NOT coalesce(json_extract(saved, '$.over'), "   \
    "0))"
    static const char all[] =
        "DELETE FROM kept WHERE kind = ?1 AND id IN (SELECT id FROM kept WHERE kind = ?1 "
        "ORDER BY touched DESC LIMIT -1 OFFSET ?2)";
    static const char others[] = "DELETE FROM kept WHERE kind = ?1 AND NOT " SPARED
                                 " AND id IN (SELECT id FROM kept WHERE kind = ?1 "
                                 "ORDER BY " SPARED " DESC, touched DESC LIMIT -1 OFFSET ?2)";
    sqlite3_stmt *statement;
    if (prepare(persistence, spare ? others : all, &statement, NULL) != KN_OK) return;
    sqlite3_bind_text(statement, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, limit);
    int changed = sqlite3_step(statement) == SQLITE_DONE ? sqlite3_changes(persistence->db) : 0;
    if (changed > 0)
        kn_log(persistence->log, KN_LOG_INFO, "deleted %d saved %s beyond the limit of %d, %s", changed,
               strcmp(kind, KN_SAVED_SESSION) == 0 ? "games" : "runs", limit,
               spare ? "those that were over or not begun" : "the oldest");
    sqlite3_finalize(statement);
#undef SPARED
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
    pthread_mutex_lock(&persistence->lock);
    sqlite3_bind_text(persistence->put, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(persistence->put, 2, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(persistence->put, 3, text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(persistence->put, 4, (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000);
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
        *saved = json_loads((const char *)sqlite3_column_text(persistence->get, 0), 0, NULL);
        if (!*saved)
            status = kn_fail(error, KN_SYSTEM, "%s: the saved %s %s is damaged", persistence->path, kind, id);
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
                              "SELECT id, saved FROM kept WHERE kind = ? ORDER BY touched DESC LIMIT ?",
                              &query, error);
    if (status == KN_OK) {
        sqlite3_bind_text(query, 1, kind, -1, SQLITE_STATIC);
        sqlite3_bind_int(query, 2, most);
        while (sqlite3_step(query) == SQLITE_ROW) {
            json_t *saved = json_loads((const char *)sqlite3_column_text(query, 1), 0, NULL);
            if (saved)
                json_array_append_new(
                    *rows,
                    json_pack("{ss so}", "id", (const char *)sqlite3_column_text(query, 0), "saved", saved));
        }
        sqlite3_finalize(query);
    }
    pthread_mutex_unlock(&persistence->lock);
    return status;
}
