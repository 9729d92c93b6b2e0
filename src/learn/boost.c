#include "learn/boost.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void kn_boost_free(KnBoost *boost)
{
    if (!boost) return;
    for (int t = 0; t < boost->count; t++) kn_tree_free(boost->trees[t]);
    free(boost->trees);
    free(boost);
}

double kn_boost_predict(const KnBoost *boost, const double *values)
{
    double sum = 0;
    for (int t = 0; t < boost->count; t++)
        sum += kn_leaf_mean(boost->trees[t], kn_tree_leaf(boost->trees[t], values));
    return boost->base + boost->rate * sum;
}

/* The residuals after one more tree. The original values choose the leaf, as in use, not the codes. */
static void subtract_tree(KnDataset *data, const KnTree *tree, double rate)
{
    double values[data->columns];
    for (size_t r = 0; r < data->rows; r++) {
        const float *row = data->values + r * (size_t)data->columns;
        for (int c = 0; c < data->columns; c++) values[c] = row[c];
        data->target[r] -= rate * kn_leaf_mean(tree, kn_tree_leaf(tree, values));
    }
}

static size_t draw_rows(const KnDataset *data, double share, KnRng *rng, uint32_t *rows)
{
    size_t count = 0;
    for (size_t r = 0; r < data->rows; r++)
        if (share >= 1 || kn_rng_real(rng) < share) rows[count++] = (uint32_t)r;
    return count;
}

KnStatus kn_boost_learn(KnDataset *data, const KnBoostPlan *plan, KnRng *rng, KnBoost **out, KnError *error)
{
    KN_ASSERT(plan->rounds >= 0 && plan->share > 0 && data->rows <= UINT32_MAX);
    *out = NULL;
    KnBoost *boost = calloc(1, sizeof *boost);
    double *kept = malloc((data->rows + 1) * sizeof *kept);
    uint32_t *rows = malloc((data->rows + 1) * sizeof *rows);
    if (boost) boost->trees = calloc((size_t)plan->rounds + 1, sizeof *boost->trees);
    KnStatus status = boost && boost->trees && kept && rows ? KN_OK : kn_fail_memory(error, "boosting trees");
    if (status == KN_OK) {
        memcpy(kept, data->target, data->rows * sizeof *kept);
        boost->rate = plan->rate;
        for (size_t r = 0; r < data->rows; r++) boost->base += data->target[r];
        if (data->rows) boost->base /= (double)data->rows;
        for (size_t r = 0; r < data->rows; r++) data->target[r] -= boost->base;
    }
    for (int t = 0; t < plan->rounds && status == KN_OK; t++) {
        KnTreePlan grow = {.measure = KN_TREE_VARIANCE,
                           .cuts = true,
                           .depth = plan->depth,
                           .least = plan->least,
                           .rows = rows};
        grow.row_count = draw_rows(data, plan->share, rng, rows);
        KN_ASSERT(grow.row_count <= data->rows && boost->count == t);
        status = kn_tree_grow(data, &grow, &boost->trees[t], error);
        if (status == KN_OK) subtract_tree(data, boost->trees[boost->count++], plan->rate);
    }
    if (kept && status == KN_OK) memcpy(data->target, kept, data->rows * sizeof *kept);
    free(kept);
    free(rows);
    if (status == KN_OK)
        *out = boost;
    else
        kn_boost_free(boost);
    return status;
}
