/* How concepts are formed.
 *
 * Grouping: the patterns of one template (up to symmetry), one stage and one outcome. Generalising: from the
 * cached pattern of a group that was seen most, cells become don't cares one after the other, each time the
 * one that gains the most sightings of its own outcome, as long as there is a gain, nothing seen with another
 * outcome is covered, and at least two cells, one of them occupied, stay. Cached patterns that a concept
 * covers are explained; the next begins at one that is not. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#include "methods/hoyle/spatial.h"

enum { FORMED_MAX = 4096 };

/* The patterns of one template in one stage. */
typedef struct Group {
    const KnSpatial *spatial;
    const KnTemplate *form;
    int stage;
    const KnSpatialPattern **pattern;
    bool *explained;
    int count;
} Group;

/* Cells that must hold what `value` says: bits of `mask` are set in their places. */
typedef struct General {
    uint64_t value, mask;
} General;

static uint64_t place_mask(int place) { return (uint64_t)KN_TEMPLATE_ANY << (place * KN_TEMPLATE_BITS); }

static bool covers(const Group *group, General general, uint64_t key)
{
    const KnTemplate *form = group->form;
    for (int f = 0; f < form->frames; f++) {
        uint64_t transformed = 0;
        for (int i = 0; i < form->size; i++)
            transformed |= (uint64_t)kn_templates_content(key, i) << (form->place[f][i] * KN_TEMPLATE_BITS);
        if (!((transformed ^ general.value) & general.mask)) return true;
    }
    return false;
}

/* Sightings of what it covers; 0 if one of another outcome is among it. */
static uint32_t support(const Group *group, General general, int outcome, int *cached)
{
    uint32_t sum = 0;
    *cached = 0;
    for (int i = 0; i < group->count; i++) {
        const KnSpatialPattern *p = group->pattern[i];
        if (!covers(group, general, p->key)) continue;
        for (int o = 0; o < KN_SPATIAL_OUTCOMES; o++)
            if (o != outcome && p->count[o]) return 0;
        sum += p->count[outcome];
        *cached += kn_spatial_cached(group->spatial, p) == outcome;
    }
    return sum;
}

static bool says_enough(const Group *group, General general)
{
    int fixed = 0, occupied = 0;
    for (int i = 0; i < group->form->size; i++) {
        if (!(general.mask & place_mask(i))) continue;
        fixed++;
        occupied += kn_templates_content(general.value, i) != 0;
    }
    return fixed >= 2 && occupied >= 1;
}

static General generalise(const Group *group, uint64_t key, int outcome, uint32_t *sum, int *cached)
{
    General best = {key & ((UINT64_C(1) << (KN_TEMPLATE_CELLS * KN_TEMPLATE_BITS)) - 1), 0};
    for (int i = 0; i < group->form->size; i++) best.mask |= place_mask(i);
    *sum = support(group, best, outcome, cached);
    for (bool gained = true; gained;) {
        General from = best;
        gained = false;
        for (int i = 0; i < group->form->size; i++) {
            General wider = {from.value, from.mask & ~place_mask(i)};
            int more_cached;
            if (wider.mask == from.mask || !says_enough(group, wider)) continue;
            uint32_t more = support(group, wider, outcome, &more_cached);
            if (more <= *sum) continue;
            *sum = more;
            *cached = more_cached;
            best = wider;
            gained = true;
        }
    }
    return best;
}

static KnConcept concept_of(const Group *group, General general, int outcome, uint32_t sum, int cached)
{
    KnConcept concept = {.stage = (uint8_t)group->stage,
                         .outcome = (uint8_t)outcome,
                         .shape = group->form->shape,
                         .patterns = cached,
                         .support = sum};
    KnPatch patch = {0};
    for (int i = 0; i < group->form->size; i++) {
        if (!(general.mask & place_mask(i))) continue;
        patch.cell[patch.size] = group->form->cell[i];
        patch.content[patch.size++] = (uint8_t)kn_templates_content(general.value, i);
    }
    kn_patch_normal(group->spatial->view, &patch, &concept.patch);
    return concept;
}

/* ---- All groups ---- */

static int by_key(const void *a, const void *b)
{
    uint64_t x = (*(const KnSpatialPattern *const *)a)->key, y = (*(const KnSpatialPattern *const *)b)->key;
    return x < y ? -1 : x > y;
}

/* Most seen first; among equals by place, so that the order depends on nothing else. */
static int by_support(const void *a, const void *b)
{
    const KnConcept *x = a, *y = b;
    if (x->support != y->support) return x->support > y->support ? -1 : 1;
    int order = kn_patch_compare(&x->patch, &y->patch);
    return order ? order : x->stage != y->stage ? x->stage - y->stage : x->outcome - y->outcome;
}

static void form_group(const Group *group, int outcome, KnConcept *formed, int *count)
{
    for (;;) {
        const KnSpatialPattern *seed = NULL;
        for (int i = 0; i < group->count; i++) {
            const KnSpatialPattern *p = group->pattern[i];
            if (group->explained[i] || kn_spatial_cached(group->spatial, p) != outcome) continue;
            if (!seed || p->count[outcome] > seed->count[outcome]) seed = p;
        }
        if (!seed || *count == FORMED_MAX) return;
        uint32_t sum;
        int cached;
        General general = generalise(group, seed->key, outcome, &sum, &cached);
        for (int i = 0; i < group->count; i++)
            if (group->pattern[i] == seed ||
                (!group->explained[i] && covers(group, general, group->pattern[i]->key)))
                group->explained[i] = true;
        if (cached >= 2) formed[(*count)++] = concept_of(group, general, outcome, sum, cached);
    }
}

static bool equal(const KnConcept *a, const KnConcept *b)
{
    return a->stage == b->stage && a->outcome == b->outcome && kn_patch_compare(&a->patch, &b->patch) == 0;
}

static bool was_eliminated(const KnSpatial *s, const KnConcept *concept)
{
    for (int i = 0; i < s->eliminated_count; i++)
        if (equal(&s->eliminated[i], concept)) return true;
    return false;
}

/* The most seen ones, with the weights that equal ones had before; one patch does not stand for two outcomes
 * of a stage. */
static void take_over(KnSpatial *s, KnConcept *formed, int count)
{
    KN_ASSERT(count >= 0 && count <= FORMED_MAX && s->concepts <= KN_CONCEPTS);
    KnConcept old[KN_CONCEPTS];
    int olds = s->concepts;
    memcpy(old, s->concept, sizeof old);
    s->concepts = s->formed_count = 0;
    qsort(formed, (size_t)count, sizeof *formed, by_support);
    for (int i = 0; i < count && s->formed_count < KN_CONCEPTS; i++) {
        bool known = !kn_concept_sign(s, &formed[i], 0);
        for (int k = 0; k < i && !known; k++)
            known = formed[k].stage == formed[i].stage &&
                    kn_patch_compare(&formed[k].patch, &formed[i].patch) == 0;
        if (known) continue;
        s->formed[s->formed_count++] = formed[i];
        if (was_eliminated(s, &formed[i])) continue;
        formed[i].weight = s->settings.start;
        for (int k = 0; k < olds; k++) {
            if (!equal(&old[k], &formed[i])) continue;
            formed[i].weight = old[k].weight;
            formed[i].judged = old[k].judged;
        }
        s->concept[s->concepts++] = formed[i];
    }
}

/* Thesis 1.4: spatial concepts. */
KnStatus kn_concepts_form(KnSpatial *s, KnError *error)
{
    const KnSpatialPattern **order = malloc(((size_t)s->count + 1) * sizeof *order);
    bool *explained = malloc((size_t)s->count + 1);
    KnConcept *formed = malloc(FORMED_MAX * sizeof *formed);
    int count = 0;
    if (!order || !explained || !formed) {
        free(order), free(explained), free(formed);
        return kn_fail_memory(error, "forming concepts");
    }
    for (int i = 0; i < s->count; i++) order[i] = &s->patterns[i];
    qsort(order, (size_t)s->count, sizeof *order, by_key);
    for (int from = 0, to; from < s->count; from = to) {
        int form = kn_templates_of(order[from]->key), stage = kn_spatial_stage(order[from]->key);
        for (to = from; to < s->count && kn_templates_of(order[to]->key) == form &&
                        kn_spatial_stage(order[to]->key) == stage;
             to++)
            continue;
        Group group = {s, &s->templates->item[form], stage, order + from, explained + from, to - from};
        for (int outcome = 0; outcome < KN_SPATIAL_OUTCOMES; outcome++) {
            memset(group.explained, 0, (size_t)group.count);
            form_group(&group, outcome, formed, &count);
        }
    }
    take_over(s, formed, count);
    free(order), free(explained), free(formed);
    return KN_OK;
}
