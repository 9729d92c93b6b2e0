/* A* (Hart, Nilsson and Raphael 1968) with h_max or with pattern databases, which are admissible and
 * consistent, and greedy best-first search with the length of a relaxed plan, which is neither.
 *
 * Priorities are small numbers, so the queue is a list for each; the last that came is the first to go, which
 * prefers positions far from the start among equals. Positions that the relaxation says cannot lead to the
 * payoff are dropped. Where step counters are seen through, relaxation and patterns know nothing of them
 * either, so that their bounds hold whatever they say. */
#include "search/puzzle_inside.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"

enum { PRIORITIES = 1 << 16 };

typedef struct KnPuzzleRow {
    uint32_t before, after; /* in the list of its priority, index + 1 */
    uint16_t depth, left;
    bool queued;
} Row;

static KnStatus make_room(KnPuzzle *p, KnError *error)
{
    if (!p->rows) p->rows = malloc(p->capacity * sizeof *p->rows);
    if (!p->heads) p->heads = malloc(PRIORITIES * sizeof *p->heads);
    return p->rows && p->heads ? KN_OK : kn_fail_memory(error, "solving a puzzle");
}

void kn_puzzle_best_first_free(KnPuzzle *p)
{
    free(p->rows);
    free(p->heads);
}

static uint32_t priority_of(const Row *row, KnPuzzleSearch order)
{
    uint32_t priority = order == KN_PUZZLE_GREEDY ? row->left : (uint32_t)row->depth + row->left;
    return priority < PRIORITIES ? priority : PRIORITIES - 1;
}

/* Puts a position into the queue. */
static uint32_t insert(KnPuzzle *p, uint32_t index, KnPuzzleSearch order)
{
    Row *row = &p->rows[index];
    uint32_t priority = priority_of(row, order);
    row->queued = true;
    row->after = 0;
    row->before = p->heads[priority];
    if (row->before) p->rows[row->before - 1].after = index + 1;
    p->heads[priority] = index + 1;
    return priority;
}

static void take_out(KnPuzzle *p, uint32_t index, KnPuzzleSearch order)
{
    Row *row = &p->rows[index];
    row->queued = false;
    if (row->before) p->rows[row->before - 1].after = row->after;
    if (row->after)
        p->rows[row->after - 1].before = row->before;
    else
        p->heads[priority_of(row, order)] = row->before;
}

static unsigned judge(KnPuzzle *p, uint32_t index, KnPuzzleSearch order)
{
    const uint64_t *facts = kn_gdl_facts(kn_puzzle_at(p, index));
    if (order == KN_PUZZLE_PATTERNS) return kn_gdl_patterns_bound(p->patterns, facts);
    return order == KN_PUZZLE_GREEDY ? kn_gdl_relaxed_plan(p->relaxed, facts)
                                     : kn_gdl_relaxed_bound(p->relaxed, facts);
}

/* The position behind the last one is new, or found by a shorter way (A*), or nothing of interest. Returns
 * its priority, or PRIORITIES. */
static uint32_t meet(KnPuzzle *p, uint32_t parent, KnMove step, KnPuzzleSearch order)
{
    uint32_t last = p->count, index = kn_puzzle_add(p, parent, step);
    unsigned depth = p->rows[parent].depth + 1u;
    if (depth > UINT16_MAX) depth = UINT16_MAX;
    Row *row = &p->rows[index];
    if (index == last) {
        *row = (Row){.depth = (uint16_t)depth, .left = (uint16_t)judge(p, index, order)};
        return row->left == KN_GDL_NEVER ? PRIORITIES : insert(p, index, order);
    }
    if (order == KN_PUZZLE_GREEDY || depth >= row->depth || row->left == KN_GDL_NEVER) return PRIORITIES;
    if (row->queued) take_out(p, index, order);
    memcpy(kn_puzzle_at(p, index), kn_puzzle_at(p, last), p->stride); /* with other step counters */
    row->depth = (uint16_t)depth;
    p->parents[index] = parent;
    p->steps[index] = step;
    return insert(p, index, order);
}

/* Plays every move from a position. False: memory or the budget is used up. */
static bool expand(KnPuzzle *p, uint32_t index, int count, KnPuzzleSearch order, uint32_t *lowest,
                   KnPuzzlePass *pass)
{
    const KnGame *game = p->game;
    for (int i = 0; i < count; i++) {
        if (p->count >= pass->capacity) {
            pass->stop = KN_STOP_MEMORY;
            return false;
        }
        if (!kn_meter_count(&p->meter)) {
            pass->stop = p->meter.why;
            return false;
        }
        memcpy(kn_puzzle_at(p, p->count), kn_puzzle_at(p, index), p->stride);
        kn_game_play_joint(game, kn_puzzle_at(p, p->count), &p->moves[i]);
        uint32_t priority = meet(p, index, p->moves[i], order);
        if (priority < *lowest) *lowest = priority;
    }
    return true;
}

KnStatus kn_puzzle_best_first(KnPuzzle *p, const void *position, KnPuzzleSearch order, KnPuzzlePass *pass,
                              KnError *error)
{
    KN_ASSERT(p->relaxed);
    KnStatus status = make_room(p, error);
    if (status != KN_OK) return status;
    if (order == KN_PUZZLE_PATTERNS && (status = kn_puzzle_build_patterns(p, position, pass->wanted, error)))
        return status;
    kn_puzzle_begin(p, position);
    memset(p->heads, 0, PRIORITIES * sizeof *p->heads);
    p->rows[0] = (Row){.left = (uint16_t)judge(p, 0, order)};
    uint32_t lowest = insert(p, 0, order);
    pass->best = KN_PUZZLE_NO_PARENT;
    pass->stop = KN_STOP_DONE;
    while (lowest < PRIORITIES) {
        if (!p->heads[lowest]) {
            lowest++;
            continue;
        }
        uint32_t index = p->heads[lowest] - 1;
        take_out(p, index, order);
        int count = kn_game_moves_of(p->game, kn_puzzle_at(p, index), 0, p->moves);
        if (!count) kn_puzzle_end(p, index, pass);
        if (pass->best != KN_PUZZLE_NO_PARENT && pass->payoff >= pass->wanted) return KN_OK;
        if (p->blanked && order != KN_PUZZLE_GREEDY && (!count || p->rows[index].left == 0))
            pass->doubtful |= kn_gdl_relaxed_bound(p->relaxed, kn_gdl_facts(kn_puzzle_at(p, index))) == 0 ||
                              (!count && kn_gdl_relaxed_may_go_on(p->relaxed));
        if (!expand(p, index, count, order, &lowest, pass)) return KN_OK;
    }
    return KN_OK;
}
