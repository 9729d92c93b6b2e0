/* Locality of captures: complete sets of defences, and the relevance zone of a proof.
 *
 * A proof's zone is a set of points such that the proof holds in every position that agrees there, whatever
 * the rest of the board holds. So a reply outside the zone is answered like a pass, and only replies inside
 * need a search. Zones grow by these rules of Go:
 *
 *   - a stone of the prover depends on its point and the four neighbours; on every string that it captures,
 *     with all its neighbours; on one liberty of each adjacent string that it does not capture, and of an own
 *     string whose liberty it needs;
 *   - a reply depends on its point and, if it captures, on the captured strings and the four neighbours. If
 * it is illegal in another position, the proof holds all the more;
 *   - an illegal reply depends on what makes it illegal;
 *   - a string of the prover in the zone needs two liberties there, or a reply (inside or outside) could
 *     capture it; if it has only one, the capturing reply is in the zone. */
#include "games/go/capture_zone.h"

#include <string.h>

/* ---- Complete sets of defences (docs/capture.md tells how they were found and tested) ---- */

typedef struct Growth {
    const KnStrings *s;
    KnPointSet points;  /* relevant empty points */
    KnPointSet strings; /* relevant strings, by head */
    int defender, k;
} Growth;

static void add_liberties(Growth *g, int head)
{
    for (int i = 0; i < g->s->words; i++) g->points.w[i] |= g->s->string[head].free.w[i];
}

/* Attacking strings next to relevant defending ones. */
static void grow_attackers(Growth *g)
{
    KnPointSet strings = g->strings;
    KN_POINTS_EACH(g->s, &strings, head)
    {
        if (g->s->colour[head] != g->defender) continue;
        KN_POINTS_EACH(g->s, &g->s->string[head].foes, foe)
        {
            if (g->s->string[foe].liberties > 2 * g->k - 1) continue;
            kn_points_add(&g->strings, foe);
            add_liberties(g, foe);
        }
    }
}

/* Empty neighbours of relevant points, and strings that touch them. */
static void grow_points(Growth *g)
{
    KnPointSet points = g->points;
    KN_POINTS_EACH(g->s, &points, point)
    {
        const int next[4] = KN_NEIGHBOURS(g->s, point);
        for (int i = 0; i < 4; i++) {
            int colour = g->s->colour[next[i]], head = g->s->head[next[i]];
            if (colour == KN_STONE_NONE) {
                kn_points_add(&g->points, next[i]);
            } else if (colour == g->defender) {
                kn_points_add(&g->strings, head);
                if (g->s->string[head].liberties <= g->k + 1) add_liberties(g, head);
            } else if (colour != KN_STONE_BORDER && g->s->string[head].liberties <= 2 * g->k - 1) {
                kn_points_add(&g->strings, head);
                add_liberties(g, head);
            }
        }
    }
}

/* Defending strings next to relevant attacking ones. */
static void grow_defenders(Growth *g)
{
    KnPointSet strings = g->strings;
    KN_POINTS_EACH(g->s, &strings, head)
    {
        if (g->s->colour[head] == g->defender) continue;
        KN_POINTS_EACH(g->s, &g->s->string[head].foes, foe)
        {
            kn_points_add(&g->strings, foe);
            if (g->s->string[foe].liberties <= 2 * g->k - 1) add_liberties(g, foe);
        }
    }
}

/* Attacking strings next to relevant points that may become short of liberties: both sides fill k of them.
 * Returns how many stones they and those played have. */
static int grow_weak(Growth *g)
{
    KnPointSet points = g->points;
    int stones = g->k;
    KN_POINTS_EACH(g->s, &points, point)
    {
        const int next[4] = KN_NEIGHBOURS(g->s, point);
        for (int i = 0; i < 4; i++) {
            int colour = g->s->colour[next[i]], head = g->s->head[next[i]];
            if (colour == KN_STONE_NONE) kn_points_add(&g->points, next[i]);
            if (colour != KN_STONE_OTHER(g->defender) || kn_points_has(&g->strings, head)) continue;
            if (g->s->string[head].liberties > 2 * g->k) continue;
            kn_points_add(&g->strings, head);
            stones += g->s->string[head].stones;
        }
    }
    return stones;
}

/* Defending strings next to relevant points. */
static void grow_touching(Growth *g)
{
    KnPointSet points = g->points;
    KN_POINTS_EACH(g->s, &points, point)
    {
        const int next[4] = KN_NEIGHBOURS(g->s, point);
        for (int i = 0; i < 4; i++) {
            int head = g->s->head[next[i]];
            if (g->s->colour[next[i]] != g->defender) continue;
            kn_points_add(&g->strings, head);
            if (g->s->string[head].liberties <= g->k + 1) add_liberties(g, head);
        }
    }
}

/* Lasting captures: the defender may also work for a snapback. That concerns the strings that would be taken
 * back, the defending strings around them, whose capture would give liberties, and what surrounds these. */
static void grow_traps(Growth *g, int stones)
{
    Growth weak = {.s = g->s, .points = g->points, .defender = g->defender, .k = g->k};
    if (grow_weak(&weak) < stones) return;
    KN_POINTS_EACH(g->s, &weak.strings, head) add_liberties(&weak, head);
    grow_defenders(&weak);
    grow_touching(&weak);
    grow_attackers(&weak);
    g->points = weak.points;
}

static Growth grow(const KnCapture *c, int k)
{
    const KnStrings *s = c->strings;
    Growth g = {.s = s, .defender = c->defender, .k = k};
    int target = s->head[c->target];
    g.points = s->string[target].free;
    kn_points_add(&g.strings, target);
    for (int round = 1; round <= k; round++) {
        grow_attackers(&g);
        if (round == k) break;
        grow_points(&g);
        if (k > 2) grow_defenders(&g);
    }
    return g;
}

void kn_capture_near(const KnCapture *c, int k, KnPointSet *points) { *points = grow(c, k).points; }

void kn_capture_defences(const KnCapture *c, int k, KnPointSet *points)
{
    Growth g = grow(c, k);
    bool traps = c->kind == KN_CAPTURE_LASTING ||
                 c->threats[c->defender]; /* snapbacks; kos, if he may retake */
    if (traps && k > 1) grow_traps(&g, c->strings->string[c->strings->head[c->target]].stones);
    *points = g.points;
    if (traps && k == 1) kn_capture_trap_points(c, points);
}

/* ---- Dependencies of a proof ---- */

static void add_neighbours(const KnStrings *s, int point, KnZone *zone)
{
    const int next[4] = KN_NEIGHBOURS(s, point);
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] != KN_STONE_BORDER) kn_zone_add(zone, next[i]);
}

/* A string and all its neighbours. */
static void add_enclosed(const KnStrings *s, int head, KnZone *zone)
{
    int stone = head;
    do {
        kn_zone_add(zone, stone);
        add_neighbours(s, stone, zone);
    } while ((stone = s->link[stone]) != head);
}

/* Where a string breathes: on empty points but two, and where strings of a colour in atari at the first of
 * these points are taken. */
typedef struct Air {
    int except[2];
    int taken; /* the colour, or KN_STONE_NONE */
} Air;

static bool breathes_at(const KnStrings *s, const Air *air, int point)
{
    if (point == air->except[0] || point == air->except[1]) return false;
    if (s->colour[point] == KN_STONE_NONE) return true;
    if (air->taken == KN_STONE_NONE || s->colour[point] != air->taken) return false;
    const KnString *string = &s->string[s->head[point]];
    return string->liberties == 1 && kn_points_has(&string->free, air->except[0]);
}

/* Adds the path along a string from a stone to the nearest such point; returns that point, or
 * KN_STRINGS_NONE. */
static int add_air(const KnStrings *s, int stone, const Air *air, KnZone *zone)
{
    uint16_t queue[KN_STRINGS_POINTS], from[KN_STRINGS_POINTS];
    KnPointSet seen = {{0}};
    int count = 0;
    queue[count] = (uint16_t)stone, from[count++] = 0;
    kn_points_add(&seen, stone);
    for (int at = 0; at < count; at++) {
        const int next[4] = KN_NEIGHBOURS(s, queue[at]);
        int breath = KN_STRINGS_NONE;
        for (int i = 0; i < 4; i++)
            if (breathes_at(s, air, next[i]) && (breath == KN_STRINGS_NONE || kn_zone_has(zone, next[i])))
                breath = next[i];
        if (breath != KN_STRINGS_NONE) {
            kn_zone_add(zone, breath);
            for (int back = at;; back = from[back]) {
                kn_zone_add(zone, queue[back]);
                if (back == 0) return breath;
            }
        }
        for (int i = 0; i < 4; i++)
            if (s->colour[next[i]] == s->colour[stone] && !kn_points_has(&seen, next[i])) {
                kn_points_add(&seen, next[i]);
                queue[count] = (uint16_t)next[i], from[count++] = (uint16_t)at;
            }
    }
    return KN_STRINGS_NONE;
}

static int add_breath(const KnStrings *s, int stone, int except, KnZone *zone)
{
    return add_air(s, stone, &(Air){{except, KN_STRINGS_NONE}, KN_STONE_NONE}, zone);
}

static const KnCapture *capture_of(const KnGoal *goal) { return (const KnCapture *)(const void *)goal; }

void kn_capture_depends_end(const KnGoal *goal, KnZone *zone)
{
    const KnCapture *c = capture_of(goal);
    const KnStrings *s = c->strings;
    kn_zone_add(zone, c->target);
    if (s->colour[c->target] != c->defender) return;                 /* the capturing move adds the rest */
    if (s->string[s->head[c->target]].liberties <= c->limit) return; /* open: the target is present */
    int head = s->head[c->target], stone = head, left = c->limit + 1;
    do kn_zone_add(zone, stone);
    while ((stone = s->link[stone]) != head);
    KN_POINTS_EACH(s, &s->string[head].free, point)
    if (left-- > 0) kn_zone_add(zone, point);
}

/* The attacker takes the target by a move that must not be taken back: what gives the capturing string a
 * second liberty, or else its size. */
static void add_lasting(const KnCapture *c, int move, KnZone *zone)
{
    const KnStrings *s = c->strings;
    const int next[4] = KN_NEIGHBOURS(s, move);
    Air air = {{move, KN_STRINGS_NONE}, c->defender};
    for (int i = 0; i < 4; i++) {
        if (!breathes_at(s, &air, next[i])) continue;
        if (air.except[1] != KN_STRINGS_NONE) return; /* two of the neighbours, which are in the zone */
        air.except[1] = next[i];
    }
    int attacker = KN_STONE_OTHER(c->defender);
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] == attacker && add_air(s, next[i], &air, zone) != KN_STRINGS_NONE) return;
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] == attacker) add_enclosed(s, s->head[next[i]], zone);
}

static bool takes_target(const KnCapture *c, int move)
{
    const KnString *target = &c->strings->string[c->strings->head[c->target]];
    return target->liberties == 1 && kn_points_has(&target->free, move);
}

void kn_capture_depends_move(KnGoal *goal, int move, KnZone *zone)
{
    if (move == KN_GOAL_PASS) return;
    const KnCapture *c = capture_of(goal);
    const KnStrings *s = c->strings;
    int colour = goal->attacking ? KN_STONE_OTHER(c->defender) : c->defender;
    const int next[4] = KN_NEIGHBOURS(s, move);
    bool breathes = false;
    kn_zone_add(zone, move);
    add_neighbours(s, move, zone);
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there == KN_STONE_NONE) breathes = true;
        if (there != KN_STONE_OTHER(colour)) continue;
        if (s->string[s->head[next[i]]].liberties == 1) {
            add_enclosed(s, s->head[next[i]], zone);
            breathes = true;
        } else {
            add_breath(s, next[i], move, zone);
        }
    }
    for (int i = 0; i < 4 && !breathes; i++)
        if (s->colour[next[i]] == colour && s->string[s->head[next[i]]].liberties > 1) {
            add_breath(s, next[i], move, zone);
            breathes = true;
        }
    if (goal->attacking && c->kind == KN_CAPTURE_LASTING && takes_target(c, move)) add_lasting(c, move, zone);
}

/* A capture of the target that does not count: everything that makes it a ko or a snapback. */
static void add_vain(const KnCapture *c, int move, KnZone *zone)
{
    const KnStrings *s = c->strings;
    const int next[4] = KN_NEIGHBOURS(s, move);
    add_neighbours(s, move, zone);
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there != KN_STONE_BLACK && there != KN_STONE_WHITE) continue;
        if (there == c->defender && s->string[s->head[next[i]]].liberties > 1)
            add_breath(s, next[i], move, zone);
        else
            add_enclosed(s, s->head[next[i]], zone);
    }
}

void kn_capture_depends_reply(KnGoal *goal, int move, KnZone *zone)
{
    const KnCapture *c = capture_of(goal);
    const KnStrings *s = c->strings;
    int colour = goal->attacking ? KN_STONE_OTHER(c->defender) : c->defender;
    kn_zone_add(zone, move);
    bool retakes = move == s->ko;
    if (retakes && !c->threats[colour]) return;     /* the prover's last move forbids it and is in the zone */
    if (goal->attacking && takes_target(c, move)) { /* the prover is the defender: it does not count */
        add_vain(c, move, zone);
        return;
    }
    const int next[4] = KN_NEIGHBOURS(s, move);
    bool legal = retakes || kn_strings_legal(s, move, colour);
    if (!legal) add_neighbours(s, move, zone);
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there != KN_STONE_BLACK && there != KN_STONE_WHITE) continue;
        bool own = there == colour;
        if (legal ? !own && s->string[s->head[next[i]]].liberties == 1 : own) {
            add_enclosed(s, s->head[next[i]], zone);
            add_neighbours(s, move, zone); /* they decide whether it is a ko */
        } else if (!legal) {
            add_breath(s, next[i], move, zone);
        }
    }
}

/* A connected group of the prover's stones in the zone, from its first: the number of its liberties there, up
 * to two, and one of them. */
static int patch_breaths(const KnStrings *s, const KnZone *zone, int first, KnPointSet *seen, int *breath)
{
    uint16_t queue[KN_STRINGS_POINTS];
    int count = 0, breaths = 0;
    *breath = KN_STRINGS_NONE;
    queue[count++] = (uint16_t)first;
    kn_points_add(seen, first);
    for (int at = 0; at < count; at++) {
        const int next[4] = KN_NEIGHBOURS(s, queue[at]);
        for (int i = 0; i < 4; i++) {
            if (!kn_zone_has(zone, next[i])) continue;
            if (s->colour[next[i]] == KN_STONE_NONE && next[i] != *breath && breaths < 2)
                breaths++, *breath = next[i];
            if (s->colour[next[i]] != s->colour[first] || kn_points_has(seen, next[i])) continue;
            kn_points_add(seen, next[i]);
            queue[count++] = (uint16_t)next[i];
        }
    }
    return breaths;
}

/* Gives each such group two liberties in the zone, so that no single reply captures it, unless it is in
 * atari. */
void kn_capture_depends_elsewhere(KnGoal *goal, KnZone *zone)
{
    const KnCapture *c = capture_of(goal);
    const KnStrings *s = c->strings;
    int prover = goal->attacking ? c->defender : KN_STONE_OTHER(c->defender);
    KnPointSet seen = {{0}};
    for (int word = 0; word < s->words; word++)
        for (uint64_t bits = zone->w[word]; bits; bits &= bits - 1) {
            int first = word * 64 + __builtin_ctzll(bits), breath;
            if (s->colour[first] != prover || kn_points_has(&seen, first)) continue;
            int breaths = patch_breaths(s, zone, first, &seen, &breath),
                liberties = s->string[s->head[first]].liberties;
            if (breaths == 0) breath = add_breath(s, first, KN_STRINGS_NONE, zone), breaths++;
            if (breaths == 1 && liberties > 1) add_breath(s, first, breath, zone);
        }
}
