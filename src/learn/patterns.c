#include "learn/patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "learn/tree.h"

/* ---- one pattern ---- */

int kn_pattern_occurrences(const KnPatternLanguage *language, const KnPattern *pattern, const uint8_t *board)
{
    int found = 0;
    KN_ASSERT(pattern->region < language->regions && language->windows <= KN_PATTERN_WINDOWS);
    for (int w = 0; w < language->windows; w++) {
        bool fits = language->within[w] >> pattern->region & 1;
        for (int i = 0; i < language->size && fits; i++)
            fits = language->kind[pattern->kind[i]].symbols >> board[language->cell[w][i]] & 1;
        found += fits;
    }
    return found;
}

/* Equation 6, from the numbers of boards by occurrences. */
static double score_counts(const double *all, const double *positive, int most, double boards)
{
    double score = 0;
    for (int i = 0; i <= most; i++)
        if (all[i] > 0) score += all[i] / boards * kn_information(positive[i], all[i] - positive[i]);
    return score;
}

void kn_pattern_print(const KnPatternLanguage *language, const KnPattern *pattern, KnText *out)
{
    for (int i = 0; i < language->size; i++)
        kn_text_printf(out, "%s%s", i ? " " : "",
                       pattern->kind[i] ? language->kind[pattern->kind[i]].name : ".");
    kn_text_printf(out, " in %s", language->region[pattern->region]);
}

/* ---- bit-parallel scoring ----
 *
 * A set of boards is a bit vector. For each cell and kind there is the set of boards whose cell holds the
 * kind. The boards where a pattern occurs at one window are the intersection of these sets over its cells.
 * The numbers of windows are added for 64 boards at a time in bit-sliced binary counters, so 8,000 patterns
 * on 10,000 boards take a fraction of a second. */

enum { DIGITS = 9 };

typedef struct Boards {
    const KnPatternLanguage *language;
    size_t words, count;
    uint64_t *holds; /* by cell, by kind */
    uint64_t *positive;
    uint64_t *digits; /* bit-sliced counters of the current pattern */
} Boards;

static const uint64_t *holding(const Boards *b, int cell, int kind)
{
    KN_ASSERT(cell >= 0 && cell < b->language->cells && kind >= 0 && kind < b->language->kinds);
    return b->holds + ((size_t)cell * (size_t)b->language->kinds + (size_t)kind) * b->words;
}

static void close_boards(Boards *b)
{
    free(b->holds);
    free(b->positive);
    free(b->digits);
}

static KnStatus open_boards(Boards *b, const KnPatternLanguage *language, const uint8_t *boards,
                            const uint8_t *positive, size_t count, KnError *error)
{
    *b = (Boards){.language = language, .words = (count + 63) / 64, .count = count};
    b->holds = calloc(b->words * (size_t)language->cells * (size_t)language->kinds + 1, sizeof *b->holds);
    b->positive = calloc(b->words + 1, sizeof *b->positive);
    b->digits = calloc(b->words * DIGITS + 1, sizeof *b->digits);
    if (!b->holds || !b->positive || !b->digits) return kn_fail_memory(error, "looking for patterns");
    for (size_t i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << (i & 63);
        if (positive[i]) b->positive[i >> 6] |= bit;
        for (int cell = 0; cell < language->cells; cell++)
            for (int kind = 0; kind < language->kinds; kind++)
                if (language->kind[kind].symbols >> boards[i * (size_t)language->cells + (size_t)cell] & 1)
                    b->holds[((size_t)cell * (size_t)language->kinds + (size_t)kind) * b->words + (i >> 6)] |=
                        bit;
    }
    return KN_OK;
}

/* Counts the windows where the pattern occurs, for all boards. Returns the number of windows in its region.
 */
static int add_windows(const Boards *b, const KnPattern *pattern)
{
    const KnPatternLanguage *language = b->language;
    int most = 0;
    memset(b->digits, 0, b->words * DIGITS * sizeof *b->digits);
    for (int w = 0; w < language->windows; w++) {
        if (!(language->within[w] >> pattern->region & 1)) continue;
        most++;
        const uint64_t *sets[KN_PATTERN_CELLS];
        int asked = 0;
        for (int i = 0; i < language->size; i++)
            if (pattern->kind[i]) sets[asked++] = holding(b, language->cell[w][i], pattern->kind[i]);
        for (size_t k = 0; k < b->words; k++) {
            uint64_t carry = UINT64_MAX;
            for (int i = 0; i < asked; i++) carry &= sets[i][k];
            for (uint64_t *digit = b->digits + k * DIGITS; carry; digit++) {
                KN_ASSERT(digit < b->digits + (k + 1) * DIGITS);
                uint64_t sum = *digit ^ carry;
                carry &= *digit;
                *digit = sum;
            }
        }
    }
    return most;
}

static double score_pattern(const Boards *b, const KnPattern *pattern)
{
    double all[KN_PATTERN_WINDOWS + 1] = {0}, good[KN_PATTERN_WINDOWS + 1] = {0};
    int most = add_windows(b, pattern);
    for (size_t k = 0; k < b->words; k++) {
        const uint64_t *digits = b->digits + k * DIGITS;
        uint64_t left = k == b->words - 1 && b->count & 63 ? (UINT64_C(1) << (b->count & 63)) - 1
                                                           : UINT64_MAX;
        for (int n = 0; left; n++) {
            uint64_t these = left;
            for (int d = 0; d < DIGITS; d++) these &= n >> d & 1 ? digits[d] : ~digits[d];
            left &= ~these;
            all[n] += __builtin_popcountll(these);
            good[n] += __builtin_popcountll(these & b->positive[k]);
        }
    }
    return score_counts(all, good, most, (double)b->count);
}

/* ---- the search ---- */

/* All patterns made so far; a binary heap of those that are not expanded yet; and a hash set of all of them.
 */
typedef struct Search {
    const Boards *boards;
    KnScoredPattern *made;
    size_t made_count, made_room;
    uint32_t *heap;
    size_t heap_count;
    uint64_t *seen; /* open addressing; 0: free */
    size_t seen_size;
} Search;

static uint64_t key_of(const KnPattern *pattern)
{
    uint64_t key = 1;
    for (int i = 0; i < KN_PATTERN_CELLS; i++) key = key * KN_PATTERN_KINDS + pattern->kind[i];
    return key * KN_PATTERN_REGIONS + pattern->region;
}

/* Inserts a pattern into the hash set; false if it was there already. */
static bool insert(Search *s, const KnPattern *pattern)
{
    uint64_t key = key_of(pattern);
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (s->seen_size - 1);
    while (s->seen[at]) {
        if (s->seen[at] == key) return false;
        at = (at + 1) & (s->seen_size - 1);
    }
    s->seen[at] = key;
    return true;
}

/* The lower score is better; among equals the pattern that was made first. */
static bool better(const Search *s, uint32_t a, uint32_t b)
{
    double x = s->made[a].score, y = s->made[b].score;
    return x < y || (!(x > y) && a < b);
}

static void push(Search *s, uint32_t made)
{
    KN_ASSERT(s->heap_count < s->made_room);
    size_t at = s->heap_count++;
    for (; at && better(s, made, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = made;
}

static uint32_t pop(Search *s)
{
    KN_ASSERT(s->heap_count > 0);
    uint32_t top = s->heap[0], last = s->heap[--s->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->heap_count) break;
        if (child + 1 < s->heap_count && better(s, s->heap[child + 1], s->heap[child])) child++;
        if (!better(s, s->heap[child], last)) break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return top;
}

static void consider(Search *s, const KnPattern *pattern)
{
    if (s->made_count == s->made_room || !insert(s, pattern)) return;
    s->made[s->made_count] = (KnScoredPattern){*pattern, score_pattern(s->boards, pattern)};
    push(s, (uint32_t)s->made_count++);
}

/* Specialises a pattern in every way: one cell by one step down the tree of kinds, or the region. */
static void expand(Search *s, KnPattern pattern)
{
    const KnPatternLanguage *language = s->boards->language;
    for (int i = 0; i < language->size; i++)
        for (int kind = 0; kind < language->kinds; kind++) {
            if (language->kind[kind].parent != pattern.kind[i]) continue;
            KnPattern special = pattern;
            special.kind[i] = (uint8_t)kind;
            consider(s, &special);
        }
    for (int region = 1; region < language->regions && !pattern.region; region++) {
        KnPattern special = pattern;
        special.region = (uint8_t)region;
        consider(s, &special);
    }
}

/* ---- choosing ---- */

static double correlation(const double *a, const double *b, size_t count)
{
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        sa += a[i];
        sb += b[i];
        saa += a[i] * a[i];
        sbb += b[i] * b[i];
        sab += a[i] * b[i];
    }
    double va = saa - sa * sa / n, vb = sbb - sb * sb / n;
    return va > 0 && vb > 0 ? (sab - sa * sb / n) / sqrt(va * vb) : 1;
}

static int by_score(const void *a, const void *b)
{
    const KnScoredPattern *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    uint64_t kx = key_of(&x->pattern), ky = key_of(&y->pattern);
    return (kx > ky) - (kx < ky);
}

/* Chooses the best patterns whose occurrences do not correlate too much. */
static KnStatus choose(const Search *s, const KnPatternSearch *search, const uint8_t *boards,
                       KnScoredPattern *found, int *found_count, KnError *error)
{
    enum { SAMPLE = 4000 };
    const KnPatternLanguage *language = s->boards->language;
    size_t sample = s->boards->count < SAMPLE ? s->boards->count : SAMPLE;
    double *columns = malloc((sample * (size_t)search->wanted + 1) * sizeof *columns),
           *own = malloc((sample + 1) * sizeof *own);
    if (!columns || !own) {
        free(columns);
        free(own);
        return kn_fail_memory(error, "choosing patterns");
    }
    if (s->made_count) qsort(s->made, s->made_count, sizeof *s->made, by_score);
    int count = 0;
    for (size_t m = 0; m < s->made_count && count < search->wanted; m++) {
        for (size_t i = 0; i < sample; i++)
            own[i] = kn_pattern_occurrences(language, &s->made[m].pattern,
                                            boards + i * (size_t)language->cells);
        bool new = true;
        for (int k = 0; k < count && new; k++)
            new = fabs(correlation(own, columns + (size_t)k * sample, sample)) <= search->different;
        double low = own[0], high = own[0];
        for (size_t i = 1; i < sample; i++) {
            low = fmin(low, own[i]);
            high = fmax(high, own[i]);
        }
        if (!new || !(low < high)) continue; /* a constant feature is useless */
        memcpy(columns + (size_t)count * sample, own, sample * sizeof *own);
        found[count++] = s->made[m];
    }
    free(columns);
    free(own);
    *found_count = count;
    return KN_OK;
}

static KnStatus run(Search *s, const KnPatternSearch *search, KnError *error)
{
    const KnPatternLanguage *language = s->boards->language;
    KN_ASSERT(language->kinds <= KN_PATTERN_KINDS && language->size <= KN_PATTERN_CELLS);
    size_t ways = (size_t)(language->size * language->kinds + language->regions);
    s->made_room = (size_t)search->expansions * ways + 1;
    for (s->seen_size = 1024; s->seen_size < 2 * s->made_room;) s->seen_size *= 2;
    s->made = malloc(s->made_room * sizeof *s->made);
    s->heap = malloc(s->made_room * sizeof *s->heap);
    s->seen = calloc(s->seen_size, sizeof *s->seen);
    if (!s->made || !s->heap || !s->seen) return kn_fail_memory(error, "looking for patterns");
    consider(s, &(KnPattern){0});
    for (int i = 0; i < search->expansions && s->heap_count; i++) expand(s, s->made[pop(s)].pattern);
    return KN_OK;
}

KnStatus kn_patterns_search(const KnPatternLanguage *language, const uint8_t *boards, const uint8_t *positive,
                            size_t count, KnPatternSearch *search, KnScoredPattern *found, int *found_count,
                            KnError *error)
{
    KN_ASSERT(search->wanted >= 0 && search->wanted <= KN_PATTERNS_MAX);
    *found_count = 0;
    if (!count) return kn_fail(error, KN_INPUT, "patterns are looked for in examples, and there are none");
    Boards all;
    Search s = {.boards = &all};
    KnStatus status = open_boards(&all, language, boards, positive, count, error);
    if (status == KN_OK) status = run(&s, search, error);
    search->evaluated = s.made_count;
    if (status == KN_OK) status = choose(&s, search, boards, found, found_count, error);
    close_boards(&all);
    free(s.made);
    free(s.heap);
    free(s.seen);
    return status;
}
