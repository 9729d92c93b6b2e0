/* How many of a match's games are the same, move by move.
 *
 * Two players without chance play one game over and over from the same opening. Its copies are no further
 * evidence, but an interval or a sequential test counts each as a new game: a match says so. Only the first
 * games are looked at, so that memory stays flat.
 *
 * Ownership: kn_repeats_new allocates, kn_repeats_free frees. */
#ifndef KNACK_ARENA_REPEATS_H
#define KNACK_ARENA_REPEATS_H

#include "arena/standing.h"

enum { KN_REPEATS_GAMES = 2000 }; /* that are looked at */

typedef struct KnRepeats {
    uint64_t games, different;
    uint64_t seen[4096]; /* hashes of games by open addressing; 0: free */
} KnRepeats;

KnRepeats *kn_repeats_new(void);
void kn_repeats_free(KnRepeats *repeats);

void kn_repeats_add(KnRepeats *repeats, const KnStandingRecord *record);

/* Writes a sentence if less than half of the games are different, else "". */
void kn_repeats_note(const KnRepeats *repeats, char *note, size_t size);

#endif
