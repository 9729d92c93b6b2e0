/* Random numbers: xoshiro256**, seeded by splitmix64.
 *
 * A generator is a value that its owner passes on; nothing in the library holds a hidden one. Streams that
 * must not depend on scheduling are derived, not shared: game i of a run draws from kn_rng_stream(seed, i).
 */
#ifndef KNACK_BASE_RNG_H
#define KNACK_BASE_RNG_H

#include <stdint.h>

typedef struct KnRng {
    uint64_t s[4];
} KnRng;

/* One step of splitmix64 as a plain mixing function: equal in, equal out, every bit stirred. */
static inline uint64_t kn_mix64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline KnRng kn_rng_seeded(uint64_t seed)
{
    KnRng rng;
    for (int i = 0; i < 4; i++) rng.s[i] = kn_mix64(seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
    return rng;
}

/* The generator of unit `index` of whatever `seed` stands for; independent streams for different indices. */
static inline KnRng kn_rng_stream(uint64_t seed, uint64_t index)
{
    return kn_rng_seeded(kn_mix64(seed) ^ kn_mix64(~index));
}

static inline uint64_t kn_rotl64(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t kn_rng_next(KnRng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = kn_rotl64(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = kn_rotl64(s[3], 45);
    return result;
}

/* Uniform in 0..bound-1, bound > 0. Lemire's multiplication with the exact rejection step: no bias. */
static inline uint32_t kn_rng_below(KnRng *rng, uint32_t bound)
{
    uint64_t product = (kn_rng_next(rng) >> 32) * bound;
    uint32_t low = (uint32_t)product;
    if (low < bound) {
        uint32_t threshold = (uint32_t)(-bound) % bound;
        while (low < threshold) {
            product = (kn_rng_next(rng) >> 32) * bound;
            low = (uint32_t)product;
        }
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in [0,1), 53 bits. */
static inline double kn_rng_real(KnRng *rng) { return (double)(kn_rng_next(rng) >> 11) * 0x1.0p-53; }

#endif
