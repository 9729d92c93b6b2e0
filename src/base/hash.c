#include "base/hash.h"

#include <string.h>

/* Header only: every call is inlined here, and no symbol of xxHash leaves this file. */
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { STATE_ALIGNMENT = _Alignof(XXH3_state_t) };
_Static_assert(sizeof(((KnDigest *)0)->state) >= sizeof(XXH3_state_t) + STATE_ALIGNMENT - _Alignof(KnDigest),
               "KnDigest holds an XXH3 state wherever it lies");

uint64_t kn_hash64(const void *bytes, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, size, seed);
}

KnHash128 kn_hash128(const void *bytes, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    return (KnHash128){hash.high64, hash.low64};
}

void kn_hash128_hex(KnHash128 hash, char hex[KN_HEX128])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        hex[i] = digits[hash.high >> (60 - 4 * i) & 15];
        hex[16 + i] = digits[hash.low >> (60 - 4 * i) & 15];
    }
    hex[32] = '\0';
}

/* Where the state belongs in a digest at this address. */
static size_t offset_in(const KnDigest *digest) { return -(uintptr_t)digest->state & (STATE_ALIGNMENT - 1); }

/* A digest may have been copied to an address that is aligned otherwise: the state then moves within it. */
static XXH3_state_t *state_of(KnDigest *digest)
{
    unsigned char *bytes = (unsigned char *)digest->state;
    size_t wanted = offset_in(digest);
    if (wanted != digest->offset) memmove(bytes + wanted, bytes + digest->offset, sizeof(XXH3_state_t));
    digest->offset = wanted;
    return (XXH3_state_t *)(void *)(bytes + wanted);
}

void kn_digest_start(KnDigest *digest)
{
    memset(digest, 0, sizeof *digest);
    XXH3_128bits_reset(state_of(digest));
}

void kn_digest_add(KnDigest *digest, const void *bytes, size_t size)
{
    if (size) XXH3_128bits_update(state_of(digest), bytes, size);
}

void kn_digest_string(KnDigest *digest, const char *string)
{
    kn_digest_add(digest, string, strlen(string) + 1);
}

void kn_digest_u64(KnDigest *digest, uint64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    kn_digest_add(digest, bytes, sizeof bytes);
}

KnHash128 kn_digest_end(const KnDigest *digest)
{
    XXH3_state_t state;
    memcpy(&state, (const unsigned char *)digest->state + digest->offset, sizeof state);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return (KnHash128){hash.high64, hash.low64};
}

void kn_digest_hex(const KnDigest *digest, char hex[KN_HEX128])
{
    kn_hash128_hex(kn_digest_end(digest), hex);
}

/* Two table steps a byte: the table is small enough to check by eye, and traces are short. */
uint32_t kn_crc32(uint32_t crc, const void *bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        crc = table[crc & 15] ^ crc >> 4;
        crc = table[crc & 15] ^ crc >> 4;
    }
    return ~crc;
}
