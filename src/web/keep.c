#include "web/keep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/sqlite.h"

enum { BUSY_MS = 10000, TRIM_EVERY = 256, KEEP_VERSION = 1 };

struct KnKeep {
    pthread_mutex_t lock;
    sqlite3 *db;
    sqlite3_stmt *put, *get, *remove;
    char *path;
    unsigned puts;
};

static KnStatus keep_fail(KnKeep *keep, const char *doing, KnError *error)
{
    return kn_fail(error, KN_SYSTEM,
                   "%s: %s: %s; see that the folder can be written to and the disk is not full, or choose "
                   "another with --data",
                   keep->path, doing, keep->db ? sqlite3_errmsg(keep->db) : "out of memory");
}

static KnStatus prepare(KnKeep *keep, const char *sql, sqlite3_stmt **statement, KnError *error)
{
    return sqlite3_prepare_v2(keep->db, sql, -1, statement, NULL) == SQLITE_OK
               ? KN_OK
               : keep_fail(keep, "preparing a query", error);
}

/* Files from before there was a number say 0, and are of the first version. */
static KnStatus check_version(KnKeep *keep, KnError *error)
{
    sqlite3_stmt *query;
    KnStatus status = prepare(keep, "PRAGMA user_version", &query, error);
    if (status != KN_OK) return status;
    int version = -1;
    if (sqlite3_step(query) == SQLITE_ROW)
        version = sqlite3_column_int(query, 0);
    else
        status = keep_fail(keep, "opening", error);
    sqlite3_finalize(query);
    if (status == KN_OK && (version < 0 || version > KEEP_VERSION))
        status = kn_fail(error, KN_INPUT,
                         "%s: its format is version %d, this program knows %d; use a newer knack, or another "
                         "folder with --data",
                         keep->path, version, KEEP_VERSION);
    if (status == KN_OK && version == 0 &&
        sqlite3_exec(keep->db, "PRAGMA user_version=1", NULL, NULL, NULL) != SQLITE_OK)
        status = keep_fail(keep, "opening", error);
    return status;
}

static KnStatus set_up(KnKeep *keep, KnError *error)
{
    if (kn_sqlite_share(keep->db, BUSY_MS) != SQLITE_OK) return keep_fail(keep, "opening", error);
    KnStatus usable = check_version(keep, error);
    if (usable != KN_OK) return usable;
    static const char sql[] =
        "CREATE TABLE IF NOT EXISTS kept(kind TEXT NOT NULL, id TEXT NOT NULL, saved TEXT NOT NULL,"
        " touched INTEGER NOT NULL, PRIMARY KEY(kind, id)) WITHOUT ROWID;"
        "CREATE INDEX IF NOT EXISTS kept_touched ON kept(kind, touched);";
    if (sqlite3_exec(keep->db, sql, NULL, NULL, NULL) != SQLITE_OK) return keep_fail(keep, "opening", error);
    KnStatus status = prepare(keep, "INSERT OR REPLACE INTO kept(kind, id, saved, touched) VALUES(?,?,?,?)",
                              &keep->put, error);
    if (status == KN_OK)
        status = prepare(keep, "SELECT saved FROM kept WHERE kind = ? AND id = ?", &keep->get, error);
    if (status == KN_OK)
        status = prepare(keep, "DELETE FROM kept WHERE kind = ? AND id = ?", &keep->remove, error);
    return status;
}

KnStatus kn_keep_open(const KnContext *context, KnKeep **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_mkdirs(kn_context_data(context), error);
    if (status != KN_OK) return status;
    KnKeep *keep = calloc(1, sizeof *keep);
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, kn_context_data(context), "web.db");
    if (keep) keep->path = strdup(path.data);
    kn_text_free(&path);
    if (!keep || !keep->path) {
        free(keep);
        return kn_fail_memory(error, "opening what was kept");
    }
    pthread_mutex_init(&keep->lock, NULL);
    if (sqlite3_open_v2(keep->path, &keep->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        status = keep_fail(keep, "opening", error);
    if (status == KN_OK) status = set_up(keep, error);
    if (status == KN_OK)
        *out = keep;
    else
        kn_keep_close(keep);
    return status;
}

void kn_keep_close(KnKeep *keep)
{
    if (!keep) return;
    sqlite3_finalize(keep->put);
    sqlite3_finalize(keep->get);
    sqlite3_finalize(keep->remove);
    sqlite3_close(keep->db);
    pthread_mutex_destroy(&keep->lock);
    free(keep->path);
    free(keep);
}

/* Drops what lies beyond the bound. */
static void trim(KnKeep *keep, const char *kind)
{
    sqlite3_stmt *statement;
    if (prepare(keep,
                "DELETE FROM kept WHERE kind = ?1 AND id IN (SELECT id FROM kept WHERE kind = ?1 ORDER BY "
                "touched DESC LIMIT -1 OFFSET ?2)",
                &statement, NULL) != KN_OK)
        return;
    sqlite3_bind_text(statement, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, strcmp(kind, "contest") == 0 ? KN_KEEP_CONTESTS : KN_KEEP_RUNS);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
}

KnStatus kn_keep_put(KnKeep *keep, const char *kind, const char *id, const json_t *saved, KnError *error)
{
    char *text = json_dumps(saved, JSON_COMPACT);
    if (!text) return kn_fail_memory(error, "keeping a contest");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    pthread_mutex_lock(&keep->lock);
    sqlite3_bind_text(keep->put, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(keep->put, 2, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(keep->put, 3, text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(keep->put, 4, (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    KnStatus status = sqlite3_step(keep->put) == SQLITE_DONE ? KN_OK : keep_fail(keep, "writing", error);
    sqlite3_reset(keep->put);
    sqlite3_clear_bindings(keep->put);
    if (status == KN_OK && keep->puts++ % TRIM_EVERY == 0) trim(keep, kind);
    pthread_mutex_unlock(&keep->lock);
    free(text);
    return status;
}

KnStatus kn_keep_get(KnKeep *keep, const char *kind, const char *id, json_t **saved, KnError *error)
{
    *saved = NULL;
    KnStatus status = KN_OK;
    pthread_mutex_lock(&keep->lock);
    sqlite3_bind_text(keep->get, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(keep->get, 2, id, -1, SQLITE_STATIC);
    int code = sqlite3_step(keep->get);
    if (code == SQLITE_ROW) {
        *saved = json_loads((const char *)sqlite3_column_text(keep->get, 0), 0, NULL);
        if (!*saved)
            status = kn_fail(error, KN_SYSTEM, "%s: what is kept of %s %s is damaged", keep->path, kind, id);
    } else if (code != SQLITE_DONE)
        status = keep_fail(keep, "reading", error);
    sqlite3_reset(keep->get);
    sqlite3_clear_bindings(keep->get);
    pthread_mutex_unlock(&keep->lock);
    return status;
}

KnStatus kn_keep_delete(KnKeep *keep, const char *kind, const char *id, KnError *error)
{
    pthread_mutex_lock(&keep->lock);
    sqlite3_bind_text(keep->remove, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(keep->remove, 2, id, -1, SQLITE_STATIC);
    KnStatus status = sqlite3_step(keep->remove) == SQLITE_DONE ? KN_OK : keep_fail(keep, "deleting", error);
    sqlite3_reset(keep->remove);
    sqlite3_clear_bindings(keep->remove);
    pthread_mutex_unlock(&keep->lock);
    return status;
}

KnStatus kn_keep_list(KnKeep *keep, const char *kind, int most, json_t **rows, KnError *error)
{
    *rows = json_array();
    sqlite3_stmt *query;
    pthread_mutex_lock(&keep->lock);
    KnStatus status = prepare(keep, "SELECT id, saved FROM kept WHERE kind = ? ORDER BY touched DESC LIMIT ?",
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
    pthread_mutex_unlock(&keep->lock);
    return status;
}
