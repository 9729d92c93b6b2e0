/* Breadth-first enumeration by several threads into one lock-free hash set of codes.
 *
 * The thread that finds a state first differs between runs, but the resulting set does not. It is sorted at
 * the end, so the result is the same for any number of threads. */
#include "search/statespace.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "jobs/parallel.h"
#include <knack/base.h>

enum { CHUNK = 512, SLICE_CHUNKS = 512 };

/* ---- Codes ---- */

KnStatus kn_statespace_solvable(const KnGame *game, KnError *error)
{
    const char *why = NULL;
    if (!game->type->pack || !game->type->unpack)
        why = "needs exact codes of positions (pack)";
    else if (!game->type->moves)
        why = "needs moves that are not simultaneous";
    else if (game->roles != 2 || !(game->traits & KN_GAME_ZERO_SUM) || game->nature >= 0)
        why = "needs two players against each other, without chance";
    else if (game->traits & KN_GAME_LOOKS_BACK)
        why = "needs rules that do not look back: a position alone must have a value";
    else if (game->max_moves > UINT16_MAX)
        why = "needs fewer moves in a position";
    return why ? kn_fail(error, KN_INPUT, "%s", why) : KN_OK;
}

KnCoder kn_coder(const KnGame *game, const void *start)
{
    KN_ASSERT(game->symmetries <= UINT8_MAX + 1);
    KnCoder coder = {.count = 1};
    uint64_t own = game->type->pack(game, start);
    for (int s = 1; game->type->transform && s < game->symmetries && coder.count < KN_STATES_SYMMETRIES;
         s++) {
        _Alignas(16) unsigned char image[game->position_size];
        game->type->transform(game, s, start, image);
        if (game->type->pack(game, image) == own) coder.symmetry[coder.count++] = (uint8_t)s;
    }
    return coder;
}

uint64_t kn_coder_code(const KnCoder *coder, const KnGame *game, const void *position, int *size)
{
    _Alignas(16) unsigned char image[game->position_size];
    uint64_t least = game->type->pack(game, position);
    int same = 1; /* images equal to the least one; every state of the class has equally many */
    for (int i = 1; i < coder->count; i++) {
        game->type->transform(game, coder->symmetry[i], position, image);
        uint64_t code = game->type->pack(game, image);
        same = code < least ? 1 : same + (code == least);
        least = code < least ? code : least;
    }
    KN_ASSERT(same >= 1 && same <= coder->count);
    if (size) *size = coder->count / same;
    return least;
}

/* ---- The shared hash set: codes plus one, open addressing ---- */

typedef struct Set {
    _Atomic uint64_t *slots;
    size_t size; /* a power of two */
    atomic_size_t used;
} Set;

static bool set_insert(Set *set, uint64_t code)
{
    uint64_t key = code + 1;
    KN_ASSERT(key != 0);
    for (size_t at = kn_mix64(code);; at++) {
        _Atomic uint64_t *slot = &set->slots[at & (set->size - 1)];
        uint64_t there = atomic_load_explicit(slot, memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong_explicit(slot, &there, key, memory_order_relaxed,
                                                                  memory_order_relaxed)) {
            atomic_fetch_add_explicit(&set->used, 1, memory_order_relaxed);
            return true;
        }
        if (there == key) return false;
    }
}

static bool set_is_full(Set *set)
{
    return atomic_load_explicit(&set->used, memory_order_relaxed) > set->size / 2;
}

/* ---- The enumeration ---- */

typedef struct List {
    uint64_t *items;
    size_t count, capacity;
} List;

typedef struct Walk {
    const KnGame *game;
    const KnSolveOptions *options;
    KnCoder coder;
    Set set;
    List all;    /* every class, in the order found */
    List *found; /* new classes of each worker */
    int workers;
    size_t first, last;          /* the current slice of `all` */
    size_t resume[SLICE_CHUNKS]; /* the next state of each chunk of the slice */
} Walk;

static bool list_add(List *list, uint64_t code)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 1024;
        uint64_t *items = realloc(list->items, capacity * sizeof *items);
        if (!items) return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = code;
    return true;
}

size_t kn_solve_memory(const KnSolveOptions *options)
{
    return options->memory ? options->memory : (size_t)2 << 30;
}

KnStatus kn_solve_too_large(const KnGame *game, const KnSolveOptions *options, size_t states, KnError *error)
{
    return kn_fail(
        error, KN_SYSTEM,
        "%s is too large to be solved within %.1f MB of memory: given up at %zu states up to symmetry; allow "
        "more memory, or choose a smaller game",
        game->spec, (double)kn_solve_memory(options) / 1e6, states);
}

static KnStatus expand(Walk *walk, const void *position, List *found, KnError *error)
{
    const KnGame *game = walk->game;
    KnMove moves[game->max_moves];
    uint64_t codes[game->max_moves];
    _Alignas(16) unsigned char next[game->position_size];
    int count = game->type->moves(game, position, moves);
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        codes[i] = kn_coder_code(&walk->coder, game, next, NULL);
        if (codes[i] == UINT64_MAX)
            return kn_fail(error, KN_SYSTEM, "%s: a code takes all 64 bits", game->spec);
        __builtin_prefetch(&walk->set.slots[kn_mix64(codes[i]) & (walk->set.size - 1)]);
    }
    for (int i = 0; i < count; i++)
        if (set_insert(&walk->set, codes[i]) && !list_add(found, codes[i]))
            return kn_fail_memory(error, "solving");
    return KN_OK;
}

/* Expands a chunk of the slice. It stops when the set is full and resumes when the set has grown. Expanding a
 * state twice is harmless: its successors are in the set already. */
static KnStatus expand_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    Walk *walk = user;
    KN_ASSERT(index < SLICE_CHUNKS && worker < walk->workers);
    size_t at = walk->resume[index], end = walk->first + ((size_t)index + 1) * CHUNK, begin = at;
    if (end > walk->last) end = walk->last;
    _Alignas(16) unsigned char position[walk->game->position_size];
    KnStatus status = KN_OK;
    for (; at < end && status == KN_OK && !set_is_full(&walk->set); at++) {
        walk->game->type->unpack(walk->game, walk->all.items[at], position);
        status = expand(walk, position, &walk->found[worker], error);
    }
    walk->resume[index] = at;
    kn_progress_tick(walk->options->progress, at - begin);
    return status;
}

static size_t walk_bytes(const Walk *walk)
{
    size_t items = walk->all.capacity + walk->set.size;
    for (int i = 0; i < walk->workers; i++) items += walk->found[i].capacity;
    return items * sizeof(uint64_t);
}

static KnStatus walk_grow(Walk *walk, KnError *error)
{
    Set old = {.slots = walk->set.slots, .size = walk->set.size};
    if (walk_bytes(walk) + 2 * old.size * sizeof *old.slots > kn_solve_memory(walk->options))
        return kn_solve_too_large(walk->game, walk->options, atomic_load(&walk->set.used), error);
    walk->set.slots = calloc(2 * old.size, sizeof *old.slots);
    if (!walk->set.slots) {
        walk->set.slots = old.slots;
        return kn_fail_memory(error, "solving");
    }
    walk->set.size = 2 * old.size;
    atomic_store(&walk->set.used, 0);
    for (size_t i = 0; i < old.size; i++) {
        uint64_t key = atomic_load_explicit(&old.slots[i], memory_order_relaxed);
        if (key) set_insert(&walk->set, key - 1);
    }
    free(old.slots);
    return KN_OK;
}

static KnStatus collect_found(Walk *walk, KnError *error)
{
    for (int i = 0; i < walk->workers; i++) {
        for (size_t k = 0; k < walk->found[i].count; k++)
            if (!list_add(&walk->all, walk->found[i].items[k])) return kn_fail_memory(error, "solving");
        walk->found[i].count = 0;
    }
    if (walk_bytes(walk) > kn_solve_memory(walk->options) || walk->all.count > INT32_MAX)
        return kn_solve_too_large(walk->game, walk->options, walk->all.count, error);
    return KN_OK;
}

static KnStatus walk_slice(Walk *walk, KnError *error)
{
    size_t length = walk->last - walk->first, chunks = (length + CHUNK - 1) / CHUNK;
    KN_ASSERT(chunks <= SLICE_CHUNKS);
    for (size_t i = 0; i < chunks; i++) walk->resume[i] = walk->first + i * CHUNK;
    for (;;) {
        KnStatus status = kn_parallel(walk->options->jobs, chunks, expand_chunk, walk, walk->options->cancel,
                                      error);
        if (status == KN_OK) status = collect_found(walk, error);
        if (status != KN_OK) return status;
        bool finished = true;
        for (size_t i = 0; i < chunks; i++) {
            size_t end = walk->first + (i + 1) * CHUNK;
            finished &= walk->resume[i] == (end < walk->last ? end : walk->last);
        }
        if (finished) return KN_OK;
        if ((status = walk_grow(walk, error)) != KN_OK) return status;
    }
}

static KnStatus walk_all(Walk *walk, const void *start, KnError *error)
{
    /* Each thread tests whether the set is full before a state, so the set needs room for the moves of one
     * state from each thread. */
    size_t least = 4 * (size_t)walk->game->max_moves * (size_t)walk->workers;
    walk->set.size = 1 << 12;
    while (walk->set.size < least) walk->set.size *= 2;
    walk->set.slots = calloc(walk->set.size, sizeof *walk->set.slots);
    walk->found = calloc((size_t)walk->workers, sizeof *walk->found);
    if (!walk->set.slots || !walk->found) return kn_fail_memory(error, "solving");
    uint64_t code = kn_coder_code(&walk->coder, walk->game, start, NULL);
    set_insert(&walk->set, code);
    if (!list_add(&walk->all, code)) return kn_fail_memory(error, "solving");
    KnStatus status = KN_OK;
    while (walk->last < walk->all.count && status == KN_OK) {
        size_t most = (size_t)SLICE_CHUNKS * CHUNK;
        walk->first = walk->last;
        walk->last = walk->all.count - walk->first > most ? walk->first + most : walk->all.count;
        status = walk_slice(walk, error);
    }
    return status;
}

/* ---- Sorting and indexing ---- */

/* Radix sort, least significant byte first. It skips bytes that are equal in all codes. */
static bool sort_codes(uint64_t **codes, size_t count)
{
    uint64_t *from = *codes, *to = malloc((count + 1) * sizeof *to);
    if (!to) return false;
    for (int shift = 0; shift < 64; shift += 8) {
        size_t place[256] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++) place[from[i] >> shift & 255]++;
        if (count && place[from[0] >> shift & 255] == count) continue;
        for (int i = 0; i < 256; i++) {
            size_t here = place[i];
            place[i] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) to[place[from[i] >> shift & 255]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    *codes = from;
    free(to);
    return true;
}

KnStatus kn_statespace_adopt(KnCoder coder, uint64_t *codes, size_t count, KnStateSpace *states,
                             KnError *error)
{
    size_t size = 16;
    while (size < 2 * count) size *= 2;
    uint32_t *slots = calloc(size, sizeof *slots);
    *states = (KnStateSpace){coder, codes, count, slots, size - 1};
    if (!slots) {
        kn_statespace_free(states);
        return kn_fail_memory(error, "indexing solved positions");
    }
    KN_ASSERT(count < UINT32_MAX && (size & (size - 1)) == 0);
    for (size_t i = 0; i < count; i++) {
        size_t at = kn_mix64(codes[i]) & states->mask;
        while (slots[at]) at = (at + 1) & states->mask;
        slots[at] = (uint32_t)i + 1;
    }
    return KN_OK;
}

size_t kn_statespace_find(const KnStateSpace *states, uint64_t code)
{
    for (size_t at = kn_mix64(code) & states->mask; states->slots[at]; at = (at + 1) & states->mask)
        if (states->codes[states->slots[at] - 1] == code) return states->slots[at] - 1;
    return SIZE_MAX;
}

void kn_statespace_find_all(const KnStateSpace *states, const uint64_t *codes, int count, size_t *indices)
{
    for (int i = 0; i < count; i++) {
        indices[i] = kn_mix64(codes[i]) & states->mask;
        __builtin_prefetch(&states->slots[indices[i]]);
    }
    for (int i = 0; i < count; i++) {
        uint32_t slot = states->slots[indices[i]];
        if (slot) __builtin_prefetch(&states->codes[slot - 1]);
    }
    for (int i = 0; i < count; i++) indices[i] = kn_statespace_find(states, codes[i]);
}

void kn_statespace_free(KnStateSpace *states)
{
    free(states->codes);
    free(states->slots);
    *states = (KnStateSpace){0};
}

KnStatus kn_statespace_enumerate(const KnGame *game, const KnSolveOptions *options, KnStateSpace *states,
                                 KnError *error)
{
    *states = (KnStateSpace){0};
    KnStatus status = kn_statespace_solvable(game, error);
    if (status != KN_OK) return kn_fail_within(error, "%s cannot be solved backwards", game->spec);
    _Alignas(16) unsigned char start[game->position_size];
    if (options->start)
        memcpy(start, options->start, game->position_size);
    else
        game->type->start(game, start);
    Walk walk = {
        .game = game, .options = options, .coder = kn_coder(game, start), .workers = kn_jobs(options->jobs)};
    status = walk_all(&walk, start, error);
    free(walk.set.slots);
    for (int i = 0; walk.found && i < walk.workers; i++) free(walk.found[i].items);
    free(walk.found);
    if (status == KN_OK && !sort_codes(&walk.all.items, walk.all.count))
        status = kn_fail_memory(error, "solving");
    if (status == KN_OK)
        return kn_statespace_adopt(walk.coder, walk.all.items, walk.all.count, states, error);
    free(walk.all.items);
    return status;
}
