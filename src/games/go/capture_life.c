/* Unconditional life (Benson 1976) of the target: it cannot be captured although the defender always passes.
 *
 * A region is a connected part of the board without stones of the defender; it is vital to a string that has
 * all empty points of the region as liberties. Strings live together if each has two vital regions, and only
 * strings that live border these regions: the attacker cannot fill both, the last move would be suicide. An
 * enclosed string that lives so has few liberties for ever, and a search would have to play all of the
 * attacker's moves inside.
 *
 * Only small regions are looked at, those around the target and around the strings that share them. */
#include "games/go/capture_zone.h"

enum { REGION_MOST = 7, REGIONS_MAX = 16, CHAINS_MAX = 16, BORDERS_MAX = 8 };

typedef struct Region {
    uint16_t points[REGION_MOST];
    int count;
    int border[BORDERS_MAX], borders; /* the strings around it, by index */
    bool counts;                      /* all of these live, as far as is known */
} Region;

typedef struct Life {
    const KnStrings *s;
    int defender;
    KnPointSet seen; /* points of regions */
    Region region[REGIONS_MAX];
    int regions;
    uint16_t chain[CHAINS_MAX]; /* heads; the target is the first */
    bool lives[CHAINS_MAX];
    int chains;
} Life;

/* The index of a string; -1: there are too many. */
static int chain_of(Life *l, int head)
{
    for (int i = 0; i < l->chains; i++)
        if (l->chain[i] == head) return i;
    if (l->chains == CHAINS_MAX) return -1;
    l->chain[l->chains] = (uint16_t)head, l->lives[l->chains] = true;
    return l->chains++;
}

static bool add_border(Life *l, Region *region, int head)
{
    int chain = chain_of(l, head);
    for (int i = 0; i < region->borders; i++)
        if (region->border[i] == chain) return true;
    if (chain < 0 || region->borders == BORDERS_MAX) return false;
    region->border[region->borders++] = chain;
    return true;
}

/* Fills a region from one of its points; false: it is too large, or has too many strings around it. */
static bool fill(Life *l, Region *region, int first)
{
    const KnStrings *s = l->s;
    region->count = region->borders = 0, region->counts = true;
    region->points[region->count++] = (uint16_t)first;
    kn_points_add(&l->seen, first);
    KnPointSet own = {{0}}; /* a point seen before, but not here, belongs to a region that was too large */
    kn_points_add(&own, first);
    for (int at = 0; at < region->count; at++) {
        const int next[4] = KN_NEIGHBOURS(s, region->points[at]);
        for (int i = 0; i < 4; i++) {
            int there = s->colour[next[i]];
            if (there == KN_STONE_BORDER || kn_points_has(&own, next[i])) continue;
            if (there == l->defender) {
                if (!add_border(l, region, s->head[next[i]])) return false;
                continue;
            }
            if (region->count == REGION_MOST || kn_points_has(&l->seen, next[i])) return false;
            kn_points_add(&own, next[i]), kn_points_add(&l->seen, next[i]);
            region->points[region->count++] = (uint16_t)next[i];
        }
    }
    return true;
}

static bool vital(const Life *l, const Region *region, int chain)
{
    const KnString *string = &l->s->string[l->chain[chain]];
    for (int i = 0; i < region->count; i++)
        if (l->s->colour[region->points[i]] == KN_STONE_NONE &&
            !kn_points_has(&string->free, region->points[i]))
            return false;
    return true;
}

static bool borders(const Region *region, int chain)
{
    for (int i = 0; i < region->borders; i++)
        if (region->border[i] == chain) return true;
    return false;
}

static int vital_regions(const Life *l, int chain)
{
    int count = 0;
    for (int i = 0; i < l->regions; i++)
        count += l->region[i].counts && borders(&l->region[i], chain) && vital(l, &l->region[i], chain);
    return count;
}

/* The regions around a string. */
static void add_regions(Life *l, int chain)
{
    const KnStrings *s = l->s;
    KN_POINTS_EACH(s, &s->string[l->chain[chain]].free, point)
    if (!kn_points_has(&l->seen, point) && l->regions < REGIONS_MAX && fill(l, &l->region[l->regions], point))
        l->regions++;
}

/* Takes away strings without two vital regions, and their regions, until nothing changes. */
static void settle(Life *l)
{
    for (bool changed = true; changed && l->lives[0];) {
        changed = false;
        for (int i = 0; i < l->chains; i++) {
            if (!l->lives[i] || vital_regions(l, i) >= 2) continue;
            l->lives[i] = false, changed = true;
            for (int r = 0; r < l->regions; r++)
                if (borders(&l->region[r], i)) l->region[r].counts = false;
        }
    }
}

/* What the life of the strings that are left depends on: these strings and their regions. */
static void depend_on(const Life *l, KnZone *zone)
{
    for (int i = 0; i < l->chains; i++) {
        if (!l->lives[i]) continue;
        int stone = l->chain[i];
        do kn_zone_add(zone, stone);
        while ((stone = l->s->link[stone]) != l->chain[i]);
    }
    for (int r = 0; r < l->regions; r++)
        for (int i = 0; l->region[r].counts && i < l->region[r].count; i++)
            kn_zone_add(zone, l->region[r].points[i]);
}

KnCaptureLife kn_capture_life(const KnCapture *c, KnZone *zone)
{
    const KnStrings *s = c->strings;
    Life l;
    l.s = s, l.defender = c->defender, l.regions = l.chains = 0, l.seen = (KnPointSet){{0}};
    if (s->colour[c->target] != c->defender || s->string[s->head[c->target]].liberties < 2)
        return KN_CAPTURE_OPEN;
    chain_of(&l, s->head[c->target]);
    add_regions(&l, 0);
    if (vital_regions(&l, 0) < 2) return l.regions ? KN_CAPTURE_EYE : KN_CAPTURE_OPEN;
    for (int i = 1; i < l.chains; i++) add_regions(&l, i);
    settle(&l);
    if (!l.lives[0]) return KN_CAPTURE_EYE;
    depend_on(&l, zone);
    return KN_CAPTURE_ALIVE;
}

bool kn_capture_life_joined(KnCapture *c, int move, KnZone *zone)
{
    KnStrings *s = c->strings;
    const int next[4] = KN_NEIGHBOURS(s, move);
    bool joins = false;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        joins |= there == c->defender && s->head[next[i]] != s->head[c->target];
        if (there == KN_STONE_OTHER(c->defender) && s->string[s->head[next[i]]].liberties == 1) return false;
    }
    if (!joins || !kn_strings_legal(s, move, c->defender) || !kn_strings_play(s, move, c->defender))
        return false;
    bool alive = kn_capture_life(c, zone) == KN_CAPTURE_ALIVE;
    kn_strings_undo(s);
    return alive;
}
