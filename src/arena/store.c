#include "arena/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { NAME_MAX_BYTES = 127 };

KnStatus kn_store_fail(KnStore *store, const char *doing, KnError *error)
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

KnStatus kn_store_execute(KnStore *store, const char *sql, const char *doing, KnError *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? KN_OK
                                                                       : kn_store_fail(store, doing, error);
}

KnStatus kn_store_prepare(KnStore *store, const char *sql, sqlite3_stmt **statement, KnError *error)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK
               ? KN_OK
               : kn_store_fail(store, "preparing a query", error);
}

/* Runs a statement that gives no rows, and releases it. */
KnStatus kn_store_finish_statement(KnStore *store, sqlite3_stmt *statement, const char *doing, KnError *error)
{
    int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? KN_OK : kn_store_fail(store, doing, error);
}

/* ---- Opening ---- */

static KnStatus open_store(const KnContext *context, bool reading, KnStore **out, KnError *error)
{
    *out = NULL;
    KnStatus status = reading ? KN_OK : kn_mkdirs(kn_context_data(context), error);
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
    status = kn_store_open_file(store, reading, error);
    if (status == KN_OK && store->writable)
        status = kn_store_prepare(store,
                                  "INSERT OR IGNORE INTO games(run, " KN_STORE_GAME_COLUMNS
                                  ", checksum) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                  &store->add, error);
    if (status == KN_OK)
        *out = store;
    else
        kn_store_close(store);
    return status;
}

KnStatus kn_store_open(const KnContext *context, KnStore **out, KnError *error)
{
    return open_store(context, false, out, error);
}

KnStatus kn_store_open_reading(const KnContext *context, KnStore **out, KnError *error)
{
    return open_store(context, true, out, error);
}

void kn_store_close(KnStore *store)
{
    if (!store) return;
    sqlite3_finalize(store->add);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}

/* ---- Runs ---- */

/* Calls visit for each run of a query; *seen counts them. With `whole` a damaged one is an error. */
static KnStatus visit_runs(KnStore *store, const char *where, const char *value, bool whole, KnVisitRun visit,
                           void *user, int *seen, KnError *error)
{
    char sql[512];
    sqlite3_stmt *query;
    snprintf(sql, sizeof sql, "SELECT %s FROM runs NOT INDEXED %s", kn_store_run_columns(store), where);
    KnStatus status = kn_store_prepare(store, sql, &query, error);
    if (status != KN_OK) return status;
    if (value) sqlite3_bind_text(query, 1, value, -1, SQLITE_TRANSIENT);
    int code;
    while (status == KN_OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        KnStoreRun row;
        if (code != SQLITE_ROW) {
            status = kn_store_fail(store, "listing runs", error);
            break;
        }
        kn_store_read_run(store, query, &row);
        ++*seen;
        status = whole && row.run.damage[0] ? kn_store_damaged(store, row.run.name, error, "run %s: %s",
                                                               row.run.name, row.run.damage)
                                            : visit(user, &row.run, error);
    }
    sqlite3_finalize(query);
    return status == KN_STOPPED ? KN_OK : status;
}

KnStatus kn_store_runs(KnStore *store, KnVisitRun visit, void *user, KnError *error)
{
    int seen = 0;
    KnStatus status = kn_store_check_list(store, error);
    return status == KN_OK ? visit_runs(store, "ORDER BY id DESC", NULL, false, visit, user, &seen, error)
                           : status;
}

static KnStatus pass_over(void *user, const KnRun *run, KnError *error)
{
    (void)user, (void)run, (void)error;
    return KN_OK;
}

/* Before the store says that it does not have a run: the list is whole, and so is every row of it. */
static KnStatus check_rows(KnStore *store, KnError *error)
{
    int seen = 0;
    KnStatus status = kn_store_check_list(store, error);
    return status == KN_OK ? visit_runs(store, "", NULL, true, pass_over, NULL, &seen, error) : status;
}

static KnStatus find(KnStore *store, const char *name, bool whole, KnVisitRun visit, void *user,
                     KnError *error)
{
    int seen = 0;
    KnStatus status = visit_runs(store, "WHERE name = ?1", name, whole, visit, user, &seen, error);
    if (status == KN_OK && !seen)
        status = visit_runs(store, "WHERE id = ?1", name, whole, visit, user, &seen, error);
    if (status == KN_OK && !seen) status = check_rows(store, error);
    if (status == KN_OK && !seen)
        status = kn_fail(error, KN_INPUT, "there is no run \"%s\"; `knack runs list` shows what there is",
                         name);
    return status;
}

KnStatus kn_store_find(KnStore *store, const char *name, KnVisitRun visit, void *user, KnError *error)
{
    return find(store, name, true, visit, user, error);
}

KnStatus kn_store_find_damaged(KnStore *store, const char *name, KnVisitRun visit, void *user, KnError *error)
{
    return find(store, name, false, visit, user, error);
}

typedef struct FoundRun {
    int64_t id;
    char name[NAME_MAX_BYTES + 1];
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
    KnStatus status = visit_runs(store, "WHERE identity = ?1", identity, true, note_run, &found, &seen,
                                 error);
    *holds = seen > 0;
    return status;
}

/* A name stands in lists and file names, and a number names a run without one. */
static KnStatus check_new_name(const char *name, KnError *error)
{
    bool plain = *name && kn_utf8_valid(name);
    for (const char *c = name; *c && plain; c++) plain = (unsigned char)*c >= ' ' && *c != 0x7f;
    if (!plain) return kn_fail(error, KN_INPUT, "a run's name is a line of text, in UTF-8");
    if (strlen(name) > NAME_MAX_BYTES)
        return kn_fail(error, KN_INPUT, "a run's name has at most %d bytes, and \"%.40s...\" has %zu",
                       NAME_MAX_BYTES, name, strlen(name));
    if (!name[strspn(name, "0123456789")])
        return kn_fail(error, KN_INPUT, "\"%s\" is no name for a run: digits alone are a run's number", name);
    return KN_OK;
}

/* Whether a run is there, under the name that is wanted. With the file locked also whether a new one may have
 * the name: before, another process could add the run between both questions. */
static KnStatus check_names(KnStore *store, const char *name, const char *identity, bool locked,
                            FoundRun *found, bool *there, KnError *error)
{
    int seen = 0;
    KnStatus status = visit_runs(store, "WHERE identity = ?1", identity, true, note_run, found, &seen, error);
    *there = seen;
    if (status != KN_OK) return status;
    if (seen && name && strcmp(name, found->name) != 0)
        return kn_fail(error, KN_INPUT,
                       "this very run is already stored as \"%s\"; use that name, or another --seed",
                       found->name);
    if (seen || !name || !locked) return KN_OK;
    status = check_new_name(name, error);
    if (status != KN_OK) return status;
    status = visit_runs(store, "WHERE name = ?1", name, true, note_run, found, &seen, error);
    if (status == KN_OK && seen)
        return kn_fail(error, KN_INPUT,
                       "the name \"%s\" belongs to a run with other settings (knack runs show %s); "
                       "choose another name, or delete that run",
                       name, name);
    return status;
}

/* Within a transaction. The clock is SQLite's, so that the row is written first and its sum after it. */
static KnStatus insert_run(KnStore *store, const char *kind, const char *name, const char *identity,
                           const char *settings, int64_t *run, KnError *error)
{
    sqlite3_stmt *insert, *query = NULL;
    char now[32] = "";
    KnStatus status = kn_store_prepare(store, "SELECT strftime('%Y-%m-%dT%H:%M:%SZ','now')", &query, error);
    if (status == KN_OK && sqlite3_step(query) == SQLITE_ROW)
        snprintf(now, sizeof now, "%s", (const char *)sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    if (status == KN_OK)
        status = kn_store_prepare(store,
                                  "INSERT INTO runs(name, kind, identity, settings, created, games, "
                                  "unchecked, digest, checksum) VALUES(?,?,?,?,?,0,0,0,0)",
                                  &insert, error);
    if (status != KN_OK) return status;
    const char *const texts[] = {name, kind, identity, settings, now};
    for (int i = 0; i < 5; i++) sqlite3_bind_text(insert, i + 1, texts[i], -1, SQLITE_TRANSIENT);
    status = kn_store_finish_statement(store, insert, "adding a run", error);
    if (status != KN_OK) return status;
    *run = sqlite3_last_insert_rowid(store->db);
    KnStoreRun row = {.run = {.id = *run,
                              .name = name,
                              .kind = kind,
                              .identity = identity,
                              .settings = settings,
                              .summary = "",
                              .created = now}};
    char sum[96];
    snprintf(sum, sizeof sum, "UPDATE runs SET checksum = %lld WHERE id = %lld",
             (long long)kn_store_run_sum(&row), (long long)*run);
    status = kn_store_execute(store, sum, "adding a run", error);
    return status == KN_OK ? kn_store_change_list(store, 1, 0, kn_store_run_sum(&row), error) : status;
}

/* Ends a transaction by its outcome. */
static KnStatus end(KnStore *store, KnStatus status, const char *doing, KnError *error)
{
    if (status == KN_OK) status = kn_store_execute(store, "COMMIT", doing, error);
    if (status != KN_OK) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    store->pending.run = 0;
    return status;
}

KnStatus kn_store_run(KnStore *store, const char *kind, const char *name, const char *identity,
                      const char *settings, int64_t *run, KnError *error)
{
    char own_name[64];
    snprintf(own_name, sizeof own_name, "%s-%.8s", kind, identity);
    FoundRun found = {0};
    bool there;
    KnStatus status = check_names(store, name, identity, false, &found, &there, error);
    if (status == KN_OK && !there) { /* look again with the file locked: another process may be faster */
        status = kn_store_begin(store, error);
        if (status != KN_OK) return status;
        status = check_names(store, name, identity, true, &found, &there, error);
        if (status == KN_OK && !there) status = check_rows(store, error);
        if (status == KN_OK && !there)
            status = insert_run(store, kind, name ? name : own_name, identity, settings, &found.id, error);
        status = end(store, status, "adding a run", error);
    }
    *run = found.id;
    return status;
}

KnStatus kn_store_accept(KnStore *store, KnError *error)
{
    int seen = 0;
    KnStatus status = kn_store_begin(store, error);
    if (status != KN_OK) return status;
    status = visit_runs(store, "", NULL, true, pass_over, NULL, &seen, error);
    if (status == KN_OK) status = kn_store_renew_list(store, error);
    return end(store, status, "accepting the list of runs", error);
}

/* ---- Games ---- */

KnStatus kn_store_begin(KnStore *store, KnError *error)
{
    if (!store->writable)
        return kn_fail(error, KN_SYSTEM, "%s: cannot write (the file or its folder is read-only)",
                       store->path);
    store->pending.run = 0;
    return kn_store_execute(store, "BEGIN IMMEDIATE", "writing", error);
}

/* Brings the sums of the run that games were added to up to date. */
static KnStatus count_pending(KnStore *store, KnError *error)
{
    KnStorePending *pending = &store->pending;
    if (!pending->run || !pending->games) return KN_OK;
    KnStatus status = kn_store_renew_run(store, pending->run, pending->games, pending->digest, NULL, error);
    pending->games = pending->digest = 0;
    return status;
}

KnStatus kn_store_commit(KnStore *store, KnError *error)
{
    return end(store, count_pending(store, error), "writing", error);
}

static KnStatus turn_to(KnStore *store, int64_t run, KnError *error)
{
    if (store->pending.run == run) return KN_OK;
    KnStatus status = count_pending(store, error);
    char number[32];
    FoundRun found = {0};
    snprintf(number, sizeof number, "%lld", (long long)run);
    int seen = 0;
    if (status == KN_OK)
        status = visit_runs(store, "WHERE id = ?1", number, true, note_run, &found, &seen, error);
    if (status == KN_OK && !seen)
        status = kn_fail(error, KN_INPUT, "%s: run %s is gone: somebody deleted it", store->path, number);
    if (status != KN_OK) return status;
    store->pending = (KnStorePending){.run = run};
    snprintf(store->pending.identity, sizeof store->pending.identity, "%.32s", found.identity);
    return KN_OK;
}

static void bind_record(sqlite3_stmt *add, int64_t run, const KnStandingRecord *record)
{
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
}

KnStatus kn_store_add(KnStore *store, int64_t run, const KnStandingRecord *record, KnError *error)
{
    enum { CHECKSUM = 18 };
    sqlite3_stmt *add = store->add;
    KnStatus status = turn_to(store, run, error);
    if (status == KN_OK) {
        uint64_t sum = kn_store_game_sum(store->pending.identity, record);
        bind_record(add, run, record);
        sqlite3_bind_int64(add, CHECKSUM, (sqlite3_int64)sum);
        int code = sqlite3_step(add);
        sqlite3_reset(add);
        if (code != SQLITE_DONE)
            status = kn_store_fail(store, "writing a game", error);
        else if (sqlite3_changes(store->db)) { /* else another process has added it */
            store->pending.games++;
            store->pending.digest += sum;
        }
    }
    if (status != KN_OK) end(store, status, "writing", NULL);
    return status;
}

KnStatus kn_store_finish(KnStore *store, int64_t run, const char *summary, KnError *error)
{
    KnStatus status = kn_store_begin(store, error);
    if (status != KN_OK) return status;
    status = kn_store_renew_run(store, run, 0, 0, summary, error);
    return end(store, status, "writing the summary", error);
}

/* ---- Reading games ---- */

/* The games of a run being read: what is expected of them, and what was found. */
typedef struct Reading {
    KnStore *store;
    FoundRun run;
    uint64_t games, digest; /* as the run's row has them */
    uint64_t seen, sum;
} Reading;

static KnStatus check_game(Reading *reading, const KnStoreGame *game, KnError *error)
{
    const KnStandingRecord *record = &game->record;
    if (reading->store->version == 1) return KN_OK;
    uint64_t sum = kn_store_game_sum(reading->run.identity, record);
    reading->seen++;
    reading->sum += sum;
    if (sum == game->checksum) return KN_OK;
    return kn_store_damaged(reading->store, reading->run.name, error,
                            "game %llu of run %s does not fit its checksum",
                            (unsigned long long)record->index, reading->run.name);
}

static KnStatus note_sums(KnStore *store, int64_t run, Reading *reading, KnError *error)
{
    char sql[300];
    sqlite3_stmt *query;
    snprintf(sql, sizeof sql, "SELECT %s FROM runs WHERE id = %lld", kn_store_run_columns(store),
             (long long)run);
    KnStatus status = kn_store_prepare(store, sql, &query, error);
    if (status != KN_OK) return status;
    KnStoreRun row;
    int code = sqlite3_step(query);
    if (code == SQLITE_ROW) {
        kn_store_read_run(store, query, &row);
        note_run(&reading->run, &row.run, error);
        reading->games = row.run.games;
        reading->digest = row.digest;
        if (row.run.damage[0])
            status = kn_store_damaged(store, row.run.name, error, "run %s: %s", row.run.name, row.run.damage);
    } else
        status = code == SQLITE_DONE ? kn_fail(error, KN_INPUT, "%s: run %lld is gone: somebody deleted it",
                                               store->path, (long long)run)
                                     : kn_store_fail(store, "reading a run", error);
    sqlite3_finalize(query);
    return status;
}

static KnStatus read_games(Reading *reading, uint64_t from, uint64_t count, KnVisitRecord visit, void *user,
                           KnError *error)
{
    KnStore *store = reading->store;
    char sql[400];
    sqlite3_stmt *query;
    snprintf(sql, sizeof sql,
             "SELECT " KN_STORE_GAME_COLUMNS
             ", %s FROM games WHERE run = ? AND number >= ? ORDER BY number LIMIT ?",
             store->version == 1 ? "0" : "checksum");
    KnStatus status = kn_store_prepare(store, sql, &query, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(query, 1, reading->run.id);
    sqlite3_bind_int64(query, 2, (sqlite3_int64)from);
    sqlite3_bind_int64(query, 3, (sqlite3_int64)count);
    int code;
    while (status == KN_OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        KnStoreGame game;
        if (code != SQLITE_ROW) {
            status = kn_store_fail(store, "reading games", error);
            break;
        }
        kn_store_read_game(query, &game);
        status = check_game(reading, &game, error);
        if (status != KN_OK) break;
        game.record.first = game.record.first != 0;
        if (game.record.culprit > 1 || game.record.culprit < -1) game.record.culprit = -1;
        status = visit(user, &game.record, error);
    }
    sqlite3_finalize(query);
    return status;
}

KnStatus kn_store_games(KnStore *store, int64_t run, KnVisitRecord visit, void *user, KnError *error)
{
    return kn_store_games_from(store, run, 0, INT64_MAX, visit, user, error);
}

/* All of a run's games are there, or there are exactly as many as asked for. */
static KnStatus check_all(const Reading *reading, uint64_t from, uint64_t count, KnError *error)
{
    if (reading->store->version == 1) return KN_OK;
    uint64_t left = reading->games > from ? reading->games - from : 0, wanted = left < count ? left : count;
    if (reading->seen == wanted && (from || wanted < reading->games || reading->sum == reading->digest))
        return KN_OK;
    return kn_store_damaged(reading->store, reading->run.name, error,
                            "run %s has %llu games from number %llu on, and %llu were written",
                            reading->run.name, (unsigned long long)reading->seen, (unsigned long long)from,
                            (unsigned long long)wanted);
}

KnStatus kn_store_games_from(KnStore *store, int64_t run, uint64_t from, uint64_t count, KnVisitRecord visit,
                             void *user, KnError *error)
{
    Reading reading = {.store = store};
    bool alone =
        sqlite3_get_autocommit(store->db); /* one transaction: the sums and the games are of one time */
    KnStatus status = alone ? kn_store_execute(store, "BEGIN", "reading games", error) : KN_OK;
    if (status != KN_OK) return status;
    status = note_sums(store, run, &reading, error);
    if (status == KN_OK) status = read_games(&reading, from, count, visit, user, error);
    if (status == KN_OK) status = check_all(&reading, from, count, error);
    if (alone) sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return status == KN_STOPPED ? KN_OK : status;
}

KnStatus kn_store_delete(KnStore *store, int64_t run, KnError *error)
{
    sqlite3_stmt *query = NULL, *statement = NULL;
    KnStatus status = kn_store_begin(store, error);
    if (status != KN_OK) return status;
    status = kn_store_prepare(store, "SELECT checksum FROM runs WHERE id = ?", &query, error);
    if (status == KN_OK) {
        sqlite3_bind_int64(query, 1, run);
        if (sqlite3_step(query) == SQLITE_ROW)
            status = kn_store_change_list(store, -1, (uint64_t)sqlite3_column_int64(query, 0), 0, error);
        sqlite3_finalize(query);
    }
    if (status == KN_OK) status = kn_store_prepare(store, "DELETE FROM runs WHERE id = ?", &statement, error);
    if (status == KN_OK) {
        sqlite3_bind_int64(statement, 1, run);
        status = kn_store_finish_statement(store, statement, "deleting a run", error);
    }
    return end(store, status, "deleting a run", error);
}
