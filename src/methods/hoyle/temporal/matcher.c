#include "methods/hoyle/temporal/matcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/hoyle/temporal/board.h"

enum { WORDS = 4, BLOCK = 64 * WORDS };

struct KnMatcher {
    int cells, symbols;
    size_t count, blocks;
    uint64_t *bits; /* [block][cell][symbol][word] */
};

static size_t block_words(const KnMatcher *m) { return (size_t)m->cells * (size_t)m->symbols * WORDS; }

KnMatcher *kn_matcher_new(int cells, int symbols)
{
    KN_ASSERT(cells > 0 && symbols > 0);
    KnMatcher *m = calloc(1, sizeof *m);
    if (m) m->cells = cells, m->symbols = symbols;
    return m;
}

void kn_matcher_free(KnMatcher *matcher)
{
    if (!matcher) return;
    free(matcher->bits);
    free(matcher);
}

size_t kn_matcher_count(const KnMatcher *matcher) { return matcher->count; }

KnStatus kn_matcher_add(KnMatcher *m, const uint8_t *pattern, KnError *error)
{
    size_t block = m->count / BLOCK, size = block_words(m);
    if (block == m->blocks) {
        size_t blocks = m->blocks ? 2 * m->blocks : 1;
        uint64_t *bits = realloc(m->bits, blocks * size * sizeof *bits);
        if (!bits) return kn_fail_memory(error, "indexing patterns");
        memset(bits + m->blocks * size, 0, (blocks - m->blocks) * size * sizeof *bits);
        m->bits = bits;
        m->blocks = blocks;
    }
    KN_ASSERT(block < m->blocks);
    uint64_t *row = m->bits + block * size + m->count % BLOCK / 64;
    uint64_t bit = UINT64_C(1) << m->count % 64;
    for (int c = 0; c < m->cells; c++)
        for (int s = 0; s < m->symbols; s++, row += WORDS)
            if (pattern[c] == KN_DONT_CARE || pattern[c] == s) *row |= bit;
    m->count++;
    return KN_OK;
}

size_t kn_matcher_match(const KnMatcher *m, const uint8_t *cells, uint32_t *found)
{
    size_t used = (m->count + BLOCK - 1) / BLOCK, size = block_words(m), hits = 0;
    size_t stride = (size_t)m->symbols * WORDS;
    for (size_t b = 0; b < used; b++) {
        const uint64_t *row = m->bits + b * size;
        uint64_t left[WORDS];
        memset(left, 0xff, sizeof left);
        for (int c = 0; c < m->cells; c++, row += stride) {
            KN_ASSERT(cells[c] < m->symbols);
            const uint64_t *allowed = row + cells[c] * WORDS;
            for (int w = 0; w < WORDS; w++) left[w] &= allowed[w];
            if (c % 4 == 3 && !(left[0] | left[1] | left[2] | left[3])) break;
        }
        for (int w = 0; w < WORDS; w++)
            for (uint64_t set = left[w]; set; set &= set - 1)
                found[hits++] = (uint32_t)(b * BLOCK + (size_t)w * 64 + (size_t)__builtin_ctzll(set));
    }
    return hits;
}
