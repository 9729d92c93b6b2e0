/* Arenas: memory that is released as a whole (<knack/base.h>). */
#ifndef KNACK_BASE_ARENA_H
#define KNACK_BASE_ARENA_H

#include <knack/base.h>

size_t kn_arena_used(const KnArena *arena); /* bytes handed out since the last reset */

#define KN_ARENA_NEW(arena, type, count) ((type *)kn_arena_alloc((arena), sizeof(type) * (size_t)(count)))

#endif
