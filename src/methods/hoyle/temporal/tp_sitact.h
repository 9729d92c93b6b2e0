/* TP-Sitact (Lock 2003, 4.2, Table 10): from one <context, sequence> pair the <context, action> pairs that it
 * stands for.
 *
 * The first action goes with the context itself; each later one of the player's with the contexts that come
 * about when the actions before it are executed on the context. An opponent's action that is abstracted may
 * be any that the pattern allows: placing on an empty location or on a #, or sliding between linked ones, of
 * four types (# to #, man to empty, # to empty, man to #). What only moves among #s leaves the context as it
 * is. Contexts on which the next action cannot be legal are dropped; equal ones count once. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_TP_SITACT_H
#define KNACK_METHODS_HOYLE_TEMPORAL_TP_SITACT_H

#include "methods/hoyle/temporal/sequence.h"

typedef struct KnSitact {
    uint8_t context[KN_TEMPORAL_CELLS];
    KnAction action;
} KnSitact;

/* Contexts by place of the action in the sequence, for a growing list; start from {0} and free `list`. */
typedef struct KnSitacts {
    KnSitact *list;
    size_t count, room;
} KnSitacts;

void kn_sitacts_free(KnSitacts *sitacts);

/* Adds the Sitact pairs of a context pair. */
KnStatus kn_sitacts_create(const KnTemporalBoard *board, const uint8_t *context, const KnSequence *sequence,
                           KnSitacts *out, KnError *error);

/* Whether an action of a player may be legal on a pattern: it goes to an empty location (or #), from a man of
 * one's own (or #), and takes one of the other's (or #). */
bool kn_pattern_allows(const KnTemporalBoard *board, const uint8_t *pattern, int player, KnAction action);

/* Executes an action that is not abstracted. */
void kn_pattern_play(const KnTemporalBoard *board, uint8_t *pattern, int player, KnAction action);

#endif
