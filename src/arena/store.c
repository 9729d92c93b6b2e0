#include "arena/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sqlite.h"

enum { STORE_VERSION = 1, BUSY_MS = 30000 };

struct KnStore {
    sqlite3 *db;
    sqlite3_stmt *add;
    char *path;
};

static const char schema[] =
    "CREATE TABLE runs("
    "  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, identity TEXT NOT NULL UNIQUE,"
    "  settings TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '', created TEXT NOT NULL);"
    "CREATE TABLE games("
    "  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  first INTEGER NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL, ending TEXT NOT NULL, fault TEXT "
    "NOT NULL,"
    "  culprit INTEGER NOT NULL, payoff0 REAL NOT NULL, payoff1 REAL NOT NULL, plies INTEGER NOT NULL,"
    "  nodes0 INTEGER NOT NULL, nodes1 INTEGER NOT NULL, seconds0 REAL NOT NULL, seconds1 REAL NOT NULL,"
    "  decisions0 INTEGER NOT NULL, decisions1 INTEGER NOT NULL,"
    "  PRIMARY KEY(run, number)) WITHOUT ROWID;";

#define GAME_COLUMNS                                                                                         \
    "number, first, start, moves, ending, fault, culprit, payoff0, payoff1, plies, nodes0, nodes1, "         \
    "seconds0, "                                                                                             \
    "seconds1, decisions0, decisions1"

static KnStatus store_fail(KnStore *store, const char *doing, KnError *error)
{
    int code = sqlite3_errcode(store->db);
    const char *remedy = code == SQLITE_FULL   ? "; free some space and run the same command again"
                         : code == SQLITE_BUSY ? "; another process is writing, try again when it is done"
                         : code == SQLITE_NOTADB
                             ? "; it is no results file: move it away, or choose another folder with --data"
                         : code == SQLITE_CORRUPT
                             ? "; the file is damaged: move it away, or choose another folder with --data"
                             : "";
    KnStatus status = code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? KN_INPUT : KN_SYSTEM;
    return kn_fail(error, status, "%s: %s: %s%s", store->path, doing, sqlite3_errmsg(store->db), remedy);
}

static KnStatus execute(KnStore *store, const char *sql, const char *doing, KnError *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? KN_OK
                                                                       : store_fail(store, doing, error);
}

static KnStatus prepare(KnStore *store, const char *sql, sqlite3_stmt **statement, KnError *error)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK
               ? KN_OK
               : store_fail(store, "preparing a query", error);
}

/* Runs a statement that gives no rows, and releases it. */
static KnStatus finish(KnStore *store, sqlite3_stmt *statement, const char *doing, KnError *error)
{
    int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? KN_OK : store_fail(store, doing, error);
}

/* The version that the file says it is; 0 for a new one. */
static KnStatus read_version(KnStore *store, int *version, KnError *error)
{
    sqlite3_stmt *query;
    *version = -1;
    KnStatus status = prepare(store, "PRAGMA user_version", &query, error);
    if (status != KN_OK) return status;
    if (sqlite3_step(query) == SQLITE_ROW)
        *version = sqlite3_column_int(query, 0);
    else
        status = store_fail(store, "opening", error);
    sqlite3_finalize(query);
    return status;
}

/* With the file locked for writing: somebody else may have been faster. */
static KnStatus make_tables(KnStore *store, KnError *error)
{
    char stamp[64];
    int version;
    KnStatus status = read_version(store, &version, error);
    if (status != KN_OK || version != 0) return status;
    snprintf(stamp, sizeof stamp, "PRAGMA user_version=%d", STORE_VERSION);
    status = execute(store, schema, "making the tables", error);
    return status == KN_OK ? execute(store, stamp, "making the tables", error) : status;
}

/* Makes the tables in a new file; refuses one that a newer program made. A file that is there already is not
 * locked: whoever only reads need not wait for a match that writes all the time. */
static KnStatus set_up(KnStore *store, KnError *error)
{
    int version;
    if (kn_sqlite_share(store->db, BUSY_MS) != SQLITE_OK) return store_fail(store, "opening", error);
    KnStatus status = execute(store, "PRAGMA foreign_keys=ON", "opening", error);
    if (status == KN_OK) status = read_version(store, &version, error);
    if (status == KN_OK && version == 0) {
        status = execute(store, "BEGIN IMMEDIATE", "opening", error);
        if (status != KN_OK) return status;
        status = make_tables(store, error);
        if (status == KN_OK) status = execute(store, "COMMIT", "opening", error);
        if (status != KN_OK) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
        if (status == KN_OK) status = read_version(store, &version, error);
    }
    if (status == KN_OK && version != STORE_VERSION)
        status = kn_fail(error, KN_INPUT,
                         "%s: its format is version %d, this program knows %d; use a newer knack, or "
                         "another folder with --data",
                         store->path, version, STORE_VERSION);
    return status;
}

KnStatus kn_store_open(const KnContext *context, KnStore **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_mkdirs(kn_context_data(context), error);
    if (status != KN_OK) return status;
    KnStore *store = calloc(1, sizeof *store);
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, kn_context_data(context), "results.db");
    if (store) store->path = strdup(path.data);
    kn_text_free(&path);
    if (!store || !store->path) {
        free(store);
        return kn_fail_memory(error, "opening the results store");
    }
    if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        status = store_fail(store, "opening", error);
    if (status == KN_OK) status = set_up(store, error);
    if (status == KN_OK)
        status = prepare(store,
                         "INSERT OR IGNORE INTO games(run, " GAME_COLUMNS
                         ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                         &store->add, error);
    if (status == KN_OK)
        *out = store;
    else
        kn_store_close(store);
    return status;
}

void kn_store_close(KnStore *store)
{
    if (!store) return;
    sqlite3_finalize(store->add);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}

static const char run_query[] = "SELECT id, name, kind, identity, settings, summary, created,"
                                " (SELECT count(*) FROM games WHERE run = runs.id) FROM runs ";

/* Calls visit for each row of a query over runs; *seen counts them. */
static KnStatus visit_runs(KnStore *store, sqlite3_stmt *query, KnVisitRun visit, void *user, int *seen,
                           KnError *error)
{
    KnStatus status = KN_OK;
    int code;
    while (status == KN_OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        if (code != SQLITE_ROW) {
            status = store_fail(store, "listing runs", error);
            break;
        }
        KnRun run = {.id = sqlite3_column_int64(query, 0),
                     .name = (const char *)sqlite3_column_text(query, 1),
                     .kind = (const char *)sqlite3_column_text(query, 2),
                     .identity = (const char *)sqlite3_column_text(query, 3),
                     .settings = (const char *)sqlite3_column_text(query, 4),
                     .summary = (const char *)sqlite3_column_text(query, 5),
                     .created = (const char *)sqlite3_column_text(query, 6),
                     .games = (uint64_t)sqlite3_column_int64(query, 7)};
        ++*seen;
        status = visit(user, &run, error);
    }
    sqlite3_finalize(query);
    return status == KN_STOPPED ? KN_OK : status;
}

KnStatus kn_store_runs(KnStore *store, KnVisitRun visit, void *user, KnError *error)
{
    char sql[512];
    snprintf(sql, sizeof sql, "%s ORDER BY id DESC", run_query);
    sqlite3_stmt *query;
    int seen = 0;
    KnStatus status = prepare(store, sql, &query, error);
    return status == KN_OK ? visit_runs(store, query, visit, user, &seen, error) : status;
}

static KnStatus find_by(KnStore *store, const char *column, const char *value, KnVisitRun visit, void *user,
                        int *seen, KnError *error)
{
    char sql[512];
    snprintf(sql, sizeof sql, "%s WHERE %s = ?1", run_query, column);
    sqlite3_stmt *query;
    KnStatus status = prepare(store, sql, &query, error);
    if (status != KN_OK) return status;
    sqlite3_bind_text(query, 1, value, -1, SQLITE_TRANSIENT);
    return visit_runs(store, query, visit, user, seen, error);
}

KnStatus kn_store_find(KnStore *store, const char *name, KnVisitRun visit, void *user, KnError *error)
{
    int seen = 0;
    KnStatus status = find_by(store, "name", name, visit, user, &seen, error);
    if (status == KN_OK && !seen) status = find_by(store, "id", name, visit, user, &seen, error);
    if (status == KN_OK && !seen)
        status = kn_fail(error, KN_INPUT, "there is no run \"%s\"; `knack runs list` shows what there is",
                         name);
    return status;
}

typedef struct FoundRun {
    int64_t id;
    char name[128];
    char identity[64];
} FoundRun;

static KnStatus note_run(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    FoundRun *found = user;
    found->id = run->id;
    snprintf(found->name, sizeof found->name, "%s", run->name);
    snprintf(found->identity, sizeof found->identity, "%s", run->identity);
    return KN_OK;
}

KnStatus kn_store_holds(KnStore *store, const char *identity, bool *holds, KnError *error)
{
    FoundRun found;
    int seen = 0;
    KnStatus status = find_by(store, "identity", identity, note_run, &found, &seen, error);
    *holds = seen > 0;
    return status;
}

KnStatus kn_store_run(KnStore *store, const char *kind, const char *name, const char *identity,
                      const char *settings, int64_t *run, KnError *error)
{
    char own_name[64];
    snprintf(own_name, sizeof own_name, "%s-%.8s", kind, identity);
    FoundRun found = {0};
    int seen = 0;
    KnStatus status = find_by(store, "identity", identity, note_run, &found, &seen, error);
    if (status != KN_OK) return status;
    if (seen && name && strcmp(name, found.name) != 0)
        return kn_fail(error, KN_INPUT,
                       "this very run is already stored as \"%s\"; use that name, or another --seed",
                       found.name);
    if (!seen && name) {
        status = find_by(store, "name", name, note_run, &found, &seen, error);
        if (status != KN_OK) return status;
        if (seen)
            return kn_fail(error, KN_INPUT,
                           "the name \"%s\" belongs to a run with other settings (knack runs show %s); "
                           "choose another name, or delete that run",
                           name, name);
    }
    if (seen) {
        *run = found.id;
        return KN_OK;
    }
    sqlite3_stmt *insert;
    status = prepare(store,
                     "INSERT INTO runs(name, kind, identity, settings, created)"
                     " VALUES(?,?,?,?,strftime('%Y-%m-%dT%H:%M:%SZ','now')) ON CONFLICT DO NOTHING",
                     &insert, error);
    if (status != KN_OK) return status;
    sqlite3_bind_text(insert, 1, name ? name : own_name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, kind, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 3, identity, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 4, settings, -1, SQLITE_TRANSIENT);
    status = finish(store, insert, "adding a run", error);
    if (status == KN_OK &&
        sqlite3_changes(store->db) == 0) /* another process was faster: now it will be found */
        return kn_store_run(store, kind, name, identity, settings, run, error);
    *run = sqlite3_last_insert_rowid(store->db);
    return status;
}

KnStatus kn_store_begin(KnStore *store, KnError *error)
{
    return execute(store, "BEGIN IMMEDIATE", "writing", error);
}

KnStatus kn_store_commit(KnStore *store, KnError *error)
{
    KnStatus status = execute(store, "COMMIT", "writing", error);
    if (status != KN_OK) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

KnStatus kn_store_add(KnStore *store, int64_t run, const KnStandingRecord *record, KnError *error)
{
    sqlite3_stmt *add = store->add;
    int at = 1;
    sqlite3_bind_int64(add, at++, run);
    sqlite3_bind_int64(add, at++, (sqlite3_int64)record->index);
    sqlite3_bind_int(add, at++, record->first);
    sqlite3_bind_text(add, at++, record->start, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, at++, record->moves, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, at++, record->ending, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, at++, record->fault, -1, SQLITE_STATIC);
    sqlite3_bind_int(add, at++, record->culprit);
    sqlite3_bind_double(add, at++, record->payoffs[0]);
    sqlite3_bind_double(add, at++, record->payoffs[1]);
    sqlite3_bind_int64(add, at++, (sqlite3_int64)record->plies);
    for (int p = 0; p < 2; p++) sqlite3_bind_int64(add, at++, (sqlite3_int64)record->cost[p].nodes);
    for (int p = 0; p < 2; p++) sqlite3_bind_double(add, at++, record->cost[p].seconds);
    for (int p = 0; p < 2; p++) sqlite3_bind_int64(add, at++, (sqlite3_int64)record->decisions[p]);
    int code = sqlite3_step(add);
    sqlite3_reset(add);
    if (code == SQLITE_DONE) return KN_OK;
    store_fail(store, "writing a game", error);
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return KN_SYSTEM;
}

KnStatus kn_store_finish(KnStore *store, int64_t run, const char *summary, KnError *error)
{
    sqlite3_stmt *update;
    KnStatus status = prepare(store, "UPDATE runs SET summary = ? WHERE id = ?", &update, error);
    if (status != KN_OK) return status;
    sqlite3_bind_text(update, 1, summary, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(update, 2, run);
    return finish(store, update, "writing the summary", error);
}

static void read_record(sqlite3_stmt *query, KnStandingRecord *record)
{
    *record =
        (KnStandingRecord){.index = (uint64_t)sqlite3_column_int64(query, 0),
                           .first = sqlite3_column_int(query, 1) != 0,
                           .start = (const char *)sqlite3_column_text(query, 2),
                           .moves = (const char *)sqlite3_column_text(query, 3),
                           .ending = (const char *)sqlite3_column_text(query, 4),
                           .fault = (const char *)sqlite3_column_text(query, 5),
                           .culprit = sqlite3_column_int(query, 6),
                           .payoffs = {sqlite3_column_double(query, 7), sqlite3_column_double(query, 8)},
                           .plies = (uint64_t)sqlite3_column_int64(query, 9)};
    for (int p = 0; p < 2; p++) {
        record->cost[p].nodes = (uint64_t)sqlite3_column_int64(query, 10 + p);
        record->cost[p].seconds = sqlite3_column_double(query, 12 + p);
        record->decisions[p] = (uint64_t)sqlite3_column_int64(query, 14 + p);
    }
    if (record->culprit > 1 || record->culprit < -1) record->culprit = -1;
}

KnStatus kn_store_games(KnStore *store, int64_t run, KnVisitRecord visit, void *user, KnError *error)
{
    return kn_store_games_from(store, run, 0, INT64_MAX, visit, user, error);
}

KnStatus kn_store_games_from(KnStore *store, int64_t run, uint64_t from, uint64_t count, KnVisitRecord visit,
                             void *user, KnError *error)
{
    sqlite3_stmt *query;
    KnStatus status = prepare(
        store, "SELECT " GAME_COLUMNS " FROM games WHERE run = ? AND number >= ? ORDER BY number LIMIT ?",
        &query, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(query, 1, run);
    sqlite3_bind_int64(query, 2, (sqlite3_int64)from);
    sqlite3_bind_int64(query, 3, (sqlite3_int64)count);
    int code;
    while (status == KN_OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        KnStandingRecord record;
        if (code != SQLITE_ROW) {
            status = store_fail(store, "reading games", error);
            break;
        }
        read_record(query, &record);
        status = visit(user, &record, error);
    }
    sqlite3_finalize(query);
    return status == KN_STOPPED ? KN_OK : status;
}

KnStatus kn_store_delete(KnStore *store, int64_t run, KnError *error)
{
    sqlite3_stmt *statement;
    KnStatus status = prepare(store, "DELETE FROM runs WHERE id = ?", &statement, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(statement, 1, run);
    return finish(store, statement, "deleting a run", error);
}
