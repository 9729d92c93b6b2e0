/* An album of states: normalised positions, numbered in the order they were first seen. What learners
 * remember about states hangs on the numbers.
 *
 * Ownership: kn_album_open / kn_album_close, on a struct of the caller's; the scene outlives it. Lookups from
 * several threads are fine while nobody adds. */
#ifndef KNACK_LEARN_HOYLE_ALBUM_H
#define KNACK_LEARN_HOYLE_ALBUM_H

#include "learn/hoyle/scene.h"

typedef struct KnAlbum {
    const KnScene *scene;
    int count, capacity;
    size_t stride;
    unsigned char *positions;
    uint32_t *slots; /* a power of two of them; number + 1, 0 free */
    uint32_t mask;
} KnAlbum;

KnStatus kn_album_open(KnAlbum *album, const KnScene *scene, KnError *error);
void kn_album_close(KnAlbum *album);

/* The number of a normal position; -1 if it was never added. */
int kn_album_find(const KnAlbum *album, const void *normal);
KnStatus kn_album_add(KnAlbum *album, const void *normal, int *number, KnError *error); /* or finds it */
static inline const void *kn_album_at(const KnAlbum *album, int number)
{
    return album->positions + (size_t)number * album->stride;
}

#endif
