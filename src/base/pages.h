/* Large memory that is read at random places: zeroed, and on huge pages where the kernel has them, so that
 * finding the address of a place does not cost as much as reading it.
 *
 * Ownership: kn_pages_new / kn_pages_free with the same size. */
#ifndef KNACK_BASE_PAGES_H
#define KNACK_BASE_PAGES_H

#include <stddef.h>

/* At least `bytes`, aligned to 64 bytes. NULL if memory runs out. */
void *kn_pages_new(size_t bytes);
void kn_pages_free(void *pages, size_t bytes);

#endif
