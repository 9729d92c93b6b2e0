#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21 };

/* Whole huge pages; less than half of one stays small. */
static size_t mapped_size(size_t bytes)
{
    const size_t page = bytes < HUGE_PAGE / 2 ? 4096 : HUGE_PAGE;
    return bytes ? (bytes + page - 1) / page * page : page;
}

void *kn_pages_new(size_t bytes)
{
    const size_t size = mapped_size(bytes), alignment = size < HUGE_PAGE ? 0 : HUGE_PAGE;
    if (size < bytes || size + alignment < size) return NULL;
    unsigned char *whole = mmap(NULL, size + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0);
    if (whole == MAP_FAILED) return NULL;
    if (!alignment) return whole;
    size_t before = (alignment - (uintptr_t)whole % alignment) % alignment;
    if (before) munmap(whole, before);
    munmap(whole + before + size, alignment - before);
#ifdef MADV_HUGEPAGE
    madvise(whole + before, size, MADV_HUGEPAGE);
#endif
    return whole + before;
}

void kn_pages_free(void *pages, size_t bytes)
{
    if (pages) munmap(pages, mapped_size(bytes));
}
