/* Counting many patterns at once: the contents of a window are one number, and a table tells for each number which patterns fit. Where
 * the table would be too large, each pattern is looked for by itself. */
#include "learn/patterns.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_MAX = 1 << 16 };

struct KnPatternMatcher {
    const KnPatternGround *ground;
    int count;
    KnPattern patterns[KN_PATTERNS_MAX];
    uint32_t at[KN_PATTERN_WINDOWS]; /* patterns whose region holds a window */
    uint32_t *fits;                  /* by the number of a window; NULL: too many */
};

static uint32_t fitting(const KnPatternMatcher *m, long number)
{
    const KnPatternGround *ground = m->ground;
    uint32_t mask = 0;
    uint8_t held[KN_PATTERN_CELLS];
    for (int i = ground->size - 1; i >= 0; i--) {
        held[i] = (uint8_t)(number % ground->symbols);
        number /= ground->symbols;
    }
    for (int p = 0; p < m->count; p++) {
        bool fits = true;
        for (int i = 0; i < ground->size && fits; i++) fits = ground->kind[m->patterns[p].kind[i]].symbols >> held[i] & 1;
        mask |= (uint32_t)fits << p;
    }
    return mask;
}

KnStatus kn_pattern_matcher_open(const KnPatternGround *ground, const KnPattern *patterns, int count, KnPatternMatcher **out,
                                 KnError *error)
{
    *out = NULL;
    if (count > KN_PATTERNS_MAX) return kn_fail(error, KN_INPUT, "%d patterns are more than %d", count, KN_PATTERNS_MAX);
    KnPatternMatcher *m = calloc(1, sizeof *m);
    if (!m) return kn_fail_memory(error, "preparing patterns");
    m->ground = ground;
    m->count = count;
    memcpy(m->patterns, patterns, (size_t)count * sizeof *patterns);
    for (int w = 0; w < ground->windows; w++)
        for (int p = 0; p < count; p++) m->at[w] |= (uint32_t)(ground->within[w] >> patterns[p].region & 1) << p;
    long numbers = 1;
    for (int i = 0; i < ground->size && numbers <= TABLE_MAX; i++) numbers *= ground->symbols;
    if (numbers <= TABLE_MAX) {
        m->fits = malloc((size_t)numbers * sizeof *m->fits);
        if (!m->fits) {
            kn_pattern_matcher_close(m);
            return kn_fail_memory(error, "preparing patterns");
        }
        for (long number = 0; number < numbers; number++) m->fits[number] = fitting(m, number);
    }
    *out = m;
    return KN_OK;
}

void kn_pattern_matcher_close(KnPatternMatcher *m)
{
    if (m) free(m->fits);
    free(m);
}

void kn_pattern_matcher_count(const KnPatternMatcher *m, const uint8_t *board, int *occurrences)
{
    const KnPatternGround *ground = m->ground;
    if (!m->fits) {
        for (int p = 0; p < m->count; p++) occurrences[p] = kn_pattern_occurrences(ground, &m->patterns[p], board);
        return;
    }
    memset(occurrences, 0, (size_t)m->count * sizeof *occurrences);
    for (int w = 0; w < ground->windows; w++) {
        int number = 0;
        for (int i = 0; i < ground->size; i++) number = number * ground->symbols + board[ground->cell[w][i]];
        for (uint32_t found = m->fits[number] & m->at[w]; found; found &= found - 1) occurrences[__builtin_ctz(found)]++;
    }
}
