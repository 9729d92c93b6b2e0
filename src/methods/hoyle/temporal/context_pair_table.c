#include "methods/hoyle/temporal/context_pair_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "methods/hoyle/temporal/board.h"

enum { KEY = KN_TEMPORAL_CELLS * 6 + 16 };

/* An orientation: its list of locations, and its entry of the hash table. */
typedef struct Orientation {
    uint32_t pair;
    uint8_t locations;
    uint8_t location[KN_TEMPORAL_CELLS];
    char *key;
} Orientation;

struct KnContextPairTable {
    int cells;
    char symbols[KN_BOARD_SYMBOLS + 1];
    Orientation *list;
    size_t count, room;
    uint32_t *slots;
    size_t slot_count;
};

KnContextPairTable *kn_context_pair_table_new(int cells, const char *symbols)
{
    KN_ASSERT(cells > 0 && cells <= KN_TEMPORAL_CELLS && strlen(symbols) <= KN_BOARD_SYMBOLS);
    KnContextPairTable *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->cells = cells;
    snprintf(x->symbols, sizeof x->symbols, "%s", symbols);
    return x;
}

void kn_context_pair_table_free(KnContextPairTable *index)
{
    if (!index) return;
    for (size_t i = 0; i < index->count; i++) free(index->list[i].key);
    free(index->list);
    free(index->slots);
    free(index);
}

/* "1nil3nil5X7nil9O" and the number: location, content, location, content, ... */
static size_t write_key(const KnContextPairTable *x, const Orientation *o, const uint8_t *cells, char *key)
{
    char *at = key;
    for (int i = 0; i < o->locations; i++) {
        int location = o->location[i] + 1;
        if (location >= 100) *at++ = '1';
        if (location >= 10) *at++ = (char)('0' + location / 10 % 10);
        *at++ = (char)('0' + location % 10);
        uint8_t value = cells[location - 1];
        if (value)
            *at++ = x->symbols[value];
        else
            memcpy(at, "nil", 3), at += 3;
    }
    return (size_t)(at - key) + (size_t)sprintf(at, "#%u", (unsigned)o->pair);
}

static uint32_t *look_up(const KnContextPairTable *x, const char *key, size_t length)
{
    KN_ASSERT(x->slot_count > x->count && (x->slot_count & (x->slot_count - 1)) == 0);
    size_t mask = x->slot_count - 1, at = kn_hash64(key, length, 0) & mask;
    while (x->slots[at] && strcmp(x->list[x->slots[at] - 1].key, key) != 0) at = (at + 1) & mask;
    return &x->slots[at];
}

static KnStatus grow(KnContextPairTable *x, KnError *error)
{
    if (x->count < x->room) return KN_OK;
    size_t room = x->room ? 2 * x->room : 256;
    Orientation *list = realloc(x->list, room * sizeof *list);
    if (list) x->list = list;
    uint32_t *slots = calloc(4 * room, sizeof *slots);
    if (!list || !slots) {
        free(slots);
        return kn_fail_memory(error, "indexing patterns");
    }
    free(x->slots);
    x->slots = slots;
    x->slot_count = 4 * room;
    x->room = room;
    for (size_t i = 0; i < x->count; i++)
        *look_up(x, x->list[i].key, strlen(x->list[i].key)) = (uint32_t)i + 1;
    return KN_OK;
}

/* Thesis 3.2.4, table 5: Update-Hash-Table. */
KnStatus kn_context_pair_table_add(KnContextPairTable *x, uint32_t pair, const uint8_t *pattern,
                                   KnError *error)
{
    KnStatus status = grow(x, error);
    if (status != KN_OK) return status;
    Orientation *o = &x->list[x->count];
    *o = (Orientation){.pair = pair};
    for (int c = 0; c < x->cells; c++)
        if (pattern[c] != KN_DONT_CARE) o->location[o->locations++] = (uint8_t)c;
    char key[KEY];
    size_t length = write_key(x, o, pattern, key);
    KN_ASSERT(length < KEY);
    o->key = malloc(length + 1);
    if (!o->key) return kn_fail_memory(error, "indexing patterns");
    memcpy(o->key, key, length + 1);
    x->count++;
    uint32_t *slot = look_up(x, key, length);
    if (!*slot) *slot = (uint32_t)x->count;
    return KN_OK;
}

/* Thesis 3.2.4, table 5: Check-Hash-Table. */
size_t kn_context_pair_table_match(const KnContextPairTable *x, const uint8_t *cells, uint32_t *found)
{
    size_t hits = 0;
    char key[KEY];
    for (size_t i = 0; i < x->count; i++) {
        size_t length = write_key(x, &x->list[i], cells, key);
        /* A list of locations may also meet the entry of another orientation of its pair, which has a list of
         * its own to be found by. */
        if (*look_up(x, key, length) && strcmp(x->list[i].key, key) == 0) found[hits++] = (uint32_t)i;
    }
    return hits;
}
