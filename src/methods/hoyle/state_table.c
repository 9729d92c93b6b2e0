#include "methods/hoyle/state_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 256 };

KnStatus kn_state_table_open(KnStateTable *states, const KnBoardView *view, KnError *error)
{
    *states = (KnStateTable){.view = view,
                             .stride = (view->game->position_size + 15) & ~(size_t)15,
                             .slots = calloc(FIRST_SLOTS, sizeof(uint32_t)),
                             .mask = FIRST_SLOTS - 1};
    return states->slots ? KN_OK : kn_fail_memory(error, "opening a table of states");
}

void kn_state_table_close(KnStateTable *states)
{
    free(states->positions);
    free(states->slots);
    *states = (KnStateTable){0};
}

static uint32_t slot_of(const KnStateTable *states, const void *normal)
{
    KN_ASSERT(states->slots && (states->mask & (states->mask + 1)) == 0);
    size_t size = states->view->game->position_size;
    uint32_t slot = (uint32_t)kn_hash64(normal, size, 0) & states->mask;
    while (states->slots[slot] &&
           memcmp(kn_state_table_at(states, (int)states->slots[slot] - 1), normal, size) != 0)
        slot = (slot + 1) & states->mask;
    return slot;
}

int kn_state_table_find(const KnStateTable *states, const void *normal)
{
    return (int)states->slots[slot_of(states, normal)] - 1;
}

static bool widen(KnStateTable *states)
{
    uint32_t *old = states->slots, slots = (states->mask + 1) * 2;
    if (!(states->slots = calloc(slots, sizeof(uint32_t)))) {
        states->slots = old;
        return false;
    }
    free(old);
    states->mask = slots - 1;
    for (int i = 0; i < states->count; i++)
        states->slots[slot_of(states, kn_state_table_at(states, i))] = (uint32_t)i + 1;
    return true;
}

KnStatus kn_state_table_add(KnStateTable *states, const void *normal, int *number, KnError *error)
{
    uint32_t slot = slot_of(states, normal);
    if (states->slots[slot]) {
        *number = (int)states->slots[slot] - 1;
        return KN_OK;
    }
    if (states->count == states->capacity) {
        int capacity = states->capacity ? states->capacity * 2 : 64;
        unsigned char *more = aligned_alloc(16, (size_t)capacity * states->stride);
        if (!more) return kn_fail_memory(error, "adding to a table of states");
        if (states->count) memcpy(more, states->positions, (size_t)states->count * states->stride);
        free(states->positions);
        states->positions = more;
        states->capacity = capacity;
    }
    KN_ASSERT(states->count < states->capacity && (uint32_t)states->count <= states->mask);
    unsigned char *at = states->positions + (size_t)states->count * states->stride;
    memset(at, 0, states->stride);
    memcpy(at, normal, states->view->game->position_size);
    *number = states->count++;
    states->slots[slot] = (uint32_t)states->count;
    if ((uint32_t)states->count * 2 > states->mask && !widen(states))
        return kn_fail_memory(error, "adding to a table of states");
    return KN_OK;
}
