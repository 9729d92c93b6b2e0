/* Escapes in one move: moves after which the target immediately has more liberties than the limit.
 *
 * Most leaves of a proof that a string cannot be captured are of this kind: after nearly every attacking move
 * the same few escapes still work. So they are found on the board, without playing moves. An escape relies on
 * certain liberties, and only a few moves refute it: its own point, one of those liberties if none is to
 * spare, and the capture of a string that the escape needs for its own capture. If there are several escapes,
 * the attacker need only try moves that refute all of them.
 *
 * A move that joins the target to a string with which it lives (capture_life.c) is such an escape for the
 * attacker's moves, and where it lives already he has none. */
#include "games/go/capture_zone.h"

#include <string.h>

enum { WAYS_MAX = 24, WAYS_USED = 4 };

typedef struct Way {
    int move, count;      /* liberties afterwards */
    int joined[4], joins; /* strings joined to the target */
    int caught[4], catches;
    KnPointSet free; /* liberties it relies on: one more than the limit, or two more if available */
    KnPointSet hit;  /* attacking moves that refute it */
    bool lives;      /* the target lives then, with few liberties or many; that depends on the zone */
    KnZone zone;
} Way;

static void add_once(int *heads, int *count, int head)
{
    for (int i = 0; i < *count; i++)
        if (heads[i] == head) return;
    heads[(*count)++] = head;
}

/* Captured stones that become liberties of the target. */
static void add_emptied(const KnCapture *c, const Way *way, bool touches, int head, KnPointSet *free)
{
    const KnStrings *s = c->strings;
    int target = s->head[c->target], stone = head;
    do {
        const int next[4] = KN_NEIGHBOURS(s, stone);
        for (int i = 0; i < 4; i++) {
            bool own = touches && next[i] == way->move;
            if (s->colour[next[i]] == c->defender) {
                own |= s->head[next[i]] == target;
                for (int j = 0; j < way->joins; j++) own |= s->head[next[i]] == way->joined[j];
            }
            if (own) kn_points_add(free, stone);
        }
    } while ((stone = s->link[stone]) != head);
}

/* Keeps only the liberties needed, the target's own first. */
static void keep_liberties(const KnCapture *c, Way *way, int spare)
{
    const KnStrings *s = c->strings;
    const KnPointSet *own = &s->string[s->head[c->target]].free;
    KnPointSet kept = {{0}};
    int left = c->limit + 1 + spare;
    for (int round = 0; round < 2; round++) KN_POINTS_EACH(s, &way->free, point)
    if (left > 0 && kn_points_has(own, point) == !round) kn_points_add(&kept, point), left--;
    way->free = kept;
}

/* The effect of a defending stone on an empty point. */
static void find_way(const KnCapture *c, int point, Way *way)
{
    const KnStrings *s = c->strings;
    int target = s->head[c->target];
    const int next[4] = KN_NEIGHBOURS(s, point);
    bool touches = kn_points_has(&s->string[target].free, point);
    way->move = point, way->joins = way->catches = 0, way->lives = false;
    KnPointSet free = s->string[target].free;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]], head = s->head[next[i]];
        if (there == KN_STONE_NONE) {
            if (touches) kn_points_add(&free, next[i]);
        } else if (there == c->defender) {
            if (touches && head != target) add_once(way->joined, &way->joins, head);
        } else if (there != KN_STONE_BORDER && s->string[head].liberties == 1) {
            add_once(way->caught, &way->catches, head);
        }
    }
    for (int i = 0; i < way->joins; i++)
        for (int w = 0; w < s->words; w++) free.w[w] |= s->string[way->joined[i]].free.w[w];
    for (int i = 0; i < way->catches; i++) add_emptied(c, way, touches, way->caught[i], &free);
    kn_points_drop(&free, point);
    way->count = kn_points_count(s, &free);
    way->free = free;
}

/* An upper bound on the liberties after a defending stone: it dismisses most points. */
static int most_liberties(const KnCapture *c, int point)
{
    const KnStrings *s = c->strings;
    const KnString *target = &s->string[s->head[c->target]];
    const int next[4] = KN_NEIGHBOURS(s, point);
    bool touches = kn_points_has(&target->free, point);
    int most = target->liberties - touches;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]], head = s->head[next[i]];
        if (there == KN_STONE_NONE)
            most += touches;
        else if (there == c->defender)
            most += touches && head != s->head[c->target] ? s->string[head].liberties : 0;
        else if (there != KN_STONE_BORDER && s->string[head].liberties == 1)
            most += s->string[head].stones;
    }
    return most;
}

static bool way_out(const KnCapture *c, int point, Way *way)
{
    if (most_liberties(c, point) <= c->limit) return false;
    find_way(c, point, way);
    return way->count > c->limit;
}

/* Finds the refutations: other moves take no liberty from it, and a string in atari that it would join has
 * this point as its last liberty. */
static void find_hits(const KnCapture *c, Way *way)
{
    const KnStrings *s = c->strings;
    int spare = way->count > c->limit + 1;
    keep_liberties(c, way, spare);
    memset(&way->hit, 0, sizeof way->hit);
    if (!spare) way->hit = way->free;
    kn_points_add(&way->hit, way->move);
    for (int i = 0; i < way->catches; i++) /* capturing their surrounding strings gives them liberties */
        KN_POINTS_EACH(s, &s->string[way->caught[i]].foes, foe)
    if (s->string[foe].liberties == 1)
        for (int w = 0; w < s->words; w++) way->hit.w[w] |= s->string[foe].free.w[w];
}

static void add_stones(const KnStrings *s, int head, KnZone *zone)
{
    int stone = head;
    do kn_zone_add(zone, stone);
    while ((stone = s->link[stone]) != head);
}

/* The dependencies: further captures or connections only add liberties, so the escape depends only on what it
 * relies on. */
static void depend_on(const KnCapture *c, const Way *way, KnZone *zone)
{
    const KnStrings *s = c->strings;
    add_stones(s, s->head[c->target], zone);
    kn_zone_add(zone, way->move);
    for (int i = 0; i < way->joins; i++) add_stones(s, way->joined[i], zone);
    for (int i = 0; i < way->catches; i++) {
        int stone = way->caught[i];
        do {
            const int next[4] = KN_NEIGHBOURS(s, stone);
            kn_zone_add(zone, stone);
            for (int n = 0; n < 4; n++)
                if (s->colour[next[n]] != KN_STONE_BORDER) kn_zone_add(zone, next[n]);
        } while ((stone = s->link[stone]) != way->caught[i]);
    }
    KN_POINTS_EACH(s, &way->free, point) kn_zone_add(zone, point);
}

/* Candidate points: liberties, and last liberties of adjacent strings. */
static void candidates(const KnCapture *c, KnPointSet *points)
{
    const KnStrings *s = c->strings;
    const KnString *target = &s->string[s->head[c->target]];
    *points = target->free;
    KN_POINTS_EACH(s, &target->foes, foe)
    if (s->string[foe].liberties == 1)
        for (int w = 0; w < s->words; w++) points->w[w] |= s->string[foe].free.w[w];
}

int kn_capture_escape(KnGoal *goal, KnZone *zone)
{
    const KnCapture *c = (const KnCapture *)(const void *)goal;
    KnPointSet points;
    Way way;
    candidates(c, &points);
    KN_POINTS_EACH(c->strings, &points, point)
    {
        if (point == c->strings->ko && !c->threats[c->defender]) continue;
        if (!way_out(c, point, &way)) continue;
        keep_liberties(c, &way, 0);
        depend_on(c, &way, zone);
        return point;
    }
    return -1;
}

static int both_hit(const KnStrings *s, const KnPointSet *left, const Way *way)
{
    KnPointSet both;
    for (int w = 0; w < s->words; w++) both.w[w] = left->w[w] & way->hit.w[w];
    return kn_points_count(s, &both);
}

/* What refutes a move that makes the target live: a move inside the zone, and the capture of a string there.
 */
static void find_hits_of_life(const KnStrings *s, int defender, Way *way)
{
    memset(&way->hit, 0, sizeof way->hit);
    kn_points_add(&way->hit, way->move);
    for (int word = 0; word < s->words; word++)
        for (uint64_t bits = way->zone.w[word]; bits; bits &= bits - 1) {
            int point = word * 64 + __builtin_ctzll(bits), held = s->colour[point];
            if (held == KN_STONE_NONE) kn_points_add(&way->hit, point);
            if (held != defender || s->string[s->head[point]].liberties > 1) continue;
            for (int w = 0; w < s->words; w++) way->hit.w[w] |= s->string[s->head[point]].free.w[w];
        }
}

/* Adds the moves that make the target live; returns how many ways there are. */
static int add_living(KnCapture *c, Way *ways, int count)
{
    const KnStrings *s = c->strings;
    KnPointSet own = s->string[s->head[c->target]].free;
    KN_POINTS_EACH(s, &own, point)
    {
        if (count == WAYS_MAX) break;
        Way *way = &ways[count];
        way->move = point, way->lives = true, way->zone = (KnZone){{0}};
        if (!kn_capture_life_joined(c, point, &way->zone)) continue;
        find_hits_of_life(s, c->defender, way);
        count++;
    }
    return count;
}

int kn_capture_parries(KnGoal *goal, int *moves, KnZone *zone)
{
    KnCapture *c = (KnCapture *)(uintptr_t)goal;
    const KnStrings *s = c->strings;
    const KnString *target = &s->string[s->head[c->target]];
    if (target->liberties < 2) return -1;
    Way ways[WAYS_MAX];
    int count = 0;
    KnPointSet points, left;
    candidates(c, &points);
    KN_POINTS_EACH(s, &points, point)
    if (count < WAYS_MAX && way_out(c, point, &ways[count])) find_hits(c, &ways[count++]);
    KnCaptureLife life = count < WAYS_MAX ? kn_capture_life(c, zone) : KN_CAPTURE_OPEN;
    if (life == KN_CAPTURE_ALIVE) return 0;
    if (life == KN_CAPTURE_EYE) count = add_living(c, ways, count);
    if (!count) return -1;
    memset(&left, 0xff, sizeof left);
    for (int used = 0, most = KN_STRINGS_POINTS; used < WAYS_USED && most > 0; used++) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            int hits = both_hit(s, &left, &ways[i]);
            if (hits < most) most = hits, best = i;
        }
        if (best < 0) break;
        if (ways[best].lives)
            kn_zone_join(zone, &ways[best].zone);
        else
            depend_on(c, &ways[best], zone);
        for (int w = 0; w < s->words; w++) left.w[w] &= ways[best].hit.w[w];
    }
    int parries = 0;
    KN_POINTS_EACH(s, &left, point) moves[parries++] = point;
    return parries;
}

void kn_capture_reach(const KnCapture *c, const int *moves, int count, int *reach)
{
    Way ways[WAYS_MAX];
    int found = 0;
    KnPointSet points;
    candidates(c, &points);
    KN_POINTS_EACH(c->strings, &points, point)
    if (found < WAYS_MAX) find_way(c, point, &ways[found++]);
    for (int i = 0; i < count; i++) {
        reach[i] = 0;
        for (int j = 0; j < found; j++) {
            int left = ways[j].count - kn_points_has(&ways[j].free, moves[i]);
            if (ways[j].move != moves[i] && left > reach[i]) reach[i] = left;
        }
    }
}
