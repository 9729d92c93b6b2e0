/* Rows that can still become lines, cells that complete one, and evaluations by them.
 *
 * A row is any `line` adjacent cells. It is open to a side while the opponent has no man in it. All rows of
 * one direction are counted together with bit-sliced counters: bit b of a plane belongs to the row that
 * starts at cell b, and the planes hold its number of men in binary. Adding a shifted board is a ripple of
 * half adders over the whole board; a row is open to a side where all planes of the opponent are zero. On
 * 10x10 this takes a quarter of a microsecond for the four directions. */
#include "games/fives/fives.h"

#include <stdio.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

enum { PLANES = 5 }; /* counters up to 31; lines have at most 19 men */

typedef struct Planes {
    uint64_t bit[PLANES][KN_FIVES_WORDS];
    uint64_t any[KN_FIVES_WORDS]; /* rows with a man */
} Planes;

ALWAYS void shift_down(uint64_t *set, int by, int words)
{
    int whole = by >> 6, part = by & 63;
    for (int i = 0; i < words; i++) {
        uint64_t low = i + whole < words ? set[i + whole] : 0,
                 high = i + whole + 1 < words ? set[i + whole + 1] : 0;
        set[i] = part ? low >> part | high << (64 - part) : low;
    }
}

/* Counts the men of every row in a direction. `planes`: bits of the counters. */
ALWAYS void count_rows(const KnFives *f, const uint64_t *men, int step, int words, int planes, Planes *out)
{
    uint64_t now[KN_FIVES_WORDS];
    memcpy(now, men, (size_t)words * sizeof *now);
    for (int w = 0; w < words; w++) {
        out->any[w] = out->bit[0][w] = now[w];
        for (int i = 1; i < planes; i++) out->bit[i][w] = 0;
    }
    for (int k = 1; k < f->line; k++) {
        shift_down(now, step, words);
        for (int w = 0; w < words; w++) {
            uint64_t carry = now[w];
            out->any[w] |= carry;
            for (int i = 0; i < planes; i++) {
                uint64_t sum = out->bit[i][w] ^ carry;
                carry &= out->bit[i][w];
                out->bit[i][w] = sum;
            }
        }
    }
}

/* Rows with exactly `men` men, among `rows`. */
ALWAYS uint64_t rows_with(const Planes *p, int w, int men, int planes, uint64_t rows)
{
    for (int i = 0; i < planes; i++) rows &= men >> i & 1 ? p->bit[i][w] : ~p->bit[i][w];
    return rows;
}

/* counts[side][n]: rows open to the side (0 own, 1 opponent) with n of its men; n from `least` to line - 1.
 */
ALWAYS void count_open(const KnFives *f, const uint64_t *own, const uint64_t *their, int words, int planes,
                       int least, int counts[2][KN_FIVES_SIDE + 1])
{
    memset(counts, 0, 2 * sizeof *counts);
    for (int axis = 0; axis < 4; axis++) {
        Planes mine, theirs;
        count_rows(f, own, f->steps[axis], words, planes, &mine);
        count_rows(f, their, f->steps[axis], words, planes, &theirs);
        for (int w = 0; w < words; w++) {
            uint64_t to_me = f->starts[axis][w] & ~theirs.any[w], to_them = f->starts[axis][w] & ~mine.any[w];
            for (int n = least; n < f->line; n++) {
                counts[0][n] += __builtin_popcountll(rows_with(&mine, w, n, planes, to_me));
                counts[1][n] += __builtin_popcountll(rows_with(&theirs, w, n, planes, to_them));
            }
        }
    }
}

static int planes_for(const KnFives *f)
{
    int planes = 1;
    while (f->line >> planes) planes++;
    return planes;
}

/* Specialised for the usual boards (up to 10x11, lines of 4 to 7), generic otherwise. */
ALWAYS void count_open_any(const KnFives *f, const uint64_t *own, const uint64_t *their, int least,
                           int counts[2][KN_FIVES_SIDE + 1])
{
    int planes = planes_for(f);
    if (f->words == 2 && planes == 3)
        count_open(f, own, their, 2, 3, least, counts);
    else
        count_open(f, own, their, f->words, planes, least, counts);
}

void kn_fives_winning(const KnFives *f, const void *position, int role, uint64_t *cells)
{
    const uint64_t *own = kn_fives_men(f, position, role), *their = kn_fives_men(f, position, 1 - role);
    int words = f->words, planes = planes_for(f);
    memset(cells, 0, (size_t)words * sizeof *cells);
    for (int axis = 0; axis < 4; axis++) {
        Planes mine, theirs;
        count_rows(f, own, f->steps[axis], words, planes, &mine);
        count_rows(f, their, f->steps[axis], words, planes, &theirs);
        for (int w = 0; w < words; w++) {
            uint64_t rows = rows_with(&mine, w, f->line - 1, planes, f->starts[axis][w] & ~theirs.any[w]);
            for (; rows; rows &= rows - 1) {
                int bit = w * 64 + __builtin_ctzll(rows);
                while (kn_fives_has(own, bit)) bit += f->steps[axis]; /* the empty cell of the row */
                if (!f->exact || kn_fives_completes(f, own, bit))
                    cells[bit >> 6] |= UINT64_C(1) << (bit & 63);
            }
        }
    }
}

ALWAYS void shift_up(const uint64_t *set, int by, int words, uint64_t *out)
{
    int whole = by >> 6, part = by & 63;
    for (int i = words - 1; i >= 0; i--) {
        uint64_t high = i >= whole ? set[i - whole] : 0, low = i > whole ? set[i - whole - 1] : 0;
        out[i] |= part ? high << part | low >> (64 - part) : high;
    }
}

void kn_fives_row_cells(const KnFives *f, const void *position, int role, int least, uint64_t *cells)
{
    const uint64_t *own = kn_fives_men(f, position, role), *their = kn_fives_men(f, position, 1 - role);
    int words = f->words, planes = planes_for(f);
    memset(cells, 0, (size_t)words * sizeof *cells);
    for (int axis = 0; axis < 4; axis++) {
        Planes mine, theirs;
        uint64_t starts[KN_FIVES_WORDS], any = 0;
        count_rows(f, own, f->steps[axis], words, planes, &mine);
        count_rows(f, their, f->steps[axis], words, planes, &theirs);
        for (int w = 0; w < words; w++) {
            uint64_t open = f->starts[axis][w] & ~theirs.any[w];
            starts[w] = 0;
            for (int men = least > 0 ? least : 0; men < f->line; men++)
                starts[w] |= rows_with(&mine, w, men, planes, open);
            any |= starts[w];
        }
        for (int k = 0; any && k < f->line; k++) shift_up(starts, k * f->steps[axis], words, cells);
    }
    for (int w = 0; w < words; w++) cells[w] &= f->board[w] & ~(own[w] | their[w]);
}

int kn_fives_best_row(const KnFives *f, const void *position, int role)
{
    const uint64_t *own = kn_fives_men(f, position, role), *their = kn_fives_men(f, position, 1 - role);
    int words = f->words, planes = planes_for(f), best = -1;
    for (int axis = 0; axis < 4; axis++) {
        Planes mine, theirs;
        count_rows(f, own, f->steps[axis], words, planes, &mine);
        count_rows(f, their, f->steps[axis], words, planes, &theirs);
        for (int men = f->line; men > best; men--) {
            uint64_t any = 0;
            for (int w = 0; w < words; w++)
                any |= rows_with(&mine, w, men, planes, f->starts[axis][w] & ~theirs.any[w]);
            if (any) best = men;
        }
    }
    return best;
}

static int list_cells(const KnFives *f, const uint64_t *cells, KnMove *moves)
{
    int n = 0;
    for (int w = 0; w < f->words; w++)
        for (uint64_t set = cells[w]; set; set &= set - 1)
            moves[n++] = (KnMove)(w * 64 + __builtin_ctzll(set));
    return n;
}

/* Tactical moves: complete a line, else stop the opponent's; then any other move loses. */
int kn_fives_tactical(const KnGame *game, const void *position, KnMove *moves, bool *may_stand)
{
    const KnFives *f = kn_fives_of(game);
    uint64_t state = kn_fives_state(f, position), cells[KN_FIVES_WORDS];
    *may_stand = true;
    if (state & KN_FIVES_WON) return 0;
    int mover = (int)(state & KN_FIVES_MOVER);
    kn_fives_winning(f, position, mover, cells);
    int n = list_cells(f, cells, moves);
    if (n) return n;
    kn_fives_winning(f, position, 1 - mover, cells);
    n = list_cells(f, cells, moves);
    *may_stand = n == 0;
    return n;
}

void kn_fives_make_features(KnFives *f)
{
    int n = 0, rows = 0;
    for (int axis = 0; axis < 4; axis++)
        for (int w = 0; w < f->words; w++) rows += __builtin_popcountll(f->starts[axis][w]);
    for (int men = f->line - 1; men >= 1; men--)
        for (int side = 0; side < 2; side++, n++) {
            snprintf(f->names[n], sizeof f->names[n], "%srows of %d", side ? "their " : "", men);
            f->features[n] = (KnFeature){f->names[n],
                                         side ? "rows open to the opponent, by number of men"
                                              : "open rows, by number of own men",
                                         0, rows};
        }
    f->features[n++] = (KnFeature){"winning cells", "cells that complete one's own line", 0,
                                   f->width * f->height};
    f->features[n++] = (KnFeature){"their winning cells", "cells that complete the other's line", 0,
                                   f->width * f->height};
    f->feature_count = n;
}

void kn_fives_feature_values(const KnGame *game, const void *position, int role, double *values)
{
    const KnFives *f = kn_fives_of(game);
    int counts[2][KN_FIVES_SIDE + 1], n = 0;
    count_open_any(f, kn_fives_men(f, position, role), kn_fives_men(f, position, 1 - role), 1, counts);
    for (int men = f->line - 1; men >= 1; men--)
        for (int side = 0; side < 2; side++) values[n++] = counts[side][men];
    for (int side = 0; side < 2; side++, n++) {
        uint64_t cells[KN_FIVES_WORDS];
        kn_fives_winning(f, position, side ? 1 - role : role, cells);
        values[n] = 0;
        for (int w = 0; w < f->words; w++) values[n] += __builtin_popcountll(cells[w]);
    }
}

/* Value of an open row by the men it lacks: 1, 2, 3, 4 or more. The mover's rows count more because it moves
 * next: `lead` and `fear` weight both sides, in eighths. */
typedef struct Style {
    int worth[4];
    int lead, fear;
} Style;

static const Style lines_style = {{3200, 640, 100, 12}, 12, 8};
static const Style careful_style = {{3200, 640, 100, 12}, 8, 16};
static const Style threats_style = {{3200, 800, 0, 0}, 12, 8};

ALWAYS KnScore score(const KnGame *game, const void *position, const Style *style)
{
    const KnFives *f = kn_fives_of(game);
    int mover = (int)(kn_fives_state(f, position) & KN_FIVES_MOVER), counts[2][KN_FIVES_SIDE + 1];
    int least = f->line > 4 ? f->line - 4 : 1, sum = 0;
    count_open_any(f, kn_fives_men(f, position, mover), kn_fives_men(f, position, 1 - mover), least, counts);
    for (int men = least; men < f->line; men++)
        sum += style->worth[f->line - men - 1] *
               (counts[0][men] * style->lead - counts[1][men] * style->fear);
    return sum / 8;
}

#define STYLES(target, suffix)                                                                               \
    target static KnScore score_lines##suffix(const KnGame *game, const void *position)                      \
    {                                                                                                        \
        return score(game, position, &lines_style);                                                          \
    }                                                                                                        \
    target static KnScore score_careful##suffix(const KnGame *game, const void *position)                    \
    {                                                                                                        \
        return score(game, position, &careful_style);                                                        \
    }                                                                                                        \
    target static KnScore score_threats##suffix(const KnGame *game, const void *position)                    \
    {                                                                                                        \
        return score(game, position, &threats_style);                                                        \
    }                                                                                                        \
    static const KnGameEvaluation evaluations##suffix[] = {                                                  \
        {"lines", "open rows by the men they lack, one's own a little more than the other's",                \
         score_lines##suffix},                                                                               \
        {"careful", "as lines, but the other's rows weigh double", score_careful##suffix},                   \
        {"threats", "only rows that lack one or two men", score_threats##suffix},                            \
        {0}};

STYLES(, _plain)

/* The same with POPCNT, which dominates the time. */
#if defined(__x86_64__)
STYLES(__attribute__((target("popcnt"))), _popcnt)
#endif

const KnGameEvaluation *kn_fives_evaluations(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt")) return evaluations_popcnt;
#endif
    return evaluations_plain;
}
