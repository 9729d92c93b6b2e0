#include "learn/temporal/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Open addressing over an array of entries in order of first sight, so that sweeps do not depend on hashes.
 */
struct KnContexts {
    const KnTemporalBoard *board;
    KnContextEntry *entries;
    size_t count, room;
    uint32_t *slots; /* index + 1; 0 is free */
    size_t slot_count;
};

KnContexts *kn_contexts_new(const KnTemporalBoard *board)
{
    KnContexts *c = calloc(1, sizeof *c);
    if (c) c->board = board;
    return c;
}

void kn_contexts_free(KnContexts *contexts)
{
    if (!contexts) return;
    free(contexts->entries);
    free(contexts->slots);
    free(contexts);
}

static uint32_t *find(const KnContexts *c, const KnSequence *sequence)
{
    size_t mask = c->slot_count - 1, at = kn_hash64(sequence, sizeof *sequence, 0) & mask;
    while (c->slots[at] && memcmp(&c->entries[c->slots[at] - 1].sequence, sequence, sizeof *sequence) != 0)
        at = (at + 1) & mask;
    return &c->slots[at];
}

static KnStatus grow(KnContexts *c, KnError *error)
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

KnStatus kn_contexts_add(KnContexts *c, const KnSequence *sequence, const uint8_t *cells, KnError *error)
{
    KnStatus status = grow(c, error);
    if (status != KN_OK) return status;
    uint8_t turned[KN_TEMPORAL_CELLS];
    KnSequence normal = kn_sequence_normalise(c->board, sequence, cells, turned);
    uint32_t *slot = find(c, &normal);
    if (!*slot) {
        KnContextEntry *entry = &c->entries[c->count++];
        memset(entry, 0, sizeof *entry);
        entry->sequence = normal;
        memcpy(entry->pattern, turned, (size_t)c->board->cells);
        *slot = (uint32_t)c->count;
    }
    KnContextEntry *entry = &c->entries[*slot - 1];
    entry->seen++;
    kn_pattern_meet(entry->pattern, turned, c->board->cells);
    return KN_OK;
}

static KnSequence cut(const KnRecord *r, size_t ply, int length, bool solo)
{
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

KnStatus kn_contexts_gather(KnContexts *c, const KnRecord *r, const KnGathering *g, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t ply = 0; ply < r->plies; ply++) {
        if (r->outcome[r->movers[ply]] < 0 && !g->lost) continue;
        for (int l = 0; l < 4 && g->lengths[l]; l++) {
            if (ply + (size_t)g->lengths[l] > r->plies) continue;
            for (int solo = 0; solo <= (g->solos && g->lengths[l] > 1) && status == KN_OK; solo++) {
                KnSequence sequence = cut(r, ply, g->lengths[l], solo);
                status = kn_contexts_add(c, &sequence, kn_record_cells(r, ply), error);
            }
        }
    }
    return status;
}

size_t kn_contexts_count(const KnContexts *contexts) { return contexts->count; }
const KnContextEntry *kn_contexts_entry(const KnContexts *contexts, size_t index)
{
    return &contexts->entries[index];
}
