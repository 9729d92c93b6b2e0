/* How often each text was met: archives hold the same game more than once, and each counts.
 *
 * Ownership: zeros are an empty one; kn_text_counts_free. */
#ifndef KNACK_METHODS_EXPERIENCE_TEXT_COUNTS_H
#define KNACK_METHODS_EXPERIENCE_TEXT_COUNTS_H

#include "base/hash.h"

typedef struct KnTextCount {
    KnHash128 hash;
    uint64_t count; /* 0: an empty place */
} KnTextCount;

typedef struct KnTextCounts {
    KnTextCount *places;
    size_t room, used;
} KnTextCounts;

/* How often it was added before. Without memory, 0. */
uint64_t kn_text_counts_add(KnTextCounts *counts, const char *text);
void kn_text_counts_free(KnTextCounts *counts);

#endif
