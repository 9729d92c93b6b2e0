/* The part of LMDB that experience bases use (methods/experience/), for the site: a browser has neither
 * shared memory maps nor other processes, so the tables are in memory and a file is the log of what was
 * committed. Names and meanings are LMDB's; a file of the one cannot be read by the other. */
#ifndef KNACK_SITE_INCLUDE_LMDB_H
#define KNACK_SITE_INCLUDE_LMDB_H

#include <stddef.h>
#include <sys/types.h>

typedef struct MDB_env MDB_env;
typedef struct MDB_txn MDB_txn;
typedef struct MDB_cursor MDB_cursor;
typedef unsigned MDB_dbi;

typedef struct MDB_val {
    size_t mv_size;
    void *mv_data;
} MDB_val;

typedef struct MDB_stat {
    unsigned ms_psize;
    size_t ms_entries; /* of mdb_env_stat: tables */
} MDB_stat;

typedef struct MDB_envinfo {
    size_t me_last_pgno;
} MDB_envinfo;

enum {
    MDB_INTEGERKEY = 0x08,
    MDB_NOSUBDIR = 0x4000,
    MDB_NOSYNC = 0x10000,
    MDB_RDONLY = 0x20000,
    MDB_APPEND = 0x20000,
    MDB_CREATE = 0x40000,
    MDB_NOTLS = 0x200000,
    MDB_NOLOCK = 0x400000,
    MDB_NORDAHEAD = 0x800000
};

enum {
    MDB_SUCCESS = 0,
    MDB_KEYEXIST = -30799,
    MDB_NOTFOUND = -30798,
    MDB_PAGE_NOTFOUND = -30797,
    MDB_CORRUPTED = -30796,
    MDB_PANIC = -30795,
    MDB_VERSION_MISMATCH = -30794,
    MDB_INVALID = -30793,
    MDB_MAP_FULL = -30792,
    MDB_DBS_FULL = -30791,
    MDB_READERS_FULL = -30790,
    MDB_INCOMPATIBLE = -30784,
    MDB_BAD_DBI = -30780
};

typedef enum MDB_cursor_op { MDB_FIRST, MDB_NEXT, MDB_SET_RANGE } MDB_cursor_op;

const char *mdb_strerror(int code);
int mdb_env_create(MDB_env **env);
int mdb_env_open(MDB_env *env, const char *path, unsigned flags, mode_t mode);
void mdb_env_close(MDB_env *env);
int mdb_env_set_flags(MDB_env *env, unsigned flags, int on);
int mdb_env_set_mapsize(MDB_env *env, size_t size);
int mdb_env_set_maxdbs(MDB_env *env, MDB_dbi count);
int mdb_env_set_maxreaders(MDB_env *env, unsigned readers);
int mdb_env_stat(MDB_env *env, MDB_stat *stat);
int mdb_env_info(MDB_env *env, MDB_envinfo *info);

int mdb_txn_begin(MDB_env *env, MDB_txn *parent, unsigned flags, MDB_txn **txn);
int mdb_txn_commit(MDB_txn *txn);
void mdb_txn_abort(MDB_txn *txn);
void mdb_txn_reset(MDB_txn *txn);
int mdb_txn_renew(MDB_txn *txn);

int mdb_dbi_open(MDB_txn *txn, const char *name, unsigned flags, MDB_dbi *table);
int mdb_get(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value);
int mdb_put(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value, unsigned flags);
int mdb_del(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value);

int mdb_cursor_open(MDB_txn *txn, MDB_dbi table, MDB_cursor **cursor);
void mdb_cursor_close(MDB_cursor *cursor);
int mdb_cursor_get(MDB_cursor *cursor, MDB_val *key, MDB_val *value, MDB_cursor_op op);
int mdb_cursor_del(MDB_cursor *cursor, unsigned flags);

#endif
