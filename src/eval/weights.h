/* Weights of a linear evaluation, and their files. Weights come in one or more named sets (one `shared`; or
 * one for each role, search depth or opening), each with a number for every feature and phase.
 *
 * A file is readable JSON: the game, the name of the features (key "terms"), and for each set a row for each
 * feature with its weights by phase, in hundredths of a man; learned weights also have their numbers of
 * updates. Reals are written exactly, so a saved evaluation plays the same after loading. A file for another
 * game, for other rules or another board of the same game, or for other features is an error.
 *
 * These names are not files: `zero` and `one` (all learned weights are 0, or 1) for any game, and the weights
 * that are embedded in the library (data/embed/weights).
 *
 * Ownership: kn_weights_free frees the sets, the features and the JSON parts. */
#ifndef KNACK_EVAL_WEIGHTS_H
#define KNACK_EVAL_WEIGHTS_H

#include <jansson.h>

#include "eval/feature_set.h"

enum { KN_WEIGHT_SETS_MAX = 64, KN_WEIGHT_NAME = 48 };

typedef struct KnWeightSet {
    char name[KN_WEIGHT_NAME];
    double *weights;   /* phases x count */
    uint64_t *updates; /* phases x count: how often learning changed each weight */
} KnWeightSet;

typedef struct KnWeights {
    KnFeatureSet *features;
    int count;
    KnWeightSet sets[KN_WEIGHT_SETS_MAX];
    json_t *made;  /* how they were made, for readers; may be NULL */
    json_t *state; /* of a learner that can resume; may be NULL */
} KnWeights;

/* Sets with these names, all zero except for the fixed weights. `features` NULL: the game's default. */
KnStatus kn_weights_new(const KnGame *game, const char *features, const char *const *names, int count,
                        KnWeights **weights, KnError *error);

/* Whether this is one of the names above, not a file. */
bool kn_weights_named(const char *name);

/* Opens weights by name or from a file. */
KnStatus kn_weights_open(const KnGame *game, const char *name, KnWeights **weights, KnError *error);
void kn_weights_free(KnWeights *weights);

/* The index of a set by its name; -1: there is none. */
int kn_weights_find(const KnWeights *weights, const char *set);

/* Writes the file as text, or to disk (atomically); parses one. */
void kn_weights_text(const KnWeights *weights, KnText *out);
KnStatus kn_weights_save(const KnWeights *weights, const char *path, KnError *error);
KnStatus kn_weights_parse(const KnGame *game, const void *bytes, size_t size, const char *name,
                          KnWeights **weights, KnError *error);

static inline size_t kn_weights_size(const KnFeatureSet *features)
{
    return (size_t)features->phases * (size_t)features->count;
}

#endif
