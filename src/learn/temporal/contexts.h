/* The context hash table of TP-Context (Lock 2003, 3.2): under each normalised sequence what the states have
 * in common where it began.
 *
 * The thesis keeps the list of states; their maximal common pattern is all that is ever taken from it, and
 * can be carried along state by state, so that an entry stays small however often its sequence is seen.
 *
 * Ownership: kn_contexts_new / kn_contexts_free; entries are borrowed and move when others are added. */
#ifndef KNACK_LEARN_TEMPORAL_CONTEXTS_H
#define KNACK_LEARN_TEMPORAL_CONTEXTS_H

#include "learn/temporal/record.h"
#include "learn/temporal/sequence.h"

typedef struct KnContextEntry {
    KnSequence sequence;
    uint32_t seen;
    uint8_t pattern[KN_TEMPORAL_CELLS];
} KnContextEntry;

typedef struct KnContexts KnContexts;

KnContexts *kn_contexts_new(const KnTemporalBoard *board); /* NULL if memory runs out */
void kn_contexts_free(KnContexts *contexts);

/* Counts a sequence that began in a state. */
KnStatus kn_contexts_add(KnContexts *contexts, const KnSequence *sequence, const uint8_t *cells,
                         KnError *error);

/* What to gather from a contest. */
typedef struct KnGathering {
    int lengths[4]; /* odd; 0 ends the list */
    bool solos;
    bool lost; /* also from contests that the player lost */
} KnGathering;

KnStatus kn_contexts_gather(KnContexts *contexts, const KnRecord *record, const KnGathering *gathering,
                            KnError *error);

size_t kn_contexts_count(const KnContexts *contexts);
const KnContextEntry *kn_contexts_entry(const KnContexts *contexts,
                                        size_t index); /* in order of first sight */

#endif
