/* Hashes of contents: for tables in memory (64 bit), identities and digests (128 bit), and check sums
 * (CRC-32).
 *
 * XXH3 underneath: its values are the same on every machine and version, so they may be stored. It is not a
 * defence against somebody who wants two things to hash alike. Positions are hashed by their games, not here.
 */
#ifndef KNACK_BASE_HASH_H
#define KNACK_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t kn_hash64(const void *bytes, size_t size, uint64_t seed);

typedef struct KnHash128 {
    uint64_t high, low;
} KnHash128;

KnHash128 kn_hash128(const void *bytes, size_t size);

enum { KN_HEX128 = 33 }; /* 32 digits and the zero */
void kn_hash128_hex(KnHash128 hash, char hex[KN_HEX128]);

/* A 128-bit digest of bytes that come piece by piece; a plain value, nothing to free. Pieces are run
 * together: kn_digest_string and kn_digest_u64 mark their own ends, so that ("ab","c") and ("a","bc") differ.
 */
typedef struct KnDigest {
    _Alignas(64) unsigned char state[576];
} KnDigest;

void kn_digest_start(KnDigest *digest);
void kn_digest_add(KnDigest *digest, const void *bytes, size_t size);
void kn_digest_string(KnDigest *digest, const char *string);
void kn_digest_u64(KnDigest *digest, uint64_t value); /* eight bytes, lowest first, on every machine */
KnHash128 kn_digest_end(const KnDigest *digest);      /* of what was added so far; more may follow */
void kn_digest_hex(const KnDigest *digest, char hex[KN_HEX128]);

/* CRC-32 as zlib, PNG and gzip have it. Start from 0, feed the result back in for the next piece. */
uint32_t kn_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
