/* The transposition table: what was found out about positions, in a fixed amount of memory.
 *
 * Clusters of four 16-byte entries fill a cache line each. An entry is two words, the data and the key xor the data, read
 * and written as relaxed atomics without a lock: when two threads write one entry at once, the words disagree and the entry
 * matches no key. Wins and losses are stored by their distance from the node, so callers pass their ply.
 *
 * kn_table_clear makes it as good as new at the cost of a counter (memory is wiped once every 63 times), so that a
 * contest can begin with a fresh table; kn_table_age is called before each search, and lets entries of earlier ones go first.
 *
 * Ownership: kn_table_new / kn_table_free. Probing and storing are safe from several threads; clear and age are not. */
#ifndef KNACK_SEARCH_TABLE_H
#define KNACK_SEARCH_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "search/search.h"

typedef struct KnTable KnTable;

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
double kn_table_used(const KnTable *table); /* share of a sample of entries that hold something of this contest */

void kn_table_prefetch(const KnTable *table, uint64_t key);
bool kn_table_probe(const KnTable *table, uint64_t key, int ply, KnTableEntry *entry);
void kn_table_store(KnTable *table, uint64_t key, int ply, const KnTableEntry *entry);

#endif
