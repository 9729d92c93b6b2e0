/* LMDB's interface over tables in memory (include/lmdb.h). A file begins with 16 bytes of nothing and LMDB's
 * mark, which methods/experience looks for; then come records: table, size of the key, size of the value (or
 * REMOVED), key, value. A commit appends its records in one write; when most of the file is out of date, a
 * commit writes all that there is instead.
 *
 * There is one thread and one process, so that a transaction needs no copy of what it changes: a list of what
 * was there before takes it back when it is given up. */
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "site/sorted_table.h"

enum { TABLES = 8, NAME = 16, HEAD = 20, SMALL = 1 << 20, FILE_MOST = 1 << 30 };
static const uint32_t MARK = 0xBEEFC0DE, NAMED = UINT32_MAX, REMOVED = UINT32_MAX;

typedef struct Record {
    uint32_t table, key_size,
        value_size; /* table NAMED: a new table with that name, and its flags as value */
} Record;

typedef struct Change {
    MDB_dbi table;
    size_t key_size, value_size;
    bool was;             /* there was such a row, with the value behind the key */
    unsigned char data[]; /* key, then value */
} Change;

struct MDB_env {
    char *path;
    bool reads;
    unsigned count;
    char names[TABLES][NAME];
    KnSortedTable tables[TABLES];
    size_t written; /* bytes of the file */
    MDB_txn *writer;
};

struct MDB_txn {
    MDB_env *env;
    bool reads;
    KnText log;       /* records since it began */
    Change **changes; /* what they replaced */
    size_t count, room;
    unsigned tables; /* of the environment when it began */
};

struct MDB_cursor {
    MDB_txn *txn;
    MDB_dbi table;
    bool placed;
    KnText key; /* where it stands */
};

const char *mdb_strerror(int code)
{
    static const struct {
        int code;
        const char *text;
    } texts[] = {{MDB_NOTFOUND, "no such row"},
                 {MDB_KEYEXIST, "a row out of order"},
                 {MDB_CORRUPTED, "a record that does not fit"},
                 {MDB_INVALID, "no file of this kind"},
                 {MDB_DBS_FULL, "too many tables"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].code == code) return texts[i].text;
    return code > 0 ? strerror(code) : "an unknown failure";
}

/* ---- the file ---- */

static int read_records(MDB_env *env, const char *bytes, size_t size)
{
    for (size_t at = HEAD; at < size;) {
        Record record;
        if (size - at < sizeof record) return MDB_CORRUPTED;
        memcpy(&record, bytes + at, sizeof record);
        at += sizeof record;
        size_t value = record.value_size == REMOVED ? 0 : record.value_size;
        if (record.key_size > size - at || value > size - at - record.key_size) return MDB_CORRUPTED;
        const char *key = bytes + at;
        at += record.key_size + value;
        if (record.table == NAMED) {
            if (env->count == TABLES || record.key_size >= NAME || value != 1) return MDB_CORRUPTED;
            memcpy(env->names[env->count], key, record.key_size);
            env->tables[env->count++].integers = key[record.key_size];
        } else if (record.table >= env->count)
            return MDB_CORRUPTED;
        else if (record.value_size == REMOVED)
            kn_sorted_remove(&env->tables[record.table], key, record.key_size);
        else if (!kn_sorted_put(&env->tables[record.table], key, record.key_size, key + record.key_size,
                                value))
            return ENOMEM;
    }
    return 0;
}

static int read_file(MDB_env *env)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnError error;
    uint32_t mark = 0;
    if (kn_file_read(env->path, &bytes, FILE_MOST, &error) != KN_OK) return EIO;
    env->written = bytes.length;
    if (bytes.length >= HEAD) memcpy(&mark, bytes.data + HEAD - sizeof mark, sizeof mark);
    int code = !bytes.length ? 0 : mark != MARK ? MDB_INVALID : read_records(env, bytes.data, bytes.length);
    kn_text_free(&bytes);
    return code;
}

static void add_record(KnText *log, uint32_t table, const void *key, size_t key_size, const void *value,
                       size_t value_size)
{
    Record record = {table, (uint32_t)key_size, value ? (uint32_t)value_size : REMOVED};
    kn_text_add_bytes(log, (const char *)&record, sizeof record);
    kn_text_add_bytes(log, key, key_size);
    if (value) kn_text_add_bytes(log, value, value_size);
}

static void add_name(KnText *log, const MDB_env *env, unsigned table)
{
    char integers = env->tables[table].integers;
    add_record(log, NAMED, env->names[table], strlen(env->names[table]), &integers, 1);
}

static void add_head(KnText *log)
{
    char head[HEAD] = {0};
    memcpy(head + HEAD - sizeof MARK, &MARK, sizeof MARK);
    kn_text_add_bytes(log, head, sizeof head);
}

static int append(MDB_env *env, const KnText *log)
{
    FILE *file = kn_text_ok(log) ? fopen(env->path, "ab") : NULL;
    if (!file) return kn_text_ok(log) ? errno : ENOMEM;
    bool whole = fwrite(log->data, 1, log->length, file) == log->length;
    whole &= fclose(file) == 0;
    if (whole) env->written += log->length;
    return whole ? 0 : EIO;
}

static size_t live_bytes(const MDB_env *env)
{
    size_t bytes = 0;
    for (unsigned t = 0; t < env->count; t++) bytes += env->tables[t].bytes;
    return bytes;
}

static int write_all(MDB_env *env)
{
    KnText all = KN_TEXT_EMPTY;
    KnError error;
    add_head(&all);
    for (unsigned t = 0; t < env->count; t++) add_name(&all, env, t);
    for (unsigned t = 0; t < env->count; t++)
        for (const KnSortedRow *row = kn_sorted_from(&env->tables[t], NULL, 0, false); row;
             row = kn_sorted_from(&env->tables[t], row->key, row->key_size, true))
            add_record(&all, t, row->key, row->key_size, row->value, row->value_size);
    int code = !kn_text_ok(&all)                                                        ? ENOMEM
               : kn_file_write_atomic(env->path, all.data, all.length, &error) == KN_OK ? 0
                                                                                        : EIO;
    if (!code) env->written = all.length;
    kn_text_free(&all);
    return code;
}

/* ---- environments ---- */

int mdb_env_create(MDB_env **env)
{
    *env = calloc(1, sizeof **env);
    return *env ? 0 : ENOMEM;
}

int mdb_env_open(MDB_env *env, const char *path, unsigned flags, mode_t mode)
{
    (void)mode;
    env->path = strdup(path);
    env->reads = flags & MDB_RDONLY;
    if (!env->path) return ENOMEM;
    if (!kn_file_exists(path)) return env->reads ? ENOENT : write_all(env);
    return read_file(env);
}

void mdb_env_close(MDB_env *env)
{
    for (unsigned t = 0; t < env->count; t++) kn_sorted_clear(&env->tables[t]);
    free(env->path);
    free(env);
}

int mdb_env_set_flags(MDB_env *env, unsigned flags, int on) { return (void)env, (void)flags, (void)on, 0; }
int mdb_env_set_mapsize(MDB_env *env, size_t size) { return (void)env, (void)size, 0; }
int mdb_env_set_maxdbs(MDB_env *env, MDB_dbi count) { return (void)env, count <= TABLES ? 0 : EINVAL; }
int mdb_env_set_maxreaders(MDB_env *env, unsigned readers) { return (void)env, (void)readers, 0; }

int mdb_env_stat(MDB_env *env, MDB_stat *stat)
{
    *stat = (MDB_stat){.ms_psize = 1, .ms_entries = env->count};
    return 0;
}

int mdb_env_info(MDB_env *env, MDB_envinfo *info)
{
    info->me_last_pgno = env->written ? env->written - 1 : 0;
    return 0;
}

/* ---- transactions ---- */

int mdb_txn_begin(MDB_env *env, MDB_txn *parent, unsigned flags, MDB_txn **out)
{
    bool reads = flags & MDB_RDONLY;
    if (parent || (!reads && (env->writer || env->reads))) return EACCES;
    MDB_txn *txn = *out = calloc(1, sizeof *txn);
    if (!txn) return ENOMEM;
    txn->env = env;
    txn->reads = reads;
    txn->tables = env->count;
    txn->log = KN_TEXT_EMPTY;
    if (!reads) env->writer = txn;
    return 0;
}

static void release(MDB_txn *txn)
{
    for (size_t i = 0; i < txn->count; i++) free(txn->changes[i]);
    free(txn->changes);
    kn_text_free(&txn->log);
    if (txn->env->writer == txn) txn->env->writer = NULL;
    free(txn);
}

void mdb_txn_abort(MDB_txn *txn)
{
    MDB_env *env = txn->env;
    for (size_t i = txn->count; i-- > 0;) {
        const Change *change = txn->changes[i];
        KnSortedTable *table = &env->tables[change->table];
        if (!change->was)
            kn_sorted_remove(table, change->data, change->key_size);
        else
            kn_sorted_put(table, change->data, change->key_size, change->data + change->key_size,
                          change->value_size);
    }
    for (; !txn->reads && env->count > txn->tables; env->count--) {
        kn_sorted_clear(&env->tables[env->count - 1]);
        memset(env->names[env->count - 1], 0, NAME);
    }
    release(txn);
}

int mdb_txn_commit(MDB_txn *txn)
{
    MDB_env *env = txn->env;
    int code = 0;
    if (!txn->reads && txn->log.length) {
        size_t after = env->written + txn->log.length;
        code = !env->written || (after > SMALL && after > 4 * live_bytes(env)) ? write_all(env)
                                                                               : append(env, &txn->log);
    }
    if (code)
        mdb_txn_abort(txn);
    else
        release(txn);
    return code;
}

void mdb_txn_reset(MDB_txn *txn) { (void)txn; }
int mdb_txn_renew(MDB_txn *txn) { return (void)txn, 0; }

/* Remembers what is there before a row changes. */
static bool note_change(MDB_txn *txn, MDB_dbi table, const void *key, size_t size)
{
    if (txn->count == txn->room) {
        size_t room = txn->room ? 2 * txn->room : 64;
        Change **more = realloc(txn->changes, room * sizeof *more);
        if (!more) return false;
        txn->changes = more;
        txn->room = room;
    }
    const KnSortedRow *row = kn_sorted_find(&txn->env->tables[table], key, size);
    size_t value = row ? row->value_size : 0;
    Change *change = malloc(sizeof *change + size + value);
    if (!change) return false;
    *change = (Change){.table = table, .key_size = size, .value_size = value, .was = row != NULL};
    memcpy(change->data, key, size);
    if (value) memcpy(change->data + size, row->value, value);
    txn->changes[txn->count++] = change;
    return true;
}

/* ---- tables ---- */

int mdb_dbi_open(MDB_txn *txn, const char *name, unsigned flags, MDB_dbi *table)
{
    MDB_env *env = txn->env;
    for (unsigned t = 0; t < env->count; t++)
        if (strcmp(env->names[t], name) == 0) {
            *table = t;
            return env->tables[t].integers == !!(flags & MDB_INTEGERKEY) ? 0 : MDB_INCOMPATIBLE;
        }
    if (!(flags & MDB_CREATE)) return MDB_NOTFOUND;
    if (txn->reads) return EACCES;
    if (env->count == TABLES || strlen(name) >= NAME) return MDB_DBS_FULL;
    strcpy(env->names[env->count], name);
    env->tables[env->count] = (KnSortedTable){.integers = flags & MDB_INTEGERKEY};
    add_name(&txn->log, env, env->count);
    *table = env->count++;
    return 0;
}

int mdb_get(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value)
{
    if (table >= txn->env->count) return MDB_BAD_DBI;
    const KnSortedRow *row = kn_sorted_find(&txn->env->tables[table], key->mv_data, key->mv_size);
    if (!row) return MDB_NOTFOUND;
    *value = (MDB_val){row->value_size, row->value};
    return 0;
}

int mdb_put(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value, unsigned flags)
{
    if (table >= txn->env->count) return MDB_BAD_DBI;
    if (txn->reads) return EACCES;
    KnSortedTable *rows = &txn->env->tables[table];
    if (flags & MDB_APPEND && kn_sorted_from(rows, key->mv_data, key->mv_size, false)) return MDB_KEYEXIST;
    if (!note_change(txn, table, key->mv_data, key->mv_size) ||
        !kn_sorted_put(rows, key->mv_data, key->mv_size, value->mv_data, value->mv_size))
        return ENOMEM;
    add_record(&txn->log, table, key->mv_data, key->mv_size, value->mv_data ? value->mv_data : "",
               value->mv_size);
    return kn_text_ok(&txn->log) ? 0 : ENOMEM;
}

int mdb_del(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value)
{
    (void)value;
    if (table >= txn->env->count) return MDB_BAD_DBI;
    if (txn->reads) return EACCES;
    KnSortedTable *rows = &txn->env->tables[table];
    if (!kn_sorted_find(rows, key->mv_data, key->mv_size)) return MDB_NOTFOUND;
    if (!note_change(txn, table, key->mv_data, key->mv_size)) return ENOMEM;
    add_record(&txn->log, table, key->mv_data, key->mv_size, NULL, 0);
    kn_sorted_remove(rows, key->mv_data, key->mv_size);
    return kn_text_ok(&txn->log) ? 0 : ENOMEM;
}

/* ---- cursors ---- */

int mdb_cursor_open(MDB_txn *txn, MDB_dbi table, MDB_cursor **out)
{
    *out = NULL;
    if (table >= txn->env->count) return MDB_BAD_DBI;
    MDB_cursor *cursor = *out = calloc(1, sizeof *cursor);
    if (!cursor) return ENOMEM;
    cursor->txn = txn;
    cursor->table = table;
    cursor->key = KN_TEXT_EMPTY;
    return 0;
}

void mdb_cursor_close(MDB_cursor *cursor)
{
    kn_text_free(&cursor->key);
    free(cursor);
}

int mdb_cursor_get(MDB_cursor *cursor, MDB_val *key, MDB_val *value, MDB_cursor_op op)
{
    const KnSortedTable *table = &cursor->txn->env->tables[cursor->table];
    KnSortedRow *row;
    if (op == MDB_SET_RANGE)
        row = kn_sorted_from(table, key->mv_data, key->mv_size, false);
    else if (op == MDB_NEXT && cursor->placed)
        row = kn_sorted_from(table, cursor->key.data, cursor->key.length, true);
    else
        row = kn_sorted_from(table, NULL, 0, false);
    if (!row) return MDB_NOTFOUND;
    cursor->placed = true;
    kn_text_clear(&cursor->key);
    kn_text_add_bytes(&cursor->key, (const char *)row->key, row->key_size);
    *key = (MDB_val){row->key_size, row->key};
    *value = (MDB_val){row->value_size, row->value};
    return kn_text_ok(&cursor->key) ? 0 : ENOMEM;
}

int mdb_cursor_del(MDB_cursor *cursor, unsigned flags)
{
    (void)flags;
    MDB_val key = {cursor->key.length, cursor->key.data};
    return cursor->placed ? mdb_del(cursor->txn, cursor->table, &key, NULL) : EINVAL;
}
