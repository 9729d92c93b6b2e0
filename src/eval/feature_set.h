/* The features of a linear evaluation, opened for a game. They are one of:
 * - a table that the game provides (KnFeatureTable in games/game.h);
 * - a constant and the game's ordinary features, each divided by its range to make weights comparable;
 * - for a game in GDL whose two roles alternate, features that analysis derives from the rules
 * (gdl_features.h); the set "state" has only those that need no question to the rules.
 *
 * Values are for the role to move, or with `values_for` for any role. Weights have a row of `count` numbers
 * for each phase.
 *
 * Ownership: kn_feature_set_open / kn_feature_set_close; the game must outlive it. Read-only in between. */
#ifndef KNACK_EVAL_FEATURE_SET_H
#define KNACK_EVAL_FEATURE_SET_H

#include "games/game.h"

enum { KN_FEATURES_MAX = 1024 };

typedef struct KnFeatureSet KnFeatureSet;

struct KnFeatureSet {
    const KnGame *game;
    const char *name; /* "chinook"; "features" for the game's own */
    int count, phases;
    int fixed; /* number of features, from the first, whose weights are not learned */
    const KnFeature *features;
    const double *fixed_weights;
    int (*values)(const KnFeatureSet *self, const void *position, double *values); /* returns the phase */
    int (*values_for)(const KnFeatureSet *self, const void *position, int role,
                      double *values); /* games in GDL; otherwise NULL */
    double (*sum)(
        const KnFeatureSet *self, const void *position,
        const double *weights); /* the weighted sum for the first role where that is faster, or NULL */
    /* Private. */
    const KnFeatureTable *own;
    KnFeature *made;
    double *scales;
    struct KnGdlFeatures *gdl;
};

/* `name` NULL: the game's first table, or its ordinary features if it has no table. Fails if it has neither,
 * or no table of that name. */
KnStatus kn_feature_set_open(const KnGame *game, const char *name, KnFeatureSet **set, KnError *error);
void kn_feature_set_close(KnFeatureSet *set);

/* The index of a feature by its name; -1: there is none. */
int kn_feature_set_find(const KnFeatureSet *set, const char *name);

/* The values of all features for a role. Returns the phase. */
int kn_feature_set_values(const KnFeatureSet *set, const void *position, int role, double *values);

/* The contribution of a feature to the weighted sum. */
typedef struct KnContribution {
    int feature;
    double points;
} KnContribution;

/* The contributions of `count` features, the largest absolute value first, ties by index. */
void kn_feature_set_contributions(const double *values, const double *weights, int count,
                                  KnContribution *contributions);

/* What a weight is worth: "hundredths of a man" where the game has men to count, otherwise "hundredths of a
 * point". */
const char *kn_feature_set_unit(const KnFeatureSet *features);

#endif
