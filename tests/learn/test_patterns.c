/* Patterns of small windows: the language, the score against plain counting, the search, and the fast
 * matcher. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "learn/patterns.h"
#include "learn/tree.h"

/* Checkers' own: 5 squares, 5 symbols (empty, own man, other's man, own king, other's king), 8 kinds, 6
 * regions; here on a strip of windows that overlap. */
static KnPatternLanguage make_language(int windows)
{
    KnPatternLanguage language = {
        .cells = windows + 4, .symbols = 5, .size = 5, .windows = windows, .regions = 6, .kinds = 8};
    static const KnPatternKind kinds[8] = {{"anything", -1, 31}, {"free", 0, 1},       {"any-own", 0, 10},
                                           {"any-their", 0, 20}, {"own-man", 2, 2},    {"own-king", 2, 8},
                                           {"their-man", 3, 4},  {"their-king", 3, 16}};
    memcpy(language.kind, kinds, sizeof kinds);
    for (int r = 0; r < 6; r++) language.region[r][0] = (char)('a' + r);
    for (int w = 0; w < windows; w++) {
        language.within[w] = (uint8_t)(1 | 1 << (1 + w % 5));
        for (int i = 0; i < 5; i++) language.cell[w][i] = (uint16_t)(w + i);
    }
    return language;
}

/* Equation 6 by direct counting. */
static double plain_score(const KnPatternLanguage *language, const KnPattern *pattern, const uint8_t *boards,
                          const uint8_t *positive, size_t count)
{
    double all[KN_PATTERN_WINDOWS + 1] = {0}, good[KN_PATTERN_WINDOWS + 1] = {0}, score = 0;
    for (size_t b = 0; b < count; b++) {
        int found = kn_pattern_occurrences(language, pattern, boards + b * (size_t)language->cells);
        all[found]++;
        good[found] += positive[b];
    }
    for (int i = 0; i <= language->windows; i++)
        if (all[i] > 0) score += all[i] / (double)count * kn_information(good[i], all[i] - good[i]);
    return score;
}

static void count_all(const KnPatternMatcher *matcher, const uint8_t *board, int patterns, int *counts)
{
    uint64_t held[kn_pattern_matcher_words(matcher)];
    kn_pattern_matcher_look(matcher, board, held);
    for (int p = 0; p < patterns; p++) counts[p] = kn_pattern_matcher_find(matcher, board, held, p);
}

static uint8_t *make_boards(const KnPatternLanguage *language, size_t count, KnRng *rng)
{
    uint8_t *boards = malloc(count * (size_t)language->cells);
    for (size_t i = 0; i < count * (size_t)language->cells; i++) {
        uint32_t x = kn_rng_below(rng, 10);
        boards[i] = (uint8_t)(x < 4 ? 0 : x < 6 ? 1 : x < 8 ? 2 : x < 9 ? 3 : 4);
    }
    return boards;
}

/* Equation 6 by hand: 8 boards, the pattern occurs 0, 1 or 2 times. */
static void test_equation_6(void **state)
{
    (void)state;
    KnPatternLanguage language = {.cells = 2,
                                  .symbols = 2,
                                  .size = 1,
                                  .windows = 2,
                                  .cell = {{0}, {1}},
                                  .within = {1, 1},
                                  .regions = 1,
                                  .kinds = 2,
                                  .kind = {{"anything", -1, 3}, {"man", 0, 2}}};
    static const uint8_t boards[] = {0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1},
                         positive[] = {0, 0, 1, 0, 1, 1, 1, 1};
    KnPattern man = {.kind = {1}};
    /* none: 2 boards, 0 positive; one: 4 boards, 3 positive; two: 2 boards, 2 positive */
    double expected = 4.0 / 8 * (-0.75 * log2(0.75) - 0.25 * log2(0.25));
    assert_true(fabs(plain_score(&language, &man, boards, positive, 8) - expected) < 1e-12);
    /* The first board has the fewest: the pattern is no constant for that. */
    KnPatternSearch search = {.expansions = 4, .wanted = 1, .different = 0.95};
    KnScoredPattern found;
    int found_count;
    KnError error;
    check_ok(error,
             kn_patterns_search(&language, boards, positive, 8, &search, &found, &found_count, &error));
    assert_int_equal(found_count, 1);
    assert_int_equal(found.pattern.kind[0], 1);
}

/* A class that depends on one pattern: the search finds it, and its scores equal those of direct counting. */
static void test_search_finds_the_pattern(void **state)
{
    (void)state;
    KnPatternLanguage language = make_language(18);
    KnRng rng = kn_rng_seeded(4);
    size_t count = 1000;
    uint8_t *boards = make_boards(&language, count, &rng), positive[1000];
    KnPattern truth = {
        .kind = {0, 4, 6, 1, 0}}; /* an own man, before it the other's, and a free cell behind: figure 6 */
    for (size_t i = 0; i < count; i++)
        positive[i] = kn_rng_real(&rng) <
                      (kn_pattern_occurrences(&language, &truth, boards + i * (size_t)language.cells) ? 0.95
                                                                                                      : 0.1);
    KnPatternSearch search = {.expansions = 300, .wanted = 8, .different = 0.95};
    KnScoredPattern found[8];
    int found_count;
    KnError error;
    check_ok(error,
             kn_patterns_search(&language, boards, positive, count, &search, found, &found_count, &error));
    assert_int_equal(found_count, 8);
    /* Windows overlap, so that it may stand a cell further on as well. */
    int shift = 0;
    while (shift < 2 && found[0].pattern.kind[shift] != 4) shift++;
    KnPattern shifted = {.region = 0};
    memcpy(shifted.kind + shift, truth.kind + 1, 3);
    assert_memory_equal(&found[0].pattern, &shifted, sizeof shifted);
    assert_true(search.evaluated > 1000);
    for (int k = 0; k < found_count; k++) {
        double plain = plain_score(&language, &found[k].pattern, boards, positive, count);
        assert_true(fabs(found[k].score - plain) < 1e-9);
        assert_true(!k || found[k].score >= found[k - 1].score);
    }
    /* The matcher agrees with direct counting. */
    KnPattern patterns[8];
    for (int k = 0; k < 8; k++) patterns[k] = found[k].pattern;
    patterns[3].region = 2;
    KnPatternMatcher *matcher;
    check_ok(error, kn_pattern_matcher_open(&language, patterns, 8, &matcher, &error));
    for (size_t i = 0; i < count; i++) {
        int counts[8];
        const uint8_t *board = boards + i * (size_t)language.cells;
        count_all(matcher, board, 8, counts);
        for (int k = 0; k < 8; k++)
            assert_int_equal(counts[k], kn_pattern_occurrences(&language, &patterns[k], board));
    }
    kn_pattern_matcher_close(matcher);
    KnText text = KN_TEXT_EMPTY;
    kn_pattern_print(&language, &truth, &text);
    assert_string_equal(text.data, ". own-man their-man free . in a");
    kn_text_free(&text);
    free(boards);
}

/* The same with many windows, so that the bit-sliced counters carry into every digit and the matcher has no
 * table. */
static void test_many_windows(void **state)
{
    (void)state;
    KnPatternLanguage language = make_language(300);
    KnRng rng = kn_rng_seeded(5);
    size_t count = 130; /* not a multiple of 64 */
    uint8_t *boards = make_boards(&language, count, &rng), positive[130];
    for (size_t i = 0; i < count; i++) positive[i] = kn_rng_below(&rng, 2) != 0;
    KnPatternSearch search = {.expansions = 3, .wanted = 20, .different = 1};
    KnScoredPattern found[20];
    int found_count;
    KnError error;
    check_ok(error,
             kn_patterns_search(&language, boards, positive, count, &search, found, &found_count, &error));
    assert_true(found_count > 10);
    for (int k = 0; k < found_count; k++)
        assert_true(
            fabs(found[k].score - plain_score(&language, &found[k].pattern, boards, positive, count)) < 1e-9);
    for (int windows = 60; windows <= 300;
         windows += 5) { /* 64 are the most that the matcher takes in one go */
        KnPatternLanguage some = make_language(windows);
        KnPatternMatcher *matcher;
        KnPattern patterns[2] = {found[0].pattern, found[found_count - 1].pattern};
        int counts[2];
        check_ok(error, kn_pattern_matcher_open(&some, patterns, 2, &matcher, &error));
        count_all(matcher, boards, 2, counts);
        for (int k = 0; k < 2; k++)
            assert_int_equal(counts[k], kn_pattern_occurrences(&some, &patterns[k], boards));
        kn_pattern_matcher_close(matcher);
        if (windows == 65) windows = 295;
    }
    check_fails(error, KN_INPUT, "there are none",
                kn_patterns_search(&language, boards, positive, 0, &search, found, &found_count, &error));
    free(boards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equation_6),
        cmocka_unit_test(test_search_finds_the_pattern),
        cmocka_unit_test(test_many_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
