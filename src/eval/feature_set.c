#include "eval/feature_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#include "games/gdl/gdl.h"
#include "eval/gdl_features.h"

static const char features_name[] = "features", state_name[] = "state";

static int own_values(const KnFeatureSet *self, const void *position, double *values)
{
    return self->own->values(self->game, position, values);
}

static int feature_values(const KnFeatureSet *self, const void *position, double *values)
{
    const KnGame *game = self->game;
    KN_ASSERT(self->scales && self->count == game->feature_count + 1);
    values[0] = 1;
    game->type->feature_values(game, position, game->type->mover(game, position), values + 1);
    for (int i = 1; i < self->count; i++) values[i] *= self->scales[i];
    return game->type->phase ? game->type->phase(game, position) : 0;
}

/* A constant, then the game's ordinary features with their scales. */
static KnStatus make_from_features(KnFeatureSet *set, KnError *error)
{
    const KnGame *game = set->game;
    set->count = game->feature_count + 1;
    if (set->count > KN_FEATURES_MAX)
        return kn_fail(error, KN_INPUT, "%s has %d features; a linear evaluation takes up to %d", game->spec,
                       game->feature_count, KN_FEATURES_MAX - 1);
    set->made = calloc((size_t)set->count, sizeof *set->made);
    set->scales = calloc((size_t)set->count, sizeof *set->scales);
    if (!set->made || !set->scales) return kn_fail_memory(error, "opening the features of an evaluation");
    set->made[0] = (KnFeature){"value of move", "1 for the role to move", 1, 1};
    for (int i = 1; i < set->count; i++) {
        const KnFeature *feature = &game->features[i - 1];
        double reach = fmax(fabs(feature->low), fabs(feature->high));
        set->scales[i] = reach > 0 ? 1 / reach : 1;
        set->made[i] = (KnFeature){feature->name, feature->help, feature->low * set->scales[i],
                                   feature->high * set->scales[i]};
    }
    set->name = features_name;
    set->features = set->made;
    set->values = feature_values;
    return KN_OK;
}

static KnStatus unknown(const KnGame *game, const char *name, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (const KnFeatureTable *row = game->feature_tables; row && row->name; row++)
        kn_text_printf(&known, "%s, ", row->name);
    kn_text_add(&known, kn_game_gdl(game) ? "features, state" : game->feature_count ? features_name : "none");
    kn_fail(error, KN_INPUT, "%s has no features \"%.60s\" for an evaluation; known: %s", game->spec, name,
            known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

static KnStatus fill(KnFeatureSet *set, const char *name, KnError *error)
{
    const KnGame *game = set->game;
    if (kn_game_gdl(game)) {
        bool state = name && strcmp(name, state_name) == 0;
        set->name = state ? state_name : features_name;
        set->phases = 1;
        return name && !state && strcmp(name, features_name) != 0 ? unknown(game, name, error)
                                                                  : kn_gdl_features(set, state, error);
    }
    if (game->traits & KN_GAME_SIMULTANEOUS)
        return kn_fail(error, KN_INPUT,
                       "%s has simultaneous moves: a linear evaluation needs a game with alternating moves",
                       game->spec);
    set->phases = game->phases > 0 ? game->phases : 1;
    for (const KnFeatureTable *row = game->feature_tables; row && row->name; row++) {
        if (name ? strcmp(name, row->name) != 0 : row->by_name) continue;
        KN_ASSERT(row->count >= 1 && row->count <= KN_FEATURES_MAX && row->fixed_count <= row->count);
        set->own = row;
        set->name = row->name;
        set->count = row->count;
        set->fixed = row->fixed_count;
        set->fixed_weights = row->fixed;
        set->features = row->features;
        set->values = own_values;
        return KN_OK;
    }
    if (name && strcmp(name, features_name) != 0) return unknown(game, name, error);
    if (!game->feature_count || !game->type->feature_values)
        return kn_fail(error, KN_INPUT, "%s has no features that an evaluation could weigh", game->spec);
    return make_from_features(set, error);
}

KnStatus kn_feature_set_open(const KnGame *game, const char *name, KnFeatureSet **out, KnError *error)
{
    *out = NULL;
    KnFeatureSet *set = calloc(1, sizeof *set);
    if (!set) return kn_fail_memory(error, "opening the features of an evaluation");
    set->game = game;
    KnStatus status = fill(set, name, error);
    if (status == KN_OK)
        *out = set;
    else
        kn_feature_set_close(set);
    return status;
}

void kn_feature_set_close(KnFeatureSet *set)
{
    if (!set) return;
    free(set->made);
    free(set->scales);
    kn_gdl_features_free(set->gdl);
    free(set);
}

int kn_feature_set_find(const KnFeatureSet *set, const char *name)
{
    for (int i = 0; i < set->count; i++)
        if (strcmp(set->features[i].name, name) == 0) return i;
    return -1;
}

int kn_feature_set_values(const KnFeatureSet *set, const void *position, int role, double *values)
{
    KN_ASSERT(role >= 0 && role < set->game->roles);
    if (set->values_for) return set->values_for(set, position, role, values);
    int phase = set->values(set, position, values);
    KN_ASSERT(phase >= 0 && phase < set->phases);
    if (set->game->type->mover(set->game, position) != role)
        for (int i = 0; i < set->count; i++) values[i] = -values[i];
    return phase;
}

static int larger_first(const void *a, const void *b)
{
    const KnContribution *x = a, *y = b;
    double difference = fabs(y->points) - fabs(x->points);
    return difference > 0 ? 1 : difference < 0 ? -1 : x->feature - y->feature;
}

void kn_feature_set_contributions(const double *values, const double *weights, int count,
                                  KnContribution *contributions)
{
    for (int i = 0; i < count; i++) contributions[i] = (KnContribution){i, values[i] * weights[i]};
    qsort(contributions, (size_t)count, sizeof *contributions, larger_first);
}

const char *kn_feature_set_unit(const KnFeatureSet *features)
{
    const KnGameType *type = features->game->type;
    return type->material && !type->points ? "hundredths of a man" : "hundredths of a point";
}
