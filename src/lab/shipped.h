/* Results that travel with the program, and what a reader is shown: those beside what was measured here.
 *
 * data/embed/results/EXPERIMENT.SCALE.SEED.json are results as kn_lab_run saves them, sealed. `make results`
 * measures them; data/results.txt says at which scale, and from which commit each one is.
 *
 * Ownership: results are new references of the caller's. */
#ifndef KNACK_LAB_SHIPPED_H
#define KNACK_LAB_SHIPPED_H

#include "lab/lab.h"

/* All shipped results, by name. A file that has not the form of a result is an error: the program was built
 * from damaged files. */
KnStatus kn_lab_shipped(json_t **results, KnError *error);

/* One result an experiment, by name, of those that were shipped and those that were measured here: the one at
 * the larger scale, of two at the same scale the one measured here. Its member "origin" is "shipped" or
 * "here". Where there are both, the other one is its member "beside". Scale and seed as in kn_lab_results. */
KnStatus kn_lab_shown(const KnContext *context, const KnScale *scale, const uint64_t *seed, json_t **results,
                      KnError *error);

#endif
