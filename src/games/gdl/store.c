#include "games/gdl/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "games/gdl/bindings.h"

bool kn_gdl_store_init(KnGdlStore *store, const KnTerms *terms, uint32_t relations)
{
    *store = (KnGdlStore){.terms = terms, .shelf_count = relations};
    store->shelves = calloc(relations, sizeof *store->shelves);
    return store->shelves;
}

void kn_gdl_store_free(KnGdlStore *store)
{
    for (uint32_t s = 0; store->shelves && s < store->shelf_count; s++) {
        KnGdlShelf *shelf = &store->shelves[s];
        for (int i = 0; i < shelf->index_count; i++) {
            free(shelf->indices[i].entries);
            free(shelf->indices[i].buckets);
        }
        free(shelf->indices);
        free(shelf->sentences);
    }
    free(store->shelves);
    free(store->numbers);
    *store = (KnGdlStore){0};
}

uint64_t kn_gdl_key(uint64_t hash, uint64_t value) { return kn_mix64(hash ^ value); }

/* The value at a spot; 0 if the sentence has no such place. */
static uint64_t value_at(const KnTerms *terms, KnTerm sentence, const KnGdlSpot *spot)
{
    for (int i = 0; i < spot->length; i++) {
        if (kn_term(terms, sentence)->arity <= spot->steps[i]) return 0;
        sentence = kn_term_args(terms, sentence)[spot->steps[i]];
    }
    const KnTermNode *node = kn_term(terms, sentence);
    return spot->name ? kn_gdl_name_value(node->symbol, node->arity) : sentence;
}

static bool grow_buckets(KnGdlIndex *index)
{
    uint32_t size = index->buckets ? (index->mask + 1) * 2 : 64;
    uint32_t *larger = calloc(size, sizeof *larger);
    if (!larger) return false;
    free(index->buckets);
    index->buckets = larger;
    index->mask = size - 1;
    for (uint32_t e = 0; e < index->entry_count; e++) { /* oldest first, so that the newest stand in front */
        uint32_t *bucket = &larger[(uint32_t)index->entries[e].hash & index->mask];
        index->entries[e].next = *bucket;
        *bucket = e + 1;
    }
    return true;
}

static bool index_add(KnGdlIndex *index, const KnTerms *terms, KnTerm sentence, uint32_t number)
{
    uint64_t hash = 0;
    for (int i = 0; i < index->count; i++) {
        uint64_t value = value_at(terms, sentence, &index->spots[i]);
        if (!value) return true; /* of another shape: nothing that is looked for here */
        hash = kn_gdl_key(hash, value);
    }
    if ((!index->buckets || index->entry_count > index->mask) && !grow_buckets(index)) return false;
    if (!kn_gdl_grow((void **)&index->entries, &index->entry_capacity, index->entry_count + 1,
                     sizeof *index->entries))
        return false;
    uint32_t *bucket = &index->buckets[(uint32_t)hash & index->mask];
    index->entries[index->entry_count++] = (KnGdlEntry){number, *bucket, hash};
    *bucket = index->entry_count;
    return true;
}

bool kn_gdl_store_add(KnGdlStore *store, KnTerm sentence)
{
    if (sentence >= store->numbers_capacity) {
        uint32_t before = store->numbers_capacity;
        if (!kn_gdl_grow((void **)&store->numbers, &store->numbers_capacity, store->terms->capacity,
                         sizeof *store->numbers))
            return false;
        memset(store->numbers + before, 0, (store->numbers_capacity - before) * sizeof *store->numbers);
    }
    if (store->numbers[sentence]) return true;
    KnGdlShelf *shelf = &store->shelves[kn_term(store->terms, sentence)->symbol];
    if (!kn_gdl_grow((void **)&shelf->sentences, &shelf->capacity, shelf->count + 1,
                     sizeof *shelf->sentences))
        return false;
    for (int i = 0; i < shelf->index_count; i++)
        if (!index_add(&shelf->indices[i], store->terms, sentence, shelf->count)) return false;
    shelf->sentences[shelf->count] = sentence;
    store->numbers[sentence] = ++shelf->count;
    return true;
}

static bool same_spots(const KnGdlIndex *index, const KnGdlSpot *spots, int count)
{
    return index->count == count && memcmp(index->spots, spots, (size_t)count * sizeof *spots) == 0;
}

int kn_gdl_store_index(KnGdlStore *store, uint32_t relation, const KnGdlSpot *spots, int count)
{
    KnGdlShelf *shelf = &store->shelves[relation];
    for (int i = 0; i < shelf->index_count; i++)
        if (same_spots(&shelf->indices[i], spots, count)) return i;
    KnGdlIndex *grown = realloc(shelf->indices, (size_t)(shelf->index_count + 1) * sizeof *grown);
    if (!grown) return -1;
    shelf->indices = grown;
    KnGdlIndex *index = &grown[shelf->index_count];
    *index = (KnGdlIndex){.count = count};
    memcpy(index->spots, spots, (size_t)count * sizeof *spots);
    bool ok = true;
    for (uint32_t n = 0; n < shelf->count && ok; n++)
        ok = index_add(index, store->terms, shelf->sentences[n], n);
    shelf->index_count++; /* also a broken one is freed with the shelf */
    return ok ? shelf->index_count - 1 : -1;
}
