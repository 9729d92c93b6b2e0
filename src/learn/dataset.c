#include "learn/dataset.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

KnDataset *kn_dataset_new(int columns, const char *const *names, size_t rows, KnError *error)
{
    KnDataset *data = calloc(1, sizeof *data);
    if (!data) {
        kn_fail_memory(error, "making a dataset");
        return NULL;
    }
    size_t cells = rows * (size_t)columns;
    data->columns = columns;
    data->capacity = rows;
    data->column = calloc((size_t)columns + 1, sizeof *data->column);
    data->values = malloc((cells + 1) * sizeof *data->values);
    data->codes = malloc(cells + 1);
    data->positive = malloc(rows + 1);
    data->target = malloc((rows + 1) * sizeof *data->target);
    bool named = data->column != NULL;
    for (int c = 0; c < columns && named; c++) named = (data->column[c].name = strdup(names[c])) != NULL;
    if (named && data->values && data->codes && data->positive && data->target) return data;
    kn_dataset_free(data);
    kn_fail_memory(error, "making a dataset");
    return NULL;
}

void kn_dataset_free(KnDataset *data)
{
    if (!data) return;
    for (int c = 0; data->column && c < data->columns; c++) free(data->column[c].name);
    free(data->column);
    free(data->values);
    free(data->codes);
    free(data->positive);
    free(data->target);
    free(data);
}

void kn_dataset_add(KnDataset *data, const double *values, bool positive, double target)
{
    KN_ASSERT(data->rows < data->capacity);
    float *row = data->values + data->rows * (size_t)data->columns;
    for (int c = 0; c < data->columns; c++) row[c] = (float)values[c];
    data->positive[data->rows] = positive;
    data->target[data->rows++] = target;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The ranges of one column, from its sorted values. */
static void make_ranges(KnColumn *column, const float *sorted, size_t count)
{
    size_t distinct = count > 0;
    for (size_t i = 1; i < count; i++) distinct += sorted[i] != sorted[i - 1];
    column->codes = 0;
    size_t wanted = distinct <= KN_DATASET_CODES ? 0 : count / KN_DATASET_CODES + 1, since = 0;
    for (size_t i = 0; i < count; i++) {
        since++;
        bool last = i + 1 == count;
        if (last || (sorted[i] != sorted[i + 1] && since >= wanted)) {
            column->upper[column->codes++] = sorted[i];
            since = 0;
        }
        if (column->codes == KN_DATASET_CODES) break;
    }
    if (!column->codes) column->upper[column->codes++] = 0;
    KN_ASSERT(column->codes >= 1 && column->codes <= KN_DATASET_CODES);
}

static uint8_t code_of(const KnColumn *column, float value)
{
    int low = 0, high = column->codes - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (value <= column->upper[middle])
            high = middle;
        else
            low = middle + 1;
    }
    KN_ASSERT(low >= 0 && low < column->codes);
    return (uint8_t)low;
}

KnStatus kn_dataset_code(KnDataset *data, KnError *error)
{
    float *sorted = malloc((data->rows + 1) * sizeof *sorted);
    if (!sorted) return kn_fail_memory(error, "sorting examples");
    for (int c = 0; c < data->columns; c++) {
        for (size_t r = 0; r < data->rows; r++)
            sorted[r] = data->values[r * (size_t)data->columns + (size_t)c];
        qsort(sorted, data->rows, sizeof *sorted, by_value);
        make_ranges(&data->column[c], sorted, data->rows);
        for (size_t r = 0; r < data->rows; r++) {
            size_t at = r * (size_t)data->columns + (size_t)c;
            data->codes[at] = code_of(&data->column[c], data->values[at]);
        }
    }
    free(sorted);
    return KN_OK;
}
