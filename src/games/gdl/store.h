/* Ground sentences by relation, found by what is known of them: the memory of bottom-up derivation
 * (derive.c).
 *
 * Sentences of a relation lie on a shelf in the order in which they came, so that "what was there before this
 * round" is a range of numbers. An index of a shelf finds those that have given values at given spots; it is
 * made when first wanted and kept up as sentences come. A spot is a way down through arguments; its value is
 * the subterm there, or only its name.
 *
 * Ownership: a value inside its owner; kn_gdl_store_free. The terms are borrowed. Calls that add return false
 * when memory runs out. */
#ifndef KNACK_GAMES_GDL_STORE_H
#define KNACK_GAMES_GDL_STORE_H

#include "games/gdl/terms.h"

enum { KN_GDL_SPOTS = 12, KN_GDL_STEPS = 5 };

typedef struct KnGdlSpot {
    uint8_t steps[KN_GDL_STEPS];
    uint8_t length;
    bool name; /* of the subterm only, with its number of arguments */
} KnGdlSpot;

typedef struct KnGdlEntry {
    uint32_t number; /* on the shelf */
    uint32_t next;   /* an older one in the same bucket, plus one */
    uint64_t hash;
} KnGdlEntry;

typedef struct KnGdlIndex {
    KnGdlSpot spots[KN_GDL_SPOTS];
    int count;
    KnGdlEntry *entries; /* oldest first */
    uint32_t entry_count, entry_capacity;
    uint32_t *buckets; /* entry + 1 */
    uint32_t mask;
} KnGdlIndex;

typedef struct KnGdlShelf {
    KnTerm *sentences;
    uint32_t count, capacity;
    uint32_t old, now; /* what lies below `old` was there a round ago, below `now` when this one began */
    KnGdlIndex *indices;
    int index_count;
} KnGdlShelf;

typedef struct KnGdlStore {
    const KnTerms *terms;
    KnGdlShelf *shelves; /* by relation */
    uint32_t shelf_count;
    uint32_t *numbers; /* by term: number on its shelf, plus one */
    uint32_t numbers_capacity;
} KnGdlStore;

bool kn_gdl_store_init(KnGdlStore *store, const KnTerms *terms, uint32_t relations);
void kn_gdl_store_free(KnGdlStore *store);

/* Puts a sentence on its shelf unless it is there. */
bool kn_gdl_store_add(KnGdlStore *store, KnTerm sentence);

/* The number of a sentence on its shelf, plus one; 0 if it is not there. */
static inline uint32_t kn_gdl_store_number(const KnGdlStore *store, KnTerm sentence)
{
    return sentence < store->numbers_capacity ? store->numbers[sentence] : 0;
}

/* The index of a shelf by these spots, made if need be; -1 if memory runs out. */
int kn_gdl_store_index(KnGdlStore *store, uint32_t relation, const KnGdlSpot *spots, int count);

/* What an index hashes: start from 0, then value by value. */
uint64_t kn_gdl_key(uint64_t hash, uint64_t value);
static inline uint64_t kn_gdl_name_value(KnSymbol symbol, int arity)
{
    return (uint64_t)symbol << 32 | (1u << 31) | (uint32_t)arity;
}

/* The newest entry with this hash, plus one; entry.next leads on, among others with other hashes. */
static inline uint32_t kn_gdl_index_first(const KnGdlIndex *index, uint64_t hash)
{
    return index->entry_count ? index->buckets[(uint32_t)hash & index->mask] : 0;
}

#endif
