#include "search/transposition_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/pages.h"

enum { MOVE_MAX = 4094, AGES = 8, EPOCHS = 64 };

KnTranspositionTable *kn_tt_new(size_t bytes, KnError *error)
{
    KnTranspositionTable *table = calloc(1, sizeof *table);
    if (!table) {
        kn_fail_memory(error, "making a transposition table");
        return NULL;
    }
    table->count = bytes / sizeof(KnTableCluster) ? bytes / sizeof(KnTableCluster) : 1;
    table->clusters = kn_pages_new(table->count * sizeof(KnTableCluster));
    if (!table->clusters) {
        free(table);
        kn_fail(error, KN_SYSTEM, "out of memory while making a transposition table of %zu bytes", bytes);
        return NULL;
    }
    table->epoch = 1;
    return table;
}

void kn_tt_free(KnTranspositionTable *table)
{
    if (!table) return;
    kn_pages_free(table->clusters, table->count * sizeof(KnTableCluster));
    free(table);
}

void kn_tt_clear(KnTranspositionTable *table)
{
    table->age = 0;
    if (++table->epoch < EPOCHS) return;
    table->epoch = 1;
    memset(table->clusters, 0, table->count * sizeof(KnTableCluster));
}

void kn_tt_age(KnTranspositionTable *table) { table->age = (table->age + 1) % AGES; }

static KnScore to_table(KnScore score, int ply)
{
    return score > KN_SCORE_PROVEN ? score + ply : score < -KN_SCORE_PROVEN ? score - ply : score;
}

void kn_tt_store(KnTranspositionTable *table, uint64_t key, int ply, const KnTableEntry *entry)
{
    KN_ASSERT(entry->depth >= 0 && entry->depth < 256 && ply >= 0);
    KnTableCluster *cluster = kn_tt_cluster(table, key);
    KnTableSlot *victim = &cluster->entries[0];
    int least = INT32_MAX;
    uint64_t known = 0; /* an older best move is better than none */
    for (int way = 0; way < KN_TABLE_WAYS; way++) {
        KnTableSlot *candidate = &cluster->entries[way];
        uint64_t data = kn_tt_load(&candidate->data);
        if (data >> KN_TABLE_EPOCH != table->epoch) {
            /* Empty: slots fill in order, so the key cannot stand behind it. */
            victim = candidate;
            break;
        }
        if ((kn_tt_load(&candidate->check) ^ data) == key) {
            victim = candidate;
            known = data >> KN_TABLE_MOVE & 0xfff;
            break;
        }
        int older = (int)((table->age - (unsigned)(data >> KN_TABLE_AGE & 7)) % AGES);
        int value = (int)(data >> KN_TABLE_DEPTH & 0xff) - 8 * older;
        if (value < least) {
            least = value;
            victim = candidate;
        }
    }
    uint64_t move = entry->move < 0 || entry->move > MOVE_MAX ? known : (uint64_t)entry->move + 1;
    uint64_t data = (uint32_t)to_table(entry->score, ply) | move << KN_TABLE_MOVE |
                    (uint64_t)entry->depth << KN_TABLE_DEPTH | (uint64_t)entry->bound << KN_TABLE_BOUND |
                    (uint64_t)entry->complete << KN_TABLE_COMPLETE | (uint64_t)table->age << KN_TABLE_AGE |
                    (uint64_t)table->epoch << KN_TABLE_EPOCH;
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
}
