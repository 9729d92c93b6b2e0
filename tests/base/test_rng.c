#include "support/check.h"
#include <knack/base.h>

/* The reference vector of xoshiro256** (state 1, 2, 3, 4), from its authors' C source. */
static void test_known_outputs(void **state)
{
    (void)state;
    KnRng rng = {{1, 2, 3, 4}};
    const uint64_t expected[] = {11520u, 0u, 1509978240u, 1215971899390074240u};
    for (int i = 0; i < 4; i++) assert_true(kn_rng_next(&rng) == expected[i]);
}

static void test_below_is_uniform(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(7);
    enum { BOUND = 7, DRAWS = 70000 };
    int count[BOUND] = {0};
    for (int i = 0; i < DRAWS; i++) count[kn_rng_below(&rng, BOUND)]++;
    double chi2 = 0, mean = (double)DRAWS / BOUND;
    for (int i = 0; i < BOUND; i++) chi2 += (count[i] - mean) * (count[i] - mean) / mean;
    assert_true(chi2 < 22.5); /* 99.9% point with 6 degrees of freedom */
}

static void test_streams_differ_and_repeat(void **state)
{
    (void)state;
    KnRng a = kn_rng_stream(1, 0), again = kn_rng_stream(1, 0), b = kn_rng_stream(1, 1),
          c = kn_rng_stream(2, 0);
    uint64_t first = kn_rng_next(&a);
    assert_true(first == kn_rng_next(&again));
    assert_true(first != kn_rng_next(&b));
    assert_true(first != kn_rng_next(&c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_outputs),
        cmocka_unit_test(test_below_is_uniform),
        cmocka_unit_test(test_streams_differ_and_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
