#include "methods/hoyle/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

#include "base/assert.h"
#include "base/math.h"

enum { GAMES = 60, PLIES = 300, LONGEST = 6, ENOUGH = 4, CANDIDATES_MAX = 20000 };

/* ---- Neighbours ---- */

static void join(KnLines *lines, int a, int b)
{
    KN_ASSERT(a >= 0 && a < lines->cells && b >= 0 && b < lines->cells && a != b);
    for (int i = 0; i < lines->neighbours[a]; i++)
        if (lines->neighbour[a][i] == b) return;
    if (lines->neighbours[a] < KN_NEIGHBOURS) lines->neighbour[a][lines->neighbours[a]++] = (uint16_t)b;
}

/* Whether anything lies on the straight way between two cells. */
static bool blocked(const KnBoardPlace *at, int cells, int a, int b)
{
    double dx = at[b].x - at[a].x, dy = at[b].y - at[a].y;
    for (int i = 0; i < cells; i++) {
        if (i == a || i == b) continue;
        double ex = at[i].x - at[a].x, ey = at[i].y - at[a].y, t = (ex * dx + ey * dy) / (dx * dx + dy * dy);
        if (t > 0.01 && t < 0.99 && fabs(ex * dy - ey * dx) < 0.01) return true;
    }
    return false;
}

/* Around a cell: those within a step of the smallest distance, sideways or diagonally. */
static void join_by_place(KnLines *lines, bool diagonally)
{
    const KnBoardPlace *at = lines->at;
    double unit = INFINITY;
    for (int a = 0; a < lines->cells; a++)
        for (int b = 0; b < a; b++) unit = fmin(unit, kn_math_hypot(at[a].x - at[b].x, at[a].y - at[b].y));
    for (int a = 0; a < lines->cells; a++)
        for (int b = 0; b < lines->cells; b++)
            if (a != b &&
                kn_math_hypot(at[a].x - at[b].x, at[a].y - at[b].y) < unit * (diagonally ? 1.5 : 1.1))
                join(lines, a, b);
}

static void find_distances(KnLines *lines)
{
    KN_ASSERT(lines->cells > 0 && lines->cells <= KN_BOARD_CELLS);
    int n = lines->cells, queue[KN_BOARD_CELLS];
    memset(lines->distance, KN_FAR, (size_t)n * (size_t)n);
    for (int start = 0; start < n; start++) {
        uint8_t *row = lines->distance + (size_t)start * (size_t)n;
        int head = 0, tail = 0;
        row[start] = 0;
        queue[tail++] = start;
        while (head < tail) {
            int cell = queue[head++];
            for (int i = 0; i < lines->neighbours[cell]; i++) {
                int next = lines->neighbour[cell][i];
                if (row[next] != KN_FAR || row[cell] + 1 >= KN_FAR) continue;
                row[next] = (uint8_t)(row[cell] + 1);
                queue[tail++] = next;
                KN_ASSERT(tail <= n);
            }
        }
    }
}

/* ---- Straight lines of neighbours ---- */

int kn_lines_straight_on(const KnLines *lines, int a, int b)
{
    KN_ASSERT(a >= 0 && a < lines->cells && b >= 0 && b < lines->cells && a != b);
    const KnBoardPlace *at = lines->at;
    double dx = at[b].x - at[a].x, dy = at[b].y - at[a].y;
    for (int i = 0; i < lines->neighbours[b]; i++) {
        int c = lines->neighbour[b][i];
        double ex = at[c].x - at[b].x, ey = at[c].y - at[b].y;
        if (fabs(dx * ey - dy * ex) < 0.01 && dx * ex + dy * ey > 0) return c;
    }
    return -1;
}

static bool grow(void **array, int *capacity, int count, size_t size)
{
    if (count < *capacity) return true;
    int wanted = *capacity ? *capacity * 2 : 32;
    void *more = realloc(*array, (size_t)wanted * size);
    if (!more) return false;
    *array = more;
    *capacity = wanted;
    return true;
}

/* All lines of `size` cells side by side, each once. */
static bool list_lines(KnLines *lines, int size)
{
    KN_ASSERT(size >= 2 && size <= LONGEST);
    int capacity = 0;
    free(lines->line);
    lines->line = NULL;
    lines->count = 0;
    for (int a = 0; a < lines->cells; a++)
        for (int i = 0; i < lines->neighbours[a]; i++) {
            KnBoardLine line = {.size = 2, .cell = {(uint16_t)a, lines->neighbour[a][i]}};
            while (line.size < size) {
                int next = kn_lines_straight_on(lines, line.cell[line.size - 2], line.cell[line.size - 1]);
                if (next < 0) break;
                line.cell[line.size++] = (uint16_t)next;
            }
            if (line.size < size || line.cell[0] > line.cell[size - 1] || lines->count >= CANDIDATES_MAX)
                continue;
            if (!grow((void **)&lines->line, &capacity, lines->count, sizeof(KnBoardLine))) return false;
            lines->line[lines->count++] = line;
        }
    return true;
}

/* Maximal ones: nothing straight on before the first cell. Diagonals of a grid are not drawn. */
static bool list_drawn(KnLines *lines, bool diagonals)
{
    const KnBoardPlace *at = lines->at;
    int capacity = 0;
    for (int a = 0; a < lines->cells; a++)
        for (int i = 0; i < lines->neighbours[a]; i++) {
            int b = lines->neighbour[a][i];
            if (kn_lines_straight_on(lines, b, a) >= 0) continue;
            if (!diagonals && fabs(at[a].x - at[b].x) > 0.01 && fabs(at[a].y - at[b].y) > 0.01) continue;
            KnDrawnLine line = {.size = 2, .cell = {(uint16_t)a, (uint16_t)b}};
            for (int next; line.size < 32 && (next = kn_lines_straight_on(lines, line.cell[line.size - 2],
                                                                          line.cell[line.size - 1])) >= 0;)
                line.cell[line.size++] = (uint16_t)next;
            if (line.cell[0] > line.cell[line.size - 1]) continue;
            if (!grow((void **)&lines->drawn, &capacity, lines->drawn_count, sizeof(KnDrawnLine)))
                return false;
            lines->drawn[lines->drawn_count++] = line;
        }
    return true;
}

/* ---- Sample games ---- */

typedef struct Trial {
    long completions, decided;
    long others, others_decided; /* moves that complete no line */
    int sign;
} Trial;

static int men_of(const KnBoardView *view, const uint8_t *cells, int role)
{
    int count = 0;
    for (int i = 0; i < view->cells; i++) count += view->owner[cells[i]] == role;
    return count;
}

static bool owned(const KnBoardView *view, const KnBoardLine *line, const uint8_t *cells, int role)
{
    for (int i = 0; i < line->size; i++)
        if (view->owner[cells[line->cell[i]]] != role) return false;
    return true;
}

static void join_both(KnLines *lines, KnAction step)
{
    join(lines, step.from, step.to);
    join(lines, step.to, step.from);
}

/* One move of a sample: whether it completed a line, and whether that had an effect. */
static void judge_move(const KnBoardView *view, const KnLines *lines, const uint8_t *before,
                       const uint8_t *after, int mover, bool took, double payoff, bool over, Trial *trial)
{
    KN_ASSERT(mover == 0 || mover == 1);
    for (int i = 0; i < lines->count; i++) {
        if (!owned(view, &lines->line[i], after, mover) || owned(view, &lines->line[i], before, mover))
            continue;
        trial->completions++;
        if (took || (over && payoff * payoff > 0)) trial->decided++;
        if (over && !took)
            trial->sign += payoff > 0 ? 1 : payoff < 0 ? -1 : 0;
        else
            trial->sign++;
        return;
    }
    trial->others++;
    trial->others_decided += took || (over && payoff * payoff > 0);
}

/* Plays samples; with `steps` only looks which cells are joined by steps. */
static void play_samples(const KnBoardView *view, KnLines *lines, bool steps, Trial *trial)
{
    const KnGame *game = view->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    uint8_t before[KN_BOARD_CELLS], after[KN_BOARD_CELLS];
    int stepping = KN_BOARD_STAGES; /* the first stage in which men slide: later ones may let them fly */
    for (int g = 0; g < GAMES; g++) {
        KnRng rng = kn_rng_stream(1996, (uint64_t)g);
        game->type->start(game, position);
        kn_board_view_cells(view, position, before);
        int count = game->type->moves(game, position, moves);
        for (int ply = 0; ply < PLIES && count > 0; ply++) {
            int mover = game->type->mover(game, position);
            KnMove move = moves[kn_rng_below(&rng, (uint32_t)count)];
            int stage = kn_board_view_stage(view, position);
            KnAction action = steps ? kn_board_view_action(view, position, move) : (KnAction){0};
            game->type->play(game, position, move);
            kn_board_view_cells(view, position, after);
            bool took = men_of(view, after, 1 - mover) < men_of(view, before, 1 - mover);
            count = game->type->moves(game, position, moves);
            if (steps) {
                bool step = action.from != KN_NO_CELL && action.to != KN_NO_CELL;
                lines->takes = lines->takes || took;
                lines->slides = lines->slides || step;
                if (step && stage < stepping)
                    stepping = stage, memset(lines->neighbours, 0, sizeof lines->neighbours);
                if (step && stage == stepping && !took &&
                    !blocked(lines->at, view->cells, action.from, action.to))
                    join_both(lines, action);
            } else {
                double payoffs[KN_ROLES_MAX] = {0};
                if (!count) game->type->payoffs(game, position, payoffs);
                double middle = (game->payoff_low + game->payoff_high) / 2;
                judge_move(view, lines, before, after, mover, took, payoffs[mover] - middle, !count, trial);
            }
            memcpy(before, after, (size_t)view->cells);
        }
    }
}

static bool find_decisive(const KnBoardView *view, KnLines *lines)
{
    for (int size = 3; size <= LONGEST; size++) {
        Trial trial = {0};
        if (!list_lines(lines, size)) return false;
        if (!lines->count) break;
        play_samples(view, lines, false, &trial);
        if (trial.completions < ENOUGH || trial.decided < trial.completions ||
            2 * trial.completions > trial.others || 2 * trial.others_decided > trial.others)
            continue;
        lines->sign = trial.sign >= 0 ? 1 : -1;
        return true;
    }
    lines->count = 0;
    return true;
}

KnStatus kn_lines_open(const KnBoardView *view, KnLines **out, KnError *error)
{
    KN_ASSERT(view->cells > 0 && view->cells <= KN_BOARD_CELLS);
    *out = NULL;
    KnLines *lines = calloc(1, sizeof *lines);
    if (lines) lines->distance = malloc((size_t)view->cells * (size_t)view->cells);
    if (!lines || !lines->distance) {
        kn_lines_close(lines);
        return kn_fail_memory(error, "looking for lines");
    }
    for (int i = 0; i < view->cells; i++) {
        KnBoardPlace *at = &lines->at[i];
        *at = (KnBoardPlace){i, 0};
        if (view->game->type->cell_place) view->game->type->cell_place(view->game, i, &at->x, &at->y);
    }
    lines->cells = view->cells;
    lines->sign = 1;
    play_samples(view, lines, true, NULL);
    if (!lines->slides) {
        memset(lines->neighbours, 0, sizeof lines->neighbours);
        join_by_place(lines, true);
    }
    find_distances(lines);
    if (!find_decisive(view, lines) || !list_drawn(lines, lines->slides)) {
        kn_lines_close(lines);
        return kn_fail_memory(error, "looking for lines");
    }
    *out = lines;
    return KN_OK;
}

void kn_lines_close(KnLines *lines)
{
    if (!lines) return;
    free(lines->line);
    free(lines->drawn);
    free(lines->distance);
    free(lines);
}
