#include "arena/repeats.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"

enum { SLOTS = sizeof((KnRepeats *)0)->seen / sizeof(uint64_t) };
_Static_assert(KN_REPEATS_GAMES < SLOTS * 3 / 4, "a full table has no end");

enum { LEAST_GAMES = 4 }; /* fewer have little to repeat */

KnRepeats *kn_repeats_new(void) { return calloc(1, sizeof(KnRepeats)); }

void kn_repeats_free(KnRepeats *repeats) { free(repeats); }

void kn_repeats_add(KnRepeats *repeats, const KnStandingRecord *record)
{
    if (repeats->games == KN_REPEATS_GAMES) return;
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_u64(&digest, (uint64_t)record->first);
    kn_digest_string(&digest, record->start);
    kn_digest_string(&digest, record->moves);
    uint64_t hash = kn_digest_end(&digest).low | 1;
    repeats->games++;
    for (size_t at = hash >> 1 & (SLOTS - 1);; at = (at + 1) & (SLOTS - 1)) {
        if (repeats->seen[at] == hash) return;
        if (repeats->seen[at]) continue;
        repeats->seen[at] = hash;
        repeats->different++;
        return;
    }
}

void kn_repeats_note(const KnRepeats *repeats, char *note, size_t size)
{
    note[0] = 0;
    if (repeats->games < LEAST_GAMES || repeats->different * 2 >= repeats->games) return;
    snprintf(note, size,
             "only %llu of the %s%llu games are different, and the interval takes each for a new one; other "
             "openings make others (--random-plies, --openings)",
             (unsigned long long)repeats->different, repeats->games == KN_REPEATS_GAMES ? "first " : "",
             (unsigned long long)repeats->games);
}
