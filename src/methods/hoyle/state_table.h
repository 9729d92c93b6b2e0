/* A table of states: normalised positions, numbered in the order they were first seen. Learners key what
 * they know about states by these numbers.
 *
 * Ownership: kn_state_table_open / kn_state_table_close, on a struct of the caller's; the board view
 * outlives it. Several threads may look up while none adds. */
#ifndef KNACK_METHODS_HOYLE_STATE_TABLE_H
#define KNACK_METHODS_HOYLE_STATE_TABLE_H

#include "methods/hoyle/board_view.h"

typedef struct KnStateTable {
    const KnBoardView *view;
    int count, capacity;
    size_t stride;
    unsigned char *positions;
    uint32_t *slots; /* a power of two of them; number + 1, 0 free */
    uint32_t mask;
} KnStateTable;

KnStatus kn_state_table_open(KnStateTable *states, const KnBoardView *view, KnError *error);
void kn_state_table_close(KnStateTable *states);

/* The number of a normal position; -1 if it was never added. */
int kn_state_table_find(const KnStateTable *states, const void *normal);
KnStatus kn_state_table_add(KnStateTable *states, const void *normal, int *number,
                            KnError *error); /* or finds it */
static inline const void *kn_state_table_at(const KnStateTable *states, int number)
{
    return states->positions + (size_t)number * states->stride;
}

#endif
