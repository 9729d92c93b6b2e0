/* Hashes of contents: for tables in memory (64 bit), identities and digests (128 bit), and check sums
 * (CRC-32).
 *
 * XXH3 underneath: its values are the same on every machine and version, so they may be stored. It is not a
 * defence against somebody who wants two things to hash alike. Positions are hashed by their games, not here.
 */
#ifndef KNACK_BASE_HASH_H
#define KNACK_BASE_HASH_H

#include <knack/base.h>

typedef struct KnHash128 {
    uint64_t high, low;
} KnHash128;

KnHash128 kn_hash128(const void *bytes, size_t size);

void kn_hash128_hex(KnHash128 hash, char hex[KN_HEX128]);

KnHash128 kn_digest_end(const KnDigest *digest); /* of what was added so far; more may follow */

/* CRC-32 as zlib, PNG and gzip have it. Start from 0, feed the result back in for the next piece. */
uint32_t kn_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
