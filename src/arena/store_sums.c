#include <stdio.h>
#include <stdarg.h>
#include <string.h>

#include "arena/store_internal.h"
#include "base/hash.h"

/* ---- Sums ---- */

static uint64_t end_of(const KnDigest *digest) { return kn_digest_end(digest).low; }

/* SQLite gives -0 back as 0. */
static void add_real(KnDigest *digest, double value)
{
    double plain = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    kn_digest_u64(digest, bits);
}

uint64_t kn_store_game_sum(const char *identity, const KnStandingRecord *record)
{
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, identity);
    kn_digest_u64(&digest, record->index);
    kn_digest_u64(&digest, (uint64_t)(int64_t)record->first);
    kn_digest_string(&digest, record->start);
    kn_digest_string(&digest, record->moves);
    kn_digest_string(&digest, record->ending);
    kn_digest_string(&digest, record->fault);
    kn_digest_u64(&digest, (uint64_t)(int64_t)record->culprit);
    kn_digest_u64(&digest, record->plies);
    for (int p = 0; p < 2; p++) {
        add_real(&digest, record->payoffs[p]);
        kn_digest_u64(&digest, record->cost[p].nodes);
        add_real(&digest, record->cost[p].seconds);
        kn_digest_u64(&digest, record->decisions[p]);
    }
    return end_of(&digest);
}

uint64_t kn_store_run_sum(const KnStoreRun *row)
{
    const KnRun *run = &row->run;
    const char *const strings[] = {run->name,     run->kind,    run->identity,
                                   run->settings, run->summary, run->created};
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_u64(&digest, (uint64_t)run->id);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) kn_digest_string(&digest, strings[i]);
    kn_digest_u64(&digest, run->games);
    kn_digest_u64(&digest, run->unchecked);
    kn_digest_u64(&digest, row->digest);
    return end_of(&digest);
}

/* ---- Rows ---- */

/* Damage may leave NULL where the table allows none. */
static const char *text_at(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? text : "";
}

const char *kn_store_run_columns(const KnStore *store)
{
    return store->version == 1
               ? "id, name, kind, identity, settings, summary, created, (SELECT count(*) FROM games WHERE "
                 "run = runs.id), (SELECT count(*) FROM games WHERE run = runs.id), 0, 0"
               : "id, name, kind, identity, settings, summary, created, games, unchecked, digest, checksum";
}

void kn_store_read_run(const KnStore *store, sqlite3_stmt *query, KnStoreRun *row)
{
    *row = (KnStoreRun){.run = {.id = sqlite3_column_int64(query, 0),
                                .name = text_at(query, 1),
                                .kind = text_at(query, 2),
                                .identity = text_at(query, 3),
                                .settings = text_at(query, 4),
                                .summary = text_at(query, 5),
                                .created = text_at(query, 6),
                                .games = (uint64_t)sqlite3_column_int64(query, 7),
                                .unchecked = (uint64_t)sqlite3_column_int64(query, 8),
                                .damage = ""},
                        .digest = (uint64_t)sqlite3_column_int64(query, 9),
                        .checksum = (uint64_t)sqlite3_column_int64(query, 10)};
    if (store->version > 1 && row->checksum != kn_store_run_sum(row))
        row->run.damage = "its row does not fit its checksum";
}

void kn_run_integrity(const KnRun *run, KnText *out)
{
    if (run->damage[0])
        kn_text_printf(out, "damaged: %s", run->damage);
    else if (run->unchecked)
        kn_text_printf(out, "not checked: %llu of %llu games were written by an older version",
                       (unsigned long long)run->unchecked, (unsigned long long)run->games);
    else
        kn_text_add(out, "checked");
}

/* A tournament of repeated games keeps its table and no games: every pair and each player with its twin have
 * met. 0 for other runs. */
static json_int_t count_matches(const json_t *settings)
{
    json_int_t players = (json_int_t)json_array_size(json_object_get(settings, "players"));
    return players * (players + 1) / 2 * json_integer_value(json_object_get(settings, "repetitions"));
}

json_t *kn_run_json(const KnRun *run)
{
    KnText integrity = KN_TEXT_EMPTY;
    kn_run_integrity(run, &integrity);
    json_t *row;
    if (run->damage[0])
        row = json_pack("{sI ss ss}", "id", (json_int_t)run->id, "name", run->name, "integrity",
                        integrity.data);
    else
        row = json_pack("{sI ss ss ss ss sI ss so so}", "id", (json_int_t)run->id, "name", run->name, "kind",
                        run->kind, "identity", run->identity, "created", run->created, "games",
                        (json_int_t)run->games, "integrity", integrity.data, "settings",
                        json_loads(run->settings, 0, NULL), "summary",
                        run->summary[0] ? json_loads(run->summary, 0, NULL) : json_null());
    json_int_t matches = count_matches(json_object_get(row, "settings"));
    if (matches) json_object_set_new(row, "matches", json_integer(matches));
    kn_text_free(&integrity);
    return row;
}

/* `first` and `culprit` are kept as they stand until the checksum was compared. */
void kn_store_read_game(sqlite3_stmt *query, KnStoreGame *row)
{
    KnStandingRecord *record = &row->record;
    *record =
        (KnStandingRecord){.index = (uint64_t)sqlite3_column_int64(query, 0),
                           .first = sqlite3_column_int(query, 1),
                           .start = text_at(query, 2),
                           .moves = text_at(query, 3),
                           .ending = text_at(query, 4),
                           .fault = text_at(query, 5),
                           .culprit = sqlite3_column_int(query, 6),
                           .payoffs = {sqlite3_column_double(query, 7), sqlite3_column_double(query, 8)},
                           .plies = (uint64_t)sqlite3_column_int64(query, 9)};
    for (int p = 0; p < 2; p++) {
        record->cost[p].nodes = (uint64_t)sqlite3_column_int64(query, 10 + p);
        record->cost[p].seconds = sqlite3_column_double(query, 12 + p);
        record->decisions[p] = (uint64_t)sqlite3_column_int64(query, 14 + p);
    }
    row->checksum = (uint64_t)sqlite3_column_int64(query, 16);
}

KnStatus kn_store_damaged(const KnStore *store, const char *run, KnError *error, const char *format, ...)
{
    char what[KN_ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return kn_fail(error, KN_INPUT,
                   "%s: %s: the file is damaged, or was changed by another program; put a copy of it back, "
                   "or delete the run (knack runs delete %s) and give its command again",
                   store->path, what, run);
}

/* ---- Keeping the sums up to date ---- */

static KnStatus update_run(KnStore *store, KnStoreRun *row, const char *summary, KnError *error)
{
    sqlite3_stmt *update;
    KnStatus status = kn_store_prepare(
        store, "UPDATE runs SET games = ?, unchecked = ?, digest = ?, summary = ?, checksum = ? WHERE id = ?",
        &update, error);
    if (status != KN_OK) return status;
    if (summary) row->run.summary = summary;
    row->checksum = kn_store_run_sum(row);
    sqlite3_bind_int64(update, 1, (sqlite3_int64)row->run.games);
    sqlite3_bind_int64(update, 2, (sqlite3_int64)row->run.unchecked);
    sqlite3_bind_int64(update, 3, (sqlite3_int64)row->digest);
    sqlite3_bind_text(update, 4, row->run.summary, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(update, 5, (sqlite3_int64)row->checksum);
    sqlite3_bind_int64(update, 6, row->run.id);
    return kn_store_finish_statement(store, update, "writing the sums of a run", error);
}

/* The list's sums are changed by what changed, not counted again: a run that damage has hidden stays missed.
 */
KnStatus kn_store_change_list(KnStore *store, int runs, uint64_t old, uint64_t new, KnError *error)
{
    sqlite3_stmt *query = NULL, *update;
    KnStatus status = kn_store_prepare(store, "SELECT runs, sum FROM contents", &query, error);
    if (status == KN_OK && sqlite3_step(query) != SQLITE_ROW)
        status = kn_fail(error, KN_INPUT,
                         "%s: the list of runs has lost its sum: the file is damaged; put a "
                         "copy of it back, or look at `knack runs verify`",
                         store->path);
    int64_t count = status == KN_OK ? sqlite3_column_int64(query, 0) : 0;
    uint64_t sum = status == KN_OK ? (uint64_t)sqlite3_column_int64(query, 1) : 0;
    sqlite3_finalize(query);
    if (status == KN_OK)
        status = kn_store_prepare(store, "UPDATE contents SET runs = ?, sum = ?", &update, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(update, 1, count + runs);
    sqlite3_bind_int64(update, 2, (sqlite3_int64)(sum - old + new));
    return kn_store_finish_statement(store, update, "writing the sum of the runs", error);
}

static KnStatus find_row(KnStore *store, int64_t run, sqlite3_stmt **query, KnStoreRun *row, KnError *error)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT %s FROM runs WHERE id = ?", kn_store_run_columns(store));
    KnStatus status = kn_store_prepare(store, sql, query, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(*query, 1, run);
    int code = sqlite3_step(*query);
    if (code == SQLITE_DONE)
        return kn_fail(error, KN_INPUT, "%s: run %lld is gone: somebody deleted it", store->path,
                       (long long)run);
    if (code != SQLITE_ROW) return kn_store_fail(store, "reading a run", error);
    kn_store_read_run(store, *query, row);
    return row->run.damage[0]
               ? kn_store_damaged(store, row->run.name, error, "run %s: %s", row->run.name, row->run.damage)
               : KN_OK;
}

KnStatus kn_store_renew_run(KnStore *store, int64_t run, uint64_t games, uint64_t digest, const char *summary,
                            KnError *error)
{
    sqlite3_stmt *query = NULL;
    KnStoreRun row;
    KnStatus status = find_row(store, run, &query, &row, error);
    if (status == KN_OK) {
        uint64_t old = row.checksum;
        row.run.games += games;
        row.digest += digest;
        status = update_run(store, &row, summary, error);
        if (status == KN_OK) status = kn_store_change_list(store, 0, old, row.checksum, error);
    }
    sqlite3_finalize(query);
    return status;
}

/* ---- The list of runs ---- */

typedef struct Listed {
    uint64_t runs, sum;
} Listed;

/* The list as it is and as it was written, in one statement, so that no commit falls between the two. Sums
 * the checksums as they stand: whoever reads a damaged row reports it. */
static KnStatus count_list(KnStore *store, Listed *found, Listed *written, KnError *error)
{
    sqlite3_stmt *query = NULL;
    KnStatus status = kn_store_prepare(store,
                                       "SELECT 0, 1, checksum FROM runs NOT INDEXED UNION ALL"
                                       " SELECT 1, runs, sum FROM contents",
                                       &query, error);
    int code = SQLITE_DONE;
    *found = *written = (Listed){0};
    while (status == KN_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        Listed *listed = sqlite3_column_int(query, 0) ? written : found;
        listed->runs += (uint64_t)sqlite3_column_int64(query, 1);
        listed->sum += (uint64_t)sqlite3_column_int64(query, 2);
    }
    if (status == KN_OK && code != SQLITE_DONE) status = kn_store_fail(store, "listing runs", error);
    sqlite3_finalize(query);
    return status;
}

KnStatus kn_store_renew_list(KnStore *store, KnError *error)
{
    Listed found, written;
    sqlite3_stmt *update;
    KnStatus status = count_list(store, &found, &written, error);
    if (status == KN_OK)
        status = kn_store_execute(store, "DELETE FROM contents", "writing the sum of the runs", error);
    if (status == KN_OK)
        status = kn_store_prepare(store, "INSERT INTO contents(runs, sum) VALUES(?, ?)", &update, error);
    if (status != KN_OK) return status;
    sqlite3_bind_int64(update, 1, (sqlite3_int64)found.runs);
    sqlite3_bind_int64(update, 2, (sqlite3_int64)found.sum);
    return kn_store_finish_statement(store, update, "writing the sum of the runs", error);
}

KnStatus kn_store_check_list(KnStore *store, KnError *error)
{
    Listed found, written;
    if (store->version == 1) return KN_OK;
    KnStatus status = count_list(store, &found, &written, error);
    if (status != KN_OK || (found.runs == written.runs && found.sum == written.sum)) return status;
    return kn_fail(
        error, KN_INPUT,
        "%s: the list of runs is not the one that was written (%llu runs found, %llu written): the "
        "file is damaged, or was changed by another program; put a copy of it back, or let `knack "
        "runs verify --accept` take the list as it is",
        store->path, (unsigned long long)found.runs, (unsigned long long)written.runs);
}
