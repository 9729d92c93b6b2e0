#include "games/pipe/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

enum { NAMES = 1 << 14 /* buckets */, NAMES_MOST = 1 << 20, BYTES_A_BUCKET = 512 };

typedef struct Edge {
    struct Edge *next;
    const char *from;
    const KnMove *joint;
    const KnPipeState *to;
} Edge;

typedef struct Name {
    struct Name *next;
    KnMove move;
    const char *text;
} Name;

struct KnPipeCache {
    const KnDeclaration *declaration;
    pthread_mutex_t lock;
    KnArena *arena, *scratch, *names_arena;
    size_t most, buckets; /* bytes in the arena; a power of two */
    KnPipeState **states;
    Edge **edges;
    Name *names[NAMES];
    int name_count;
};

KnPipeCache *kn_pipe_cache_new(const KnDeclaration *declaration, size_t bytes)
{
    KnPipeCache *cache = calloc(1, sizeof *cache);
    if (!cache) return NULL;
    pthread_mutex_init(&cache->lock, NULL);
    cache->declaration = declaration;
    cache->most = bytes;
    for (cache->buckets = 1; cache->buckets * BYTES_A_BUCKET < bytes; cache->buckets *= 2) {
    }
    cache->arena = kn_arena_new();
    cache->scratch = kn_arena_new();
    cache->names_arena = kn_arena_new();
    cache->states = calloc(cache->buckets, sizeof *cache->states);
    cache->edges = calloc(cache->buckets, sizeof *cache->edges);
    if (cache->arena && cache->scratch && cache->names_arena && cache->states && cache->edges) return cache;
    kn_pipe_cache_free(cache);
    return NULL;
}

void kn_pipe_cache_free(KnPipeCache *cache)
{
    if (!cache) return;
    kn_arena_free(cache->arena);
    kn_arena_free(cache->scratch);
    kn_arena_free(cache->names_arena);
    free(cache->states);
    free(cache->edges);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

void kn_pipe_lock(KnPipeCache *cache) { pthread_mutex_lock(&cache->lock); }
void kn_pipe_unlock(KnPipeCache *cache) { pthread_mutex_unlock(&cache->lock); }

uint64_t kn_pipe_hash(const char *text) { return kn_hash64(text, strlen(text), 0); }

/* ---- Names of moves ---- */

const char *kn_pipe_move_name(const KnPipeCache *cache, KnMove move)
{
    for (const Name *name = cache->names[move % NAMES]; name; name = name->next)
        if (name->move == move) return name->text;
    return NULL;
}

/* A move is the hash of its name, the same in every run; KN_MOVE_NONE is none of these. */
static KnStatus move_named(KnPipeCache *cache, const char *text, KnMove *move, KnError *error)
{
    *move = kn_hash64(text, strlen(text), 1) >> 1;
    const char *known = kn_pipe_move_name(cache, *move);
    if (known && strcmp(known, text) == 0) return KN_OK;
    if (known)
        return kn_fail(error, KN_INPUT, "the moves \"%.60s\" and \"%.60s\" have the same hash; rename one",
                       known, text);
    if (cache->name_count++ == NAMES_MOST)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules has named %d different moves, which is the most",
                       NAMES_MOST);
    Name *name = KN_ARENA_NEW(cache->names_arena, Name, 1);
    const char *kept = kn_arena_string(cache->names_arena, text);
    if (!name || !kept) return kn_fail_memory(error, "asking for rules");
    *name = (Name){cache->names[*move % NAMES], *move, kept};
    cache->names[*move % NAMES] = name;
    return KN_OK;
}

/* ---- States ---- */

const KnPipeState *kn_pipe_find(const KnPipeCache *cache, const char *text, uint64_t hash)
{
    for (const KnPipeState *state = cache->states[hash & (cache->buckets - 1)]; state; state = state->next)
        if (state->hash == hash && strcmp(state->text, text) == 0) return state;
    return NULL;
}

static int compare_moves(const void *a, const void *b)
{
    KnMove x = *(const KnMove *)a, y = *(const KnMove *)b;
    return (x > y) - (x < y);
}

/* The moves of one role, from names that follow each other. */
static KnStatus make_moves(KnPipeCache *cache, KnArena *arena, const char **names, int count,
                           const KnMove **out, KnError *error)
{
    KnMove *moves = KN_ARENA_NEW(arena, KnMove, count), *sorted = KN_ARENA_NEW(cache->scratch, KnMove, count);
    if (!moves || !sorted) return kn_fail_memory(error, "asking for rules");
    for (int i = 0; i < count; i++, *names += strlen(*names) + 1) {
        KnStatus status = move_named(cache, *names, &moves[i], error);
        if (status != KN_OK) return status;
    }
    memcpy(sorted, moves, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_moves);
    for (int i = 1; i < count; i++)
        if (sorted[i] == sorted[i - 1])
            return kn_fail(error, KN_FORFEIT, "the program with the rules lists the move \"%.60s\" twice",
                           kn_pipe_move_name(cache, sorted[i]));
    *out = moves;
    return KN_OK;
}

static KnStatus make_state(KnPipeCache *cache, KnArena *arena, const char *text, const KnAccount *account,
                           KnPipeState **out, KnError *error)
{
    const KnDeclaration *declaration = account->declaration;
    int roles = declaration->role_count;
    KnPipeState *state = *out = KN_ARENA_NEW(arena, KnPipeState, 1);
    int *counts = KN_ARENA_NEW(arena, int, roles);
    const KnMove **moves = KN_ARENA_NEW(arena, const KnMove *, roles);
    char *kept = kn_arena_string(arena, text);
    if (!state || !counts || !moves || !kept) return kn_fail_memory(error, "asking for rules");
    memset(counts, 0, (size_t)roles * sizeof *counts);
    memset(moves, 0, (size_t)roles * sizeof *moves);
    *state = (KnPipeState){
        .hash = kn_pipe_hash(text), .text = kept, .over = account->over, .counts = counts, .moves = moves};
    const char *names = account->names.data;
    for (int i = 0; i < account->movers; i++) {
        int role = account->order[i];
        KnStatus status = make_moves(cache, arena, &names, account->counts[i], &moves[role], error);
        if (status != KN_OK) return status;
        counts[role] = account->counts[i];
        state->movers |= 1u << role;
    }
    if (state->over &&
        !(state->payoffs = kn_arena_copy(arena, account->payoffs, (size_t)roles * sizeof(double))))
        return kn_fail_memory(error, "asking for rules");
    if (!account->board.length) return KN_OK;
    uint8_t *cells = KN_ARENA_NEW(arena, uint8_t, account->board.length);
    if (!(state->cells = cells)) return kn_fail_memory(error, "asking for rules");
    for (size_t i = 0; i < account->board.length; i++)
        cells[i] =
            (uint8_t)(strchr(declaration->symbols.data, account->board.data[i]) - declaration->symbols.data);
    return KN_OK;
}

static bool is_same(const KnDeclaration *declaration, const KnPipeState *a, const KnPipeState *b)
{
    size_t roles = (size_t)declaration->role_count,
           cells = (size_t)declaration->width * (size_t)declaration->height;
    if (a->over != b->over || a->movers != b->movers) return false;
    if (memcmp(a->counts, b->counts, roles * sizeof *a->counts) != 0) return false;
    if (a->over && memcmp(a->payoffs, b->payoffs, roles * sizeof *a->payoffs) != 0) return false;
    for (size_t role = 0; role < roles; role++)
        if (a->counts[role] &&
            memcmp(a->moves[role], b->moves[role], (size_t)a->counts[role] * sizeof(KnMove)) != 0)
            return false;
    return !cells || memcmp(a->cells, b->cells, cells) == 0;
}

KnStatus kn_pipe_add(KnPipeCache *cache, const char *text, const KnAccount *account, const KnPipeState **out,
                     KnError *error)
{
    const KnPipeState *known = kn_pipe_find(cache, text, kn_pipe_hash(text));
    KnPipeState *state;
    if (!known && kn_arena_used(cache->arena) > cache->most) {
        memset(cache->states, 0, cache->buckets * sizeof *cache->states);
        memset(cache->edges, 0, cache->buckets * sizeof *cache->edges);
        kn_arena_reset(cache->arena);
    }
    kn_arena_reset(cache->scratch);
    KnStatus status = make_state(cache, known ? cache->scratch : cache->arena, text, account, &state, error);
    if (status == KN_OK && known && !is_same(account->declaration, known, state))
        status = kn_fail(error, KN_FORFEIT,
                         "the program with the rules contradicts itself about the state \"%.80s\": a state "
                         "must hold everything that bears on the rest of the game",
                         text);
    if (status == KN_OK && !known) {
        state->next = cache->states[state->hash & (cache->buckets - 1)];
        cache->states[state->hash & (cache->buckets - 1)] = state;
    }
    *out = known ? known : state;
    return status;
}

/* ---- Where moves lead ---- */

static size_t edge_bucket(const KnPipeCache *cache, uint64_t hash, const KnMove *joint)
{
    for (int role = 0; role < cache->declaration->role_count; role++) hash = kn_mix64(hash ^ joint[role]);
    return hash & (cache->buckets - 1);
}

const KnPipeState *kn_pipe_follow(const KnPipeCache *cache, const char *from, uint64_t hash,
                                  const KnMove *joint)
{
    size_t bytes = (size_t)cache->declaration->role_count * sizeof *joint;
    for (const Edge *edge = cache->edges[edge_bucket(cache, hash, joint)]; edge; edge = edge->next)
        if (memcmp(edge->joint, joint, bytes) == 0 && strcmp(edge->from, from) == 0) return edge->to;
    return NULL;
}

void kn_pipe_connect(KnPipeCache *cache, const char *from, uint64_t hash, const KnMove *joint,
                     const KnPipeState *to)
{
    const KnPipeState *known = kn_pipe_find(cache, from, hash);
    if (kn_pipe_follow(cache, from, hash, joint)) return; /* another thread was quicker */
    Edge *edge = KN_ARENA_NEW(cache->arena, Edge, 1);
    const char *kept = known ? known->text : kn_arena_string(cache->arena, from);
    const KnMove *moves = kn_arena_copy(cache->arena, joint,
                                        (size_t)cache->declaration->role_count * sizeof *joint);
    if (!edge || !kept || !moves) return; /* it is asked again */
    size_t bucket = edge_bucket(cache, hash, joint);
    *edge = (Edge){cache->edges[bucket], kept, moves, to};
    cache->edges[bucket] = edge;
}
