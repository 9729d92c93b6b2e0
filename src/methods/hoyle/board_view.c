/* A game as cells. Where cells go under a symmetry, and which role owns a symbol, is read off sample
 * games: the contents of a cell over many positions identify it, and the cell of the image with the same
 * contents is where it went. */
#include "methods/hoyle/board_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include <knack/base.h>

enum { SAMPLE_GAMES = 24, SAMPLE_PLIES = 400, SAMPLES = 600 };

KnStatus kn_board_view_suits(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2 || game->nature >= 0)
        return kn_fail(error, KN_INPUT, "needs two players who take turns");
    if (!game->cells || !game->type->cell) return kn_fail(error, KN_INPUT, "needs a board with cells");
    if (game->cells > KN_BOARD_CELLS)
        return kn_fail(error, KN_INPUT, "needs a board of at most %d cells, not %d", KN_BOARD_CELLS,
                       game->cells);
    if ((int)strlen(game->cell_symbols) > KN_BOARD_SYMBOLS)
        return kn_fail(error, KN_INPUT, "needs cells that hold one of at most %d things", KN_BOARD_SYMBOLS);
    return KN_OK;
}

void kn_board_view_cells(const KnBoardView *view, const void *position, uint8_t *cells)
{
    const KnGame *game = view->game;
    kn_game_board(game, position, cells);
}

int kn_board_view_stage(const KnBoardView *view, const void *position)
{
    if (view->stages == 1) return 0;
    int stage = view->game->type->phase(view->game, position);
    return stage < view->stages ? stage : view->stages - 1;
}

/* ---- Sample games ---- */

/* What sample games have shown so far. */
typedef struct Samples {
    uint64_t history[KN_BOARD_CELLS];                          /* of each cell's contents */
    uint64_t transformed[KN_BOARD_SYMMETRIES][KN_BOARD_CELLS]; /* the same in the images */
    long brought[KN_BOARD_SYMBOLS][2]; /* how often a role's move put a symbol somewhere */
    KnDigest digest;
} Samples;

static void see_position(const KnBoardView *view, const void *position, Samples *seen)
{
    KN_ASSERT(view->symmetries <= KN_BOARD_SYMMETRIES && view->cells <= KN_BOARD_CELLS);
    const KnGame *game = view->game;
    unsigned char image[game->position_size] __attribute__((aligned(16)));
    uint8_t cells[KN_BOARD_CELLS];
    kn_board_view_cells(view, position, cells);
    for (int i = 0; i < view->cells; i++) seen->history[i] = kn_mix64(seen->history[i] ^ cells[i]);
    for (int t = 0; t < view->symmetries; t++) {
        game->type->transform(game, view->number[t], position, image);
        kn_board_view_cells(view, image, cells);
        for (int i = 0; i < view->cells; i++)
            seen->transformed[t][i] = kn_mix64(seen->transformed[t][i] ^ cells[i]);
    }
    kn_digest_u64(&seen->digest, game->type->hash(game, position));
}

static void see_move(const KnBoardView *view, int mover, const uint8_t *before, const uint8_t *after,
                     Samples *seen)
{
    for (int i = 0; i < view->cells; i++)
        if (after[i] && after[i] != before[i]) seen->brought[after[i]][mover]++;
}

static void play_samples(KnBoardView *view, Samples *seen)
{
    const KnGame *game = view->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    uint8_t before[KN_BOARD_CELLS], after[KN_BOARD_CELLS];
    for (int g = 0, left = SAMPLES; g < SAMPLE_GAMES && left > 0; g++) {
        KnRng rng = kn_rng_stream(2003, (uint64_t)g);
        game->type->start(game, position);
        kn_board_view_cells(view, position, before);
        int count = 0;
        for (int ply = 0; ply < SAMPLE_PLIES && (count = game->type->moves(game, position, moves)) > 0;
             ply++) {
            int mover = game->type->mover(game, position);
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
            kn_board_view_cells(view, position, after);
            see_move(view, mover, before, after, seen);
            memcpy(before, after, (size_t)view->cells);
            if (ply % (1 + g / 4) == 0 && left > 0) see_position(view, position, seen), left--;
        }
        double payoffs[KN_ROLES_MAX] = {0};
        if (!count) game->type->payoffs(game, position, payoffs);
        kn_digest_u64(&seen->digest, (uint64_t)(int64_t)lround(1000 * payoffs[0]));
    }
}

/* Where each cell goes; false if the samples leave it open. */
static bool find_image(const KnBoardView *view, const Samples *seen, int symmetry, uint16_t *image)
{
    for (int i = 0; i < view->cells; i++) {
        int found = -1;
        for (int j = 0; j < view->cells; j++) {
            if (seen->transformed[symmetry][j] != seen->history[i]) continue;
            if (found >= 0) return false;
            found = j;
        }
        if (found < 0) return false;
        image[i] = (uint16_t)found;
    }
    return true;
}

static bool is_inverse(const KnBoardView *view, int a, int b)
{
    for (int i = 0; i < view->cells; i++)
        if (view->image[b][view->image[a][i]] != i) return false;
    return true;
}

/* Keeps the symmetries of which everything is known, their inverses included. */
static void settle_turns(KnBoardView *view, const Samples *seen)
{
    int kept = 0;
    for (int t = 0; t < view->symmetries; t++) {
        if (!find_image(view, seen, t, view->image[kept])) continue;
        view->number[kept++] = view->number[t];
    }
    if (!kept) { /* the identity needs no samples */
        for (int i = 0; i < view->cells; i++) view->image[0][i] = (uint16_t)i;
        view->number[kept++] = 0;
    }
    view->symmetries = kept;
    for (int t = 0; t < kept; t++) {
        view->inverse[t] = -1;
        for (int u = 0; u < kept && view->inverse[t] < 0; u++)
            if (is_inverse(view, t, u)) view->inverse[t] = u;
    }
    for (int t = 0; t < kept; t++)
        if (view->inverse[t] < 0) view->symmetries = 1; /* no group: better none than half of one */
}

KnStatus kn_board_view_open(const KnGame *game, KnBoardView **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_board_view_suits(game, error);
    if (status != KN_OK) return status;
    KnBoardView *view = calloc(1, sizeof *view);
    Samples *seen = calloc(1, sizeof *seen);
    if (!view || !seen) {
        free(view);
        free(seen);
        return kn_fail_memory(error, "looking at a board");
    }
    view->game = game;
    view->cells = game->cells;
    view->symbols = (int)strlen(game->cell_symbols);
    view->stages = !game->type->phase || game->phases < 1 ? 1
                   : game->phases < KN_BOARD_STAGES       ? game->phases
                                                          : KN_BOARD_STAGES;
    for (int s = 0; s < game->symmetries && game->type->transform && view->symmetries < KN_BOARD_SYMMETRIES;
         s++)
        if (!game->type->transform_role || game->type->transform_role(game, s, 0) == 0)
            view->number[view->symmetries++] = s;
    kn_digest_start(&seen->digest);
    play_samples(view, seen);
    settle_turns(view, seen);
    for (int s = 0; s < view->symbols; s++)
        view->owner[s] =
            (int8_t)(!s || !seen->brought[s][0] == !seen->brought[s][1] ? -1 : seen->brought[s][1] > 0);
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, start);
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, start, moves);
    view->slides = count > 0 &&
                   (view->stages > 1 || kn_board_view_action(view, start, moves[0]).from != KN_NO_CELL);
    snprintf(view->identity, sizeof view->identity, "%016llx",
             (unsigned long long)kn_digest_end(&seen->digest).low);
    free(seen);
    *out = view;
    return KN_OK;
}

void kn_board_view_close(KnBoardView *view) { free(view); }

/* ---- Images ---- */

void kn_board_view_transform(const KnBoardView *view, int symmetry, const void *position, void *image)
{
    KN_ASSERT(symmetry >= 0 && symmetry < view->symmetries);
    if (symmetry)
        view->game->type->transform(view->game, view->number[symmetry], position, image);
    else
        memcpy(image, position, view->game->position_size);
}

void kn_board_view_transform_cells(const KnBoardView *view, int symmetry, const uint8_t *cells,
                                   uint8_t *image)
{
    KN_ASSERT(symmetry >= 0 && symmetry < view->symmetries);
    for (int i = 0; i < view->cells; i++) image[view->image[symmetry][i]] = cells[i];
}

static int16_t turn_cell(const KnBoardView *view, int symmetry, int16_t cell)
{
    KN_ASSERT(symmetry >= 0 && symmetry < view->symmetries && cell < view->cells);
    return cell < 0 ? cell : (int16_t)view->image[symmetry][cell];
}

KnAction kn_board_view_transform_action(const KnBoardView *view, int symmetry, KnAction action)
{
    return (KnAction){turn_cell(view, symmetry, action.from), turn_cell(view, symmetry, action.to),
                      turn_cell(view, symmetry, action.taken)};
}

int kn_board_view_normalise_all(const KnBoardView *view, const void *position, void *normal,
                                int symmetries[KN_BOARD_SYMMETRIES])
{
    size_t size = view->game->position_size;
    unsigned char image[size] __attribute__((aligned(16)));
    int count = 1;
    symmetries[0] = 0;
    memcpy(normal, position, size);
    for (int t = 1; t < view->symmetries; t++) {
        view->game->type->transform(view->game, view->number[t], position, image);
        int order = memcmp(image, normal, size);
        if (order > 0) continue;
        if (order < 0) memcpy(normal, image, size), count = 0;
        symmetries[count++] = t;
    }
    return count;
}

int kn_board_view_normalise(const KnBoardView *view, const void *position, void *normal)
{
    int symmetries[KN_BOARD_SYMMETRIES];
    kn_board_view_normalise_all(view, position, normal, symmetries);
    return symmetries[0];
}

/* ---- Actions ---- */

static KnAction action_between(const KnBoardView *view, int mover, const uint8_t *before,
                               const uint8_t *after)
{
    KN_ASSERT(mover == 0 || mover == 1);
    KnAction own = {KN_NO_CELL, KN_NO_CELL, KN_NO_CELL}, any = own;
    int16_t transformed = KN_NO_CELL;
    for (int i = view->cells - 1; i >= 0; i--) {
        if (before[i] == after[i]) continue;
        int was = view->owner[before[i]], is = view->owner[after[i]];
        if (!after[i]) any.from = (int16_t)i;
        if (!before[i]) any.to = (int16_t)i;
        if (!after[i] && was == mover) own.from = (int16_t)i;
        if (!before[i] && is == mover) own.to = (int16_t)i;
        if (before[i] && is == mover) transformed = (int16_t)i;
        if (!after[i] && was == 1 - mover) own.taken = (int16_t)i;
    }
    if (own.to == KN_NO_CELL) own.to = transformed;
    if (own.to == KN_NO_CELL) own.to = any.to;
    if (own.from == KN_NO_CELL && any.from != own.taken) own.from = any.from;
    return own;
}

void kn_board_view_actions(const KnBoardView *view, const void *position, const KnMove *moves, int count,
                           KnAction *actions)
{
    KN_ASSERT(count >= 0 && count <= view->game->max_moves);
    const KnGame *game = view->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    uint8_t before[KN_BOARD_CELLS], after[KN_BOARD_CELLS];
    int mover = game->type->mover(game, position);
    kn_board_view_cells(view, position, before);
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        kn_board_view_cells(view, next, after);
        actions[i] = action_between(view, mover, before, after);
    }
}

KnAction kn_board_view_action(const KnBoardView *view, const void *position, KnMove move)
{
    KnAction action;
    kn_board_view_actions(view, position, &move, 1, &action);
    return action;
}

KnMove kn_board_view_move(const KnBoardView *view, const void *position, KnAction action, const KnMove *moves,
                          int count)
{
    KnAction actions[count > 0 ? count : 1];
    kn_board_view_actions(view, position, moves, count, actions);
    for (int i = 0; i < count; i++)
        if (kn_action_equal(actions[i], action)) return moves[i];
    /* Where several men are taken, the one that is named is the first in its own frame; a turned board has
     * another first. */
    for (int i = 0; i < count; i++)
        if (actions[i].from == action.from && actions[i].to == action.to && actions[i].taken >= 0 &&
            action.taken >= 0)
            return moves[i];
    return KN_MOVE_NONE;
}
