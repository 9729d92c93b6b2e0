/* Features of a linear evaluation for games in GDL with two opposed roles that take turns, derived by
 * analysis of the rules. All are antisymmetric: for the other role they have the opposite sign, as values of
 * a zero-sum game must.
 *
 * - `value of move`: 1 for the role that has a choice
 * - `moves`: its number of legal moves less one, as a share of its feasible moves
 * - `goal`: the difference of the goal values that the rules give before the end
 * - a feature for each content of a board (`cell: x`): the number of cells that hold it
 * - a feature for each fact, 1 where it is true (none if there are more than 900).
 *
 * Where analysis proves that the roles are symmetric, the x of one role is the o of the other. Then both
 * share one feature, the count of one less the count of the other, and facts that map to themselves have
 * none. Turn markers and step counters have none either.
 *
 * With `state_only` there are no `moves` and no `goal`, which the rules must be asked for, and `value of
 * move` is read from turn markers (0 if there are none): a value costs as much as there are facts.
 *
 * Ownership: kn_gdl_features fills the `gdl` part of a feature set, kn_gdl_features_free frees it. */
#ifndef KNACK_EVAL_GDL_FEATURES_H
#define KNACK_EVAL_GDL_FEATURES_H

#include "eval/feature_set.h"

typedef struct KnGdlFeatures KnGdlFeatures;

/* For a game in GDL. Fails with the reason if the roles do not take turns. */
KnStatus kn_gdl_features(KnFeatureSet *set, bool state_only, KnError *error);
void kn_gdl_features_free(KnGdlFeatures *gdl);

#endif
