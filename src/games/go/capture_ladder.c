/* Ladders, read to their end.
 *
 * A ladder across the board has as many branches as moves: the attacker may give atari from either side. One
 * side is nearly always wrong, and that shows at once: the target would have three liberties after it runs.
 * So liberties are counted on the board before anything is played, and a ladder costs about as many positions
 * as it has moves. */
#include "games/go/capture_zone.h"

enum { FREE = 3, SIDES = 2 };

typedef struct Ladder {
    KnCapture *c;
    KnGoalCount *played;
    uint64_t most;
} Ladder;

static const KnString *target_of(const KnCapture *c)
{
    return &c->strings->string[c->strings->head[c->target]];
}

/* Liberties of the target after it runs to `run`, one of its liberties, with an attacking stone on `taken`
 * (or KN_STRINGS_NONE). A string that running captures counts with one liberty for each of its stones. */
static int liberties_after(const KnCapture *c, int run, int taken)
{
    const KnStrings *s = c->strings;
    KnPointSet free = target_of(c)->free;
    const int next[4] = KN_NEIGHBOURS(s, run);
    int count = 0;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        const KnString *string = &s->string[s->head[next[i]]];
        if (there == KN_STONE_NONE)
            kn_points_add(&free, next[i]);
        else if (there == c->defender)
            for (int w = 0; w < s->words; w++) free.w[w] |= string->free.w[w];
        else if (there != KN_STONE_BORDER && string->liberties == 1)
            count += string->stones;
    }
    kn_points_drop(&free, run);
    kn_points_drop(&free, taken);
    return count + kn_points_count(s, &free);
}

/* Whether a stone of the attacker there takes something off. */
static bool takes(const KnCapture *c, int point)
{
    const KnStrings *s = c->strings;
    const int next[4] = KN_NEIGHBOURS(s, point);
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] == c->defender && s->string[s->head[next[i]]].liberties == 1) return true;
    return false;
}

static bool runs(Ladder *l);

static bool after(Ladder *l, int point, bool (*follow)(Ladder *l))
{
    const KnGoalType *type = l->c->goal.type;
    if (l->played->nodes >= l->most || !type->play(&l->c->goal, point)) return false;
    l->played->nodes++;
    bool caught = follow(l);
    type->undo(&l->c->goal);
    return caught;
}

/* The attacker is to move. */
static bool chases(Ladder *l)
{
    KnCapture *c = l->c;
    const KnString *target = target_of(c);
    if (target->liberties > SIDES) return false;
    int sides[SIDES], left[SIDES], count = 0;
    KN_POINTS_EACH(c->strings, &target->free, point) sides[count++] = point;
    KnGoal *goal = &c->goal;
    for (int i = 0; i < count; i++) {
        if (c->goal.type->place(goal, sides[i]) != KN_PLACE_LEGAL)
            left[i] = FREE;
        else if (count == 1)
            return true;
        else
            left[i] = takes(c, sides[i]) ? 0 : liberties_after(c, sides[1 - i], sides[i]);
    }
    if (count == 1) return false;
    int first = left[1] < left[0];
    for (int i = 0; i < count; i++) {
        int side = i ? 1 - first : first;
        if (left[side] < FREE && after(l, sides[side], runs)) return true;
    }
    return false;
}

/* The defender is to move. In atari he runs, or captures a string of the ladder: these are all defences
 * (games/goals.h). */
static bool runs(Ladder *l)
{
    KnCapture *c = l->c;
    KnGoal *goal = &c->goal;
    const KnString *target = target_of(c);
    if (c->strings->colour[c->target] != c->defender) return true;
    if (target->liberties > 1) return false;
    int moves[KN_GOAL_MOVES_MAX], last = KN_STRINGS_NONE;
    KN_POINTS_EACH(c->strings, &target->free, point) last = point;
    if (goal->type->place(goal, last) == KN_PLACE_LEGAL && liberties_after(c, last, KN_STRINGS_NONE) >= FREE)
        return false;
    int count = goal->type->defences(goal, 1, moves);
    /* The threat itself: after a pass the attacker must be able to take it. */
    goal->attacking = true;
    bool threat = goal->type->place(goal, last) == KN_PLACE_LEGAL || c->strings->ko == last;
    goal->attacking = false;
    for (int i = 0; i < count && threat; i++)
        if (!after(l, moves[i], chases)) return false;
    return threat;
}

bool kn_capture_ladder(KnGoal *goal, KnGoalCount *played)
{
    Ladder l = {(KnCapture *)(uintptr_t)goal, played, played->most ? played->most : UINT64_MAX};
    return goal->attacking ? chases(&l) : runs(&l);
}

bool kn_capture_catches(KnCapture *c, int foe, KnGoalCount *played)
{
    KnCapture other = *c; /* the question about that string, on the same board */
    other.target = foe, other.defender = c->strings->colour[foe], other.goal.attacking = true;
    other.spents = 0;
    bool caught = kn_capture_ladder(&other.goal, played);
    c->goal.ko |= other.goal.ko;
    return caught;
}
