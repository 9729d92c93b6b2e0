#include "eval/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

typedef struct Linear {
    const KnFeatureSet *features;
    const double *weights;
    KnWeights *own; /* NULL if features and weights belong to the caller */
    int set;        /* the set that the spec names, or -1 */
} Linear;

/* A dot product with four independent sums, so that additions overlap. */
static inline double product(const double *a, const double *b, int count)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < count; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

double kn_linear_sum(const KnFeatureSet *features, const double *weights, const void *position)
{
    if (features->own && features->own->sum) return features->own->sum(features->game, position, weights);
    double values[features->count];
    int phase = features->values(features, position, values);
    KN_ASSERT(phase >= 0 && phase < features->phases);
    return product(values, weights + (size_t)phase * (size_t)features->count, features->count);
}

static KnScore round_sum(double sum)
{
    const double bound = KN_SCORE_HEURISTIC - 1;
    if (!(sum < bound)) return (KnScore)bound;
    if (!(sum > -bound)) return (KnScore)-bound;
    return (KnScore)(sum < 0 ? sum - 0.5 : sum + 0.5);
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    const Linear *linear = self->data;
    return round_sum(kn_linear_sum(linear->features, linear->weights, position));
}

/* For games in GDL, which have no single mover. */
static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    const Linear *linear = self->data;
    const KnFeatureSet *features = linear->features;
    double values[features->count];
    int phase = features->values_for(features, position, role, values);
    return round_sum(
        product(values, linear->weights + (size_t)phase * (size_t)features->count, features->count));
}

static void close(KnEvaluation *self)
{
    Linear *linear = self->data;
    if (linear) kn_weights_free(linear->own);
    free(linear);
}

/* Selects the set of the searching role, unless the spec names one. */
static void set_role(KnEvaluation *self, int role)
{
    Linear *linear = self->data;
    KN_ASSERT(linear->own && role >= 0 && role < self->game->roles);
    if (linear->set >= 0) return;
    int set = kn_weights_find(linear->own, self->game->role_names[role]);
    linear->weights = linear->own->sets[set < 0 ? 0 : set].weights;
}

static KnStatus choose_set(Linear *linear, const char *name, const char *set, KnError *error)
{
    linear->set = set ? kn_weights_find(linear->own, set) : -1;
    if (!set || linear->set >= 0) {
        linear->weights = linear->own->sets[set ? linear->set : 0].weights;
        return KN_OK;
    }
    KnText known = KN_TEXT_EMPTY;
    for (int i = 0; i < linear->own->count; i++)
        kn_text_printf(&known, "%s%s", i ? ", " : "", linear->own->sets[i].name);
    kn_fail(error, KN_INPUT, "the weights %s have no set \"%.60s\"; known: %s", name, set, known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

/* Every feature with a contribution for `role`, the largest first. */
static void explain(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent)
{
    const Linear *linear = self->data;
    const KnFeatureSet *features = linear->features;
    double values[features->count], total = 0;
    KnContribution parts[features->count];
    int phase = kn_feature_set_values(features, position, role, values);
    const double *weights = linear->weights + (size_t)phase * (size_t)features->count;
    for (int i = 0; i < features->count; i++) total += values[i] * weights[i];
    kn_feature_set_contributions(values, weights, features->count, parts);
    double reach = fmax(fabs(parts[0].points), 1);
    kn_explanation_text(arena, parent, "sum",
                        kn_arena_printf(arena, "%+.2f %s, phase %d of %d", total,
                                        kn_feature_set_unit(features), phase + 1, features->phases));
    for (int k = 0; k < features->count && parts[k].points != 0; k++) {
        int i = parts[k].feature;
        const char *label = kn_arena_printf(arena, "%s: %g x %.4g", features->features[i].name, values[i],
                                            weights[i]);
        kn_explanation_bar(arena, parent, label, parts[k].points, -reach, reach, "");
    }
}

/* What each feature adds for a role at a position. */
static void contributions(const Linear *linear, const void *position, int role, double *points)
{
    const KnFeatureSet *features = linear->features;
    int phase = kn_feature_set_values(features, position, role, points);
    const double *weights = linear->weights + (size_t)phase * (size_t)features->count;
    for (int i = 0; i < features->count; i++) points[i] *= weights[i];
}

/* Features that have changed what they add, the largest change first. */
static void compare(const KnEvaluation *self, const void *before, const void *after, int role, KnArena *arena,
                    KnExplanation *parent)
{
    enum { SHOWN = 8 };
    const Linear *linear = self->data;
    int count = linear->features->count;
    double then[count], now[count], ones[count];
    KnContribution parts[count];
    contributions(linear, before, role, then);
    contributions(linear, after, role, now);
    for (int i = 0; i < count; i++) now[i] -= then[i], ones[i] = 1;
    kn_feature_set_contributions(now, ones, count, parts);
    for (int k = 0; k < count && k < SHOWN && parts[k].points != 0; k++)
        kn_explanation_number(arena, parent, linear->features->features[parts[k].feature].name,
                              parts[k].points, "points");
}

static KnStatus open(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    Linear *linear = evaluation->data = calloc(1, sizeof *linear);
    evaluation->close = close;
    evaluation->score = score;
    evaluation->explain = explain;
    evaluation->compare = compare;
    if (!linear) return kn_fail_memory(error, "opening an evaluation");
    const char *name = kn_option_string(options, "weights");
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(evaluation->game->context, name, &path);
    KnStatus status = kn_weights_open(evaluation->game, path.data, &linear->own, error);
    kn_text_free(&path);
    if (status != KN_OK) return status;
    linear->features = linear->own->features;
    if (linear->features->values_for) evaluation->score_for = score_for;
    evaluation->set_role = set_role;
    return choose_set(linear, name, kn_option_string(options, "set"), error);
}

static const KnOption options_table[] = {
    {"weights", KN_OPTION_STRING, NULL, 0, 0, KN_OPTION_FILE,
     "a name (zero, one, chinook-original, ...) or a file of weights"},
    {"set", KN_OPTION_STRING, "", 0, 0, NULL,
     "the set of the file to use (default: that of the searching role, or the first)"},
    {0}};

const KnEvaluationType kn_evaluation_features = {
    {"features", "the game's features, weighted by phase and added up", options_table}, open};

KnStatus kn_linear_open(const KnFeatureSet *features, const double *weights, KnEvaluation **out,
                        KnError *error)
{
    *out = NULL;
    KnEvaluation *evaluation = kn_evaluation_new(features->game, "features");
    Linear *linear = calloc(1, sizeof *linear);
    if (!evaluation || !linear) {
        kn_evaluation_close(evaluation);
        free(linear);
        return kn_fail_memory(error, "opening an evaluation");
    }
    *linear = (Linear){.features = features, .weights = weights};
    evaluation->score = score;
    evaluation->score_for = features->values_for ? score_for : NULL;
    evaluation->explain = explain;
    evaluation->compare = compare;
    evaluation->close = close;
    evaluation->data = linear;
    *out = evaluation;
    return KN_OK;
}

void kn_linear_point(KnEvaluation *evaluation, const double *weights)
{
    ((Linear *)evaluation->data)->weights = weights;
}
