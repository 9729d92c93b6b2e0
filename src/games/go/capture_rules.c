/* Which captures count: kos and snapbacks at the target's last liberty. */
#include "games/go/capture_zone.h"

#include <string.h>

/* The attacker's move at the target's last liberty, before it is played. */
typedef struct Capturing {
    int point, stones, taken; /* stones of the capturing string, stones that it takes */
    int own[4], owns;         /* strings that it joins, by head */
    int caught[4], catches;   /* strings that it takes */
    KnPointSet free;          /* liberties of the capturing string afterwards */
} Capturing;

static bool add_once(int *heads, int *count, int head)
{
    for (int i = 0; i < *count; i++)
        if (heads[i] == head) return false;
    heads[(*count)++] = head;
    return true;
}

static bool among(const int *heads, int count, int head)
{
    for (int i = 0; i < count; i++)
        if (heads[i] == head) return true;
    return false;
}

/* Points of captured stones that become liberties of the capturing string. */
static void add_emptied(const KnStrings *s, Capturing *a, int head)
{
    int stone = head, attacker = KN_STONE_OTHER(s->colour[head]);
    do {
        const int next[4] = KN_NEIGHBOURS(s, stone);
        for (int i = 0; i < 4; i++)
            if (next[i] == a->point ||
                (s->colour[next[i]] == attacker && among(a->own, a->owns, s->head[next[i]])))
                kn_points_add(&a->free, stone);
    } while ((stone = s->link[stone]) != head);
}

static void find_capturing(const KnCapture *c, int point, Capturing *a)
{
    const KnStrings *s = c->strings;
    const int next[4] = KN_NEIGHBOURS(s, point);
    memset(a, 0, sizeof *a);
    a->point = point, a->stones = 1;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]], head = s->head[next[i]];
        if (there == KN_STONE_NONE) {
            kn_points_add(&a->free, next[i]);
        } else if (there == c->defender) {
            if (s->string[head].liberties == 1 && add_once(a->caught, &a->catches, head))
                a->taken += s->string[head].stones;
        } else if (there != KN_STONE_BORDER && add_once(a->own, &a->owns, head)) {
            a->stones += s->string[head].stones;
            for (int w = 0; w < s->words; w++) a->free.w[w] |= s->string[head].free.w[w];
        }
    }
    kn_points_drop(&a->free, point);
    for (int i = 0; i < a->catches; i++) add_emptied(s, a, a->caught[i]);
}

bool kn_capture_by_ko(const KnCapture *c, int point)
{
    const KnStrings *s = c->strings;
    if (s->string[s->head[c->target]].stones > 1) return false;
    const int next[4] = KN_NEIGHBOURS(s, point);
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there == KN_STONE_BORDER || next[i] == c->target) continue;
        if (there != c->defender || s->string[s->head[next[i]]].liberties == 1) return false;
    }
    return true;
}

bool kn_capture_taken_back(const KnCapture *c, int point)
{
    const KnStrings *s = c->strings;
    const int next[4] = KN_NEIGHBOURS(s, point);
    int attacker = KN_STONE_OTHER(c->defender), stones = 1; /* of the capturing string, at most */
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        const KnString *own = &s->string[s->head[next[i]]];
        if (there == KN_STONE_NONE) return false; /* with the point of the target these are two liberties */
        if (there == attacker && own->liberties > 2) return false;
        if (there == attacker) stones += own->stones;
    }
    if (stones < s->string[s->head[c->target]].stones) return false;
    Capturing a;
    find_capturing(c, point, &a);
    return a.stones >= a.taken && !(a.stones == 1 && a.taken == 1) && kn_points_count(s, &a.free) == 1;
}

void kn_capture_trap_points(const KnCapture *c, KnPointSet *points)
{
    const KnStrings *s = c->strings;
    const KnString *target = &s->string[s->head[c->target]];
    if (target->liberties != 1) return;
    Capturing a;
    KN_POINTS_EACH(s, &target->free, point)
    {
        find_capturing(c, point, &a);
        if (a.catches > 1) /* a string that is saved leaves fewer liberties to the capturing one */
            for (int i = 0; i < a.catches; i++) KN_POINTS_EACH(s, &s->string[a.caught[i]].foes, foe)
        if (s->string[foe].liberties == 1)
            for (int w = 0; w < s->words; w++) points->w[w] |= s->string[foe].free.w[w];
        if (a.catches == 1 && (a.taken > a.stones || kn_points_count(s, &a.free) > 2)) continue;
        KN_POINTS_EACH(s, &a.free, free)
        if (s->colour[free] == KN_STONE_NONE) kn_points_add(points, free);
    }
}
