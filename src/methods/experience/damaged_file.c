/* Looking at a file that may be damaged, in a child process (in_child.c). */
#include "methods/experience/internal.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAMPLE = 2000 };

/* ---- the look at opening ---- */

/* The pages that the file says it has must be there. */
static KnStatus look_at_size(MDB_env *env, const char *path, KnError *error)
{
    MDB_envinfo info;
    MDB_stat stat_;
    struct stat file;
    mdb_env_info(env, &info);
    mdb_env_stat(env, &stat_);
    uint64_t wanted = ((uint64_t)info.me_last_pgno + 1) * stat_.ms_psize;
    if (stat(path, &file) != 0) return kn_fail_errno(error, "cannot look at %s", path);
    if ((uint64_t)file.st_size < wanted)
        return kn_fail(error, KN_INPUT, "%s is damaged: cut short at %llu of %llu bytes", path,
                       (unsigned long long)file.st_size, (unsigned long long)wanted);
    return KN_OK;
}

/* Positions spread evenly over the file must be readable. */
static KnStatus look_at_sample(MDB_txn *txn, const MDB_dbi *tables, const char *path, KnError *error)
{
    KnBaseCounters counters;
    KnStatus status = kn_base_read_counters(txn, tables[KN_TABLE_ABOUT], path, &counters, error);
    if (status != KN_OK) return status;
    uint64_t stride = counters.next / SAMPLE + 1;
    for (uint64_t id = 1; id < counters.next; id += stride) {
        uint32_t number = (uint32_t)id;
        MDB_val key = {sizeof number, &number}, value;
        int code = mdb_get(txn, tables[KN_TABLE_NODES], &key, &value);
        if (code == MDB_NOTFOUND) continue; /* forgotten */
        KnNode node;
        if (code || !kn_node_decode(value.mv_data, value.mv_size, 0, true, &node))
            return kn_fail(
                error, KN_INPUT,
                "%s is damaged: position %u cannot be read (%s); `knack base check` looks at everything",
                path, number, code ? mdb_strerror(code) : "its check sum is wrong");
        kn_node_clear(&node);
    }
    return KN_OK;
}

static KnStatus look(void *user, void *result, KnError *error)
{
    const char *path = user;
    MDB_env *env = NULL;
    MDB_txn *txn = NULL;
    MDB_dbi tables[KN_TABLES];
    KnStatus status = kn_base_env_alone(path, &env, &txn, tables, error);
    MDB_stat main;
    if (status == KN_INPUT && env && mdb_env_stat(env, &main) == 0 &&
        main.ms_entries == 0) { /* its maker was killed before the first commit */
        ((KnBaseHeader *)result)->game[0] = '\0';
        mdb_env_close(env);
        return KN_OK;
    }
    if (status == KN_OK) status = look_at_size(env, path, error);
    if (status == KN_OK) status = kn_base_read_header(txn, tables[KN_TABLE_ABOUT], path, result, error);
    if (status == KN_OK) status = look_at_sample(txn, tables, path, error);
    if (txn) mdb_txn_abort(txn);
    if (env) mdb_env_close(env);
    return status;
}

/* LMDB would take whatever file it is given for its own to fill; so its mark is looked for first: 0xBEEFC0DE
 * behind the head of page 0. */
static KnStatus look_at_mark(const char *path, KnError *error)
{
    unsigned char head[20];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return kn_fail_errno(error, "cannot open %s", path);
    bool whole = read(fd, head, sizeof head) == (ssize_t)sizeof head, empty = lseek(fd, 0, SEEK_END) == 0;
    close(fd);
    if (empty) return kn_fail(error, KN_INPUT, "%s is empty, and no experience base", path);
    uint32_t mark = 0;
    if (whole) memcpy(&mark, head + 16, sizeof mark);
    return mark == 0xBEEFC0DE ? KN_OK : kn_fail(error, KN_INPUT, "%s is no experience base", path);
}

KnStatus kn_base_look_at(const char *path, KnBaseHeader *header, KnError *error)
{
    KnStatus status = look_at_mark(path, error);
    if (status != KN_OK) return status;
    return kn_base_in_child(path, look, (void *)(uintptr_t)path, header, sizeof *header, error);
}

KnStatus kn_base_peek(const char *path, KnBaseHeader *header, KnError *error)
{
    KnStatus status = kn_base_look_at(path, header, error);
    return status == KN_OK && !header->game[0]
               ? kn_fail(error, KN_INPUT, "%s is empty, and no experience base", path)
               : status;
}

bool kn_base_empty(const char *path)
{
    struct stat info;
    KnBaseHeader header;
    KnError ignored;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    return !info.st_size || (kn_base_look_at(path, &header, &ignored) == KN_OK && !header.game[0]);
}
