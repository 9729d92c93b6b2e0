#include "methods/hoyle/patsy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/hoyle.h"

enum { VALUE_UNIT = 10000, MINIMUM = 3, SHOWN = 6 };

KnStatus kn_patsy_open(HoyleKnowledge *knowledge, KnError *error)
{
    const Settings *settings = &knowledge->settings;
    if (!settings->patterns) return KN_OK;
    if (!(knowledge->patsy = calloc(1, sizeof *knowledge->patsy)))
        return kn_fail_memory(error, "learning patterns");
    int start = (int)(settings->start * WEIGHT_UNIT + 0.5);
    for (int stage = 0; stage < KN_BOARD_STAGES; stage++) knowledge->patsy->weight[stage] = start;
    KnSpatialSettings spatial = {
        .field_of_view = settings->field_of_view, .minimum = MINIMUM, .draw = settings->draw, .start = start};
    return kn_spatial_open(knowledge->view, knowledge->lines, &spatial, &knowledge->patsy->spatial, error);
}

void kn_patsy_close(Patsy *patsy)
{
    if (!patsy) return;
    kn_spatial_close(patsy->spatial);
    free(patsy);
}

KnStatus kn_patsy_comments_open(Decision *decision, KnError *error)
{
    if (!decision->knowledge->patsy) return KN_OK;
    SpatialComments *s = decision->spatial = calloc(1, sizeof *s);
    if (s) s->strengths = calloc((size_t)decision->capacity * SPATIAL_TIER, sizeof(int));
    if (s) s->cause = calloc((size_t)decision->capacity, sizeof *s->cause);
    return s && s->strengths && s->cause ? KN_OK : kn_fail_memory(error, "laying out a decision");
}

void kn_patsy_comments_close(Decision *decision)
{
    if (!decision->spatial) return;
    free(decision->spatial->strengths);
    free(decision->spatial->cause);
    free(decision->spatial->found);
    free(decision->spatial);
}

KnStatus kn_patsy_learn(Patsy *patsy, const KnPlayedGame *played, KnError *error)
{
    if (!patsy) return KN_OK;
    KnStatus status = kn_spatial_gather(patsy->spatial, played, error);
    if (status == KN_OK && kn_spatial_games(patsy->spatial) % KN_SWEEP == 0)
        status = kn_spatial_sweep(patsy->spatial, false, error);
    return status;
}

KnStatus kn_patsy_freeze(Patsy *patsy, KnError *error)
{
    return patsy ? kn_spatial_sweep(patsy->spatial, true, error) : KN_OK;
}

/* ---- Comments ---- */

static int *row(const Decision *decision, int advisor)
{
    return decision->spatial->strengths + (size_t)advisor * (size_t)decision->capacity;
}

static int weight_of(const Decision *decision, int advisor)
{
    const Patsy *patsy = decision->knowledge->patsy;
    return advisor ? patsy->spatial->concept[advisor - 1].weight : patsy->weight[decision->stage];
}

static int advisor_count(const Decision *decision)
{
    return decision->knowledge->patsy ? 1 + decision->knowledge->patsy->spatial->concepts : 0;
}

static bool make_room(SpatialComments *comments, size_t room)
{
    if (comments->room >= room) return true;
    uint32_t *more = realloc(comments->found, room * sizeof *more);
    if (!more) return false;
    comments->found = more;
    comments->room = room;
    return true;
}

/* What making or breaking patterns of a concept means to the mover. */
static int made_or_broken(const KnSpatial *spatial, int concept, int role, int before, int after)
{
    int sign = kn_concept_sign(spatial, &spatial->concept[concept], role);
    return before == after || !sign ? SILENT : (after > before) == (sign > 0) ? HEAVY : 0;
}

void kn_patsy_comment(Decision *decision)
{
    const Patsy *patsy = decision->knowledge->patsy;
    if (!patsy) return;
    const KnSpatial *spatial = patsy->spatial;
    SpatialComments *comments = decision->spatial;
    int count = advisor_count(decision), before[KN_CONCEPTS], after[KN_CONCEPTS], values[decision->count];
    double value;
    for (int v = 0; v < count; v++)
        for (int i = 0; i < decision->count; i++) row(decision, v)[i] = SILENT;
    if (!make_room(comments, kn_spatial_room(spatial) + 1)) return; /* nothing can be said, then */
    kn_spatial_read(spatial, decision->cells, decision->stage, decision->role, comments->found, &value,
                    before);
    for (int i = 0; i < decision->count; i++) {
        values[i] = 0;
        comments->cause[i] = NULL;
        if (decision->consequences[i].out) continue;
        comments->cause[i] = kn_spatial_read(spatial, kn_decision_cells_after(decision, i), decision->stage,
                                             decision->role, comments->found, &value, after);
        values[i] = (int)lround(value * VALUE_UNIT);
        for (int c = 0; c < spatial->concepts; c++)
            row(decision, 1 + c)[i] = made_or_broken(spatial, c, decision->role, before[c], after[c]);
    }
    kn_strengths_scale(decision, values, row(decision, 0));
}

void kn_patsy_vote(const Decision *decision, long *votes)
{
    for (int v = 0; v < advisor_count(decision); v++)
        for (int i = 0; i < decision->count; i++)
            if (!decision->consequences[i].out && row(decision, v)[i] != SILENT)
                votes[i] += (long)weight_of(decision, v) * (row(decision, v)[i] - NEUTRAL);
}

void kn_patsy_update_weights(Patsy *patsy, const Decision *decision, int expert, double step)
{
    if (!patsy) return;
    kn_hoyle_update_weight(decision, row(decision, 0), expert, step, &patsy->weight[decision->stage]);
    for (int c = 0; c < patsy->spatial->concepts; c++) {
        KnConcept *concept = &patsy->spatial->concept[c];
        concept->judged += kn_hoyle_update_weight(decision, row(decision, 1 + c), expert, step,
                                                  &concept->weight);
    }
}

/* ---- explanation ---- */

static void add_patch(const KnBoardView *view, const KnPatch *patch, KnText *out)
{
    uint8_t cells[KN_BOARD_CELLS];
    kn_patch_cells(view, patch, cells);
    kn_cells_text(view, cells, out);
}

/* "only seen where white won": the evidence of a pattern or concept. */
static void add_fate(const KnSpatial *spatial, int outcome, KnText *out)
{
    if (outcome == KN_FIRST_DREW)
        kn_text_add(out, "only seen in draws");
    else
        kn_text_printf(out, "only seen where %s won",
                       spatial->view->game->role_names[outcome == KN_FIRST_WON ? 0 : 1]);
}

void kn_patsy_explain(const Decision *decision, const KnRequest *request, int chosen, KnExplanation *group)
{
    if (!decision->knowledge->patsy) return;
    const KnSpatial *spatial = decision->knowledge->patsy->spatial;
    KnArena *arena = request->arena;
    KnText text = KN_TEXT_EMPTY;
    for (int v = 0; v < advisor_count(decision); v++) {
        const KnConcept *concept = v ? &spatial->concept[v - 1] : NULL;
        const KnSpatialPattern *cause = v ? NULL : decision->spatial->cause[chosen];
        kn_text_clear(&text);
        kn_decision_comments(decision, request, row(decision, v), &text);
        if (!text.length) continue;
        KnExplanation *node =
            kn_explanation_text(arena, group,
                                kn_arena_printf(arena, "%s (weight %.2f)", v ? "a spatial Advisor" : "Patsy",
                                                (double)weight_of(decision, v) / WEIGHT_UNIT),
                                kn_arena_string(arena, text.data));
        if (!concept && !cause) continue;
        KnPatch patch;
        kn_text_clear(&text);
        if (concept)
        patch = concept->patch;
        else kn_templates_patch(spatial->templates, cause->key, &patch);
        add_patch(spatial->view, &patch, &text);
        kn_text_add(&text, ", ");
        add_fate(spatial, concept ? concept->outcome : kn_spatial_cached(spatial, cause), &text);
        kn_explanation_text(arena, node, concept ? "its pattern" : "what counts most after the move",
                            kn_arena_string(arena, text.data));
    }
    kn_text_free(&text);
}

void kn_patsy_show(const Patsy *patsy, KnText *out)
{
    if (!patsy) return;
    const KnSpatial *s = patsy->spatial;
    uint8_t cells[KN_BOARD_CELLS];
    kn_text_printf(out, "patterns: %d in the cache, seen through %d templates; Patsy's weight",
                   kn_spatial_cached_count(s), s->templates->count);
    for (int stage = 0; stage < s->view->stages; stage++)
        kn_text_printf(out, " %.2f", (double)patsy->weight[stage] / WEIGHT_UNIT);
    kn_text_printf(out, "\nspatial Advisors: %d\n", s->concepts);
    for (int i = 0; i < s->concepts && i < SHOWN; i++) {
        const KnConcept *c = &s->concept[i];
        kn_text_printf(out, "%s, ", kn_shape_names[c->shape]);
        add_fate(s, c->outcome, out);
        if (s->view->stages > 1) kn_text_printf(out, " in stage %d", c->stage + 1);
        kn_text_printf(out, " (%u times in %d patterns), weight %.2f\n", (unsigned)c->support, c->patterns,
                       (double)c->weight / WEIGHT_UNIT);
        kn_patch_cells(s->view, &c->patch, cells);
        kn_cells_draw(s->view, cells, 2, out);
    }
    if (s->concepts > SHOWN) kn_text_printf(out, "and %d more\n", s->concepts - SHOWN);
}

/* "1 won x#x/###/###": what it is, so that runs can be compared. */
static json_t *naming(const KnBoardView *view, const KnPatch *patch, int stage, int outcome)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%d %s ", stage + 1, kn_spatial_outcomes[outcome]);
    add_patch(view, patch, &text);
    json_t *name = json_string(text.data);
    kn_text_free(&text);
    return name;
}

static json_t *list_concepts(const KnSpatial *s, const KnConcept *concepts, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list,
                              naming(s->view, &concepts[i].patch, concepts[i].stage, concepts[i].outcome));
    return list;
}

static void list_names(const KnSpatial *s, json_t *figures)
{
    json_t *cache = json_array();
    KnPatch patch;
    for (int i = 0; i < s->count; i++) {
        int outcome = kn_spatial_cached(s, &s->patterns[i]);
        if (outcome < 0) continue;
        kn_templates_patch(s->templates, s->patterns[i].key, &patch);
        json_array_append_new(cache, naming(s->view, &patch, kn_spatial_stage(s->patterns[i].key), outcome));
    }
    json_object_set_new(figures, "concepts formed", list_concepts(s, s->formed, s->formed_count));
    json_object_set_new(figures, "concepts retained", list_concepts(s, s->concept, s->concepts));
    json_object_set_new(figures, "cache", cache);
}

void kn_patsy_figures(const Patsy *patsy, json_t *figures)
{
    if (!patsy) return;
    const KnSpatial *s = patsy->spatial;
    list_names(s, figures);
    json_object_set_new(figures, "templates", json_integer(s->templates->count));
    json_object_set_new(figures, "patterns", json_integer(s->count));
    json_object_set_new(figures, "cached patterns", json_integer(kn_spatial_cached_count(s)));
    json_object_set_new(figures, "concepts", json_integer(s->concepts));
    json_object_set_new(figures, "concepts eliminated", json_integer(s->eliminated_count));
    for (int stage = 0; stage < s->view->stages; stage++) {
        char name[40];
        snprintf(name, sizeof name, "weight %d Patsy", stage);
        json_object_set_new(figures, name, json_real((double)patsy->weight[stage] / WEIGHT_UNIT));
    }
}

/* ---- In a file ---- */

json_t *kn_patsy_json(const Patsy *patsy)
{
    json_t *root = kn_spatial_json(patsy->spatial, WEIGHT_UNIT), *weights = json_array();
    for (int stage = 0; stage < patsy->spatial->view->stages; stage++)
        json_array_append_new(weights, json_real((double)patsy->weight[stage] / WEIGHT_UNIT));
    return json_pack("{s:o, s:o}", "Patsy", weights, "seen", root);
}

KnStatus kn_patsy_parse(Patsy *patsy, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"Patsy", "seen", NULL};
    KnJson weights, seen;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_array(at, "Patsy", &weights, error);
    if (status == KN_OK && kn_json_size(&weights) != (size_t)patsy->spatial->view->stages)
        return kn_json_fail(at, "Patsy", error, "weights of %zu stages, but the game has %d",
                            kn_json_size(&weights), patsy->spatial->view->stages);
    for (int stage = 0; status == KN_OK && stage < patsy->spatial->view->stages; stage++) {
        KnJson item = kn_json_item(&weights, (size_t)stage);
        double weight = 0;
        status = kn_json_real(&item, NULL, &weight, error);
        if (status == KN_OK && !(weight >= 0 && weight <= 1))
            return kn_json_fail(&item, NULL, error, "expected a weight from 0 to 1");
        patsy->weight[stage] = (int)(weight * WEIGHT_UNIT + 0.5);
    }
    if (status == KN_OK) status = kn_json_object(at, "seen", &seen, error);
    return status == KN_OK ? kn_spatial_parse(patsy->spatial, &seen, WEIGHT_UNIT, error) : status;
}
