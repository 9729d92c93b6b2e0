/* Scores of positions by their hash, so that a search asks a slow evaluation once for a position that it
 * meets again: iterative deepening, null windows and transpositions come back to half of the leaves in
 * draughts.
 *
 * Such a score depends on the position alone (`cached` in <knack/evaluation.h>). So the cache changes no
 * result, and need not be cleared. A slot is one word: the low 48 bits of the key, and the score in 16. Its
 * place has 13 bits of the key besides. Larger scores are not kept.
 *
 * Ownership: kn_score_cache_open / kn_score_cache_close. For one thread. */
#ifndef KNACK_SEARCH_SCORE_CACHE_H
#define KNACK_SEARCH_SCORE_CACHE_H

#include <stdlib.h>

#include "eval/evaluation.h"

/* 64 KB: a larger cache finds more and takes more time, since the tables of a network fill a core's memory
 * too. */
enum { KN_SCORE_CACHE_BITS = 13 };

typedef struct KnScoreCache {
    uint64_t *slots; /* NULL: no cache. A score of 0 bits: an empty slot */
} KnScoreCache;

/* False: memory ran out. */
static inline bool kn_score_cache_open(KnScoreCache *cache)
{
    cache->slots = calloc((size_t)1 << KN_SCORE_CACHE_BITS, sizeof *cache->slots);
    return cache->slots != NULL;
}

static inline void kn_score_cache_close(KnScoreCache *cache)
{
    free(cache->slots);
    cache->slots = NULL;
}

static inline uint64_t kn_score_cache_key(uint64_t hash) { return hash * 0x9e3779b97f4a7c15u; }

static inline uint64_t *kn_score_cache_slot(const KnScoreCache *cache, uint64_t key)
{
    return &cache->slots[key >> (64 - KN_SCORE_CACHE_BITS)];
}

static inline void kn_score_cache_prefetch(const KnScoreCache *cache, uint64_t hash)
{
    __builtin_prefetch(kn_score_cache_slot(cache, kn_score_cache_key(hash)));
}

/* The mover's score: that of the slot, or a new one. */
static inline KnScore kn_score_cache_ask(const KnScoreCache *cache, const KnEvaluation *evaluation,
                                         const void *position, uint64_t hash)
{
    enum { ZERO = 1 << 15 }; /* is added to the score, so that none is stored as 0 */
    uint64_t key = kn_score_cache_key(hash), *slot = kn_score_cache_slot(cache, key), check = key << 16;
    uint16_t kept = (uint16_t)*slot;
    if (kept && *slot - kept == check) return (KnScore)kept - ZERO;
    KnScore score = evaluation->score(evaluation, position);
    if (score > -ZERO && score < ZERO) *slot = check | (uint64_t)(score + ZERO);
    return score;
}

#endif
