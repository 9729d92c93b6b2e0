#include "methods/hoyle/temporal/context_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

/* Open addressing over an array of entries in order of first occurrence, so that sweeps do not depend on
 * hashes.
 */
struct KnContextTable {
    const KnTemporalBoard *board;
    KnContextEntry *entries;
    size_t count, room;
    uint32_t *slots; /* index + 1; 0 is free */
    size_t slot_count;
};

KnContextTable *kn_context_table_new(const KnTemporalBoard *board)
{
    KnContextTable *c = calloc(1, sizeof *c);
    if (c) c->board = board;
    return c;
}

void kn_context_table_free(KnContextTable *contexts)
{
    if (!contexts) return;
    free(contexts->entries);
    free(contexts->slots);
    free(contexts);
}

static uint32_t *find(const KnContextTable *c, const KnSequence *sequence)
{
    KN_ASSERT(c->slot_count > c->count && (c->slot_count & (c->slot_count - 1)) == 0);
    size_t mask = c->slot_count - 1, at = kn_hash64(sequence, sizeof *sequence, 0) & mask;
    while (c->slots[at] && memcmp(&c->entries[c->slots[at] - 1].sequence, sequence, sizeof *sequence) != 0)
        at = (at + 1) & mask;
    return &c->slots[at];
}

static KnStatus grow(KnContextTable *c, KnError *error)
{
    if (c->count < c->room) return KN_OK;
    size_t room = c->room ? 2 * c->room : 256;
    KnContextEntry *entries = realloc(c->entries, room * sizeof *entries);
    if (entries) c->entries = entries;
    uint32_t *slots = calloc(4 * room, sizeof *slots);
    if (!entries || !slots) {
        free(slots);
        return kn_fail_memory(error, "gathering sequences");
    }
    free(c->slots);
    c->slots = slots;
    c->slot_count = 4 * room;
    c->room = room;
    for (size_t i = 0; i < c->count; i++) *find(c, &c->entries[i].sequence) = (uint32_t)i + 1;
    return KN_OK;
}

KnStatus kn_context_table_add(KnContextTable *c, const KnSequence *sequence, const uint8_t *cells,
                              KnError *error)
{
    KnStatus status = grow(c, error);
    if (status != KN_OK) return status;
    uint8_t transformed[KN_TEMPORAL_CELLS];
    KnSequence normal = kn_sequence_normalise(c->board, sequence, cells, transformed);
    uint32_t *slot = find(c, &normal);
    if (!*slot) {
        KnContextEntry *entry = &c->entries[c->count++];
        memset(entry, 0, sizeof *entry);
        entry->sequence = normal;
        memcpy(entry->pattern, transformed, (size_t)c->board->cells);
        *slot = (uint32_t)c->count;
    }
    KnContextEntry *entry = &c->entries[*slot - 1];
    entry->seen++;
    kn_pattern_meet(entry->pattern, transformed, c->board->cells);
    return KN_OK;
}

static KnSequence cut(const KnGameActions *r, size_t ply, int length, bool solo)
{
    KN_ASSERT(length > 0 && length <= KN_SEQUENCE_MAX && ply + (size_t)length <= r->plies);
    KnSequence sequence;
    memset(&sequence, 0, sizeof sequence);
    sequence.player = r->movers[ply];
    sequence.length = (uint8_t)length;
    for (int i = 0; i < length; i++) {
        sequence.actions[i] = r->actions[ply + (size_t)i];
        if (solo && i % 2) sequence.actions[i] = kn_abstract_action();
    }
    return sequence;
}

/* Thesis 3.2.1, 3.2.2. */
KnStatus kn_context_table_gather(KnContextTable *c, const KnGameActions *r, const KnGathering *g,
                                 KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t ply = 0; ply < r->plies; ply++) {
        if (r->outcome[r->movers[ply]] < 0 && !g->lost) continue;
        for (int l = 0; l < 4 && g->lengths[l]; l++) {
            if (ply + (size_t)g->lengths[l] > r->plies) continue;
            for (int solo = 0; solo <= (g->solos && g->lengths[l] > 1) && status == KN_OK; solo++) {
                KnSequence sequence = cut(r, ply, g->lengths[l], solo);
                status = kn_context_table_add(c, &sequence, kn_game_actions_cells(r, ply), error);
            }
        }
    }
    return status;
}

size_t kn_context_table_count(const KnContextTable *contexts) { return contexts->count; }
const KnContextEntry *kn_context_table_entry(const KnContextTable *contexts, size_t index)
{
    KN_ASSERT(index < contexts->count);
    return &contexts->entries[index];
}
