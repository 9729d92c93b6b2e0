/* Many games of one kind, stepped together: positions in one block, the legal moves of each game listed once
 * after every step. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "capi/capi_inside.h"
#include "games/turns.h"

enum { MOST_GAMES = 1 << 20 };
static const size_t most_bytes = (size_t)1 << 30;

struct KnCapiBatch {
    KnCapi *capi;
    KnGame *game;
    int count;
    size_t stride; /* of a position, a multiple of its alignment */
    unsigned char *positions;
    KnMove *moves;   /* max_moves for each game */
    int32_t *listed; /* legal moves of each game; 0 when it is over */
};

static void *position_of(const KnCapiBatch *batch, int i)
{
    return batch->positions + batch->stride * (size_t)i;
}

static KnMove *moves_of(const KnCapiBatch *batch, int i)
{
    return batch->moves + (size_t)batch->game->max_moves * (size_t)i;
}

static void list_moves(KnCapiBatch *batch, int i)
{
    const KnGame *game = batch->game;
    batch->listed[i] = game->type->moves(game, position_of(batch, i), moves_of(batch, i));
    KN_ASSERT(batch->listed[i] >= 0 && batch->listed[i] <= game->max_moves);
}

/* A game description whose roles take turns is opened as such. */
static KnStatus open_game(KnCapiBatch *batch, const char *spec, KnError *error)
{
    KnStatus status = kn_game_open(batch->capi->context, spec, &batch->game, error);
    if (status != KN_OK || !(batch->game->traits & KN_GAME_SIMULTANEOUS)) return status;
    kn_game_close(batch->game);
    batch->game = NULL;
    return kn_game_open_turns(batch->capi->context, spec, &batch->game, error);
}

static KnStatus check_game(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS)
        return kn_fail(error, KN_INPUT, "%s: roles move at the same time; a batch is for games of turns",
                       game->spec);
    if (game->traits & KN_GAME_LOOKS_BACK)
        return kn_fail(
            error, KN_INPUT,
            "%s: its rules look back over the game; a batch keeps positions only. Use single games",
            game->spec);
    return KN_OK;
}

static KnStatus make_room(KnCapiBatch *batch, KnError *error)
{
    size_t count = (size_t)batch->count;
    batch->stride = (batch->game->position_size + 15) / 16 * 16;
    size_t each = batch->stride + sizeof(KnMove) * (size_t)batch->game->max_moves + sizeof(int32_t);
    if (each > most_bytes / count)
        return kn_fail(error, KN_INPUT, "%d games of %s need more than 1 GiB; ask for fewer", batch->count,
                       batch->game->spec);
    batch->positions = aligned_alloc(16, batch->stride * count);
    batch->moves = malloc(sizeof *batch->moves * (size_t)batch->game->max_moves * count);
    batch->listed = calloc(count, sizeof *batch->listed);
    return batch->positions && batch->moves && batch->listed ? KN_OK
                                                             : kn_fail_memory(error, "making a batch");
}

KnCapiBatch *kn_capi_batch(KnCapi *capi, const char *game, int count)
{
    KnError *error = &capi->error;
    if (count < 1 || count > MOST_GAMES) {
        kn_fail(error, KN_INPUT, "a batch has 1 to %d games, not %d", MOST_GAMES, count);
        return NULL;
    }
    KnCapiBatch *batch = calloc(1, sizeof *batch);
    KnStatus status = batch ? KN_OK : kn_fail_memory(error, "making a batch");
    if (status == KN_OK) {
        *batch = (KnCapiBatch){.capi = capi, .count = count};
        status = open_game(batch, game, error);
    }
    if (status == KN_OK) status = check_game(batch->game, error);
    if (status == KN_OK) status = make_room(batch, error);
    if (status != KN_OK) {
        kn_capi_batch_close(batch);
        return NULL;
    }
    kn_capi_batch_reset(batch, NULL);
    return batch;
}

void kn_capi_batch_close(KnCapiBatch *batch)
{
    if (!batch) return;
    if (batch->game) kn_game_close(batch->game);
    free(batch->positions);
    free(batch->moves);
    free(batch->listed);
    free(batch);
}

char *kn_capi_batch_about(KnCapiBatch *batch)
{
    const KnGame *game = batch->game;
    json_t *roles = json_array();
    for (int role = 0; role < game->roles; role++)
        json_array_append_new(roles, json_string(game->role_names[role]));
    json_t *places = json_array();
    for (int i = 0; game->type->cell_place && i < game->cells; i++) {
        double x, y;
        game->type->cell_place(game, i, &x, &y);
        json_array_append_new(places, json_pack("[ff]", x, y));
    }
    return kn_capi_answer(batch->capi, KN_OK,
                          json_pack("{ss si si ss so so si s[ff]}", "game", game->spec, "games", batch->count,
                                    "cells", game->cells, "symbols",
                                    game->cell_symbols ? game->cell_symbols : "", "places", places, "roles",
                                    roles, "max_moves", game->max_moves, "payoffs", game->payoff_low,
                                    game->payoff_high));
}

void kn_capi_batch_reset(KnCapiBatch *batch, const uint8_t *which)
{
    for (int i = 0; i < batch->count; i++) {
        if (which && !which[i]) continue;
        memset(position_of(batch, i), 0, batch->stride);
        batch->game->type->start(batch->game, position_of(batch, i));
        list_moves(batch, i);
    }
}

int kn_capi_batch_step(KnCapiBatch *batch, const int32_t *actions)
{
    for (int i = 0; i < batch->count; i++)
        if (actions[i] < -1 || actions[i] >= batch->listed[i])
            return (int)kn_fail(&batch->capi->error, KN_INPUT,
                                "action %d of game %d: it has %d legal moves (0 to %d; -1 leaves it alone)",
                                (int)actions[i], i, (int)batch->listed[i], (int)batch->listed[i] - 1);
    for (int i = 0; i < batch->count; i++) {
        if (actions[i] < 0) continue;
        batch->game->type->play(batch->game, position_of(batch, i), moves_of(batch, i)[actions[i]]);
        list_moves(batch, i);
    }
    return KN_OK;
}

void kn_capi_batch_read(const KnCapiBatch *batch, int32_t *movers, int32_t *counts, uint8_t *cells,
                        double *payoffs)
{
    const KnGame *game = batch->game;
    size_t roles = (size_t)game->roles;
    if (counts) memcpy(counts, batch->listed, sizeof *counts * (size_t)batch->count);
    for (int i = 0; i < batch->count; i++) {
        const void *position = position_of(batch, i);
        bool over = batch->listed[i] == 0;
        if (movers) movers[i] = over ? -1 : game->type->mover(game, position);
        if (cells && game->cells) kn_game_board(game, position, cells + (size_t)game->cells * (size_t)i);
        if (!payoffs) continue;
        memset(payoffs + roles * (size_t)i, 0, sizeof *payoffs * roles);
        if (over) game->type->payoffs(game, position, payoffs + roles * (size_t)i);
    }
}

char *kn_capi_batch_moves(KnCapiBatch *batch, int index)
{
    if (index < 0 || index >= batch->count) {
        kn_fail(&batch->capi->error, KN_INPUT, "there is no game %d; the batch has %d, from 0", index,
                batch->count);
        return NULL;
    }
    json_t *list = json_array();
    for (int m = 0; m < batch->listed[index]; m++) {
        char *text = kn_game_move_text(batch->game, position_of(batch, index), moves_of(batch, index)[m]);
        json_array_append_new(list, json_string(text ? text : ""));
        kn_free(text);
    }
    return kn_capi_answer(batch->capi, KN_OK, list);
}
