#include "web/fair_share.h"

#include <stdlib.h>

#include "base/math.h"

enum { ENTRIES = 8192 /* a power of two */, PROBES = 16 };

typedef struct Entry {
    uint64_t key;
    double used, at; /* `used` as of the time `at` */
} Entry;

struct KnFairShare {
    double half_life;
    Entry entries[ENTRIES];
};

KnFairShare *kn_fair_share_new(double half_life)
{
    KnFairShare *share = calloc(1, sizeof *share);
    if (share) share->half_life = half_life;
    return share;
}

void kn_fair_share_free(KnFairShare *share) { free(share); }

static size_t place(uint64_t key, size_t probe)
{
    return ((size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) + probe) & (ENTRIES - 1);
}

static double decayed(const KnFairShare *share, const Entry *entry, double now)
{
    return now > entry->at ? entry->used * kn_math_pow(2, (entry->at - now) / share->half_life) : entry->used;
}

double kn_fair_share_used(const KnFairShare *share, uint64_t key, double now)
{
    for (size_t probe = 0; probe < PROBES; probe++) {
        const Entry *entry = &share->entries[place(key, probe)];
        if (entry->used > 0 && entry->key == key) return decayed(share, entry, now);
    }
    return 0;
}

void kn_fair_share_charge(KnFairShare *share, uint64_t key, double seconds, double now)
{
    if (seconds <= 0) return;
    Entry *chosen = NULL;
    double least = 0;
    for (size_t probe = 0; probe < PROBES; probe++) {
        Entry *entry = &share->entries[place(key, probe)];
        if (entry->used > 0 && entry->key == key) {
            entry->used = decayed(share, entry, now) + seconds;
            entry->at = now;
            return;
        }
        double used = decayed(share, entry, now);
        if (!chosen || used < least) {
            chosen = entry;
            least = used;
        }
    }
    *chosen = (Entry){.key = key, .used = seconds, .at = now};
}
