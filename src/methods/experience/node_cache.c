/* Unpacked positions over a write transaction. Games share their openings, so that in a transaction of many
 * games each position is unpacked and packed once; what has changed is written in order of numbers, which
 * LMDB likes best. */
#include "base/assert.h"
#include "methods/experience/internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 1 << 10 };

static size_t place(const KnBase *base, uint32_t id)
{
    KN_ASSERT(base->bucket_count && (base->bucket_count & (base->bucket_count - 1)) == 0);
    return (id * UINT32_C(2654435769)) & (base->bucket_count - 1);
}

KnNode *kn_cache_have(const KnBase *base, uint32_t id)
{
    if (!base->bucket_count) return NULL;
    KnNode *node = base->buckets[place(base, id)];
    while (node && node->id != id) node = node->next;
    return node;
}

static bool enlarge(KnBase *base)
{
    size_t count = base->bucket_count ? base->bucket_count * 2 : FIRST_BUCKETS, before = base->bucket_count;
    KnNode **old = base->buckets, **buckets = calloc(count, sizeof *buckets);
    if (!buckets) return false;
    base->buckets = buckets;
    base->bucket_count = count;
    for (size_t i = 0; i < before; i++)
        for (KnNode *node = old[i], *next; node; node = next) {
            next = node->next;
            size_t at = place(base, node->id);
            node->next = buckets[at];
            buckets[at] = node;
        }
    free(old);
    return true;
}

static bool insert(KnBase *base, KnNode *node)
{
    KN_ASSERT(!kn_cache_have(base, node->id));
    if (base->cached >= base->bucket_count && !enlarge(base)) return false;
    size_t at = place(base, node->id);
    node->next = base->buckets[at];
    base->buckets[at] = node;
    KN_ASSERT((base->bucket_count & (base->bucket_count - 1)) == 0);
    base->cached++;
    return true;
}

static void drop(KnNode *node)
{
    kn_node_clear(node);
    free(node);
}

KnStatus kn_cache_get(KnBase *base, uint32_t id, KnNode **out, KnError *error)
{
    *out = kn_cache_have(base, id);
    if (*out) return KN_OK;
    MDB_val key = {sizeof id, &id}, value;
    int code = mdb_get(base->writer, base->tables[KN_TABLE_NODES], &key, &value);
    if (code)
        return kn_base_fail(base->path, code == MDB_NOTFOUND ? MDB_CORRUPTED : code, "reading a position",
                            error);
    KnNode *node = malloc(sizeof *node);
    if (!node) return kn_fail_memory(error, "reading an experience base");
    if (!kn_node_decode(value.mv_data, value.mv_size, base->game->position_size, false, node)) {
        free(node);
        return kn_base_fail(base->path, MDB_CORRUPTED, "reading a position", error);
    }
    node->id = id;
    node->mover = base->game->type->mover(base->game, node->position);
    if (!insert(base, node)) {
        drop(node);
        return kn_fail_memory(error, "reading an experience base");
    }
    *out = node;
    return KN_OK;
}

KnStatus kn_cache_make(KnBase *base, const KnHash128 *key, const void *image, KnNode **out, KnError *error)
{
    size_t size = base->game->position_size;
    if (base->counters.next > UINT32_MAX)
        return kn_fail(error, KN_SYSTEM, "%s is full: it numbers its positions up to 4 billion", base->path);
    KnNode *node = calloc(1, sizeof *node);
    if (node) node->position = aligned_alloc(16, (size + 15) & ~(size_t)15);
    if (!node || !node->position) {
        free(node);
        return kn_fail_memory(error, "adding to an experience base");
    }
    memcpy(node->position, image, size);
    node->id = (uint32_t)base->counters.next;
    node->leaf = KN_MOVE_NONE;
    node->mover = base->game->type->mover(base->game, image);
    node->dirty = node->fresh = true;
    MDB_val at = {sizeof *key, (void *)(uintptr_t)key}, value = {sizeof node->id, &node->id};
    int code = mdb_put(base->writer, base->tables[KN_TABLE_KEYS], &at, &value, 0);
    if (code || !insert(base, node)) {
        drop(node);
        return code ? kn_base_fail(base->path, code, "adding a position", error)
                    : kn_fail_memory(error, "adding to an experience base");
    }
    base->counters.next++;
    base->counters.positions++;
    *out = node;
    return KN_OK;
}

static int by_id(const void *a, const void *b)
{
    const KnNode *x = *(KnNode *const *)a, *y = *(KnNode *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

static KnStatus write_node(KnBase *base, const KnNode *node, KnError *error)
{
    uint32_t id = node->id;
    MDB_val key = {sizeof id, &id};
    int code;
    if (node->gone) {
        code = node->fresh ? 0 : mdb_del(base->writer, base->tables[KN_TABLE_NODES], &key, NULL);
    } else {
        kn_text_clear(&base->packed);
        kn_node_encode(node, base->game->position_size, &base->packed);
        if (!kn_text_ok(&base->packed)) return kn_fail_memory(error, "writing an experience base");
        MDB_val value = {base->packed.length, base->packed.data};
        code = mdb_put(base->writer, base->tables[KN_TABLE_NODES], &key, &value, 0);
    }
    return code ? kn_base_fail(base->path, code, "writing a position", error) : KN_OK;
}

KnStatus kn_cache_flush(KnBase *base, KnError *error)
{
    KnNode **dirty = malloc((base->cached + 1) * sizeof(KnNode *));
    if (!dirty) return kn_fail_memory(error, "writing an experience base");
    size_t count = 0;
    for (size_t i = 0; i < base->bucket_count; i++)
        for (KnNode *node = base->buckets[i]; node; node = node->next)
            if (node->dirty) dirty[count++] = node;
    qsort(dirty, count, sizeof *dirty, by_id);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < count && status == KN_OK; i++) status = write_node(base, dirty[i], error);
    free(dirty);
    if (status == KN_OK) kn_cache_clear(base);
    return status;
}

void kn_cache_clear(KnBase *base)
{
    for (size_t i = 0; i < base->bucket_count; i++)
        for (KnNode *node = base->buckets[i], *next; node; node = next) {
            next = node->next;
            drop(node);
        }
    free(base->buckets);
    base->buckets = NULL;
    base->bucket_count = base->cached = 0;
}
