/* The context hash table of TP-Context (Lock 2003, 3.2): under each normalised sequence what the states have
 * in common where it began.
 *
 * The thesis keeps the list of states; their maximal common pattern is all that is ever taken from it, and
 * can be carried along state by state, so that an entry stays small however often its sequence is seen.
 *
 * Ownership: kn_context_table_new / kn_context_table_free; entries are borrowed and move when others are
 * added. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_CONTEXT_TABLE_H
#define KNACK_METHODS_HOYLE_TEMPORAL_CONTEXT_TABLE_H

#include "methods/hoyle/temporal/game_actions.h"
#include "methods/hoyle/temporal/sequence.h"

typedef struct KnContextEntry {
    KnSequence sequence;
    uint32_t seen;
    uint8_t pattern[KN_TEMPORAL_CELLS];
} KnContextEntry;

typedef struct KnContextTable KnContextTable;

KnContextTable *kn_context_table_new(const KnTemporalBoard *board); /* NULL if memory runs out */
void kn_context_table_free(KnContextTable *contexts);

/* Counts a sequence that began in a state. */
KnStatus kn_context_table_add(KnContextTable *contexts, const KnSequence *sequence, const uint8_t *cells,
                              KnError *error);

/* What to gather from a game. */
typedef struct KnGathering {
    int lengths[4]; /* odd; 0 ends the list */
    bool solos;
    bool lost; /* also from games that the player lost */
} KnGathering;

KnStatus kn_context_table_gather(KnContextTable *contexts, const KnGameActions *record,
                                 const KnGathering *gathering, KnError *error);

size_t kn_context_table_count(const KnContextTable *contexts);
const KnContextEntry *kn_context_table_entry(const KnContextTable *contexts,
                                             size_t index); /* in order of first occurrence */

#endif
