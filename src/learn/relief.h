/* RELIEF (Kira and Rendell 1992): which features have to do with the class.
 *
 * For each example of a sample, its nearest neighbour of the same class (hit) and of the other (miss) are
 * found. A feature that differs between an example and its miss speaks of the class, one that differs from
 * its hit does not: its weight is the mean square of the one difference less that of the other, with each
 * feature's range scaled to 1. Features whose weight reaches a threshold are kept. */
#ifndef KNACK_LEARN_RELIEF_H
#define KNACK_LEARN_RELIEF_H

#include "base/rng.h"
#include "learn/dataset.h"

/* Fills weights, a place a column, from the dataset's values; `samples` examples are drawn (0: all are taken
 * once). Both classes must occur. */
KnStatus kn_relief(const KnDataset *data, size_t samples, KnRng *rng, double *weights, KnError *error);

#endif
