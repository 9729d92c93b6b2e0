/* The transposition table: what was found out about positions, in a fixed amount of memory.
 *
 * Clusters of four 16-byte entries fill a cache line each. An entry is two words, the data and the key xor
 * the data, read and written as relaxed atomics without a lock: when two threads write one entry at once, the
 * words disagree and the entry matches no key. Wins and losses are stored by their distance from the node, so
 * callers pass their ply.
 *
 * kn_table_clear makes it as good as new at the cost of a counter (memory is wiped once every 63 times), so
 * that a contest can begin with a fresh table; kn_table_age is called before each search, and lets entries of
 * earlier ones go first.
 *
 * Ownership: kn_table_new / kn_table_free. Probing and storing are safe from several threads; clear and age
 * are not. */
#ifndef KNACK_SEARCH_TABLE_H
#define KNACK_SEARCH_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "search/search.h"

/* The data word, from the low end: score 32 bits, move index + 1 12, depth 8, bound 2, complete 1, age 3,
 * epoch 6. Epoch 0 is never current, so that wiped memory is empty. An entry of another epoch (an earlier
 * contest) is empty too, for probing and for replacing alike: nothing that went before can show. The layout
 * lies open so that searches need not call to look something up. */
enum {
    KN_TABLE_MOVE = 32,
    KN_TABLE_DEPTH = 44,
    KN_TABLE_BOUND = 52,
    KN_TABLE_COMPLETE = 54,
    KN_TABLE_AGE = 55,
    KN_TABLE_EPOCH = 58,
    KN_TABLE_WAYS = 4
};

typedef struct KnTableSlot {
    _Atomic uint64_t check; /* key xor data */
    _Atomic uint64_t data;
} KnTableSlot;

typedef struct KnTableCluster {
    _Alignas(64) KnTableSlot entries[KN_TABLE_WAYS];
} KnTableCluster;

typedef struct KnTable {
    KnTableCluster *clusters;
    uint64_t count;
    size_t mapped;
    unsigned epoch, age;
} KnTable;

typedef struct KnTableEntry {
    KnScore score;
    int move;  /* index among the position's generated moves; -1: none */
    int depth; /* that was left when it was stored */
    KnBound bound;
    bool complete; /* no line below met the horizon: the score holds for any greater depth */
} KnTableEntry;

KnTable *kn_table_new(size_t bytes, KnError *error); /* rounded down to whole clusters, at least one */
void kn_table_free(KnTable *table);
void kn_table_clear(KnTable *table);
void kn_table_age(KnTable *table);
size_t kn_table_bytes(const KnTable *table);
double
kn_table_used(const KnTable *table); /* share of a sample of entries that hold something of this contest */

void kn_table_store(KnTable *table, uint64_t key, int ply, const KnTableEntry *entry);

static inline uint64_t kn_table_load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline KnTableCluster *kn_table_cluster(const KnTable *table, uint64_t key)
{
    return &table->clusters[(uint64_t)((unsigned __int128)key * table->count >> 64)];
}

static inline void kn_table_prefetch(const KnTable *table, uint64_t key)
{
    __builtin_prefetch(kn_table_cluster(table, key));
}

/* Wins and losses are counted from the node in the table, and from the root in the search. */
static inline KnScore kn_table_score(uint64_t data, int ply)
{
    KnScore score = (KnScore)(uint32_t)data;
    return score > KN_SCORE_SURE ? score - ply : score < -KN_SCORE_SURE ? score + ply : score;
}

static inline bool kn_table_probe(const KnTable *table, uint64_t key, int ply, KnTableEntry *entry)
{
    const KnTableCluster *cluster = kn_table_cluster(table, key);
    for (int way = 0; way < KN_TABLE_WAYS; way++) {
        uint64_t data = kn_table_load(&cluster->entries[way].data);
        if ((kn_table_load(&cluster->entries[way].check) ^ data) != key ||
            data >> KN_TABLE_EPOCH != table->epoch)
            continue;
        entry->score = kn_table_score(data, ply);
        entry->move = (int)(data >> KN_TABLE_MOVE & 0xfff) - 1;
        entry->depth = (int)(data >> KN_TABLE_DEPTH & 0xff);
        entry->bound = (KnBound)(data >> KN_TABLE_BOUND & 3);
        entry->complete = data >> KN_TABLE_COMPLETE & 1;
        return true;
    }
    return false;
}

#endif
