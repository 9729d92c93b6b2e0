/* Constructed features: patterns of small windows of a board (Markovitch and Sella 1996, section 4.2).
 *
 * A pattern language describes boards without knowing a game: cells, each with a symbol; windows, small
 * groups of cells where a pattern may occur; regions, sets of windows; and kinds, sets of symbols in a tree
 * with the most general at the root ("anything" above "any own piece" above "own king"). A pattern requires a
 * kind of each cell of a window in a region. As a feature, its value is the number of windows where it
 * occurs.
 *
 * Good patterns are found by best-first search from general to special: the best pattern so far is
 * specialised in every possible way, and each pattern is scored by the conditional entropy of the class given
 * its number of occurrences (equations 6 and 7; less is better).
 *
 * Ownership: the caller owns languages and patterns, which are plain values; a KnPatternMatcher is opened and
 * closed. */
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
    int parent;       /* -1 for the first, the root of the tree */
    uint32_t symbols; /* a bit for each symbol */
} KnPatternKind;

typedef struct KnPatternLanguage {
    int cells;    /* of a board */
    int symbols;  /* a cell holds a symbol from 0 to symbols - 1 */
    int exchange; /* the game's symmetry that exchanges the sides; 0: none */
    int size;     /* cells of a window */
    int windows;
    uint16_t cell[KN_PATTERN_WINDOWS][KN_PATTERN_CELLS];
    /* A bit for each region; all windows are in region 0, the whole board. */
    uint8_t within[KN_PATTERN_WINDOWS];
    int regions;
    char region[KN_PATTERN_REGIONS][24];
    int kinds;
    KnPatternKind kind[KN_PATTERN_KINDS];
} KnPatternLanguage;

typedef struct KnPattern {
    uint8_t kind[KN_PATTERN_CELLS];
    uint8_t region;
} KnPattern;

/* A pattern with its score: the conditional entropy of the class. */
typedef struct KnScoredPattern {
    KnPattern pattern;
    double score; /* equation 6, in bits */
} KnScoredPattern;

typedef struct KnPatternSearch {
    int expansions;   /* the number of patterns to specialise */
    int wanted;       /* the number of patterns to return, at most KN_PATTERNS_MAX */
    double different; /* the largest correlation with the occurrences of a better pattern */
    size_t evaluated; /* out: the number of scored patterns */
} KnPatternSearch;

/* `boards` has a byte for each cell, one board after the other. Stores the best patterns in `found`, best
 * first, and their number in *found_count. */
KnStatus kn_patterns_search(const KnPatternLanguage *language, const uint8_t *boards, const uint8_t *positive,
                            size_t count, KnPatternSearch *search, KnScoredPattern *found, int *found_count,
                            KnError *error);

/* The number of windows in its region where a pattern occurs. */
int kn_pattern_occurrences(const KnPatternLanguage *language, const KnPattern *pattern, const uint8_t *board);

/* Prints a pattern as "any-own any-their . . own-man in own-baseline"; a point means anything. */
void kn_pattern_print(const KnPatternLanguage *language, const KnPattern *pattern, KnText *out);

/* Counts many patterns fast. The language must outlive it. */
typedef struct KnPatternMatcher KnPatternMatcher;
KnStatus kn_pattern_matcher_open(const KnPatternLanguage *language, const KnPattern *patterns, int count,
                                 KnPatternMatcher **matcher, KnError *error);
void kn_pattern_matcher_close(KnPatternMatcher *matcher);

/* For each board, call kn_pattern_matcher_look once (`held` has kn_pattern_matcher_words words) and then
 * kn_pattern_matcher_find for each pattern that is needed. */
int kn_pattern_matcher_words(const KnPatternMatcher *matcher);
void kn_pattern_matcher_look(const KnPatternMatcher *matcher, const uint8_t *board, uint64_t *held);
int kn_pattern_matcher_find(const KnPatternMatcher *matcher, const uint8_t *board, const uint64_t *held,
                            int pattern);

#endif
