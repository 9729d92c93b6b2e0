/* Keys of positions, and the symmetric image in which a position is stored. */
#include "methods/experience/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least image over the symmetries that leave the roles alone. `image` has room for two positions. */
static int normalise(const KnBase *base, const void *position, unsigned char *image)
{
    const KnGame *game = base->game;
    size_t size = game->position_size;
    unsigned char *other = image + ((size + 15) & ~(size_t)15);
    int best = 0;
    memcpy(image, position, size);
    for (int i = 0; i < base->symmetry_count; i++) {
        game->type->transform(game, base->symmetries[i], position, other);
        if (memcmp(other, image, size) >= 0) continue;
        memcpy(image, other, size);
        best = base->symmetries[i];
    }
    return best;
}

/* Cells and mover, the least over the symmetries; counters and other state are left out. */
static KnHash128 board_key(const KnBase *base, const void *position, unsigned char *other)
{
    const KnGame *game = base->game;
    unsigned char least[game->cells + 1], cells[game->cells + 1];
    for (int i = -1; i < base->symmetry_count; i++) {
        const void *seen = position;
        if (i >= 0) {
            game->type->transform(game, base->symmetries[i], position, other);
            seen = other;
        }
        kn_game_board(game, seen, cells);
        if (i < 0 || memcmp(cells, least, (size_t)game->cells) < 0) memcpy(least, cells, (size_t)game->cells);
    }
    least[game->cells] = (unsigned char)game->type->mover(game, position);
    return kn_hash128(least, sizeof least);
}

static KnHash128 features_key(const KnBase *base, const void *position)
{
    const KnGame *game = base->game;
    int mover = game->type->mover(game, position);
    double values[game->feature_count];
    int32_t rounded[game->feature_count + 1];
    game->type->feature_values(game, position, mover, values);
    for (int i = 0; i < game->feature_count; i++) rounded[i] = (int32_t)lround(values[i]);
    rounded[game->feature_count] = mover;
    return kn_hash128(rounded, sizeof rounded);
}

/* Section 4.1.1: the hash table of positions. */
void kn_base_frame(const KnBase *base, const void *position, void *image, KnBaseFrame *frame)
{
    size_t size = base->game->position_size;
    frame->symmetry = 0;
    switch (base->kind.key) {
    case KN_BASE_BOARD:
        frame->key = board_key(base, position, (unsigned char *)image + ((size + 15) & ~(size_t)15));
        break;
    case KN_BASE_FEATURES:
        frame->key = features_key(base, position);
        break;
    default:
        frame->symmetry = normalise(base, position, image);
        frame->key = kn_hash128(image, size);
        return;
    }
    memcpy(image, position, size);
}

static int by_value(const void *a, const void *b)
{
    KnMove x = *(const KnMove *)a, y = *(const KnMove *)b;
    return (x > y) - (x < y);
}

/* In order of their values, so that a move's place does not depend on how moves are generated. */
int kn_base_sorted_moves(const KnGame *game, const void *position, KnMove *moves)
{
    int count = game->type->moves(game, position, moves);
    bool sorted = true;
    for (int i = 1; i < count; i++) sorted &= moves[i - 1] < moves[i];
    if (!sorted) qsort(moves, (size_t)count, sizeof *moves, by_value);
    return count;
}

KnStatus kn_base_find(const KnBase *base, MDB_txn *txn, const KnHash128 *key, uint32_t *id, bool *found,
                      KnError *error)
{
    MDB_val at = {sizeof *key, (void *)(uintptr_t)key}, value;
    int code = mdb_get(txn, base->tables[KN_TABLE_KEYS], &at, &value);
    *found = code == 0;
    if (code && code != MDB_NOTFOUND) return kn_base_fail(base->path, code, "looking for a position", error);
    if (*found && value.mv_size != sizeof *id)
        return kn_base_fail(base->path, MDB_CORRUPTED, "looking for a position", error);
    if (*found) memcpy(id, value.mv_data, sizeof *id);
    return KN_OK;
}
