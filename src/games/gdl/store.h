/* Ground sentences by relation, with indices: the fact store of bottom-up derivation (derive.c).
 *
 * Sentences of a relation are kept in insertion order, so "what was known before this round" is a range of
 * numbers. An index of a relation finds the sentences with given values at given paths; it is built on first
 * use and then kept up to date. A path leads down through arguments to a subterm; the value there is the
 * subterm, or only its name.
 *
 * Ownership: a value inside its owner; kn_gdl_store_free. The terms are borrowed. Calls that add return false
 * if memory runs out. */
#ifndef KNACK_GAMES_GDL_STORE_H
#define KNACK_GAMES_GDL_STORE_H

#include "games/gdl/terms.h"

enum { KN_GDL_PATHS = 12, KN_GDL_STEPS = 5 };

typedef struct KnGdlPath {
    uint8_t steps[KN_GDL_STEPS];
    uint8_t length;
    bool name; /* compare only the subterm's name and arity */
} KnGdlPath;

typedef struct KnGdlEntry {
    uint32_t number; /* of the sentence */
    uint32_t next;   /* next older entry in the same bucket, plus one */
    uint64_t hash;
} KnGdlEntry;

typedef struct KnGdlIndex {
    KnGdlPath paths[KN_GDL_PATHS];
    int count;
    KnGdlEntry *entries; /* oldest first */
    uint32_t entry_count, entry_capacity;
    uint32_t *buckets; /* entry + 1 */
    uint32_t mask;
} KnGdlIndex;

typedef struct KnGdlRelationStore {
    KnTerm *sentences;
    uint32_t count, capacity;
    uint32_t old,
        now; /* sentences below `old` are older than the last round, those below `now` older than this one */
    KnGdlIndex *indices;
    int index_count;
} KnGdlRelationStore;

typedef struct KnGdlStore {
    const KnTerms *terms;
    KnGdlRelationStore *relations; /* by relation */
    uint32_t relation_count;
    uint32_t *numbers; /* by term: number within its relation, plus one */
    uint32_t numbers_capacity;
} KnGdlStore;

bool kn_gdl_store_init(KnGdlStore *store, const KnTerms *terms, uint32_t relations);
void kn_gdl_store_free(KnGdlStore *store);

/* Adds a sentence unless it is present. */
bool kn_gdl_store_add(KnGdlStore *store, KnTerm sentence);

/* The number of a sentence within its relation, plus one; 0 if it is absent. */
static inline uint32_t kn_gdl_store_number(const KnGdlStore *store, KnTerm sentence)
{
    return sentence < store->numbers_capacity ? store->numbers[sentence] : 0;
}

/* The index of a relation by these paths, built if needed; -1 if memory runs out. */
int kn_gdl_store_index(KnGdlStore *store, uint32_t relation, const KnGdlPath *paths, int count);

/* Combines values into an index key: start from 0, then add value by value. */
uint64_t kn_gdl_key(uint64_t hash, uint64_t value);
static inline uint64_t kn_gdl_name_value(KnSymbol symbol, int arity)
{
    return (uint64_t)symbol << 32 | (1u << 31) | (uint32_t)arity;
}

/* The newest entry in this hash's bucket, plus one; entry.next leads to older ones, some with other hashes.
 */
static inline uint32_t kn_gdl_index_first(const KnGdlIndex *index, uint64_t hash)
{
    return index->entry_count ? index->buckets[(uint32_t)hash & index->mask] : 0;
}

#endif
