/* Files of networks: contents in compressed form behind a head that says whether they are whole.
 *
 *     8 letters, CRC-32 of what follows, 32-bit zero, 64-bit size of the contents, contents (zstd) */
#ifndef KNACK_LEARN_PACKED_H
#define KNACK_LEARN_PACKED_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

typedef struct KnPackedKind {
    const char *letters; /* 8 of them */
    const char *what;    /* "an n-tuple network", for messages */
} KnPackedKind;

/* Replaces `out` by the bytes of a file. */
KnStatus kn_packed_compress(const KnPackedKind *kind, const KnText *plain, int level, KnText *out,
                            KnError *error);

/* Appends the contents to `plain`, if they are at most `most` bytes. Any bytes are safe. */
KnStatus kn_packed_decompress(const KnPackedKind *kind, const void *bytes, size_t size, size_t most,
                              const char *name, KnText *plain, KnError *error);

#endif
