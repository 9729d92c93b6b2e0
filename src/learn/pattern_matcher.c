/* Counting many patterns at once. Windows are bits of a word: for each place of a window and each symbol there is the set of windows that hold
 * the symbol there, which a board of few men fills quickly. A pattern occurs where the sets that it asks for meet. Boards of more than 64
 * windows are looked through pattern by pattern. */
#include "learn/patterns.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOWS_MAX = 64, SYMBOLS_MAX = 32 };

/* What a pattern asks of one place of a window; `anything` is not asked. */
typedef struct Ask {
    uint32_t symbols;
    int place;
} Ask;

typedef struct Asked {
    uint64_t windows; /* of the pattern's region */
    int count;
    Ask asks[KN_PATTERN_CELLS];
} Asked;

struct KnPatternMatcher {
    const KnPatternGround *ground;
    int count;
    KnPattern patterns[KN_PATTERNS_MAX];
    Asked asked[KN_PATTERNS_MAX];
    uint64_t all;   /* windows */
    uint64_t *seen; /* [cell] [place]: windows in which the cell has this place; NULL: there are too many windows */
};

static void ask(KnPatternMatcher *m, int p)
{
    const KnPatternGround *ground = m->ground;
    const KnPattern *pattern = &m->patterns[p];
    Asked *asked = &m->asked[p];
    uint32_t any = (uint32_t)((UINT64_C(1) << ground->symbols) - 1);
    for (int w = 0; w < ground->windows; w++) asked->windows |= (uint64_t)(ground->within[w] >> pattern->region & 1) << w;
    for (int i = 0; i < ground->size; i++) {
        uint32_t symbols = ground->kind[pattern->kind[i]].symbols & any;
        if (symbols != any) asked->asks[asked->count++] = (Ask){symbols, i};
    }
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
    if (ground->windows <= WINDOWS_MAX && ground->symbols < SYMBOLS_MAX) {
        m->seen = calloc((size_t)ground->cells * (size_t)ground->size + 1, sizeof *m->seen);
        if (!m->seen) {
            kn_pattern_matcher_close(m);
            return kn_fail_memory(error, "preparing patterns");
        }
        for (int w = 0; w < ground->windows; w++) {
            m->all |= UINT64_C(1) << w;
            for (int i = 0; i < ground->size; i++) m->seen[ground->cell[w][i] * ground->size + i] |= UINT64_C(1) << w;
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

/* In plain operations, for not every processor has an instruction for it. */
static int count_of(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

void kn_pattern_matcher_count(const KnPatternMatcher *m, const uint8_t *board, int *occurrences)
{
    const KnPatternGround *ground = m->ground;
    if (!m->seen) {
        for (int p = 0; p < m->count; p++) occurrences[p] = kn_pattern_occurrences(ground, &m->patterns[p], board);
        return;
    }
    int size = ground->size;
    uint64_t held[ground->symbols][size], taken[size]; /* windows by symbol and place; those with anything but symbol 0 there */
    memset(held, 0, sizeof held);
    memset(taken, 0, sizeof taken);
    for (int c = 0; c < ground->cells; c++) {
        if (!board[c]) continue;
        const uint64_t *seen = m->seen + c * size;
        for (int i = 0; i < size; i++) {
            held[board[c]][i] |= seen[i];
            taken[i] |= seen[i];
        }
    }
    for (int i = 0; i < size; i++) held[0][i] = m->all & ~taken[i];
    for (int p = 0; p < m->count; p++) {
        const Asked *asked = &m->asked[p];
        uint64_t found = asked->windows;
        for (int a = 0; a < asked->count && found; a++) {
            uint64_t fits = 0;
            for (uint32_t left = asked->asks[a].symbols; left; left &= left - 1) fits |= held[__builtin_ctz(left)][asked->asks[a].place];
            found &= fits;
        }
        occurrences[p] = count_of(found);
    }
}
