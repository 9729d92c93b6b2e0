/* How much time each client has used lately, for fair queues.
 *
 * A key stands for a client (its address) or for a flow of one (a game session). Use decays with a half-life,
 * so that the past is forgotten; the key with the least use goes first. The table has a fixed size: where it
 * is full, the entry with the least use gives way.
 *
 * Ownership: kn_fair_share_new / kn_fair_share_free. Not thread-safe: the caller has a lock. */
#ifndef KNACK_WEB_FAIR_SHARE_H
#define KNACK_WEB_FAIR_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct KnFairShare KnFairShare;

KnFairShare *kn_fair_share_new(double half_life); /* in seconds; NULL without memory */
void kn_fair_share_free(KnFairShare *share);

void kn_fair_share_charge(KnFairShare *share, uint64_t key, double seconds, double now);
double kn_fair_share_used(const KnFairShare *share, uint64_t key, double now);

/* Whether a client that holds `own` of `most` places, of which `taken` are in use by all, may have another: a
 * dynamic threshold (Choudhury and Hahne 1998). One client alone gets 4/5 of the places, and however many
 * take all they can, a newcomer finds some left. */
static inline bool kn_fair_share_allows(size_t own, size_t taken, size_t most)
{
    return taken < most && own < 4 * (most - taken);
}

#endif
