/* The inside of an experience base, for the files of this folder.
 *
 * The tables: `keys` (16-byte key of a position -> number), `nodes` (number -> record), `games` (id ->
 * record), `plays` (id of a game and of one time that it was played -> number of the opponent and a check
 * sum), `ages` (when last seen -> id, with a limit only), and `about` for the header, the counters and the
 * names of opponents. A file is read through a read-only transaction that is renewed at each question; a
 * writer works on unpacked nodes in a cache over its write transaction, and packs them when it commits. */
#ifndef KNACK_METHODS_EXPERIENCE_INTERNAL_H
#define KNACK_METHODS_EXPERIENCE_INTERNAL_H

#include <lmdb.h>

#include "base/hash.h"
#include "methods/experience/base.h"
#include "methods/experience/node.h"

typedef enum KnBaseTable {
    KN_TABLE_ABOUT,
    KN_TABLE_KEYS,
    KN_TABLE_NODES,
    KN_TABLE_GAMES,
    KN_TABLE_AGES,
    KN_TABLE_PLAYS, /* since format 2 */
    KN_TABLES
} KnBaseTable;

enum { KN_TABLE_NONE = UINT32_MAX }; /* the handle of a table that format 1 does not have */

/* The file, shared by all who use it in this process. */
typedef struct KnBaseFile KnBaseFile;

typedef struct KnBaseCounters {
    uint64_t positions, edges, games, next, stamp, plays;
} KnBaseCounters;

struct KnBase {
    const KnContext *context;
    const KnGame *game;
    char *path;
    KnBaseFile *file;
    MDB_env *env;
    MDB_dbi tables[KN_TABLES];
    bool writes;
    KnBaseKind kind;
    bool pdn_marked;
    int format;
    uint32_t against;                   /* the opponent that questions are about; 0: none */
    int symmetries[64], symmetry_count; /* those that leave the roles alone */
    MDB_txn *reader;                    /* reset between questions; NULL before the first */
    MDB_txn *writer;                    /* NULL outside of a transaction */
    KnBaseCounters counters;            /* of the write transaction */
    KnNode **buckets;                   /* the cache: chains by number */
    size_t bucket_count, cached;
    uint64_t mark;
    KnText packed;
    unsigned char *room; /* two positions */
};

/* file.c */
KnStatus kn_base_file_open(KnBase *base, unsigned mode, const KnBaseKind *kind, KnError *error);
void kn_base_file_close(KnBase *base);
KnStatus kn_base_fail(const char *path, int code, const char *doing,
                      KnError *error); /* an LMDB code as a message */
/* Does something to a file that nobody else has open, into a file beside it that then takes its place. */
KnStatus kn_base_alone(const char *path,
                       KnStatus (*work)(const char *path, const char *beside, KnError *error),
                       const char *beside, KnError *error);
const char *kn_base_table_name(KnBaseTable table);
unsigned kn_base_table_flags(KnBaseTable table);
KnStatus kn_base_reading(KnBase *base, MDB_txn **txn,
                         KnError *error); /* the write transaction if there is one */
void kn_base_read_done(KnBase *base);

/* header.c */
KnStatus kn_base_write_header(MDB_txn *txn, MDB_dbi about, const char *path, const char *game,
                              const KnBaseKind *kind, KnError *error);
KnStatus kn_base_read_header(MDB_txn *txn, MDB_dbi about, const char *path, KnBaseHeader *header,
                             KnError *error);
KnStatus kn_base_read_counters(MDB_txn *txn, MDB_dbi about, const char *path, KnBaseCounters *counters,
                               KnError *error);
KnStatus kn_base_write_counters(MDB_txn *txn, MDB_dbi about, const char *path, const KnBaseCounters *counters,
                                KnError *error);

/* in_child.c: runs a look at something in a child process. `look` fills the error and may fill `size`
 * bytes of `result`. */
KnStatus kn_base_in_child(const char *path, KnStatus (*look)(void *user, void *result, KnError *error),
                          void *user, void *result, size_t size, KnError *error);

/* damaged_file.c: as kn_base_peek, but a file without anything in it is fine: the header's game is then "".
 */
KnStatus kn_base_look_at(const char *path, KnBaseHeader *header, KnError *error);

/* Opens a file alone and read-only, for a child that looks at it. */
KnStatus kn_base_env_alone(const char *path, MDB_env **env, MDB_txn **txn, MDB_dbi tables[KN_TABLES],
                           KnError *error);

/* base.c */
void kn_base_find_symmetries(KnBase *base);

/* position_keys.c */
typedef struct KnBaseFrame {
    KnHash128 key;
    int symmetry; /* that led to it; 0 where keys are not exact */
} KnBaseFrame;

void kn_base_frame(const KnBase *base, const void *position, void *image,
                   KnBaseFrame *frame); /* image: the position to keep; room for two */
int kn_base_sorted_moves(const KnGame *game, const void *position, KnMove *moves);
KnStatus kn_base_find(const KnBase *base, MDB_txn *txn, const KnHash128 *key, uint32_t *id, bool *found,
                      KnError *error);

/* node_cache.c */
KnStatus kn_cache_get(KnBase *base, uint32_t id, KnNode **node, KnError *error);
KnNode *kn_cache_have(const KnBase *base, uint32_t id); /* NULL if it is not in memory */
KnStatus kn_cache_make(KnBase *base, const KnHash128 *key, const void *image, KnNode **node, KnError *error);
KnStatus kn_cache_flush(KnBase *base, KnError *error);
void kn_cache_clear(KnBase *base);

/* minmax.c: brings values and paths of these nodes and all their ancestors up to date. */
KnStatus kn_values_refresh(KnBase *base, KnNode **seeds, size_t count, KnError *error);

/* minmax_cycles.c: the same for nodes that reach each other (children elsewhere are done), all of them in the
 * cache and marked. */
KnStatus kn_values_cycles(KnBase *base, KnNode **nodes, size_t count, KnError *error);
KnStatus kn_values_one(KnBase *base, KnNode *node, KnError *error);
uint64_t kn_values_add(uint64_t a, uint64_t b); /* saturating */

/* add_games.c */
KnStatus kn_base_replay(const KnGame *game, const char *path, const void *bytes, size_t size, KnState *state,
                        KnBaseGameRecord *record, void *room, KnError *error);
void kn_base_game_id(const KnHash128 *keys, size_t count, double outcome, KnHash128 *id);

/* plays.c: each time that a game was played. */
typedef KnStatus (*KnVisitPlayRow)(void *user, uint64_t id, uint32_t opponent, KnError *error);
KnStatus kn_plays_each(KnBase *base, MDB_txn *txn, const KnHash128 *game, KnVisitPlayRow visit, void *user,
                       KnError *error);

/* Keeps one, unless it is there (*added). `play` NULL: as one without an id or an opponent. */
KnStatus kn_plays_keep(KnBase *base, const KnHash128 *game, const KnBasePlay *play, uint32_t *opponent,
                       bool *added, KnError *error);
KnStatus kn_plays_forget(KnBase *base, const KnHash128 *game, KnError *error);

/* A name's number, 0 if it has none; and the name of a number, which lives as long as the transaction. */
KnStatus kn_opponent_number(KnBase *base, MDB_txn *txn, const char *name, bool make, uint32_t *number,
                            KnError *error);
KnStatus kn_opponent_name(KnBase *base, MDB_txn *txn, uint32_t number, const char **name, KnError *error);

#endif
