/* What a program has told about states, moves and where they lead, so that nothing is asked twice while it
 * fits in memory: searches come back to the same states all the time, and a question costs some 50
 * microseconds. A full cache is emptied at once; names of moves are kept, since moves are known by their
 * hash.
 *
 * Several threads use it under its lock: what the functions return is good until kn_pipe_unlock.
 *
 * Ownership: kn_pipe_cache_new / kn_pipe_cache_free (NULL is fine). */
#ifndef KNACK_GAMES_PIPE_CACHE_H
#define KNACK_GAMES_PIPE_CACHE_H

#include "games/pipe/declaration.h"

typedef struct KnPipeCache KnPipeCache;

typedef struct KnPipeState {
    struct KnPipeState *next; /* in the table */
    uint64_t hash;
    const char *text;
    bool over;
    uint32_t movers;
    const double *payoffs;      /* by role; NULL unless it is over */
    const int *counts;          /* moves by role */
    const KnMove *const *moves; /* by role */
    const uint8_t *cells;       /* NULL without a board */
} KnPipeState;

KnPipeCache *kn_pipe_cache_new(const KnDeclaration *declaration, size_t bytes);
void kn_pipe_cache_free(KnPipeCache *cache);

void kn_pipe_lock(KnPipeCache *cache);
void kn_pipe_unlock(KnPipeCache *cache);

uint64_t kn_pipe_hash(const char *text); /* of a state */

/* NULL if it is not there. */
const KnPipeState *kn_pipe_find(const KnPipeCache *cache, const char *text, uint64_t hash);
const KnPipeState *kn_pipe_follow(const KnPipeCache *cache, const char *from, uint64_t hash,
                                  const KnMove *joint);

/* Adds a state that was told. KN_FORFEIT if the program has told something else before. */
KnStatus kn_pipe_add(KnPipeCache *cache, const char *text, const KnAccount *account,
                     const KnPipeState **state, KnError *error);

/* The moves of `joint` lead from a state to a state that is in the cache. */
void kn_pipe_connect(KnPipeCache *cache, const char *from, uint64_t hash, const KnMove *joint,
                     const KnPipeState *to);

const char *kn_pipe_move_name(const KnPipeCache *cache, KnMove move); /* NULL: nobody has told of it */

#endif
