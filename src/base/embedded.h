/* Data files that travel inside the library: everything under data/embed, found by its path there, the rule
 * descriptions as gdl/..., the examples as examples/..., and the page as page/... */
#ifndef KNACK_BASE_EMBEDDED_H
#define KNACK_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct KnEmbeddedRow {
    const char *name;           /* path below data/embed; NULL ends the table */
    const unsigned char *bytes; /* a zero byte follows the last one */
    const size_t *size;
} KnEmbeddedRow;

extern const KnEmbeddedRow kn_embedded_rows[];

/* NULL if there is no such file. */
const KnEmbeddedRow *kn_embedded_find(const char *name);

#endif
