/* Counts of texts against a plain array: each addition tells how often that text was added before, through
 * all enlargements. */
#include "support/check.h"

#include <stdio.h>

#include <knack/base.h>
#include "methods/experience/text_counts.h"

static void test_against_an_array(void **state)
{
    (void)state;
    enum { TEXTS = 2000 };
    static uint64_t known[TEXTS];
    KnTextCounts counts = {0};
    KnRng rng = kn_rng_seeded(3);
    for (int i = 0; i < 3 * TEXTS; i++) {
        uint32_t number = kn_rng_below(&rng, TEXTS);
        char text[32];
        snprintf(text, sizeof text, "game %u", number);
        assert_int_equal(kn_text_counts_add(&counts, text), known[number]++);
    }
    size_t different = 0;
    for (int i = 0; i < TEXTS; i++) different += known[i] > 0;
    assert_int_equal(counts.used, different);
    assert_true(counts.room >= 2 * different && counts.room < 8 * different);
    kn_text_counts_free(&counts);
    assert_null(counts.places);
    assert_int_equal(kn_text_counts_add(&counts, "game 1"), 0);
    kn_text_counts_free(&counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_an_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
