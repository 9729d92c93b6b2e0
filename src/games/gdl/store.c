#include "games/gdl/store.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/gdl/bindings.h"

bool kn_gdl_store_init(KnGdlStore *store, const KnTerms *terms, uint32_t relations)
{
    *store = (KnGdlStore){.terms = terms, .relation_count = relations};
    store->relations = calloc(relations, sizeof *store->relations);
    return store->relations;
}

void kn_gdl_store_free(KnGdlStore *store)
{
    for (uint32_t s = 0; store->relations && s < store->relation_count; s++) {
        KnGdlRelationStore *stored = &store->relations[s];
        for (int i = 0; i < stored->index_count; i++) {
            free(stored->indices[i].entries);
            free(stored->indices[i].buckets);
        }
        free(stored->indices);
        free(stored->sentences);
    }
    free(store->relations);
    free(store->numbers);
    *store = (KnGdlStore){0};
}

uint64_t kn_gdl_key(uint64_t hash, uint64_t value) { return kn_mix64(hash ^ value); }

/* The value at a path; 0 if the sentence has no such argument. */
static uint64_t value_at(const KnTerms *terms, KnTerm sentence, const KnGdlPath *path)
{
    for (int i = 0; i < path->length; i++) {
        if (kn_term(terms, sentence)->arity <= path->steps[i]) return 0;
        sentence = kn_term_args(terms, sentence)[path->steps[i]];
    }
    const KnTermNode *node = kn_term(terms, sentence);
    return path->name ? kn_gdl_name_value(node->symbol, node->arity) : sentence;
}

static bool grow_buckets(KnGdlIndex *index)
{
    uint32_t size = index->buckets ? (index->mask + 1) * 2 : 64;
    uint32_t *larger = calloc(size, sizeof *larger);
    if (!larger) return false;
    free(index->buckets);
    index->buckets = larger;
    index->mask = size - 1;
    for (uint32_t e = 0; e < index->entry_count; e++) { /* oldest first: the newest end in front */
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
        uint64_t value = value_at(terms, sentence, &index->paths[i]);
        if (!value) return true; /* a sentence of another shape never matches */
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
    KN_ASSERT(sentence && sentence < store->terms->count && kn_term_ground(store->terms, sentence));
    if (sentence >= store->numbers_capacity) {
        uint32_t before = store->numbers_capacity;
        if (!kn_gdl_grow((void **)&store->numbers, &store->numbers_capacity, store->terms->capacity,
                         sizeof *store->numbers))
            return false;
        memset(store->numbers + before, 0, (store->numbers_capacity - before) * sizeof *store->numbers);
    }
    if (store->numbers[sentence]) return true;
    KnGdlRelationStore *stored = &store->relations[kn_term(store->terms, sentence)->symbol];
    if (!kn_gdl_grow((void **)&stored->sentences, &stored->capacity, stored->count + 1,
                     sizeof *stored->sentences))
        return false;
    for (int i = 0; i < stored->index_count; i++)
        if (!index_add(&stored->indices[i], store->terms, sentence, stored->count)) return false;
    stored->sentences[stored->count] = sentence;
    store->numbers[sentence] = ++stored->count;
    return true;
}

static bool same_spots(const KnGdlIndex *index, const KnGdlPath *paths, int count)
{
    return index->count == count && memcmp(index->paths, paths, (size_t)count * sizeof *paths) == 0;
}

int kn_gdl_store_index(KnGdlStore *store, uint32_t relation, const KnGdlPath *paths, int count)
{
    KN_ASSERT(relation < store->relation_count && count >= 1 && count <= KN_GDL_PATHS);
    KnGdlRelationStore *stored = &store->relations[relation];
    for (int i = 0; i < stored->index_count; i++)
        if (same_spots(&stored->indices[i], paths, count)) return i;
    KnGdlIndex *grown = realloc(stored->indices, (size_t)(stored->index_count + 1) * sizeof *grown);
    if (!grown) return -1;
    stored->indices = grown;
    KnGdlIndex *index = &grown[stored->index_count];
    *index = (KnGdlIndex){.count = count};
    memcpy(index->paths, paths, (size_t)count * sizeof *paths);
    bool ok = true;
    for (uint32_t n = 0; n < stored->count && ok; n++)
        ok = index_add(index, store->terms, stored->sentences[n], n);
    stored->index_count++; /* an incomplete index is freed with the relation, too */
    return ok ? stored->index_count - 1 : -1;
}
