/* The Context Pair Hash Table of the thesis (Lock 2003, 3.2.4, Table 5): the index it measured its times
 * with. Kept to be compared with matcher.h, which answers the same question.
 *
 * Update-Hash-Table enters each orientation of a context under a string of its locations, their contents and
 * the number of its pair; Check-Hash-Table goes through all pairs and their lists of locations, makes the
 * string that each list gives on the state, and looks it up.
 *
 * Ownership: kn_thesis_index_new / kn_thesis_index_free. Checking is read-only. */
#ifndef KNACK_LEARN_TEMPORAL_THESIS_INDEX_H
#define KNACK_LEARN_TEMPORAL_THESIS_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct KnThesisIndex KnThesisIndex;

KnThesisIndex *kn_thesis_index_new(int cells, const char *symbols); /* NULL if memory runs out */
void kn_thesis_index_free(KnThesisIndex *index);

/* One orientation of pair `pair`. Orientations are numbered from 0 in the order they are added. */
KnStatus kn_thesis_index_add(KnThesisIndex *index, uint32_t pair, const uint8_t *pattern, KnError *error);

/* As kn_matcher_match. */
size_t kn_thesis_index_match(const KnThesisIndex *index, const uint8_t *cells, uint32_t *found);

#endif
