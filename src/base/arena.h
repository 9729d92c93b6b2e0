/* Memory that is given back all at once.
 *
 * An arena hands out zeroed, 16-byte aligned pieces; nothing is freed singly. kn_arena_reset keeps the blocks
 * for the next round. Pieces live until reset or free. kn_arena_alloc returns NULL when memory runs out. */
#ifndef KNACK_BASE_ARENA_H
#define KNACK_BASE_ARENA_H

#include <stddef.h>

typedef struct KnArena KnArena;

KnArena *kn_arena_new(void);
void kn_arena_free(KnArena *arena);
void kn_arena_reset(KnArena *arena);
void *kn_arena_alloc(KnArena *arena, size_t size);
void *kn_arena_copy(KnArena *arena, const void *bytes, size_t size);
char *kn_arena_string(KnArena *arena, const char *string);
char *kn_arena_printf(KnArena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t kn_arena_used(const KnArena *arena); /* bytes handed out since the last reset */

#define KN_ARENA_NEW(arena, type, count) ((type *)kn_arena_alloc((arena), sizeof(type) * (size_t)(count)))

#endif
