/* The file of a base: opening, locks, transactions.
 *
 * A process may open an LMDB file once only, hence KnBaseFile is shared through the context. LMDB itself lets
 * writers queue up forever and knows nothing of who else has a file open, so we keep two locks of our own on
 * the file, far behind its end: one that everybody holds shared while it is open (and compacting alone holds
 * exclusively), and one for the writing process. They are of the open file description: they end with the
 * process, whatever ends it. */
#include "eval/same_rules.h"
#include "methods/experience/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { READERS = 1022 };
static const size_t MAP_SIZE = (size_t)1 << (sizeof(size_t) > 4 ? 38 : 30); /* address space, not memory:
                                                                   256 GiB; less where that is refused */
static const off_t USE_LOCK = (off_t)1 << 61, WRITE_LOCK = ((off_t)1 << 61) + 1;

struct KnBaseFile {
    MDB_env *env;
    MDB_dbi tables[KN_TABLES];
    KnBaseHeader header;
    int fd;
    bool read_only;
    pthread_mutex_t lock;
    size_t writers;
};

static const struct {
    const char *name;
    unsigned flags;
} tables[KN_TABLES] = {
    {"about", 0}, {"keys", 0}, {"nodes", MDB_INTEGERKEY}, {"games", 0}, {"ages", MDB_INTEGERKEY},
    {"plays", 0}};

const char *kn_base_table_name(KnBaseTable table) { return tables[table].name; }
unsigned kn_base_table_flags(KnBaseTable table) { return tables[table].flags; }

KnStatus kn_base_fail(const char *path, int code, const char *doing, KnError *error)
{
    switch (code) {
    case MDB_INVALID:
        return kn_fail(error, KN_INPUT, "%s is no experience base", path);
    case MDB_VERSION_MISMATCH:
        return kn_fail(error, KN_INPUT, "%s was written by another version of LMDB", path);
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_BAD_DBI:
    case MDB_INCOMPATIBLE:
    case MDB_PANIC:
        return kn_fail(error, KN_INPUT,
                       "%s is damaged (%s while %s); `knack base check` looks closer, and an export of an "
                       "intact copy restores it",
                       path, mdb_strerror(code), doing);
    case MDB_MAP_FULL:
        return kn_fail(error, KN_SYSTEM, "%s: no room left in the file while %s; nothing was changed", path,
                       doing);
    case MDB_READERS_FULL:
        return kn_fail(error, KN_SYSTEM, "%s: more than %d readers have it open; close some", path, READERS);
    case ENOSPC:
    case EIO: /* what LMDB makes of a write that came out short */
        return kn_fail(error, KN_SYSTEM,
                       "%s: the disk is full, or does not take it, while %s; the base is as it was before",
                       path, doing);
    default:
        return kn_fail(error, KN_SYSTEM, "%s: %s while %s", path, mdb_strerror(code), doing);
    }
}

/* ---- locks ---- */

static bool take(int fd, off_t at, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

/* Why there is no lock: another process has it, or the file system has no locks, without which LMDB is not
 * safe. */
static KnStatus no_lock(const char *path, const char *other, KnError *error)
{
    if (errno == EAGAIN || errno == EACCES) return kn_fail(error, KN_SYSTEM, "%s %s", path, other);
    return kn_fail_errno(error, "%s cannot be locked; keep experience bases on a local disk", path);
}

static KnStatus refuse_remote(const char *path, KnError *error)
{
    return kn_fail(error, KN_INPUT,
                   "%s: lies on a network file system, where an experience base cannot be changed safely; "
                   "use a local disk and copy the file when it is done (KNACK_SHARED_FILES=no if the disk "
                   "is local)",
                   path);
}

static KnStatus begin_writing(KnBaseFile *file, const char *path, KnError *error)
{
    KnStatus status = KN_OK;
    pthread_mutex_lock(&file->lock);
    if (file->read_only && kn_file_is_remote(path))
        status = refuse_remote(path, error);
    else if (file->read_only)
        status = kn_fail(error, KN_SYSTEM, "%s cannot be written to: %s", path, strerror(EACCES));
    else if (!file->writers && !take(file->fd, WRITE_LOCK, F_WRLCK))
        status = no_lock(
            path, "is being written by another process; wait until it is done, or open it without `learn`",
            error);
    if (status == KN_OK) file->writers++;
    pthread_mutex_unlock(&file->lock);
    return status;
}

static void end_writing(KnBaseFile *file)
{
    pthread_mutex_lock(&file->lock);
    if (--file->writers == 0) take(file->fd, WRITE_LOCK, F_UNLCK);
    pthread_mutex_unlock(&file->lock);
}

/* ---- opening ---- */

static KnStatus open_env(const char *path, unsigned flags, MDB_env **env, KnError *error)
{
    int code = 0;
    for (size_t size = MAP_SIZE; size >= (size_t)1 << 30;
         size >>= 2) { /* where address space is rationed, a smaller map does */
        code = mdb_env_create(env);
        if (code) break;
        mdb_env_set_maxdbs(*env, KN_TABLES);
        mdb_env_set_maxreaders(*env, READERS);
        mdb_env_set_mapsize(*env, size);
        code = mdb_env_open(*env, path, flags | MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD, 0644);
        if (!code) return KN_OK;
        mdb_env_close(*env);
        *env = NULL;
        if (code != ENOMEM) break;
    }
    return kn_base_fail(path, code, "opening it", error);
}

static KnStatus open_tables(MDB_txn *txn, const char *path, unsigned create, MDB_dbi *dbis, KnError *error)
{
    for (int t = 0; t < KN_TABLES; t++) {
        int code = mdb_dbi_open(txn, tables[t].name, tables[t].flags | create, &dbis[t]);
        if (code == MDB_NOTFOUND && t == KN_TABLE_PLAYS) { /* the header says whether there is one */
            dbis[t] = KN_TABLE_NONE;
            continue;
        }
        if (code == MDB_NOTFOUND)
            return kn_fail(error, KN_INPUT,
                           "%s is an LMDB file, but no experience base (it has no table \"%s\")", path,
                           tables[t].name);
        if (code) return kn_base_fail(path, code, "opening its tables", error);
    }
    return KN_OK;
}

KnStatus kn_base_env_alone(const char *path, MDB_env **env, MDB_txn **txn, MDB_dbi dbis[KN_TABLES],
                           KnError *error)
{
    KnStatus status = open_env(path, MDB_RDONLY, env, error);
    if (status == KN_SYSTEM)
        status = open_env(path, MDB_RDONLY | MDB_NOLOCK, env, error); /* a read-only disk */
    if (status != KN_OK) return status;
    int code = mdb_txn_begin(*env, NULL, MDB_RDONLY, txn);
    if (code) return kn_base_fail(path, code, "reading it", error);
    status = open_tables(*txn, path, 0, dbis, error);
    mdb_txn_commit(*txn); /* table handles live on only if their transaction does */
    *txn = NULL;
    code = status == KN_OK ? mdb_txn_begin(*env, NULL, MDB_RDONLY, txn) : 0;
    return code ? kn_base_fail(path, code, "reading it", error) : status;
}

/* Makes the tables and header of a new base. */
static KnStatus furnish(KnBaseFile *file, const char *path, const char *game, const KnBaseKind *kind,
                        KnError *error)
{
    MDB_txn *txn;
    int code = mdb_txn_begin(file->env, NULL, 0, &txn);
    if (code) return kn_base_fail(path, code, "making it", error);
    KnStatus status = open_tables(txn, path, MDB_CREATE, file->tables, error);
    if (status == KN_OK)
        status = kn_base_write_header(txn, file->tables[KN_TABLE_ABOUT], path, game, kind, error);
    KnBaseCounters none = {.next = 1};
    if (status == KN_OK)
        status = kn_base_write_counters(txn, file->tables[KN_TABLE_ABOUT], path, &none, error);
    if (status != KN_OK) {
        mdb_txn_abort(txn);
        return status;
    }
    code = mdb_txn_commit(txn);
    return code ? kn_base_fail(path, code, "making it", error) : KN_OK;
}

static KnStatus enter(KnBaseFile *file, const char *path, KnError *error)
{
    MDB_txn *txn;
    int code = mdb_txn_begin(file->env, NULL, MDB_RDONLY, &txn);
    if (code) return kn_base_fail(path, code, "reading it", error);
    KnStatus status = open_tables(txn, path, 0, file->tables, error);
    if (status == KN_OK)
        status = kn_base_read_header(txn, file->tables[KN_TABLE_ABOUT], path, &file->header, error);
    mdb_txn_commit(txn); /* keeps the handles */
    return status;
}

typedef struct Opening {
    const char *path;
    const char *game;
    unsigned mode;
    KnBaseKind kind;
} Opening;

static void unmake_file(void *thing)
{
    KnBaseFile *file = thing;
    if (file->env) mdb_env_close(file->env);
    if (file->fd >= 0) close(file->fd);
    pthread_mutex_destroy(&file->lock);
    free(file);
}

/* The file is there, and holds a base or nothing at all (just made, or left so by a crash before its first
 * commit). */
static KnStatus open_file(const Opening *o, KnBaseFile *file, bool empty, KnError *error)
{
    bool remote = kn_file_is_remote(o->path); /* where a base is read, and never written */
    file->fd = remote ? -1 : open(o->path, O_RDWR | O_CLOEXEC);
    if (file->fd < 0) {
        file->fd = open(o->path, O_RDONLY | O_CLOEXEC);
        file->read_only = true;
    }
    if (file->fd < 0) return kn_fail_errno(error, "cannot open %s", o->path);
    if (!take(file->fd, USE_LOCK, F_RDLCK) && !remote)
        return no_lock(o->path, "is being compacted; try again when that is done", error);
    unsigned flags = remote ? MDB_RDONLY | MDB_NOLOCK : file->read_only ? MDB_RDONLY : 0;
    KnStatus status = open_env(o->path, flags, &file->env, error);
    if (status != KN_OK && file->read_only)
        status = open_env(o->path, MDB_RDONLY | MDB_NOLOCK, &file->env, error); /* a read-only disk */
    if (status != KN_OK) return status;
    if (empty) status = furnish(file, o->path, o->game, &o->kind, error);
    return status == KN_OK ? enter(file, o->path, error) : status;
}

static KnStatus make_file(void *user, void **thing, KnError *error)
{
    const Opening *o = user;
    struct stat info;
    bool there = stat(o->path, &info) == 0, empty = !there || (S_ISREG(info.st_mode) && info.st_size == 0);
    if (!there && errno != ENOENT) return kn_fail_errno(error, "cannot open %s", o->path);
    if (empty && !(o->mode & KN_BASE_MAKE)) {
        if (there) return kn_fail(error, KN_INPUT, "%s is empty, and no experience base", o->path);
        return kn_fail(error, KN_INPUT,
                       "there is no experience base %s; `learn` makes one as it plays, and `knack base "
                       "import` from games",
                       o->path);
    }
    if (there && !S_ISREG(info.st_mode)) return kn_fail(error, KN_INPUT, "%s is no file", o->path);
    if (empty && kn_file_is_remote(o->path)) return refuse_remote(o->path, error);
    if (!there) {
        int fd = open(o->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (fd < 0) return kn_fail_errno(error, "cannot make %s", o->path);
        close(fd);
    }
    KnBaseHeader header;
    KnStatus status = empty ? KN_OK : kn_base_look_at(o->path, &header, error);
    if (status == KN_OK && !empty && !header.game[0]) {
        empty = true;
        if (!(o->mode & KN_BASE_MAKE))
            status = kn_fail(error, KN_INPUT, "%s is empty, and no experience base", o->path);
    }
    if (status != KN_OK) return status;
    KnBaseFile *file = calloc(1, sizeof *file);
    if (!file) return kn_fail_memory(error, "opening an experience base");
    file->fd = -1;
    pthread_mutex_init(&file->lock, NULL);
    status = open_file(o, file, empty, error);
    if (status == KN_OK)
        *thing = file;
    else
        unmake_file(file);
    return status;
}

KnStatus kn_base_file_open(KnBase *base, unsigned mode, const KnBaseKind *kind, KnError *error)
{
    Opening o = {base->path, base->game->spec, mode, kind ? *kind : (KnBaseKind){.symmetry = true}};
    char *real = kn_path_real(base->path); /* the first to open it makes it: the others must find it shared */
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "experience base %s", real ? real : base->path);
    void *thing;
    KnStatus status = kn_text_ok(&name)
                          ? kn_share(base->context, name.data, make_file, unmake_file, &o, &thing, error)
                          : kn_fail_memory(error, "opening an experience base");
    kn_text_free(&name);
    free(real);
    if (status != KN_OK) return status;
    KnBaseFile *file = base->file = thing;
    if (!kn_same_game(base->game, file->header.game))
        return kn_fail(error, KN_INPUT, "%s holds experience of %s, not of %s", base->path, file->header.game,
                       base->game->spec);
    if (mode & KN_BASE_WRITE && file->header.format < KN_BASE_FORMAT)
        return kn_fail(
            error, KN_INPUT,
            "%s was made by a version that counted each distinct game once; it can be read, and not "
            "added to. `knack base export %s --out games.jsonl` and `knack base import NEW "
            "games.jsonl` make a new base in which each of its games was played once",
            base->path, base->path);
    if (mode & KN_BASE_WRITE) {
        status = begin_writing(file, base->path, error);
        if (status != KN_OK) return status;
        base->writes = true;
        if (mode & KN_BASE_LOOSE) mdb_env_set_flags(file->env, MDB_NOSYNC, 1);
    }
    base->env = file->env;
    base->kind = file->header.kind;
    base->pdn_marked = file->header.pdn_marked;
    base->format = file->header.format;
    memcpy(base->tables, file->tables, sizeof base->tables);
    return KN_OK;
}

void kn_base_file_close(KnBase *base)
{
    if (!base->file) return;
    if (base->reader) mdb_txn_abort(base->reader);
    if (base->writes) end_writing(base->file);
    kn_unshare(base->context, base->file);
}

KnStatus kn_base_alone(const char *path,
                       KnStatus (*work)(const char *path, const char *beside, KnError *error),
                       const char *beside, KnError *error)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return kn_fail_errno(error, "cannot open %s", path);
    KnStatus status = KN_OK;
    if (!take(fd, USE_LOCK, F_WRLCK))
        status = no_lock(path, "is in use; compact it when nobody has it open", error);
    if (status == KN_OK) status = work(path, beside, error);
    if (status == KN_OK && rename(beside, path) != 0)
        status = kn_fail_errno(error, "cannot replace %s", path);
    close(fd);
    return status;
}

/* ---- reading ---- */

KnStatus kn_base_reading(KnBase *base, MDB_txn **txn, KnError *error)
{
    if (base->writer) {
        *txn = base->writer;
        return KN_OK;
    }
    int code = base->reader ? mdb_txn_renew(base->reader)
                            : mdb_txn_begin(base->env, NULL, MDB_RDONLY, &base->reader);
    if (code) return kn_base_fail(base->path, code, "reading it", error);
    *txn = base->reader;
    return KN_OK;
}

void kn_base_read_done(KnBase *base)
{
    if (!base->writer && base->reader) mdb_txn_reset(base->reader);
}
