/* Which of many patterns stand on a board: every decision asks this of all Advisors together.
 *
 * Bit-sliced: patterns come in blocks of 256, and for each cell and each thing it may hold a block has 256
 * bits that say which of its patterns allow that thing there. A board selects one such row for each cell;
 * the patterns that stand on it are the conjunction of the rows, and a block is left as soon as nothing is
 * left of it. No pattern is looked at alone, however many don't cares it has.
 *
 * The thesis's own index (thesis_index.h) answers the same question, to be measured against.
 *
 * Ownership: kn_matcher_new / kn_matcher_free. Adding is for one thread; matching is read-only. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_MATCHER_H
#define KNACK_METHODS_HOYLE_TEMPORAL_MATCHER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct KnMatcher KnMatcher;

KnMatcher *kn_matcher_new(int cells, int symbols); /* NULL if memory runs out */
void kn_matcher_free(KnMatcher *matcher);

/* Patterns are numbered from 0 in the order they are added. */
KnStatus kn_matcher_add(KnMatcher *matcher, const uint8_t *pattern, KnError *error);
size_t kn_matcher_count(const KnMatcher *matcher);

/* Writes the numbers of those that match, in order, to `found` (room for all); returns how many. */
size_t kn_matcher_match(const KnMatcher *matcher, const uint8_t *cells, uint32_t *found);

#endif
