#include "games/othello/endgame.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "games/othello/endgame_solver.h"

enum { LOOK_EVERY = 4096, ROOT_DEPTH = 6, DEFAULT_MIB = 64 };

bool kn_othello_is(const KnGame *game) { return strcmp(game->type->head.name, "othello") == 0; }

int kn_othello_empties(const KnGame *game, const void *position)
{
    const KnOthelloPosition *p = position;
    return game->cells - __builtin_popcountll(p->own | p->their);
}

KnScore kn_othello_score(const KnGame *game, int margin, int plies)
{
    bool discs = game->payoff_high > 1;
    return kn_score_of_payoff(game, discs ? margin : (margin > 0) - (margin < 0), plies);
}

/* Discs between a place of a line and the next own disc, on both sides; none on a side without one. */
static int count_on_line(int place, int own)
{
    int count = 0;
    for (int step = -1; step <= 1; step += 2) {
        int at = place + step;
        while (at >= 0 && at < 8 && !(own >> at & 1)) at += step;
        if (at >= 0 && at < 8) count += abs(at - place) - 1;
    }
    return count;
}

static uint64_t diagonal(int square, int rows)
{
    uint64_t squares = 0;
    for (int step = -7; step <= 7; step++) {
        int x = (square & 7) + step, y = (square >> 3) + rows * step;
        if (x >= 0 && x < 8 && y >= 0 && y < 8) squares |= UINT64_C(1) << (8 * y + x);
    }
    return squares;
}

static void fill_tables(KnOthelloSolver *s)
{
    for (int place = 0; place < 8; place++)
        for (int own = 0; own < 256; own++) s->turned[place][own] = (uint8_t)count_on_line(place, own);
    for (int i = 0; i < 64; i++) {
        s->around[i] = kn_othello_around(UINT64_C(1) << i);
        s->diagonals[i][0] = diagonal(i, 1);
        s->diagonals[i][1] = diagonal(i, -1);
    }
}

KnOthelloSolver *kn_othello_solver_new(const KnGame *game, size_t bytes, KnError *error)
{
    KN_ASSERT(kn_othello_is(game));
    KnOthelloSolver *s = calloc(1, sizeof *s);
    if (!s || !kn_solver_table_open(&s->table, bytes ? bytes : (size_t)DEFAULT_MIB << 20)) {
        free(s);
        kn_fail_memory(error, "opening an endgame solver");
        return NULL;
    }
    s->game = game;
    s->o = kn_othello_of(game);
    s->squares = game->cells;
    s->evaluation = game->evaluations[0].score;
    fill_tables(s);
    return s;
}

void kn_othello_solver_free(KnOthelloSolver *s)
{
    if (!s) return;
    kn_solver_table_close(&s->table);
    free(s);
}

void kn_solver_look(KnOthelloSolver *s)
{
    s->late = s->deadline > 0 && (s->processor ? kn_clock_cpu() : kn_clock_now()) >= s->deadline;
    s->cancelled = s->cancel && atomic_load_explicit(s->cancel, memory_order_relaxed);
    s->stopped = s->cancelled || s->late || s->nodes >= s->limit;
    s->look = s->nodes + LOOK_EVERY < s->limit ? s->nodes + LOOK_EVERY : s->limit;
}

/* Whether the fast kernel was chosen when the game was opened. */
static bool is_fast(const KnOthelloSolver *s)
{
#if defined(__x86_64__)
    return s->game->evaluations == kn_othello_evaluations_avx2;
#else
    (void)s;
    return false;
#endif
}

static int value(KnOthelloSolver *s, const KnOthelloPosition *p, int alpha, int beta)
{
#if defined(__x86_64__)
    if (is_fast(s)) return kn_solver_value_avx2(s, p->own, p->their, alpha, beta);
#endif
    return kn_solver_value_plain(s, p->own, p->their, alpha, beta);
}

static int estimate(KnOthelloSolver *s, const KnOthelloPosition *p, int depth)
{
#if defined(__x86_64__)
    if (is_fast(s)) return kn_solver_estimate_avx2(s, p->own, p->their, depth);
#endif
    return kn_solver_estimate_plain(s, p->own, p->their, depth);
}

/* The moves of the root, in the order in which they are searched: best estimate first. */
static void order_moves(KnOthelloSolver *s, const KnOthelloSolving *solving, const KnOthelloPosition *p,
                        KnOthelloPosition *after, int *order)
{
    int ratings[solving->count], empties = kn_othello_empties(s->game, p);
    int depth = empties > 2 * ROOT_DEPTH ? ROOT_DEPTH : empties / 2;
    for (int i = 0; i < solving->count; i++) {
        int at = i;
        after[i] = *p;
        s->game->type->play(s->game, &after[i], solving->moves[i]);
        int rating = solving->count > 1 ? -estimate(s, &after[i], depth) : 0;
        for (; at && ratings[at - 1] < rating; at--) ratings[at] = ratings[at - 1], order[at] = order[at - 1];
        ratings[at] = rating;
        order[at] = i;
    }
}

KnStatus kn_othello_solve(KnOthelloSolver *s, const void *position, KnOthelloSolving *solving)
{
    KN_ASSERT(solving->count > 0);
    KnOthelloPosition after[solving->count];
    int order[solving->count];
    s->nodes = 0;
    s->limit = solving->node_limit ? solving->node_limit : UINT64_MAX;
    s->cancel = solving->cancel;
    s->deadline = solving->deadline;
    s->processor = solving->processor;
    s->stopped = false;
    kn_solver_look(s);
    kn_solver_table_clear(&s->table);
    order_moves(s, solving, position, after, order);
    solving->margin = KN_SOLVER_NONE;
    solving->best = solving->moves[order[0]];
    for (int k = 0; k < solving->count && !s->stopped; k++) {
        int i = order[k], alpha = solving->margins ? -65 : solving->margin;
        int found = alpha + 1;
        if (k && !solving->margins) found = -value(s, &after[i], -alpha - 1, -alpha);
        if (!s->stopped && found > alpha) found = -value(s, &after[i], -65, -(found - 1));
        if (s->stopped) break;
        if (solving->margins) solving->margins[i] = found;
        if (found <= solving->margin) continue;
        solving->margin = found;
        solving->best = solving->moves[i];
    }
    solving->nodes = s->nodes;
    return s->cancelled ? KN_STOPPED : s->stopped ? KN_NO : KN_OK;
}
