/* Large memory: zeroed, aligned, writable to its last byte, and given back. */
#include "support/check.h"
#include "base/pages.h"

#include <stdint.h>

static void test_sizes(void **state)
{
    (void)state;
    const size_t huge = (size_t)2 << 20;
    static const size_t sizes[] = {0, 1, 4095, 4097, 1 << 20, (1 << 20) - 1, (1 << 21) + 1, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *pages = kn_pages_new(sizes[i]);
        assert_non_null(pages);
        assert_int_equal((uintptr_t)pages % 64, 0);
        for (size_t at = 0; at < sizes[i]; at += 509) assert_int_equal(pages[at], 0);
        if (sizes[i]) pages[sizes[i] - 1] = 1;
        if (sizes[i] > 2 * huge) /* or the kernel could not give it huge pages */
            assert_int_equal((uintptr_t)pages % huge, 0);
        kn_pages_free(pages, sizes[i]);
    }
    kn_pages_free(NULL, 0);
}

/* A size that no machine has is refused, not rounded to a small one. */
static void test_too_much(void **state)
{
    (void)state;
    assert_null(kn_pages_new(SIZE_MAX));
    assert_null(kn_pages_new(SIZE_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_too_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
