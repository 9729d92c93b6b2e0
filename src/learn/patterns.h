/* Features that a learner makes for itself: patterns of small windows of a board (Markovitch and Sella
 * 1996, 4.2).
 *
 * A *ground* says what there is to see, without knowing a game: boards of cells, each holding a symbol;
 * windows, the places of the board where a pattern may be looked for; regions, sets of windows; and kinds,
 * sets of symbols that form a tree, the most general first
 * ("anything" above "any own piece" above "own king"). A *pattern* asks a kind of each cell of a window, in a
 * region. As a feature it is the number of windows in which it is found.
 *
 * Good patterns are looked for from the general to the special: the best so far is made more special in every
 * possible way, step by step, and each is scored by how much uncertainty about the class is left when its
 * number of occurrences is known (equations 6 and 7; less is better).
 *
 * Ownership: a ground and patterns are plain values of the caller's; a KnPatternMatcher is opened and closed.
 */
#ifndef KNACK_LEARN_PATTERNS_H
#define KNACK_LEARN_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    KN_PATTERN_CELLS = 9,
    KN_PATTERN_WINDOWS = 511,
    KN_PATTERN_KINDS = 16,
    KN_PATTERN_REGIONS = 8,
    KN_PATTERNS_MAX = 32
};

typedef struct KnPatternKind {
    char name[24];
    int parent;       /* -1 for the first, which is anything */
    uint32_t symbols; /* a bit each */
} KnPatternKind;

typedef struct KnPatternGround {
    int cells;    /* of a board */
    int symbols;  /* that a cell may hold, 0 to symbols - 1 */
    int exchange; /* the game's symmetry that exchanges the sides; 0: none */
    int size;     /* cells of a window */
    int windows;
    uint16_t cell[KN_PATTERN_WINDOWS][KN_PATTERN_CELLS];
    uint8_t within[KN_PATTERN_WINDOWS]; /* a bit for each region; all are in region 0, the whole board */
    int regions;
    char region[KN_PATTERN_REGIONS][24];
    int kinds;
    KnPatternKind kind[KN_PATTERN_KINDS];
} KnPatternGround;

typedef struct KnPattern {
    uint8_t kind[KN_PATTERN_CELLS];
    uint8_t region;
} KnPattern;

/* A pattern that was found, with what it leaves of the uncertainty. */
typedef struct KnScoredPattern {
    KnPattern pattern;
    double score; /* equation 6, in bits */
} KnScoredPattern;

typedef struct KnPatternSearch {
    int expansions;   /* patterns that are made more special */
    int wanted;       /* best ones to be given, at most KN_PATTERNS_MAX */
    double different; /* one whose number of occurrences correlates more than this with that of a better one
                         is passed over */
    size_t evaluated; /* out: patterns that were scored */
} KnPatternSearch;

/* `boards` holds a byte a cell, one board after the other. Fills `found`, best first, and returns how many in
 * *count. */
KnStatus kn_patterns_search(const KnPatternGround *ground, const uint8_t *boards, const uint8_t *positive,
                            size_t count, KnPatternSearch *search, KnScoredPattern *found, int *found_count,
                            KnError *error);

/* Equation 6 by counting plainly: of one pattern. For tests, and to show scores. */
double kn_pattern_score(const KnPatternGround *ground, const KnPattern *pattern, const uint8_t *boards,
                        const uint8_t *positive, size_t count);

/* In how many windows of its region a pattern is found. */
int kn_pattern_occurrences(const KnPatternGround *ground, const KnPattern *pattern, const uint8_t *board);

/* How many patterns the language has: regions times kinds to the size. */
double kn_pattern_language(const KnPatternGround *ground);

/* "any-own any-their . . own-man in own-baseline", don't care as a point. */
void kn_pattern_print(const KnPatternGround *ground, const KnPattern *pattern, KnText *out);

/* Many patterns at once, fast. The ground must outlive it. */
typedef struct KnPatternMatcher KnPatternMatcher;
KnStatus kn_pattern_matcher_open(const KnPatternGround *ground, const KnPattern *patterns, int count,
                                 KnPatternMatcher **matcher, KnError *error);
void kn_pattern_matcher_close(KnPatternMatcher *matcher);

/* How often each occurs on a board; or, where few will be asked for: what there is to see, into as many words
 * as kn_pattern_matcher_words says, and then one by one. */
void kn_pattern_matcher_count(const KnPatternMatcher *matcher, const uint8_t *board, int *occurrences);
int kn_pattern_matcher_words(const KnPatternMatcher *matcher);
void kn_pattern_matcher_look(const KnPatternMatcher *matcher, const uint8_t *board, uint64_t *held);
int kn_pattern_matcher_find(const KnPatternMatcher *matcher, const uint8_t *board, const uint64_t *held,
                            int pattern);

#endif
