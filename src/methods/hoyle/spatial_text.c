/* Patterns and concepts as JSON that a person can read, as boards with # for what does not matter; and back.
 */
#include <string.h>

#include "methods/hoyle/spatial.h"

static json_t *patch_json(const KnBoardView *view, const KnPatch *patch)
{
    uint8_t cells[KN_BOARD_CELLS];
    KnText text = KN_TEXT_EMPTY;
    kn_patch_cells(view, patch, cells);
    kn_cells_text(view, cells, &text);
    json_t *json = json_string(text.data);
    kn_text_free(&text);
    return json;
}

json_t *kn_spatial_json(const KnSpatial *s, int unit)
{
    json_t *games = json_object(), *cache = json_array(), *concepts = json_array();
    for (int o = 0; o < KN_SPATIAL_OUTCOMES; o++)
        json_object_set_new(games, kn_spatial_outcomes[o], json_integer(s->games[o]));
    for (int i = 0; i < s->count; i++) {
        const KnSpatialPattern *p = &s->patterns[i];
        int outcome = kn_spatial_cached(s, p);
        KnPatch patch;
        if (outcome < 0) continue;
        kn_templates_patch(s->templates, p->key, &patch);
        json_array_append_new(cache,
                              json_pack("{s:o, s:i, s:s, s:I, s:I}", "pattern", patch_json(s->view, &patch),
                                        "stage", kn_spatial_stage(p->key) + 1, "outcome",
                                        kn_spatial_outcomes[outcome], "seen", (json_int_t)p->count[outcome],
                                        "of", (json_int_t)(s->games[outcome] - p->before[outcome])));
    }
    for (int i = 0; i < s->concepts; i++) {
        const KnConcept *c = &s->concept[i];
        json_array_append_new(concepts,
                              json_pack("{s:o, s:i, s:s, s:s, s:i, s:I, s:f}", "pattern",
                                        patch_json(s->view, &c->patch), "stage", c->stage + 1, "outcome",
                                        kn_spatial_outcomes[c->outcome], "shape", kn_shape_names[c->shape],
                                        "patterns", c->patterns, "seen", (json_int_t)c->support, "weight",
                                        (double)c->weight / unit));
    }
    return json_pack("{s:o, s:o, s:o}", "contests", games, "cache", cache, "concepts", concepts);
}

static KnStatus parse_choice(const KnJson *at, const char *key, const char *const *names, int count,
                             int *found, KnError *error)
{
    const char *text;
    KnStatus status = kn_json_string(at, key, &text, error);
    if (status != KN_OK) return status;
    for (*found = 0; *found < count; (*found)++)
        if (strcmp(names[*found], text) == 0) return KN_OK;
    return kn_json_fail(at, key, error, "\"%.20s\" is not known here", text);
}

static KnStatus parse_patch(const KnSpatial *s, const KnJson *at, KnPatch *patch, KnError *error)
{
    const char *text;
    uint8_t cells[KN_BOARD_CELLS];
    KnError inner;
    KnStatus status = kn_json_string(at, "pattern", &text, error);
    if (status != KN_OK) return status;
    if (kn_cells_parse(s->view, text, cells, &inner) != KN_OK)
        return kn_json_fail(at, "pattern", error, "%s", inner.text);
    if (!kn_patch_of(s->view, cells, patch))
        return kn_json_fail(at, "pattern", error, "two to %d cells are wanted, the others #",
                            KN_TEMPLATE_CELLS);
    return KN_OK;
}

static KnStatus parse_cached(KnSpatial *s, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"pattern", "stage", "outcome", "seen", "of", NULL};
    KnPatch patch;
    int outcome = 0;
    int64_t stage = 1, seen = 0, of = 0;
    uint8_t cells[KN_BOARD_CELLS];
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = parse_patch(s, at, &patch, error);
    if (status == KN_OK)
        status = parse_choice(at, "outcome", kn_spatial_outcomes, KN_SPATIAL_OUTCOMES, &outcome, error);
    if (status == KN_OK) status = kn_json_integer(at, "stage", 1, s->view->stages, &stage, error);
    if (status == KN_OK) status = kn_json_integer(at, "of", 1, s->games[outcome], &of, error);
    if (status == KN_OK) status = kn_json_integer(at, "seen", s->settings.minimum, of, &seen, error);
    if (status != KN_OK) return status;
    int number = kn_templates_find(s->templates, patch.cell, patch.size);
    if (number < 0) return kn_json_fail(at, "pattern", error, "lies in no template of this board");
    kn_patch_cells(s->view, &patch, cells);
    uint64_t key = kn_templates_key(s->templates, number, cells);
    KnPatch normal;
    kn_templates_patch(s->templates, key, &normal);
    if (kn_patch_compare(&normal, &patch) != 0)
        return kn_json_fail(at, "pattern", error, "is not in its normal frame");
    KnSpatialPattern *pattern = kn_spatial_add(s, (uint64_t)(stage - 1) << KN_TEMPLATE_KEY | key);
    if (!pattern) return kn_fail_memory(error, "reading patterns");
    if (pattern->last) return kn_json_fail(at, "pattern", error, "stands here twice");
    pattern->last = kn_spatial_games(s);
    memset(pattern->before, 0, sizeof pattern->before);
    pattern->count[outcome] = (uint32_t)seen;
    pattern->before[outcome] = s->games[outcome] - (uint32_t)of;
    return KN_OK;
}

static KnStatus parse_concept(KnSpatial *s, const KnJson *at, int unit, KnError *error)
{
    static const char *const known[] = {"pattern",  "stage", "outcome", "shape",
                                        "patterns", "seen",  "weight",  NULL};
    KnConcept c = {0};
    KnPatch patch;
    int outcome = 0, shape = 0;
    int64_t stage = 1, patterns = 0, seen = 0;
    double weight = 0;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = parse_patch(s, at, &patch, error);
    if (status == KN_OK)
        status = parse_choice(at, "outcome", kn_spatial_outcomes, KN_SPATIAL_OUTCOMES, &outcome, error);
    if (status == KN_OK) status = parse_choice(at, "shape", kn_shape_names, KN_SHAPES, &shape, error);
    if (status == KN_OK) status = kn_json_integer(at, "patterns", 1, INT32_MAX, &patterns, error);
    if (status == KN_OK) status = kn_json_integer(at, "seen", 1, UINT32_MAX, &seen, error);
    if (status == KN_OK) status = kn_json_integer(at, "stage", 1, s->view->stages, &stage, error);
    if (status == KN_OK) status = kn_json_real(at, "weight", &weight, error);
    if (status != KN_OK) return status;
    kn_patch_normal(s->view, &patch, &c.patch);
    if (kn_patch_compare(&c.patch, &patch) != 0)
        return kn_json_fail(at, "pattern", error, "is not in its normal frame");
    for (int i = 0; i < s->concepts; i++)
        if (s->concept[i].stage == stage - 1 && kn_patch_compare(&s->concept[i].patch, &patch) == 0)
            return kn_json_fail(at, "pattern", error, "stands here twice");
    if (!(weight >= 0 && weight <= 1))
        return kn_json_fail(at, "weight", error, "expected a weight from 0 to 1");
    c.weight = (int)(weight * unit + 0.5);
    c.stage = (uint8_t)(stage - 1);
    c.outcome = (uint8_t)outcome;
    c.shape = (uint8_t)shape;
    c.patterns = (int)patterns;
    c.support = (uint32_t)seen;
    s->concept[s->concepts++] = c;
    return KN_OK;
}

KnStatus kn_spatial_parse(KnSpatial *s, const KnJson *at, int unit, KnError *error)
{
    static const char *const known[] = {"contests", "cache", "concepts", NULL};
    KnJson games, cache, concepts;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_object(at, "contests", &games, error);
    for (int o = 0; o < KN_SPATIAL_OUTCOMES && status == KN_OK; o++) {
        int64_t count;
        status = kn_json_integer(&games, kn_spatial_outcomes[o], 0, INT32_MAX / 4, &count, error);
        if (status == KN_OK) s->games[o] = (uint32_t)count;
    }
    if (status == KN_OK)
        status = kn_json_only(&games, (const char *const[]){"won", "drawn", "lost", NULL}, error);
    if (status == KN_OK) status = kn_json_array(at, "cache", &cache, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&cache); i++) {
        KnJson item = kn_json_item(&cache, i);
        status = parse_cached(s, &item, error);
    }
    if (status == KN_OK) status = kn_json_array(at, "concepts", &concepts, error);
    if (status == KN_OK && kn_json_size(&concepts) > KN_CONCEPTS)
        return kn_json_fail(at, "concepts", error, "more than %d", KN_CONCEPTS);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&concepts); i++) {
        KnJson item = kn_json_item(&concepts, i);
        status = parse_concept(s, &item, unit, error);
    }
    return status == KN_OK ? kn_spatial_index(s, error) : status;
}
