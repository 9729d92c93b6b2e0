#include "support/check.h"
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

static void test_pieces_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    assert_non_null(arena);
    unsigned char *pieces[1000];
    for (int round = 0; round < 2; round++) { /* the second round gets used memory back */
        for (int i = 0; i < 1000; i++) {
            size_t size = (size_t)(i * 37 % 301 + 1);
            pieces[i] = kn_arena_alloc(arena, size);
            assert_non_null(pieces[i]);
            assert_int_equal((uintptr_t)pieces[i] % 16, 0);
            for (size_t k = 0; k < size; k++) assert_int_equal(pieces[i][k], 0);
            memset(pieces[i], i & 0xff, size);
        }
        for (int i = 0; i < 1000; i++) {
            size_t size = (size_t)(i * 37 % 301 + 1);
            for (size_t k = 0; k < size; k++) assert_int_equal(pieces[i][k], i & 0xff);
        }
        kn_arena_reset(arena);
        assert_int_equal(kn_arena_used(arena), 0);
    }
    kn_arena_free(arena);
    kn_arena_free(NULL);
}

static void test_large_pieces(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    char *large = kn_arena_alloc(arena, 1000000);
    assert_non_null(large);
    large[999999] = 'x';
    char *small = kn_arena_alloc(arena, 10);
    assert_non_null(small);
    assert_true(small < large || small >= large + 1000000);
    assert_null(kn_arena_alloc(arena, SIZE_MAX));
    assert_null(kn_arena_alloc(arena, SIZE_MAX - 15));
    kn_arena_reset(arena);
    char *again = kn_arena_alloc(arena, 900000);
    assert_ptr_equal(again, large); /* the block is used again, and zeroed */
    assert_int_equal(again[899999], 0);
    kn_arena_free(arena);
}

static void test_strings(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    char original[] = "knack";
    char *copy = kn_arena_string(arena, original);
    original[0] = 'x';
    assert_string_equal(copy, "knack");
    char *printed = kn_arena_printf(arena, "%s %d%c", copy, 42, '!');
    assert_string_equal(printed, "knack 42!");
    int *numbers = KN_ARENA_NEW(arena, int, 3);
    assert_int_equal(numbers[2], 0);
    assert_non_null(kn_arena_copy(arena, NULL, 0));
    assert_int_equal(kn_arena_used(arena) % 16, 0);
    kn_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_aligned_zeroed_and_apart),
        cmocka_unit_test(test_large_pieces),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
