/* The record of a match, in the form that managers publish and other programs read: states, moves, times,
 * errors, goals.
 *
 * Ownership: a record holds one JSON document until kn_ggp_record_free. Running out of memory leaves things
 * out of it, no more. */
#ifndef KNACK_PROTOCOLS_GGP_RECORD_H
#define KNACK_PROTOCOLS_GGP_RECORD_H

#include "protocols/ggp_manager.h"

typedef struct KnGgpRecord {
    json_t *document, *states, *times, *moves, *errors; /* the last four are the document's */
} KnGgpRecord;

KnGgpRecord kn_ggp_record_new(const KnGgpPlan *plan, const char *id, const KnGgpTable *table,
                              const int *seats);
void kn_ggp_record_free(KnGgpRecord *record);

void kn_ggp_record_state(KnGgpRecord *record, const KnGgpBoard *board);
/* A joint move, what each role was found guilty of, and how long each took. */
void kn_ggp_record_moves(KnGgpRecord *record, const KnGgpBoard *board, const KnMove *joint,
                         const KnGgpFault *faults);
void kn_ggp_record_end(KnGgpRecord *record, bool completed, const int *goals, int roles);

#endif
