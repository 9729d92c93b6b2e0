/* The Context Pair Hash Table of the thesis (Lock 2003, 3.2.4, table 5), with which it measured its times.
 * Kept for comparison with matcher.h, which answers the same question.
 *
 * Update-Hash-Table enters each orientation of a context under a string of its locations, their contents
 * and the number of its pair. Check-Hash-Table goes through all pairs and their lists of locations, makes
 * the string that each list gives on the state, and looks it up.
 *
 * Ownership: kn_context_pair_table_new / kn_context_pair_table_free. Checking is read-only. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_CONTEXT_PAIR_TABLE_H
#define KNACK_METHODS_HOYLE_TEMPORAL_CONTEXT_PAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct KnContextPairTable KnContextPairTable;

KnContextPairTable *kn_context_pair_table_new(int cells, const char *symbols); /* NULL if memory runs out */
void kn_context_pair_table_free(KnContextPairTable *index);

/* One orientation of pair `pair`. Orientations are numbered from 0 in the order they are added. */
KnStatus kn_context_pair_table_add(KnContextPairTable *index, uint32_t pair, const uint8_t *pattern,
                                   KnError *error);

/* As kn_matcher_match. */
size_t kn_context_pair_table_match(const KnContextPairTable *index, const uint8_t *cells, uint32_t *found);

#endif
