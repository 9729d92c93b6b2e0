/* RELIEF (Kira and Rendell 1992): feature weights that measure relevance for the class.
 *
 * For each example of a sample, RELIEF finds the nearest neighbour of the same class (near-hit) and of the
 * other class (near-miss). A relevant feature differs from the near-miss and agrees with the near-hit: its
 * weight is the mean squared difference to the near-miss less that to the near-hit, with the range of each
 * feature scaled to 1. The caller keeps features whose weight reaches a threshold. */
#ifndef KNACK_LEARN_RELIEF_H
#define KNACK_LEARN_RELIEF_H

#include <knack/base.h>
#include "learn/dataset.h"

/* Stores a weight for each column of the dataset. It draws `samples` examples (0: it takes each once). Fails
 * unless each class has at least two examples. */
KnStatus kn_relief(const KnDataset *data, size_t samples, KnRng *rng, double *weights, KnError *error);

#endif
