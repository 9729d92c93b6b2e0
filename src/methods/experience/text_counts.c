#include "methods/experience/text_counts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

static KnTextCount *find(const KnTextCounts *counts, KnHash128 hash)
{
    size_t at = hash.low & (counts->room - 1);
    while (counts->places[at].count &&
           (counts->places[at].hash.low != hash.low || counts->places[at].hash.high != hash.high))
        at = (at + 1) & (counts->room - 1);
    return &counts->places[at];
}

static bool enlarge(KnTextCounts *counts)
{
    KnTextCounts larger = {.room = counts->room ? counts->room * 2 : FIRST_ROOM, .used = counts->used};
    larger.places = calloc(larger.room, sizeof *larger.places);
    if (!larger.places) return false;
    for (size_t i = 0; i < counts->room; i++)
        if (counts->places[i].count) *find(&larger, counts->places[i].hash) = counts->places[i];
    free(counts->places);
    *counts = larger;
    return true;
}

uint64_t kn_text_counts_add(KnTextCounts *counts, const char *text)
{
    if (counts->used * 2 >= counts->room && !enlarge(counts)) return 0;
    KnHash128 hash = kn_hash128(text, strlen(text));
    KnTextCount *place = find(counts, hash);
    if (!place->count) counts->used++;
    place->hash = hash;
    return place->count++;
}

void kn_text_counts_free(KnTextCounts *counts)
{
    free(counts->places);
    *counts = (KnTextCounts){0};
}
