#include "search/line.h"

#include <stdlib.h>

#include "base/assert.h"

KnStatus kn_line_open(KnLine *line, const KnGame *game, KnError *error)
{
    enum { PLIES = KN_SEARCH_PLIES + 3 };
    *line = (KnLine){.game = game, .stride = (game->position_size + 15) & ~(size_t)15};
    void *positions = NULL;
    if (posix_memalign(&positions, 64, PLIES * line->stride) == 0) line->positions = positions;
    line->pv = malloc((size_t)PLIES * (KN_SEARCH_PLIES + 1) * sizeof(KnMove));
    line->pv_length = calloc(PLIES, sizeof(int));
    if (!line->positions || !line->pv || !line->pv_length) return kn_fail_memory(error, "opening a search");
    memset(line->positions, 0, PLIES * line->stride);
    return KN_OK;
}

void kn_line_close(KnLine *line)
{
    free(line->positions);
    free(line->hashes);
    free(line->pv);
    free(line->pv_length);
}

KnStatus kn_line_start(KnLine *line, const void *position, const KnHistory *history, KnError *error)
{
    size_t past = history && line->game->traits & KN_GAME_LOOKS_BACK ? history->count : 0;
    size_t needed = past + KN_SEARCH_PLIES + 2;
    if (needed > line->capacity) {
        uint64_t *hashes = realloc(line->hashes, needed * 2 * sizeof *hashes);
        if (!hashes) return kn_fail_memory(error, "searching with a long history");
        line->hashes = hashes;
        line->capacity = needed * 2;
    }
    if (past) memcpy(line->hashes, history->hashes, past * sizeof *history->hashes);
    line->past = past;
    KN_ASSERT(line->capacity >= past + KN_SEARCH_PLIES + 2);
    memcpy(line->positions, position, line->game->position_size);
    line->hashes[past] = line->game->type->hash(line->game, line->positions);
    return KN_OK;
}

/* All legal moves at the root; fails if the game is over there. */
static KnStatus legal_moves(const KnLine *line, KnMove *moves, int *count, KnError *error)
{
    const KnGame *game = line->game;
    KnHistory history = kn_line_history(line, 0);
    double payoffs[KN_ROLES_MAX];
    *count = game->type->moves(game, line->positions, moves);
    KN_ASSERT(*count >= 0 && *count <= game->max_moves);
    if (!*count || (game->type->ended && game->type->ended(game, line->positions, &history, payoffs)))
        return kn_fail(error, KN_INPUT, "the game is over in this position: there is nothing to search");
    if (!game->type->barred) return KN_OK;
    int kept = 0;
    for (int i = 0; i < *count; i++)
        if (!game->type->barred(game, line->positions, &history, moves[i])) moves[kept++] = moves[i];
    *count = kept;
    return kept ? KN_OK : kn_fail(error, KN_INPUT, "every move is barred in this position");
}

KnStatus kn_line_root_moves(const KnLine *line, const KnSearchRequest *request, KnMove *moves, int *count,
                            KnError *error)
{
    KnStatus status = legal_moves(line, moves, count, error);
    if (status != KN_OK || !request->allowed) return status;
    if (request->allowed_count < 1 || request->allowed_count > line->game->max_moves)
        return kn_fail(error, KN_USAGE, "a search needs between 1 and %d allowed moves, not %d",
                       line->game->max_moves, request->allowed_count);
    for (int i = 0; i < request->allowed_count; i++) {
        bool legal = false;
        for (int j = 0; j < *count && !legal; j++) legal = moves[j] == request->allowed[i];
        if (!legal) return kn_fail(error, KN_INPUT, "allowed move %d of the search is not legal here", i + 1);
    }
    *count = request->allowed_count;
    memcpy(moves, request->allowed, (size_t)*count * sizeof *moves);
    return KN_OK;
}

const void *kn_line_leaf(KnLine *line, const KnMove *moves, int count)
{
    KN_ASSERT(count >= 0 && count <= KN_SEARCH_PLIES + 1);
    void *leaf = kn_line_at(line, KN_SEARCH_PLIES + 1);
    memcpy(leaf, line->positions, line->game->position_size);
    for (int i = 0; i < count; i++) line->game->type->play(line->game, leaf, moves[i]);
    return leaf;
}
