#include "methods/experience/entry_features.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

const char *const kn_entry_names[KN_ENTRIES] = {
    [KN_ENTRY_GAMES] = "games met in",
    [KN_ENTRY_MEAN] = "mean outcome",
    [KN_ENTRY_KNOWN] = "known moves",
    [KN_ENTRY_UNKNOWN] = "unknown moves",
    [KN_ENTRY_BEST] = "value of the best known move",
    [KN_ENTRY_BEST_GAMES] = "games of the best known move",
    [KN_ENTRY_BACKED] = "min-max of the best known move",
    [KN_ENTRY_LEAD] = "lead of the best known move",
    [KN_ENTRY_SPREAD] = "spread of known moves",
    [KN_ENTRY_BOOK] = "depth of the book",
};

enum { FEW = 4, WEIGHT = 4, EXPECT_AHEAD = 2 };

KnExpect kn_entry_expect(KnBase *base, const KnGame *game, int role)
{
    return (KnExpect){.base = base, .game = game, .role = role, .weight = WEIGHT, .few = FEW, .others = 1};
}

static void play(const KnGame *game, const void *position, KnMove move, void *next)
{
    memcpy(next, position, game->position_size);
    game->type->play(game, next, move);
}

/* How far the book goes on if both sides play what was played most. A game that ends in it goes on as far as
 * is looked. */
static KnStatus measure_book(const KnExpect *expect, const void *position, KnMove move, double *depth,
                             KnError *error)
{
    const KnGame *game = expect->game;
    _Alignas(16) unsigned char at[game->position_size], next[game->position_size];
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    play(game, position, move, at);
    for (int ply = 1; ply < KN_ENTRY_AHEAD; ply++) {
        *depth = ply;
        if (kn_game_over(game, at)) break;
        KnBaseView view;
        int count = game->type->moves(game, at, moves), most = -1;
        KnStatus status = kn_base_look(expect->base, at, moves, count, rows, &view, error);
        if (status != KN_OK) return status;
        for (int i = 0; i < count; i++)
            if (rows[i].explored && (most < 0 || rows[i].games > rows[most].games)) most = i;
        if (most < 0) return KN_OK;
        play(game, at, moves[most], next);
        memcpy(at, next, game->position_size);
    }
    *depth = KN_ENTRY_AHEAD;
    return KN_OK;
}

KnStatus kn_entry_read(const KnExpect *expect, const void *position, const KnBaseMove *rows,
                       const KnBaseView *view, KnEntry *entry, KnError *error)
{
    const KnGame *game = expect->game;
    double sign = expect->role == 0 ? 1 : -1, mean = sign * view->mean, second = -INFINITY, worst = INFINITY;
    double *columns = entry->columns;
    _Alignas(16) unsigned char next[game->position_size];
    entry->best = -1;
    entry->value = -INFINITY;
    for (int i = 0; i < view->count; i++) {
        if (!rows[i].explored) continue;
        double found, n = (double)rows[i].games;
        play(game, position, rows[i].move, next);
        KnStatus status = kn_expect(expect, next, kn_evidence(expect, &rows[i]), EXPECT_AHEAD, &found, error);
        if (status != KN_OK) return status;
        double value = (n * found + expect->weight * mean) /
                       (n + expect->weight); /* few games say little: towards the position's mean */
        if (entry->best < 0 || value > entry->value) {
            second = entry->value;
            entry->value = value;
            entry->best = i;
        } else if (value > second)
            second = value;
        if (value < worst) worst = value;
    }
    KN_ASSERT(entry->best >= 0); /* at least one move was explored */
    const KnBaseMove *best = &rows[entry->best];
    columns[KN_ENTRY_GAMES] = (double)view->games;
    columns[KN_ENTRY_MEAN] = mean;
    columns[KN_ENTRY_KNOWN] = view->explored;
    columns[KN_ENTRY_UNKNOWN] = view->count - view->explored;
    columns[KN_ENTRY_BEST] = entry->value;
    columns[KN_ENTRY_BEST_GAMES] = (double)best->games;
    columns[KN_ENTRY_BACKED] = sign * best->value;
    columns[KN_ENTRY_LEAD] = isfinite(second) ? entry->value - second : 0;
    columns[KN_ENTRY_SPREAD] = entry->value - worst;
    return measure_book(expect, position, best->move, &columns[KN_ENTRY_BOOK], error);
}
