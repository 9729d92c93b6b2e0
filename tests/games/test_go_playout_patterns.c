/* The 3x3 patterns of playouts: known shapes, and the same for colours, rotations and reflections. */
#include "support/check.h"

#include "games/go/playout_patterns.h"

/* A picture of nine cells, row by row: `.` empty, `x` black, `o` white, `#` border. */
static unsigned surrounding(const char *picture)
{
    unsigned code = 0;
    for (int i = 0, bit = 0; i < 9; i++) {
        if (i == 4) continue;
        code |= (picture[i] == 'x' ? 1u : picture[i] == 'o' ? 2u : picture[i] == '#' ? 3u : 0u) << bit;
        bit += 2;
    }
    return code;
}

static void test_shapes(void **state)
{
    (void)state;
    static KnPlayoutPatterns patterns;
    kn_playout_patterns_fill(&patterns);
    static const char *const good[] = {"xox......", "xo.......", "xo.o.....", ".x.o.o...", "x..o..###"};
    static const char *const bad[] = {".........", "xxxx.xxxx", "......###", "x........"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!kn_playout_patterns_fit(&patterns, surrounding(good[i]))) fail_msg("no shape: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (kn_playout_patterns_fit(&patterns, surrounding(bad[i]))) fail_msg("a shape: %s", bad[i]);
}

/* Turning the picture by a quarter, mirroring it and exchanging the colours changes nothing. */
static void test_symmetry(void **state)
{
    (void)state;
    static KnPlayoutPatterns patterns;
    static const int turned[8] = {2, 4, 7, 1, 6, 0, 3, 5}, mirrored[8] = {2, 1, 0, 4, 3, 7, 6, 5};
    int fits = 0;
    kn_playout_patterns_fill(&patterns);
    for (unsigned code = 0; code < 1u << 16; code++) {
        unsigned turn = 0, mirror = 0, swap = 0;
        for (int i = 0; i < 8; i++) {
            unsigned held = code >> (2 * i) & 3;
            turn |= held << (2 * turned[i]), mirror |= held << (2 * mirrored[i]);
            swap |= (held == 1 || held == 2 ? 3 - held : held) << (2 * i);
        }
        bool fit = kn_playout_patterns_fit(&patterns, code);
        fits += fit;
        if (fit != kn_playout_patterns_fit(&patterns, turn) ||
            fit != kn_playout_patterns_fit(&patterns, mirror) ||
            fit != kn_playout_patterns_fit(&patterns, swap))
            fail_msg("surrounding %u", code);
    }
    assert_true(fits > 1000 && fits < 1 << 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_symmetry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
