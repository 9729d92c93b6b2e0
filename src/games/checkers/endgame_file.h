/* The file of one slice: a head, blocks of values, each compressed on its own, and the index of the blocks.
 *
 * A value stands for a position seen by its mover. In tables of wins, losses and draws it has two bits
 * (KN_ENDGAME_DRAW, ...); in tables with distances 8 or 16, and is 0 for a draw, else plies to the end plus
 * one (even plies: lost, odd: won). Positions in which the mover can capture are not kept: what they are
 * worth follows from smaller slices. Their values, and those of numbers without a position, are chosen to
 * compress well.
 *
 * Nothing in a file is believed: head and index are checked when it is opened, with the exact size, and each
 * block by its sum when it is unpacked. Files are read through a mapping and never written to after they got
 * their name.
 *
 * Ownership: kn_endgame_file_open / kn_endgame_file_close. An open file is read-only and may be shared by
 * threads. */
#ifndef KNACK_GAMES_CHECKERS_ENDGAME_FILE_H
#define KNACK_GAMES_CHECKERS_ENDGAME_FILE_H

#include <stdatomic.h>

#include "base/progress.h"
#include "games/checkers/endgame_material.h"

enum { KN_ENDGAME_DRAW, KN_ENDGAME_WIN, KN_ENDGAME_LOSS };
typedef enum KnEndgameKind { KN_ENDGAME_WLD, KN_ENDGAME_DISTANCE, KN_ENDGAME_KINDS } KnEndgameKind;

enum { KN_ENDGAME_VERSION = 1, KN_ENDGAME_ORDER = 0x01020304 };
#define KN_ENDGAME_MAGIC "KNENDGAM" /* 8 bytes */
enum {
    KN_ENDGAME_BLOCK = 8192 /* bytes, unpacked */,
    KN_ENDGAME_ANY = 0xffff /* a value that nobody will ask for */
};

typedef struct KnEndgameHead {
    char magic[8];
    uint32_t version, order; /* `order` tells machines with other bytes apart */
    uint64_t file_bytes;
    uint8_t kind, width; /* bits of a value */
    uint8_t men, kings, other_men, other_kings;
    uint8_t unused[2];
    uint64_t numbers, blocks;
    uint64_t index_at;
    uint64_t positions, wins, draws, losses; /* of positions, those with captures included */
    uint64_t longest; /* plies of the longest win or loss: to the end, or without distances to a capture,
                         promotion or end */
    uint64_t index_sum, head_sum; /* the latter of all fields before it */
} KnEndgameHead;

/* An entry of the index; bytes 0: all values of the block are `at`. */
typedef struct KnEndgameBlock {
    uint64_t at;
    uint32_t bytes, sum;
} KnEndgameBlock;

typedef struct KnEndgameFile {
    KnEndgameHead head;
    KnMaterial material;
    uint32_t per_block; /* values in a block, a power of two */
    int shift;          /* its logarithm */
    const unsigned char *bytes;
    const KnEndgameBlock *index;
    char *path;
} KnEndgameFile;

/* "2m1k-1m.wld" or ".dtw" in a folder. */
void kn_endgame_file_path(const char *folder, KnMaterial m, KnEndgameKind kind, KnText *path);

/* KN_INPUT with place and reason if it is cut short, of another version, damaged, or of another slice. */
KnStatus kn_endgame_file_open(const KnRanks *ranks, const char *path, KnMaterial m, KnEndgameKind kind,
                              KnEndgameFile **out, KnError *error);
void kn_endgame_file_close(KnEndgameFile *file);

/* The checks alone, of bytes that lie 8-aligned in memory; `name` is for messages. Fills all but path. */
KnStatus kn_endgame_file_check(const KnRanks *ranks, const void *bytes, size_t size, const char *name,
                               KnEndgameFile *file, KnError *error);

/* Unpacks a block, whose entry has bytes. `unpacker` is a ZSTD_DCtx. */
KnStatus kn_endgame_file_unpack(const KnEndgameFile *file, uint64_t block, void *unpacker,
                                unsigned char out[KN_ENDGAME_BLOCK], KnError *error);

static inline uint32_t kn_endgame_value(const unsigned char *block, int width, uint32_t place)
{
    if (width == 2) return block[place >> 2] >> (place & 3) * 2 & 3;
    if (width == 8) return block[place];
    return (uint32_t)block[2 * place] | (uint32_t)block[2 * place + 1] << 8;
}

/* Where a writer gets its values: those of [first, first + count), KN_ENDGAME_ANY where it does not matter.
 */
typedef void KnEndgameFetch(void *user, uint64_t first, uint32_t count, uint16_t *values);

/* Packs and writes a slice; the head brings kind, width and counts. The same bytes for any number of jobs. */
KnStatus kn_endgame_file_write(const KnRanks *ranks, const char *path, KnMaterial m, KnEndgameHead head,
                               KnEndgameFetch *fetch, void *user, int jobs, KnProgress *progress,
                               const atomic_bool *cancel, KnError *error);

#endif
