#include "learn/hoyle/album.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { FIRST_SLOTS = 256 };

KnStatus kn_album_open(KnAlbum *album, const KnScene *scene, KnError *error)
{
    *album = (KnAlbum){.scene = scene,
                       .stride = (scene->game->position_size + 15) & ~(size_t)15,
                       .slots = calloc(FIRST_SLOTS, sizeof(uint32_t)),
                       .mask = FIRST_SLOTS - 1};
    return album->slots ? KN_OK : kn_fail_memory(error, "opening an album of states");
}

void kn_album_close(KnAlbum *album)
{
    free(album->positions);
    free(album->slots);
    *album = (KnAlbum){0};
}

static uint32_t slot_of(const KnAlbum *album, const void *normal)
{
    size_t size = album->scene->game->position_size;
    uint32_t slot = (uint32_t)kn_hash64(normal, size, 0) & album->mask;
    while (album->slots[slot] && memcmp(kn_album_at(album, (int)album->slots[slot] - 1), normal, size) != 0)
        slot = (slot + 1) & album->mask;
    return slot;
}

int kn_album_find(const KnAlbum *album, const void *normal)
{
    return (int)album->slots[slot_of(album, normal)] - 1;
}

static bool widen(KnAlbum *album)
{
    uint32_t *old = album->slots, slots = (album->mask + 1) * 2;
    if (!(album->slots = calloc(slots, sizeof(uint32_t)))) {
        album->slots = old;
        return false;
    }
    free(old);
    album->mask = slots - 1;
    for (int i = 0; i < album->count; i++)
        album->slots[slot_of(album, kn_album_at(album, i))] = (uint32_t)i + 1;
    return true;
}

KnStatus kn_album_add(KnAlbum *album, const void *normal, int *number, KnError *error)
{
    uint32_t slot = slot_of(album, normal);
    if (album->slots[slot]) {
        *number = (int)album->slots[slot] - 1;
        return KN_OK;
    }
    if (album->count == album->capacity) {
        int capacity = album->capacity ? album->capacity * 2 : 64;
        unsigned char *more = aligned_alloc(16, (size_t)capacity * album->stride);
        if (!more) return kn_fail_memory(error, "adding to an album of states");
        if (album->count) memcpy(more, album->positions, (size_t)album->count * album->stride);
        free(album->positions);
        album->positions = more;
        album->capacity = capacity;
    }
    unsigned char *at = album->positions + (size_t)album->count * album->stride;
    memset(at, 0, album->stride);
    memcpy(at, normal, album->scene->game->position_size);
    *number = album->count++;
    album->slots[slot] = (uint32_t)album->count;
    if ((uint32_t)album->count * 2 > album->mask && !widen(album))
        return kn_fail_memory(error, "adding to an album of states");
    return KN_OK;
}
