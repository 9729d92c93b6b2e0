#include "learn/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"

enum { ROUNDS = 12, HALVINGS = 6 };

/* Rows are sparse: of a thousand pattern features about thirty are not zero in a position. */
typedef struct Entry {
    double value;
    int feature;
} Entry;

typedef struct Rows {
    Entry *entries;
    size_t *ends; /* the end of each row in `entries` */
    double *targets;
    size_t count, room, entry_count, entry_room;
} Rows;

struct KnFit {
    int count, phases;
    Rows *rows;
};

KnFit *kn_fit_open(int count, int phases)
{
    KN_ASSERT(count >= 1 && phases >= 1);
    KnFit *fit = calloc(1, sizeof *fit);
    if (!fit) return NULL;
    *fit = (KnFit){count, phases, calloc((size_t)phases, sizeof *fit->rows)};
    if (fit->rows) return fit;
    free(fit);
    return NULL;
}

void kn_fit_close(KnFit *fit)
{
    if (!fit) return;
    for (int i = 0; i < fit->phases; i++) {
        free(fit->rows[i].entries);
        free(fit->rows[i].ends);
        free(fit->rows[i].targets);
    }
    free(fit->rows);
    free(fit);
}

static bool make_room(Rows *rows, size_t entries)
{
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 1024;
        size_t *ends = realloc(rows->ends, room * sizeof *ends);
        if (ends) rows->ends = ends;
        double *targets = realloc(rows->targets, room * sizeof *targets);
        if (targets) rows->targets = targets;
        if (!ends || !targets) return false;
        rows->room = room;
    }
    if (rows->entry_count + entries > rows->entry_room) {
        size_t room = 2 * rows->entry_room + entries + 1024;
        Entry *larger = realloc(rows->entries, room * sizeof *larger);
        if (!larger) return false;
        rows->entries = larger;
        rows->entry_room = room;
    }
    return true;
}

bool kn_fit_add(KnFit *fit, int phase, const double *values, double target)
{
    KN_ASSERT(phase >= 0 && phase < fit->phases);
    Rows *rows = &fit->rows[phase];
    if (!make_room(rows, (size_t)fit->count)) return false;
    for (int i = 0; i < fit->count; i++)
        if (values[i] != 0) rows->entries[rows->entry_count++] = (Entry){values[i], i};
    KN_ASSERT(rows->entry_count <= rows->entry_room && rows->count < rows->room);
    rows->ends[rows->count] = rows->entry_count;
    rows->targets[rows->count++] = target;
    return true;
}

/* The fit of one phase: n free weights, from the feature `fixed` on. */
typedef struct Work {
    const Rows *rows;
    int count, fixed, n;
    double scale, ridge;
    double *matrix, *vector; /* n x n, n */
} Work;

static const Entry *row_of(const Work *w, size_t k, const Entry **end)
{
    *end = w->rows->entries + w->rows->ends[k];
    return w->rows->entries + (k ? w->rows->ends[k - 1] : 0);
}

static double predict(const Work *w, const Entry *row, const Entry *end, const double *weights)
{
    double sum = 0;
    for (; row < end; row++) sum += row->value * weights[row->feature];
    return kn_math_tanh(sum / w->scale);
}

static double loss(const Work *w, const double *weights)
{
    double total = 0;
    for (size_t k = 0; k < w->rows->count; k++) {
        const Entry *end, *row = row_of(w, k, &end);
        double error = predict(w, row, end, weights) - w->rows->targets[k];
        total += error * error;
    }
    return total;
}

static double penalty(const Work *w, const double *weights)
{
    double total = 0;
    for (int i = w->fixed; i < w->count; i++) total += weights[i] * weights[i];
    return w->ridge * total;
}

static void normal_equations(const Work *w, const double *weights)
{
    memset(w->matrix, 0, (size_t)w->n * (size_t)w->n * sizeof *w->matrix);
    for (int i = 0; i < w->n; i++) {
        w->matrix[i * w->n + i] = w->ridge;
        w->vector[i] = -w->ridge * weights[w->fixed + i];
    }
    for (size_t k = 0; k < w->rows->count; k++) {
        const Entry *end, *row = row_of(w, k, &end);
        double p = predict(w, row, end, weights), slope = (1 - p * p) / w->scale,
               error = p - w->rows->targets[k];
        for (const Entry *a = row; a < end; a++) {
            if (a->feature < w->fixed) continue;
            double x = slope * a->value, *into = w->matrix + (a->feature - w->fixed) * w->n;
            w->vector[a->feature - w->fixed] -= x * error;
            for (const Entry *b = row; b <= a; b++)
                if (b->feature >= w->fixed) into[b->feature - w->fixed] += x * slope * b->value;
        }
    }
}

/* Solves by Cholesky decomposition in place; the solution replaces the vector. The ridge makes the matrix
 * positive definite. */
static bool solve(const Work *w)
{
    double *m = w->matrix, *v = w->vector;
    int n = w->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = m[i * n + j];
            for (int k = 0; k < j; k++) sum -= m[i * n + k] * m[j * n + k];
            if (i == j && !(sum > 0)) return false;
            m[i * n + j] = i == j ? sqrt(sum) : sum / m[j * n + j];
        }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) v[i] -= m[i * n + k] * v[k];
        v[i] /= m[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) v[i] -= m[k * n + i] * v[k];
        v[i] /= m[i * n + i];
    }
    return true;
}

/* Gauss-Newton steps with backtracking: each step is halved until the loss decreases. */
static void descend(const Work *w, double *weights)
{
    double trial[w->count], best = loss(w, weights) + penalty(w, weights);
    for (int round = 0; round < ROUNDS; round++) {
        normal_equations(w, weights);
        if (!solve(w)) return;
        double part = 1, found = best;
        for (int half = 0; half < HALVINGS && found >= best; half++, part /= 2) {
            memcpy(trial, weights, sizeof trial);
            for (int i = 0; i < w->n; i++) trial[w->fixed + i] += part * w->vector[i];
            found = loss(w, trial) + penalty(w, trial);
        }
        if (found >= best) return;
        memcpy(weights, trial, sizeof trial);
        best = found;
    }
}

KnStatus kn_fit_solve(const KnFit *fit, double scale, double ridge, int fixed, double *weights,
                      double *before, double *after, KnError *error)
{
    KN_ASSERT(fixed >= 0 && fixed <= fit->count && scale > 0);
    int n = fit->count - fixed;
    double *room = malloc(((size_t)n * (size_t)n + (size_t)n) * sizeof *room), first = 0, last = 0;
    size_t samples = 0;
    if (!room) return kn_fail_memory(error, "fitting weights");
    for (int phase = 0; phase < fit->phases; phase++) {
        Work w = {&fit->rows[phase], fit->count, fixed, n, scale, ridge, room, room + (size_t)n * (size_t)n};
        double *row = weights + (size_t)phase * (size_t)fit->count;
        if (!w.rows->count) continue;
        first += loss(&w, row);
        descend(&w, row);
        last += loss(&w, row);
        samples += w.rows->count;
    }
    free(room);
    if (before) *before = samples ? first / (double)samples : 0;
    if (after) *after = samples ? last / (double)samples : 0;
    return KN_OK;
}
