#include "search/matrix_game.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/assert.h"

static double entry(const KnMatrixGame *game, int row, int column)
{
    return game->entries[row * game->columns + column];
}

/* A pair of pure strategies from which neither side gains by leaving. */
static bool find_saddle(const KnMatrixGame *game, int *row, int *column)
{
    double best = -INFINITY, least = INFINITY;
    for (int i = 0; i < game->rows; i++) {
        double worst = INFINITY;
        for (int j = 0; j < game->columns; j++) worst = fmin(worst, entry(game, i, j));
        if (worst > best) best = worst, *row = i;
    }
    for (int j = 0; j < game->columns; j++) {
        double most = -INFINITY;
        for (int i = 0; i < game->rows; i++) most = fmax(most, entry(game, i, j));
        if (most < least) least = most, *column = j;
    }
    return best >= least;
}

/* The tableau of the simplex method (Dantzig 1951) without the columns of its basis: entries, the right side
 * as last column and the costs as last row. Labels tell which strategies stand at rows and columns: those of
 * the rows of the game first. */
typedef struct Tableau {
    int rows, columns;
    double *cells;
    int left[KN_MATRIX_GAME_MOST], top[KN_MATRIX_GAME_MOST];
} Tableau;

static double *cell(const Tableau *t, int row, int column)
{
    return &t->cells[row * (t->columns + 1) + column];
}

/* Entries are shifted to be at least 1, so that the value is positive. */
static double fill(Tableau *t, const KnMatrixGame *game)
{
    double lowest = INFINITY;
    for (int i = 0; i < game->rows * game->columns; i++) lowest = fmin(lowest, game->entries[i]);
    for (int i = 0; i < t->rows; i++) {
        for (int j = 0; j < t->columns; j++) *cell(t, i, j) = entry(game, i, j) - lowest + 1;
        *cell(t, i, t->columns) = 1;
        t->left[i] = i;
    }
    for (int j = 0; j < t->columns; j++) {
        *cell(t, t->rows, j) = -1;
        t->top[j] = t->rows + j;
    }
    *cell(t, t->rows, t->columns) = 0;
    return lowest - 1;
}

static const double TINY = 1e-11;

/* Bland's rule (1977), which cannot run in circles: the lowest label among columns that gain and, among the
 * rows that bound the step alike, again. False: nothing gains. */
static bool choose_pivot(const Tableau *t, int *row, int *column)
{
    *row = *column = -1;
    for (int j = 0; j < t->columns; j++)
        if (*cell(t, t->rows, j) < -TINY && (*column < 0 || t->top[j] < t->top[*column])) *column = j;
    if (*column < 0) return false;
    double step = INFINITY;
    for (int i = 0; i < t->rows; i++) {
        double pivot = *cell(t, i, *column);
        if (pivot <= TINY) continue;
        double ratio = *cell(t, i, t->columns) / pivot;
        if (ratio < step - TINY || (ratio <= step + TINY && *row >= 0 && t->left[i] < t->left[*row])) {
            step = fmin(step, ratio);
            *row = i;
        }
    }
    return *row >= 0;
}

static void exchange(Tableau *t, int row, int column)
{
    double pivot = *cell(t, row, column);
    for (int i = 0; i <= t->rows; i++) {
        if (i == row) continue;
        double factor = *cell(t, i, column) / pivot;
        for (int j = 0; j <= t->columns; j++)
            if (j != column) *cell(t, i, j) -= factor * *cell(t, row, j);
        *cell(t, i, column) = -factor;
    }
    for (int j = 0; j <= t->columns; j++) *cell(t, row, j) /= pivot;
    *cell(t, row, column) = 1 / pivot;
    int label = t->left[row];
    t->left[row] = t->top[column];
    t->top[column] = label;
}

/* Chances from the solution of the linear programme: rows of the game that stand at the top, columns that
 * stand at the left. */
static void read_chances(const Tableau *t, double scale, double *row_chances, double *column_chances)
{
    memset(row_chances, 0, (size_t)t->rows * sizeof *row_chances);
    memset(column_chances, 0, (size_t)t->columns * sizeof *column_chances);
    for (int j = 0; j < t->columns; j++)
        if (t->top[j] < t->rows) row_chances[t->top[j]] = fmax(0, *cell(t, t->rows, j) * scale);
    for (int i = 0; i < t->rows; i++)
        if (t->left[i] >= t->rows)
            column_chances[t->left[i] - t->rows] = fmax(0, *cell(t, i, t->columns) * scale);
}

/* Whether the chances are optimal: each side is sure of the value, whatever the other does. */
static bool optimal(const KnMatrixGame *game, double value, const double *rows, const double *columns)
{
    static const double CLOSE = 1e-7;
    for (int j = 0; j < game->columns; j++) {
        double mean = 0;
        for (int i = 0; i < game->rows; i++) mean += rows[i] * entry(game, i, j);
        if (mean < value - CLOSE) return false;
    }
    for (int i = 0; i < game->rows; i++) {
        double mean = 0;
        for (int j = 0; j < game->columns; j++) mean += columns[j] * entry(game, i, j);
        if (mean > value + CLOSE) return false;
    }
    return true;
}

static bool solve_mixed(const KnMatrixGame *game, double *value, double *row_chances, double *column_chances)
{
    enum { MOST_STEPS = 10000 };
    double cells[(game->rows + 1) * (game->columns + 1)];
    Tableau t = {.rows = game->rows, .columns = game->columns, .cells = cells};
    double shift = fill(&t, game);
    int row, column, steps = 0;
    while (choose_pivot(&t, &row, &column) && steps++ < MOST_STEPS) exchange(&t, row, column);
    double total = *cell(&t, t.rows, t.columns);
    if (!(total > 0)) return false;
    *value = 1 / total + shift;
    read_chances(&t, 1 / total, row_chances, column_chances);
    return optimal(game, *value, row_chances, column_chances);
}

bool kn_matrix_game_solve(const KnMatrixGame *game, double *value, double *row_chances,
                          double *column_chances)
{
    KN_ASSERT(game->rows > 0 && game->columns > 0 && game->rows * game->columns <= KN_MATRIX_GAME_MOST);
    double rows[game->rows], columns[game->columns];
    int row = 0, column = 0;
    memset(rows, 0, sizeof rows);
    memset(columns, 0, sizeof columns);
    if (find_saddle(game, &row, &column)) {
        *value = entry(game, row, column);
        rows[row] = columns[column] = 1;
    } else if (!solve_mixed(game, value, rows, columns))
        return false;
    if (row_chances) memcpy(row_chances, rows, sizeof rows);
    if (column_chances) memcpy(column_chances, columns, sizeof columns);
    return true;
}
