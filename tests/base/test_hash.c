#include "support/check.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* The check value of CRC-32/ISO-HDLC, and a piecewise run over the same bytes. */
static void test_crc32(void **state)
{
    (void)state;
    assert_int_equal(kn_crc32(0, "123456789", 9), 0xcbf43926u);
    assert_int_equal(kn_crc32(kn_crc32(0, "1234", 4), "56789", 5), 0xcbf43926u);
    assert_int_equal(kn_crc32(0, "", 0), 0);
    unsigned char all[256];
    for (int i = 0; i < 256; i++) all[i] = (unsigned char)i;
    assert_int_equal(kn_crc32(0, all, sizeof all), 0x29058c73u); /* as zlib gives it */
}

/* XXH3 of nothing, from the xxHash documentation and test vectors. Stored digests rely on these never
 * changing. */
static void test_known_hashes(void **state)
{
    (void)state;
    assert_true(kn_hash64("", 0, 0) == 0x2d06800538d394c2u);
    char hex[KN_HEX128];
    kn_hash128_hex(kn_hash128("", 0), hex);
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
}

static void test_seed_and_content_matter(void **state)
{
    (void)state;
    uint64_t hash = kn_hash64("knack", 5, 1);
    assert_true(hash == kn_hash64("knack", 5, 1));
    assert_true(hash != kn_hash64("knack", 5, 2));
    assert_true(hash != kn_hash64("knacj", 5, 1));
    assert_true(hash != kn_hash64("knack", 4, 1));
}

/* A stream in pieces of any size has the digest of the whole, across the block sizes of XXH3. */
static void test_digest_is_that_of_the_whole(void **state)
{
    (void)state;
    static unsigned char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7 + i / 251);
    const size_t pieces[] = {1, 3, 16, 64, 241, 1024, 4999};
    KnHash128 whole = kn_hash128(bytes, sizeof bytes);
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        KnDigest digest;
        kn_digest_start(&digest);
        for (size_t at = 0; at < sizeof bytes; at += pieces[p]) {
            size_t left = sizeof bytes - at;
            kn_digest_add(&digest, bytes + at, left < pieces[p] ? left : pieces[p]);
        }
        KnHash128 streamed = kn_digest_end(&digest);
        assert_true(streamed.high == whole.high && streamed.low == whole.low);
    }
}

/* Programs may be started without standard input: then the next file gets its number, 0. */
static void test_file_number_0(void **state)
{
    (void)state;
    KnError error;
    KnDigest with, without;
    kn_digest_start(&with);
    kn_digest_start(&without);
    check_ok(error, kn_file_write_atomic("digested", "four", 4, &error));
    check_ok(error, kn_digest_file(&with, "digested", &error));
    int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    KnStatus status = kn_digest_file(&without, "digested", &error);
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_int_equal(status, KN_OK);
    assert_true(kn_digest_end(&with).low == kn_digest_end(&without).low);
}

/* A digest is a plain value: it goes on after a copy to any address that its type allows. */
static void test_digest_is_copied_anywhere(void **state)
{
    (void)state;
    unsigned char bytes[600];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 31);
    KnHash128 whole = kn_hash128(bytes, sizeof bytes);
    uint64_t *room = malloc(2 * sizeof(KnDigest));
    assert_non_null(room);
    KnDigest here;
    kn_digest_start(&here);
    for (size_t i = 0; i < sizeof bytes; i += 40) {
        KnDigest *there = (KnDigest *)(void *)(room + i / 40); /* 15 places, eight bytes from each other */
        memcpy(there, &here, sizeof here);
        kn_digest_add(there, bytes + i, 40);
        memcpy(&here, there, sizeof here);
    }
    free(room);
    KnHash128 end = kn_digest_end(&here);
    assert_true(end.high == whole.high && end.low == whole.low);
}

static void test_digest_of_parts(void **state)
{
    (void)state;
    char one[KN_HEX128], two[KN_HEX128];
    KnDigest a, b;
    kn_digest_start(&a);
    kn_digest_string(&a, "ab");
    kn_digest_string(&a, "c");
    kn_digest_hex(&a, one);
    kn_digest_start(&b);
    kn_digest_string(&b, "a");
    kn_digest_string(&b, "bc");
    kn_digest_hex(&b, two);
    assert_string_not_equal(one, two);
    assert_int_equal(strlen(one), 32);

    kn_digest_start(&a);
    kn_digest_u64(&a, 0x0807060504030201u);
    KnHash128 number = kn_digest_end(&a), bytes = kn_hash128("\1\2\3\4\5\6\7\10", 8);
    assert_true(number.high == bytes.high && number.low == bytes.low);
    kn_digest_u64(&a, 0); /* more may follow an end */
    assert_true(kn_digest_end(&a).low != number.low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc32),
        cmocka_unit_test(test_known_hashes),
        cmocka_unit_test(test_seed_and_content_matter),
        cmocka_unit_test(test_digest_is_that_of_the_whole),
        cmocka_unit_test(test_digest_is_copied_anywhere),
        cmocka_unit_test(test_digest_of_parts),
        cmocka_unit_test(test_file_number_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
