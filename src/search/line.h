/* The line from the root to the current node of a search: its positions by ply, the hashes that continue the
 * game's history, and the principal variation of each ply (a triangular array). Internal to the searches.
 *
 * Ownership: kn_line_open / kn_line_close; a zeroed line may be closed. */
#ifndef KNACK_SEARCH_LINE_H
#define KNACK_SEARCH_LINE_H

#include <string.h>

#include "base/assert.h"
#include "search/search.h"

typedef struct KnLine {
    const KnGame *game;
    size_t stride;            /* bytes from one position to the next: the size rounded up to the alignment */
    unsigned char *positions; /* KN_SEARCH_PLIES + 3; the last two are the leaf and scratch */
    uint64_t *hashes;         /* of the history before the root, then of plies 0, 1, ... */
    size_t past, capacity;
    KnMove *pv; /* a row for each ply */
    int *pv_length;
} KnLine;

KnStatus kn_line_open(KnLine *line, const KnGame *game, KnError *error);
void kn_line_close(KnLine *line);

/* Sets the root and the history before it; `history` may be NULL. */
KnStatus kn_line_start(KnLine *line, const void *position, const KnHistory *history, KnError *error);

/* The root moves of a request: the allowed moves if the request has some (an illegal one is an error),
 * otherwise all moves that are legal under the history. `moves` has room for max_moves. Call kn_line_start
 * first. */
KnStatus kn_line_root_moves(const KnLine *line, const KnSearchRequest *request, KnMove *moves, int *count,
                            KnError *error);

/* Plays a line from the root. Returns the position at its end, which stays valid until the next call. */
const void *kn_line_leaf(KnLine *line, const KnMove *moves, int count);

static inline void *kn_line_at(const KnLine *line, int ply)
{
    KN_ASSERT(ply >= 0 && ply < KN_SEARCH_PLIES + 3);
    return line->positions + (size_t)ply * line->stride;
}

static inline KnHistory kn_line_history(const KnLine *line, int ply)
{
    return (KnHistory){.hashes = line->hashes, .count = line->past + (size_t)ply};
}

/* Copies small positions in blocks of 16 bytes, without a call. */
static inline void kn_line_copy(const KnLine *line, int from, int to)
{
    const unsigned char *source = kn_line_at(line, from);
    unsigned char *target = kn_line_at(line, to);
    if (line->stride > 64) {
        memcpy(target, source, line->stride);
        return;
    }
    size_t k = 0;
    do memcpy(__builtin_assume_aligned(target + k, 16), __builtin_assume_aligned(source + k, 16), 16);
    while ((k += 16) < line->stride);
}

static inline KnMove *kn_line_pv(const KnLine *line, int ply)
{
    return line->pv + (size_t)ply * (KN_SEARCH_PLIES + 1);
}

static inline void kn_line_pv_clear(KnLine *line, int ply) { line->pv_length[ply] = 0; }

/* Makes the move, followed by the principal variation of the next ply, the principal variation of `ply`. */
static inline void kn_line_pv_set(KnLine *line, int ply, KnMove move)
{
    KnMove *row = kn_line_pv(line, ply);
    int rest = line->pv_length[ply + 1];
    KN_ASSERT(rest >= 0 && rest <= KN_SEARCH_PLIES);
    row[0] = move;
    memcpy(row + 1, kn_line_pv(line, ply + 1), (size_t)rest * sizeof(KnMove));
    line->pv_length[ply] = rest + 1;
}

#endif
