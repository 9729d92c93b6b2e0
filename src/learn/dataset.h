/* Examples as a learner sees them: rows of small codes, with a class and a target.
 *
 * A column's values are cut into at most KN_DATASET_CODES ranges, code c holding the values in (upper[c - 1],
 * upper[c]]: one range a value where there are few enough of them, else ranges with about as many examples
 * each. Ranges are made from the examples, so that learners need not know what a column means.
 *
 * Ownership: kn_dataset_new / kn_dataset_free; names are copied. Rows are added first, then kn_dataset_code
 * is called once. */
#ifndef KNACK_LEARN_DATASET_H
#define KNACK_LEARN_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { KN_DATASET_CODES = 64 };

typedef struct KnColumn {
    char *name;
    int codes;
    double upper[KN_DATASET_CODES]; /* of each code; the last one stands for all beyond, too */
} KnColumn;

typedef struct KnDataset {
    int columns;
    KnColumn *column;
    size_t rows, capacity;
    float *values;  /* row by row, until they are coded */
    uint8_t *codes; /* row by row */
    uint8_t *positive;
    double *target;
} KnDataset;

KnDataset *kn_dataset_new(int columns, const char *const *names, size_t rows,
                          KnError *error); /* room for so many rows */
void kn_dataset_free(KnDataset *data);

/* Must not be called more often than there is room. */
void kn_dataset_add(KnDataset *data, const double *values, bool positive, double target);

/* Makes the columns' ranges and codes all rows. */
KnStatus kn_dataset_code(KnDataset *data, KnError *error);

static inline const uint8_t *kn_dataset_row(const KnDataset *data, size_t row)
{
    return data->codes + row * (size_t)data->columns;
}

#endif
