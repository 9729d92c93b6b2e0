/* With GNU's qsort_r, which the C library for WebAssembly lacks (missing.c). */
#ifndef KNACK_SITE_INCLUDE_STDLIB_H
#define KNACK_SITE_INCLUDE_STDLIB_H

#include_next <stdlib.h>

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *user),
             void *user);

#endif
