#include "base/embedded.h"

#include <string.h>

const KnEmbeddedRow *kn_embedded_find(const char *name)
{
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}
