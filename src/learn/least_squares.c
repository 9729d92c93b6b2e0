#include "learn/least_squares.h"

#include <math.h>

#include "base/assert.h"

/* The update of Welford (1962) for means and products: numerically stable for any means. */
void kn_squares_add(KnSquares *s, const double *values, double target)
{
    int n = s->columns;
    KN_ASSERT(n >= 0 && n <= KN_SQUARES_COLUMNS);
    double before[KN_SQUARES_COLUMNS + 1], after[KN_SQUARES_COLUMNS + 1];
    s->count++;
    for (int i = 0; i <= n; i++) {
        double value = i < n ? values[i] : target;
        before[i] = value - s->mean[i];
        s->mean[i] += before[i] / (double)s->count;
        after[i] = value - s->mean[i];
    }
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) s->cross[i][j] += before[i] * after[j];
}

/* Cholesky decomposition; a zero pivot drops its column. */
static void solve(double a[][KN_SQUARES_COLUMNS], const double *b, int n, double *x)
{
    double l[KN_SQUARES_COLUMNS][KN_SQUARES_COLUMNS] = {{0}}, y[KN_SQUARES_COLUMNS];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j)
                l[i][i] = sum > 1e-12 * a[i][i] && sum > 0 ? sqrt(sum) : 0;
            else
                l[i][j] = l[j][j] > 0 ? sum / l[j][j] : 0;
        }
        double sum = b[i];
        for (int k = 0; k < i; k++) sum -= l[i][k] * y[k];
        y[i] = l[i][i] > 0 ? sum / l[i][i] : 0;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = y[i];
        for (int k = i + 1; k < n; k++) sum -= l[k][i] * x[k];
        x[i] = l[i][i] > 0 ? sum / l[i][i] : 0;
    }
}

double kn_squares_solve(const KnSquares *s, double ridge, double *weights, double *bias)
{
    int n = s->columns;
    KN_ASSERT(n >= 0 && n <= KN_SQUARES_COLUMNS && ridge >= 0);
    double a[KN_SQUARES_COLUMNS][KN_SQUARES_COLUMNS], b[KN_SQUARES_COLUMNS];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i][j] = (s->cross[i][j] + s->cross[j][i]) / 2;
        a[i][i] *= 1 + ridge;
        b[i] = (s->cross[i][n] + s->cross[n][i]) / 2;
    }
    solve(a, b, n, weights);
    *bias = s->mean[n];
    double explained = 0, total = s->cross[n][n];
    for (int i = 0; i < n; i++) {
        *bias -= weights[i] * s->mean[i];
        explained += 2 * weights[i] * b[i];
        for (int j = 0; j < n; j++)
            explained -= weights[i] * weights[j] * (s->cross[i][j] + s->cross[j][i]) / 2;
    }
    return total > 0 ? explained / total : 0;
}
