#include "search/termset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "search/sheet_terms.h"

static const char features_name[] = "features";

static int own_values(const KnTermSet *self, const void *position, double *values)
{
    return self->own->values(self->game, position, values);
}

static int feature_values(const KnTermSet *self, const void *position, double *values)
{
    const KnGame *game = self->game;
    values[0] = 1;
    game->type->feature_values(game, position, game->type->mover(game, position), values + 1);
    for (int i = 1; i < self->count; i++) values[i] *= self->scales[i];
    return game->type->phase ? game->type->phase(game, position) : 0;
}

/* The features with a constant before them, and what to multiply them by. */
static KnStatus make_from_features(KnTermSet *terms, KnError *error)
{
    const KnGame *game = terms->game;
    terms->count = game->feature_count + 1;
    if (terms->count > KN_TERMS_MAX)
        return kn_fail(error, KN_INPUT, "%s has %d features; a linear evaluation takes up to %d", game->spec,
                       game->feature_count, KN_TERMS_MAX - 1);
    terms->made = calloc((size_t)terms->count, sizeof *terms->made);
    terms->scales = calloc((size_t)terms->count, sizeof *terms->scales);
    if (!terms->made || !terms->scales) return kn_fail_memory(error, "opening the terms of an evaluation");
    terms->made[0] = (KnFeature){"value of move", "1 for whoever has the move", 1, 1};
    for (int i = 1; i < terms->count; i++) {
        const KnFeature *feature = &game->features[i - 1];
        double reach = fmax(fabs(feature->low), fabs(feature->high));
        terms->scales[i] = reach > 0 ? 1 / reach : 1;
        terms->made[i] = (KnFeature){feature->name, feature->help, feature->low * terms->scales[i],
                                     feature->high * terms->scales[i]};
    }
    terms->name = features_name;
    terms->features = terms->made;
    terms->values = feature_values;
    return KN_OK;
}

static KnStatus unknown(const KnGame *game, const char *name, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (const KnTermTable *row = game->terms; row && row->name; row++)
        kn_text_printf(&known, "%s, ", row->name);
    kn_text_add(&known, game->feature_count || kn_game_gdl(game) ? features_name : "none");
    kn_fail(error, KN_INPUT, "%s has no terms \"%.60s\" for an evaluation; known: %s", game->spec, name,
            known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

static KnStatus fill(KnTermSet *terms, const char *name, KnError *error)
{
    const KnGame *game = terms->game;
    if (kn_game_gdl(game)) {
        terms->name = features_name;
        terms->phases = 1;
        return name && strcmp(name, features_name) != 0 ? unknown(game, name, error)
                                                        : kn_sheet_terms(terms, error);
    }
    if (game->traits & KN_GAME_SIMULTANEOUS)
        return kn_fail(
            error, KN_INPUT,
            "%s has simultaneous moves: a linear evaluation wants a game in which one has the move",
            game->spec);
    terms->phases = game->phases > 0 ? game->phases : 1;
    for (const KnTermTable *row = game->terms; row && row->name; row++) {
        if (name ? strcmp(name, row->name) != 0 : row->by_name) continue;
        terms->own = row;
        terms->name = row->name;
        terms->count = row->count;
        terms->fixed = row->fixed_count;
        terms->fixed_weights = row->fixed;
        terms->features = row->features;
        terms->values = own_values;
        return KN_OK;
    }
    if (name && strcmp(name, features_name) != 0) return unknown(game, name, error);
    if (!game->feature_count || !game->type->feature_values)
        return kn_fail(error, KN_INPUT, "%s has no features that an evaluation could weigh", game->spec);
    return make_from_features(terms, error);
}

KnStatus kn_termset_open(const KnGame *game, const char *name, KnTermSet **out, KnError *error)
{
    *out = NULL;
    KnTermSet *terms = calloc(1, sizeof *terms);
    if (!terms) return kn_fail_memory(error, "opening the terms of an evaluation");
    terms->game = game;
    KnStatus status = fill(terms, name, error);
    if (status == KN_OK)
        *out = terms;
    else
        kn_termset_close(terms);
    return status;
}

void kn_termset_close(KnTermSet *terms)
{
    if (!terms) return;
    free(terms->made);
    free(terms->scales);
    kn_sheet_terms_free(terms->sheet);
    free(terms);
}

int kn_termset_find(const KnTermSet *terms, const char *name)
{
    for (int i = 0; i < terms->count; i++)
        if (strcmp(terms->features[i].name, name) == 0) return i;
    return -1;
}
