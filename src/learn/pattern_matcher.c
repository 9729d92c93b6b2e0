/* Bit-parallel counting of many patterns. A set of windows is a bit vector: for each place of a window and
 * each kind that some pattern requires there is the set of windows that hold the kind at that place, and the
 * sets of several places share a word. Table lookups by four cells build these sets. A pattern occurs in the
 * intersection of the sets that it requires. On boards of more than 64 windows the patterns are counted one
 * by one. */
#include "base/assert.h"
#include "learn/patterns.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS_MAX = 64, SYMBOLS_MAX = 32, FOUR = 4, SETS = 1 << FOUR };

/* The requirement of a pattern for one place of a window; `anything` needs none. */
typedef struct Ask {
    int held;  /* the word with the windows of that place */
    int shift; /* their first bit in it */
} Ask;

typedef struct Asked {
    uint64_t windows; /* of the pattern's region */
    int count;
    Ask asks[KN_PATTERN_CELLS];
} Asked;

struct KnPatternMatcher {
    const KnPatternLanguage *language;
    int count;
    KnPattern patterns[KN_PATTERNS_MAX];
    Asked asked[KN_PATTERNS_MAX];
    int sets; /* of symbols that some pattern requires */
    uint32_t symbols[KN_PATTERN_KINDS];
    int words; /* with a bit for each place of each window, as many places in a word as fit; an even number */
    uint64_t *seen; /* [four cells] [which of them hold the set] [word]; NULL: there are too many windows */
};

static uint64_t *seen_of(const KnPatternMatcher *m, int four, int set)
{
    KN_ASSERT(set >= 0 && set < SETS && four >= 0 && four < m->language->cells / FOUR + 2);
    return m->seen + (four * SETS + set) * m->words;
}

static void ask(KnPatternMatcher *m, int p)
{
    const KnPatternLanguage *language = m->language;
    const KnPattern *pattern = &m->patterns[p];
    Asked *asked = &m->asked[p];
    int places = WINDOWS_MAX / language->windows;
    uint32_t any = (uint32_t)((UINT64_C(1) << language->symbols) - 1);
    for (int w = 0; w < language->windows; w++)
        asked->windows |= (uint64_t)(language->within[w] >> pattern->region & 1) << w;
    for (int i = 0; i < language->size; i++) {
        uint32_t symbols = language->kind[pattern->kind[i]].symbols & any;
        if (symbols == any) continue;
        int set = 0;
        while (set < m->sets && m->symbols[set] != symbols) set++;
        KN_ASSERT(set < KN_PATTERN_KINDS && asked->count < KN_PATTERN_CELLS);
        if (set == m->sets) m->symbols[m->sets++] = symbols;
        asked->asks[asked->count++] = (Ask){set * m->words + i / places, i % places * language->windows};
    }
}

KnStatus kn_pattern_matcher_open(const KnPatternLanguage *language, const KnPattern *patterns, int count,
                                 KnPatternMatcher **out, KnError *error)
{
    *out = NULL;
    if (count > KN_PATTERNS_MAX)
        return kn_fail(error, KN_INPUT, "%d patterns are more than %d", count, KN_PATTERNS_MAX);
    KnPatternMatcher *m = calloc(1, sizeof *m);
    if (!m) return kn_fail_memory(error, "preparing patterns");
    m->language = language;
    m->count = count;
    memcpy(m->patterns, patterns, (size_t)count * sizeof *patterns);
    if (language->windows >= 1 && language->windows <= WINDOWS_MAX && language->symbols < SYMBOLS_MAX) {
        int places = WINDOWS_MAX / language->windows;
        m->words = ((language->size + places - 1) / places + 1) / 2 * 2;
        m->seen = calloc((size_t)(language->cells / FOUR + 2) * SETS * (size_t)m->words,
                         sizeof *m->seen); /* cells are read in groups of eight */
        if (!m->seen) {
            kn_pattern_matcher_close(m);
            return kn_fail_memory(error, "preparing patterns");
        }
        for (int w = 0; w < language->windows; w++)
            for (int i = 0; i < language->size; i++)
                for (int set = 0; set < SETS; set++) {
                    int cell = language->cell[w][i];
                    if (set >> cell % FOUR & 1)
                        seen_of(m, cell / FOUR, set)[i / places] |= UINT64_C(1)
                                                                    << (i % places * language->windows + w);
                }
        for (int p = 0; p < count; p++) ask(m, p);
    }
    *out = m;
    return KN_OK;
}

void kn_pattern_matcher_close(KnPatternMatcher *m)
{
    if (m) free(m->seen);
    free(m);
}

/* A population count in plain operations, because not every processor has an instruction for it. */
static int count_of(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

int kn_pattern_matcher_words(const KnPatternMatcher *m)
{
    return m->seen && m->sets ? m->sets * m->words : 1;
}

/* A bit for each of eight bytes: whether it is 0. */
static unsigned zeros(uint64_t bytes)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t high = ~(((bytes & low) + low) | bytes | low); /* the highest bit of each zero byte */
    return (unsigned)((high >> 7) * 0x0102040810204080u >> 56);
}

void kn_pattern_matcher_look(const KnPatternMatcher *m, const uint8_t *board, uint64_t *held)
{
    if (!m->seen) return;
    int words = m->words, eights = (m->language->cells + 7) / 8;
    uint64_t cells[eights];
    memset(cells, 0xff, sizeof cells); /* cells beyond the board hold no symbol */
    memcpy(cells, board, (size_t)m->language->cells);
    for (int s = 0; s < m->sets; s++) {
        unsigned holds[eights];
        for (int e = 0; e < eights; e++) {
            holds[e] = 0;
            for (uint32_t left = m->symbols[s]; left; left &= left - 1)
                holds[e] |= zeros(le64toh(cells[e]) ^ (uint64_t)__builtin_ctz(left) * 0x0101010101010101u);
        }
        for (int i = 0; i < words; i += 2) {
            uint64_t one = 0, two = 0;
            const uint64_t *seen = m->seen + i;
            for (int e = 0; e < eights; e++, seen += 2 * SETS * words) {
                const uint64_t *first = seen + (int)(holds[e] % SETS) * words,
                               *second = seen + (SETS + (int)(holds[e] / SETS)) * words;
                one |= first[0] | second[0];
                two |= first[1] | second[1];
            }
            held[s * words + i] = one;
            held[s * words + i + 1] = two;
        }
    }
}

int kn_pattern_matcher_find(const KnPatternMatcher *m, const uint8_t *board, const uint64_t *held, int p)
{
    KN_ASSERT(p >= 0 && p < m->count);
    if (!m->seen) return kn_pattern_occurrences(m->language, &m->patterns[p], board);
    const Asked *asked = &m->asked[p];
    uint64_t found = asked->windows;
    for (int a = 0; a < asked->count; a++) found &= held[asked->asks[a].held] >> asked->asks[a].shift;
    return count_of(found);
}
