/* Weights of a linear evaluation: one or more named sets of them (one `shared`; or one a role, one a search
 * depth, one an opening), each with a number for every term and phase, and files that keep them.
 *
 * A file is JSON that people can read: the game, the terms, for each set a row a term with its weights by
 * phase, in hundredths of a man, and if they were learned how often each was updated. Reals are written
 * exactly: what is read back plays the same. A file for another game or other terms is refused.
 *
 * Names that are no files: `zero` and `one` (all that are learned are 0, or 1) for any game, and those that
 * travel with the library (data/embed/weights).
 *
 * Ownership: kn_weights_free frees sets, terms and provenance. */
#ifndef KNACK_SEARCH_WEIGHTS_H
#define KNACK_SEARCH_WEIGHTS_H

#include <jansson.h>

#include "search/termset.h"

enum { KN_WEIGHT_SETS_MAX = 64, KN_WEIGHT_NAME = 48 };

typedef struct KnWeightSet {
    char name[KN_WEIGHT_NAME];
    double *weights;   /* phases x count */
    uint64_t *updates; /* likewise: how often learning changed each */
} KnWeightSet;

typedef struct KnWeights {
    KnTermSet *terms;
    int count;
    KnWeightSet sets[KN_WEIGHT_SETS_MAX];
    json_t *made;  /* how, for people; may be NULL */
    json_t *state; /* of a learner, to go on from; may be NULL */
} KnWeights;

/* Sets of these names, all zero except for what is fixed. `terms` NULL: the game's default. */
KnStatus kn_weights_new(const KnGame *game, const char *terms, const char *const *names, int count,
                        KnWeights **weights, KnError *error);

/* Whether it is one of those names, and not a file's. */
bool kn_weights_named(const char *name);

/* By a name or from a file. */
KnStatus kn_weights_open(const KnGame *game, const char *name, KnWeights **weights, KnError *error);
void kn_weights_free(KnWeights *weights);

/* The place of a set, -1 if there is none of that name. */
int kn_weights_find(const KnWeights *weights, const char *set);

/* The file, as text and on disk (all or nothing). */
void kn_weights_text(const KnWeights *weights, KnText *out);
KnStatus kn_weights_save(const KnWeights *weights, const char *path, KnError *error);
KnStatus kn_weights_parse(const KnGame *game, const void *bytes, size_t size, const char *name,
                          KnWeights **weights, KnError *error);

static inline size_t kn_weights_size(const KnTermSet *terms)
{
    return (size_t)terms->phases * (size_t)terms->count;
}

#endif
