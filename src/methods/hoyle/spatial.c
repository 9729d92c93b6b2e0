#include "methods/hoyle/spatial.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { FIRST_SLOTS = 1024, PATTERNS_MAX = 1 << 20, PATIENCE = 100, JUDGED = 10 };

const char *const kn_spatial_outcomes[KN_SPATIAL_OUTCOMES] = {"won", "drawn", "lost"};

KnStatus kn_spatial_open(const KnBoardView *view, const KnLines *lines, const KnSpatialSettings *settings,
                         KnSpatial **out, KnError *error)
{
    *out = NULL;
    KnSpatial *s = calloc(1, sizeof *s);
    if (!s || !(s->slots = calloc(FIRST_SLOTS, sizeof *s->slots))) {
        free(s);
        return kn_fail_memory(error, "looking for patterns");
    }
    s->view = view;
    s->settings = *settings;
    s->mask = FIRST_SLOTS - 1;
    KnStatus status = kn_templates_open(view, lines, settings->field_of_view, &s->templates, error);
    if (status == KN_OK)
        *out = s;
    else
        kn_spatial_close(s);
    return status;
}

void kn_spatial_close(KnSpatial *s)
{
    if (!s) return;
    kn_templates_close(s->templates);
    kn_matcher_free(s->matcher);
    free(s->patterns);
    free(s->slots);
    free(s->eliminated);
    free(s->meaning);
    free(s);
}

/* ---- The queue ---- */

static uint32_t slot_of(const KnSpatial *s, uint64_t key)
{
    KN_ASSERT((s->mask & (s->mask + 1)) == 0 && (uint32_t)s->count <= s->mask);
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t slot = (uint32_t)(mixed >> 32) & s->mask;
    while (s->slots[slot] && s->patterns[s->slots[slot] - 1].key != key) slot = (slot + 1) & s->mask;
    return slot;
}

static bool rehash(KnSpatial *s, uint32_t slots)
{
    KN_ASSERT(slots > (uint32_t)s->count && (slots & (slots - 1)) == 0);
    uint32_t *fresh = calloc(slots, sizeof *fresh);
    if (!fresh) return false;
    free(s->slots);
    s->slots = fresh;
    s->mask = slots - 1;
    for (int i = 0; i < s->count; i++) s->slots[slot_of(s, s->patterns[i].key)] = (uint32_t)i + 1;
    return true;
}

KnSpatialPattern *kn_spatial_add(KnSpatial *s, uint64_t key)
{
    uint32_t slot = slot_of(s, key);
    if (s->slots[slot]) return &s->patterns[s->slots[slot] - 1];
    if (s->count == s->capacity) {
        int capacity = s->capacity ? 2 * s->capacity : 512;
        KnSpatialPattern *more = realloc(s->patterns, (size_t)capacity * sizeof *more);
        if (!more) return NULL;
        s->patterns = more;
        s->capacity = capacity;
    }
    if ((uint32_t)s->count * 2 > s->mask) {
        if (!rehash(s, (s->mask + 1) * 2)) return NULL;
        slot = slot_of(s, key);
    }
    KnSpatialPattern *pattern = &s->patterns[s->count++];
    KN_ASSERT(s->count <= s->capacity);
    *pattern = (KnSpatialPattern){.key = key};
    memcpy(pattern->before, s->games, sizeof pattern->before);
    s->slots[slot] = (uint32_t)s->count;
    return pattern;
}

/* A game counts a pattern once, however often it comes up. */
static KnStatus see(KnSpatial *s, uint64_t key, int outcome, KnError *error)
{
    KN_ASSERT(outcome >= 0 && outcome < KN_SPATIAL_OUTCOMES);
    if (s->count >= PATTERNS_MAX && !s->slots[slot_of(s, key)]) return KN_OK;
    KnSpatialPattern *pattern = kn_spatial_add(s, key);
    if (!pattern) return kn_fail_memory(error, "remembering patterns");
    uint32_t now = kn_spatial_games(s) + 1;
    if (pattern->last == now) return KN_OK;
    pattern->last = now;
    pattern->count[outcome]++;
    return KN_OK;
}

static KnStatus see_template(KnSpatial *s, int number, const uint8_t *cells, int stage, int outcome,
                             KnError *error)
{
    KN_ASSERT(number >= 0 && number < s->templates->count);
    const KnTemplate *t = &s->templates->item[number];
    bool empty = true;
    for (int i = 0; i < t->size && empty; i++) empty = cells[t->cell[i]] == 0;
    return empty ? KN_OK
                 : see(s, (uint64_t)stage << KN_TEMPLATE_KEY | kn_templates_key(s->templates, number, cells),
                       outcome, error);
}

/* Patterns that a move creates: of the templates in which it changed something, unless they are empty now.
 * (Thesis 1.4: BPL, the queue and the cache.) */
KnStatus kn_spatial_gather(KnSpatial *s, const KnPlayedGame *played, KnError *error)
{
    uint8_t before[KN_BOARD_CELLS], after[KN_BOARD_CELLS];
    int result = kn_played_game_outcome(played, 0), outcome = result > 0   ? KN_FIRST_WON
                                                              : result < 0 ? KN_FIRST_LOST
                                                                           : KN_FIRST_DREW;
    const KnTemplates *all = s->templates;
    KnStatus status = KN_OK;
    kn_board_view_cells(s->view, kn_played_game_position(played, 0), before);
    for (size_t ply = 0; ply < played->plies && status == KN_OK; ply++) {
        int stage = kn_board_view_stage(s->view, kn_played_game_position(played, ply));
        kn_board_view_cells(s->view, kn_played_game_position(played, ply + 1), after);
        for (int c = 0; c < s->view->cells && status == KN_OK; c++) {
            if (before[c] == after[c]) continue;
            for (int i = all->touch[c]; i < all->touch[c + 1] && status == KN_OK; i++)
                status = see_template(s, all->touching[i], after, stage, outcome, error);
        }
        memcpy(before, after, (size_t)s->view->cells);
    }
    s->games[outcome]++;
    return status;
}

/* ---- The cache ---- */

int kn_spatial_cached(const KnSpatial *s, const KnSpatialPattern *pattern)
{
    int only = -1;
    for (int o = 0; o < KN_SPATIAL_OUTCOMES; o++) {
        if (!pattern->count[o]) continue;
        if (only >= 0) return -1;
        only = o;
    }
    return only >= 0 && pattern->count[only] >= (uint32_t)s->settings.minimum ? only : -1;
}

int kn_spatial_cached_count(const KnSpatial *s)
{
    int count = 0;
    for (int i = 0; i < s->count; i++) count += kn_spatial_cached(s, &s->patterns[i]) >= 0;
    return count;
}

static double value_of(const KnSpatial *s, int outcome, int role)
{
    KN_ASSERT(outcome >= 0 && outcome < KN_SPATIAL_OUTCOMES && (role == 0 || role == 1));
    return outcome == KN_FIRST_DREW ? s->settings.draw : (outcome == KN_FIRST_WON) == (role == 0) ? 1 : -1;
}

double kn_spatial_value(const KnSpatial *s, const KnSpatialPattern *pattern, int role)
{
    int outcome = kn_spatial_cached(s, pattern);
    if (outcome < 0 || s->games[outcome] <= pattern->before[outcome]) return 0;
    return value_of(s, outcome, role) * pattern->count[outcome] /
           (s->games[outcome] - pattern->before[outcome]);
}

int kn_concept_sign(const KnSpatial *s, const KnConcept *concept, int role)
{
    double value = value_of(s, concept->outcome, role);
    return (value > 0) - (value < 0);
}

/* ---- Sweeps ---- */

/* Patterns seen only once, and long ago, are forgotten. */
static KnStatus forget(KnSpatial *s, KnError *error)
{
    uint32_t now = kn_spatial_games(s);
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        const KnSpatialPattern *p = &s->patterns[i];
        if (p->count[0] + p->count[1] + p->count[2] > 1 || now - p->last <= PATIENCE)
            s->patterns[kept++] = *p;
    }
    if (kept == s->count) return KN_OK;
    s->count = kept;
    return rehash(s, s->mask + 1) ? KN_OK : kn_fail_memory(error, "sweeping patterns");
}

/* PWL has had its say: an Advisor that was judged often enough and is below where it began, i.e. worse than
 * comments at random, goes for good. At the end those that were never judged go too: nothing ever depended on
 * them. */
static KnStatus eliminate(KnSpatial *s, bool last, KnError *error)
{
    int kept = 0;
    for (int i = 0; i < s->concepts; i++) {
        const KnConcept *c = &s->concept[i];
        bool good = c->weight >= s->settings.start;
        if (c->judged >= JUDGED && !good) {
            KnConcept *more = realloc(s->eliminated, ((size_t)s->eliminated_count + 1) * sizeof *more);
            if (!more) return kn_fail_memory(error, "sweeping concepts");
            s->eliminated = more;
            s->eliminated[s->eliminated_count++] = *c;
        } else if (!last || (c->judged && good))
        s->concept[kept++] = *c;
    }
    s->concepts = kept;
    return KN_OK;
}

/* Thesis 1.4: BPL. */
KnStatus kn_spatial_sweep(KnSpatial *s, bool last, KnError *error)
{
    KnStatus status = forget(s, error);
    if (status == KN_OK) status = eliminate(s, false, error);
    if (status == KN_OK) status = kn_concepts_form(s, error);
    if (status == KN_OK && last) status = eliminate(s, true, error);
    return status == KN_OK ? kn_spatial_index(s, error) : status;
}

/* ---- Matching a board ---- */

/* Every orientation once: an image that another turn has given already is left out. */
static KnStatus index_patch(KnSpatial *s, const KnPatch *patch, int32_t meaning, KnError *error)
{
    KnPatch images[KN_BOARD_SYMMETRIES];
    uint8_t cells[KN_BOARD_CELLS];
    int count = 0;
    for (int symmetry = 0; symmetry < s->view->symmetries; symmetry++) {
        bool known = false;
        kn_patch_turn(s->view, symmetry, patch, &images[count]);
        for (int i = 0; i < count && !known; i++) known = kn_patch_compare(&images[i], &images[count]) == 0;
        if (known) continue;
        size_t number = kn_matcher_count(s->matcher);
        if (number == s->meaning_capacity) {
            size_t capacity = number ? 2 * number : 256;
            int32_t *more = realloc(s->meaning, capacity * sizeof *more);
            if (!more) return kn_fail_memory(error, "indexing patterns");
            s->meaning = more;
            s->meaning_capacity = capacity;
        }
        KN_ASSERT(number < s->meaning_capacity);
        s->meaning[number] = meaning;
        kn_patch_cells(s->view, &images[count++], cells);
        KnStatus status = kn_matcher_add(s->matcher, cells, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

KnStatus kn_spatial_index(KnSpatial *s, KnError *error)
{
    KnPatch patch;
    KnStatus status = KN_OK;
    kn_matcher_free(s->matcher);
    s->matcher = kn_matcher_new(s->view->cells, s->view->symbols);
    if (!s->matcher) return kn_fail_memory(error, "indexing patterns");
    for (int i = 0; i < s->count && status == KN_OK; i++) {
        if (kn_spatial_cached(s, &s->patterns[i]) < 0) continue;
        kn_templates_patch(s->templates, s->patterns[i].key, &patch);
        status = index_patch(s, &patch, i, error);
    }
    for (int i = 0; i < s->concepts && status == KN_OK; i++)
        status = index_patch(s, &s->concept[i].patch, -1 - i, error);
    return status;
}

const KnSpatialPattern *kn_spatial_read(const KnSpatial *s, const uint8_t *cells, int stage, int role,
                                        uint32_t *found, double *value, int counts[KN_CONCEPTS])
{
    const KnSpatialPattern *best = NULL;
    double most = 0;
    *value = 0;
    memset(counts, 0, sizeof(int) * KN_CONCEPTS);
    if (!s->matcher) return NULL;
    size_t hits = kn_matcher_match(s->matcher, cells, found);
    for (size_t i = 0; i < hits; i++) {
        int32_t meaning = s->meaning[found[i]];
        KN_ASSERT(meaning < s->count && -1 - meaning < s->concepts);
        if (meaning < 0) {
            counts[-1 - meaning] += s->concept[-1 - meaning].stage == stage;
            continue;
        }
        if (kn_spatial_stage(s->patterns[meaning].key) != stage) continue;
        double one = kn_spatial_value(s, &s->patterns[meaning], role);
        *value += one;
        if (one * one <= most * most) continue;
        most = one;
        best = &s->patterns[meaning];
    }
    return best;
}
