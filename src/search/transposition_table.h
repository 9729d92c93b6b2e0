/* The transposition table: values of positions by their Zobrist hash, in a fixed amount of memory.
 *
 * Clusters of four 16-byte entries fill a cache line each. An entry is two words, the data and the key xor
 * the data, read and written as relaxed atomics without a lock (lockless hashing: Hyatt and Mann 2002): when
 * two threads write one entry at the same time, the words disagree and the entry matches no key. Wins and
 * losses are stored by their distance from the node, so callers pass their ply.
 *
 * kn_tt_clear starts a new epoch, which costs a counter (memory is wiped every 63rd time), so that each game
 * begins with a fresh table. Call kn_tt_age before each search: entries of earlier searches are replaced
 * first.
 *
 * Ownership: kn_tt_new / kn_tt_free. Probing and storing are safe from several threads; clear and age are
 * not. */
#ifndef KNACK_SEARCH_TRANSPOSITION_TABLE_H
#define KNACK_SEARCH_TRANSPOSITION_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "search/search.h"

/* The data word, from the low end: score 32 bits, move index + 1 12, depth 8, bound 2, complete 1, age 3,
 * epoch 6. Epoch 0 is never current, so that wiped memory is empty. An entry of another epoch (an earlier
 * game) counts as empty, for probing and for replacing. The layout is public so that probing is inlined. */
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

typedef struct KnTranspositionTable {
    KnTableCluster *clusters;
    uint64_t count;
    unsigned epoch, age;
} KnTranspositionTable;

typedef struct KnTableEntry {
    KnScore score;
    int move;  /* index among the position's generated moves; -1: none */
    int depth; /* that was left when it was stored */
    KnBound bound;
    bool complete; /* no line below met the horizon: the score holds for any greater depth */
} KnTableEntry;

/* `bytes` are rounded down to whole clusters, at least one. */
KnTranspositionTable *kn_tt_new(size_t bytes, KnError *error);
void kn_tt_free(KnTranspositionTable *table);
void kn_tt_clear(KnTranspositionTable *table);
void kn_tt_age(KnTranspositionTable *table);

void kn_tt_store(KnTranspositionTable *table, uint64_t key, int ply, const KnTableEntry *entry);

static inline uint64_t kn_tt_load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline KnTableCluster *kn_tt_cluster(const KnTranspositionTable *table, uint64_t key)
{
    return &table->clusters[(uint64_t)((unsigned __int128)key * table->count >> 64)];
}

static inline void kn_tt_prefetch(const KnTranspositionTable *table, uint64_t key)
{
    __builtin_prefetch(kn_tt_cluster(table, key));
}

/* Distances of wins and losses count from the node in the table, from the root in the search. */
static inline KnScore kn_tt_score(uint64_t data, int ply)
{
    KnScore score = (KnScore)(uint32_t)data;
    return score > KN_SCORE_PROVEN ? score - ply : score < -KN_SCORE_PROVEN ? score + ply : score;
}

static inline bool kn_tt_probe(const KnTranspositionTable *table, uint64_t key, int ply, KnTableEntry *entry)
{
    const KnTableCluster *cluster = kn_tt_cluster(table, key);
    for (int way = 0; way < KN_TABLE_WAYS; way++) {
        uint64_t data = kn_tt_load(&cluster->entries[way].data);
        if ((kn_tt_load(&cluster->entries[way].check) ^ data) != key ||
            data >> KN_TABLE_EPOCH != table->epoch)
            continue;
        entry->score = kn_tt_score(data, ply);
        entry->move = (int)(data >> KN_TABLE_MOVE & 0xfff) - 1;
        entry->depth = (int)(data >> KN_TABLE_DEPTH & 0xff);
        entry->bound = (KnBound)(data >> KN_TABLE_BOUND & 3);
        entry->complete = data >> KN_TABLE_COMPLETE & 1;
        return true;
    }
    return false;
}

#endif
