/* A table of examples for learners: rows of small codes, with a class and a target.
 *
 * Each column is discretised into at most KN_DATASET_CODES ranges; code c stands for the values in (upper[c -
 * 1], upper[c]]. A column with few distinct values has one range for each, another column has ranges with
 * about equally many examples (equal-frequency binning). The ranges come from the examples, so learners need
 * not know the meaning of a column.
 *
 * Ownership: kn_dataset_new / kn_dataset_free; names are copied. Add the rows first, then call
 * kn_dataset_code once. */
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
    double upper[KN_DATASET_CODES]; /* of each code; the last code also holds all larger values */
} KnColumn;

typedef struct KnDataset {
    int columns;
    KnColumn *column;
    size_t rows, capacity;
    float *values;  /* row by row, as added */
    uint8_t *codes; /* row by row */
    uint8_t *positive;
    double *target;
} KnDataset;

/* An empty dataset with room for `rows` rows. */
KnDataset *kn_dataset_new(int columns, const char *const *names, size_t rows, KnError *error);
void kn_dataset_free(KnDataset *data);

/* Adds a row; there must be room for it. */
void kn_dataset_add(KnDataset *data, const double *values, bool positive, double target);

/* Computes the ranges of all columns and the codes of all rows. */
KnStatus kn_dataset_code(KnDataset *data, KnError *error);

static inline const uint8_t *kn_dataset_row(const KnDataset *data, size_t row)
{
    return data->codes + row * (size_t)data->columns;
}

#endif
