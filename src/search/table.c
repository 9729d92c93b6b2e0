#include "search/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The data word, from the low end: score 32 bits, move index + 1 12, depth 8, bound 2, complete 1, age 3, epoch 6. Epoch 0
 * is never current, so that wiped memory is empty. An entry of another epoch (an earlier contest) is empty too, for
 * probing and for replacing alike: nothing that went before can show. */
enum {
    MOVE_SHIFT = 32,
    DEPTH_SHIFT = 44,
    BOUND_SHIFT = 52,
    COMPLETE_SHIFT = 54,
    AGE_SHIFT = 55,
    EPOCH_SHIFT = 58,
    MOVE_MAX = 4094,
    AGES = 8,
    EPOCHS = 64,
    WAYS = 4
};

typedef struct Entry {
    _Atomic uint64_t check; /* key xor data */
    _Atomic uint64_t data;
} Entry;

typedef struct Cluster {
    _Alignas(64) Entry entries[WAYS];
} Cluster;

struct KnTable {
    Cluster *clusters;
    uint64_t count;
    size_t mapped;
    unsigned epoch, age;
};

static uint64_t load(const _Atomic uint64_t *word) { return atomic_load_explicit(word, memory_order_relaxed); }

/* Fresh zeroed pages, aligned to huge ones so that the kernel can use those; taken as they are touched. */
static void *map_pages(size_t bytes, size_t alignment)
{
    unsigned char *whole =
        mmap(NULL, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) return NULL;
    size_t before = (alignment - (uintptr_t)whole % alignment) % alignment;
    if (before) munmap(whole, before);
    munmap(whole + before + bytes, alignment - before);
#ifdef MADV_HUGEPAGE
    madvise(whole + before, bytes, MADV_HUGEPAGE);
#endif
    return whole + before;
}

KnTable *kn_table_new(size_t bytes, KnError *error)
{
    enum { HUGE_PAGE = 1 << 21 };
    KnTable *table = calloc(1, sizeof *table);
    if (!table) {
        kn_fail_memory(error, "making a transposition table");
        return NULL;
    }
    table->count = bytes / sizeof(Cluster) ? bytes / sizeof(Cluster) : 1;
    table->mapped = (table->count * sizeof(Cluster) + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    table->clusters = table->mapped >= bytes ? map_pages(table->mapped, HUGE_PAGE) : NULL;
    if (!table->clusters) {
        free(table);
        kn_fail(error, KN_SYSTEM, "out of memory while making a transposition table of %zu bytes", bytes);
        return NULL;
    }
    table->epoch = 1;
    return table;
}

void kn_table_free(KnTable *table)
{
    if (!table) return;
    munmap(table->clusters, table->mapped);
    free(table);
}

void kn_table_clear(KnTable *table)
{
    table->age = 0;
    if (++table->epoch < EPOCHS) return;
    table->epoch = 1;
    memset(table->clusters, 0, table->count * sizeof(Cluster));
}

void kn_table_age(KnTable *table) { table->age = (table->age + 1) % AGES; }

size_t kn_table_bytes(const KnTable *table) { return table->count * sizeof(Cluster); }

double kn_table_used(const KnTable *table)
{
    uint64_t sample = table->count < 1000 ? table->count : 1000, used = 0;
    for (uint64_t i = 0; i < sample; i++)
        for (int way = 0; way < WAYS; way++)
            used += load(&table->clusters[i].entries[way].data) >> EPOCH_SHIFT == table->epoch;
    return (double)used / (double)(sample * WAYS);
}

static Cluster *cluster_of(const KnTable *table, uint64_t key)
{
    return &table->clusters[(uint64_t)((unsigned __int128)key * table->count >> 64)];
}

void kn_table_prefetch(const KnTable *table, uint64_t key) { __builtin_prefetch(cluster_of(table, key)); }

/* Wins and losses are counted from the node in the table, and from the root in the search. */
static KnScore to_table(KnScore score, int ply)
{
    return score > KN_SCORE_SURE ? score + ply : score < -KN_SCORE_SURE ? score - ply : score;
}

static KnScore from_table(KnScore score, int ply)
{
    return score > KN_SCORE_SURE ? score - ply : score < -KN_SCORE_SURE ? score + ply : score;
}

bool kn_table_probe(const KnTable *table, uint64_t key, int ply, KnTableEntry *entry)
{
    const Cluster *cluster = cluster_of(table, key);
    for (int way = 0; way < WAYS; way++) {
        uint64_t data = load(&cluster->entries[way].data);
        if ((load(&cluster->entries[way].check) ^ data) != key || data >> EPOCH_SHIFT != table->epoch) continue;
        entry->score = from_table((KnScore)(uint32_t)data, ply);
        entry->move = (int)(data >> MOVE_SHIFT & 0xfff) - 1;
        entry->depth = (int)(data >> DEPTH_SHIFT & 0xff);
        entry->bound = (KnBound)(data >> BOUND_SHIFT & 3);
        entry->complete = data >> COMPLETE_SHIFT & 1;
        return true;
    }
    return false;
}

void kn_table_store(KnTable *table, uint64_t key, int ply, const KnTableEntry *entry)
{
    Cluster *cluster = cluster_of(table, key);
    Entry *victim = &cluster->entries[0];
    int least = INT32_MAX;
    uint64_t known = 0; /* a move that was good here before is better than none */
    for (int way = 0; way < WAYS; way++) {
        Entry *candidate = &cluster->entries[way];
        uint64_t data = load(&candidate->data);
        if (data >> EPOCH_SHIFT != table->epoch) {
            /* Empty; but the key may stand further on only if nothing before it was ever empty, so it does not. */
            victim = candidate;
            break;
        }
        if ((load(&candidate->check) ^ data) == key) {
            victim = candidate;
            known = data >> MOVE_SHIFT & 0xfff;
            break;
        }
        int older = (int)((table->age - (unsigned)(data >> AGE_SHIFT & 7)) % AGES);
        int worth = (int)(data >> DEPTH_SHIFT & 0xff) - 8 * older;
        if (worth < least) {
            least = worth;
            victim = candidate;
        }
    }
    uint64_t move = entry->move < 0 || entry->move > MOVE_MAX ? known : (uint64_t)entry->move + 1;
    uint64_t data = (uint32_t)to_table(entry->score, ply) | move << MOVE_SHIFT |
                    (uint64_t)entry->depth << DEPTH_SHIFT | (uint64_t)entry->bound << BOUND_SHIFT |
                    (uint64_t)entry->complete << COMPLETE_SHIFT | (uint64_t)table->age << AGE_SHIFT |
                    (uint64_t)table->epoch << EPOCH_SHIFT;
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
}
