#include "learn/relief.h"

#include <float.h>
#include <stdlib.h>

#include "base/assert.h"

/* All values scaled to 0..1, row by row. */
static float *scaled(const KnDataset *data)
{
    size_t width = (size_t)data->columns;
    float *values = malloc((data->rows * width + 1) * sizeof *values);
    for (size_t c = 0; values && c < width; c++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (size_t r = 0; r < data->rows; r++) {
            float value = data->values[r * width + c];
            if (value < low) low = value;
            if (value > high) high = value;
        }
        float range = high > low ? high - low : 1;
        for (size_t r = 0; r < data->rows; r++)
            values[r * width + c] = (data->values[r * width + c] - low) / range;
    }
    return values;
}

static float distance(const float *a, const float *b, size_t width)
{
    float sum = 0;
    for (size_t c = 0; c < width; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

KnStatus kn_relief(const KnDataset *data, size_t samples, KnRng *rng, double *weights, KnError *error)
{
    size_t width = (size_t)data->columns, positives = 0;
    for (size_t r = 0; r < data->rows; r++) positives += data->positive[r];
    if (positives < 2 || data->rows - positives < 2)
        return kn_fail(
            error, KN_INPUT,
            "RELIEF needs at least two examples of each class, and has %zu positive and %zu negative ones",
            positives, data->rows - positives);
    float *values = scaled(data);
    if (!values) return kn_fail_memory(error, "comparing examples");
    for (size_t c = 0; c < width; c++) weights[c] = 0;
    size_t taken = samples ? samples : data->rows;
    for (size_t s = 0; s < taken; s++) {
        size_t at = samples ? kn_rng_below(rng, (uint32_t)data->rows) : s, nearest[2] = {at, at};
        float least[2] = {FLT_MAX, FLT_MAX};
        for (size_t r = 0; r < data->rows; r++) {
            if (r == at) continue;
            int miss = data->positive[r] != data->positive[at];
            float d = distance(values + at * width, values + r * width, width);
            if (d < least[miss]) {
                least[miss] = d;
                nearest[miss] = r;
            }
        }
        KN_ASSERT(nearest[0] != at && nearest[1] != at);
        for (size_t c = 0; c < width; c++) {
            double own = values[at * width + c], hit = own - values[nearest[0] * width + c],
                   miss = own - values[nearest[1] * width + c];
            weights[c] += (miss * miss - hit * hit) / (double)taken;
        }
    }
    free(values);
    return KN_OK;
}
