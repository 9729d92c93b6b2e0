#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {
    struct Block *next;
    size_t size;
    _Alignas(16) unsigned char bytes[];
} Block;

struct KnArena {
    Block *first; /* in use, newest first */
    Block *spare; /* kept by reset */
    size_t at;    /* fill of the newest block */
    size_t used;
};

enum { ARENA_BLOCK = 64 * 1024 };

KnArena *kn_arena_new(void) { return calloc(1, sizeof(KnArena)); }

static void blocks_free(Block *block)
{
    while (block) {
        Block *next = block->next;
        free(block);
        block = next;
    }
}

void kn_arena_free(KnArena *arena)
{
    if (!arena) return;
    blocks_free(arena->first);
    blocks_free(arena->spare);
    free(arena);
}

void kn_arena_reset(KnArena *arena)
{
    while (arena->first) {
        Block *block = arena->first;
        arena->first = block->next;
        block->next = arena->spare;
        arena->spare = block;
    }
    arena->at = arena->used = 0;
}

static Block *arena_block(KnArena *arena, size_t size)
{
    for (Block **link = &arena->spare; *link; link = &(*link)->next) {
        if ((*link)->size < size) continue;
        Block *block = *link;
        *link = block->next;
        return block;
    }
    size_t capacity = size > ARENA_BLOCK ? size : ARENA_BLOCK;
    Block *block = malloc(sizeof(Block) + capacity);
    if (block) block->size = capacity;
    return block;
}

void *kn_arena_alloc(KnArena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) return NULL;
    size = (size + 15) & ~(size_t)15;
    if (!arena->first || arena->first->size - arena->at < size) {
        Block *block = arena_block(arena, size);
        if (!block) return NULL;
        block->next = arena->first;
        arena->first = block;
        arena->at = 0;
    }
    void *piece = arena->first->bytes + arena->at;
    arena->at += size;
    arena->used += size;
    return memset(piece, 0, size);
}

void *kn_arena_copy(KnArena *arena, const void *bytes, size_t size)
{
    void *copy = kn_arena_alloc(arena, size);
    return copy && size ? memcpy(copy, bytes, size) : copy;
}

char *kn_arena_string(KnArena *arena, const char *string)
{
    return kn_arena_copy(arena, string, strlen(string) + 1);
}

char *kn_arena_printf(KnArena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *string = length < 0 ? NULL : kn_arena_alloc(arena, (size_t)length + 1);
    if (string) vsnprintf(string, (size_t)length + 1, format, again);
    va_end(again);
    return string;
}

size_t kn_arena_used(const KnArena *arena) { return arena->used; }
