/* Large memory where there are no pages to choose. */
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

void *kn_pages_new(size_t bytes)
{
    size_t size = (bytes + 64) & ~(size_t)63;
    void *memory = size > bytes ? aligned_alloc(64, size) : NULL;
    return memory ? memset(memory, 0, size) : NULL;
}

void kn_pages_free(void *pages, size_t bytes)
{
    (void)bytes;
    free(pages);
}
