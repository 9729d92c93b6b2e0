/* The first tier (Lock 2003, Appendix B): Wiser, Sadder, Victory, Don't Lose, Panic, Shortsight, Enough Rope.
 */
#include "players/hoyle/mind.h"

#include <string.h>

const char *const kn_first_tier_names[FIRST_TIER] = {"Wiser", "Sadder",     "Victory",    "Don't Lose",
                                                     "Panic", "Shortsight", "Enough Rope"};

enum { WISER, SADDER, VICTORY, DONT_LOSE, PANIC, SHORTSIGHT, ENOUGH_ROPE };

int kn_first_tier_left(const Desk *desk, int *last)
{
    int left = 0;
    for (int i = 0; i < desk->count; i++)
        if (!desk->sights[i].out) left++, *last = i;
    return left;
}

/* Takes moves away, unless that would leave none; tells how many. */
static int take_away(Desk *desk, const bool *bad)
{
    int taken = 0, left = 0;
    for (int i = 0; i < desk->count; i++) {
        taken += !desk->sights[i].out && bad[i];
        left += !desk->sights[i].out && !bad[i];
    }
    if (!left) return 0;
    for (int i = 0; i < desk->count; i++) desk->sights[i].out |= bad[i];
    return taken;
}

int kn_first_tier_victory(const Desk *desk)
{
    for (int i = 0; i < desk->count; i++)
        if (desk->sights[i].end == 1) return i;
    return -1;
}

/* A move to a state that is known to be lost for whoever has the move there. */
static int wiser(const Desk *desk)
{
    for (int i = 0; i < desk->count; i++)
        if (desk->sights[i].certain == 1) return i;
    return -1;
}

static bool sadder(const Desk *desk)
{
    const Mind *mind = desk->mind;
    unsigned char normal[mind->game->position_size] __attribute__((aligned(16)));
    kn_scene_normalise(mind->scene, desk->position, normal);
    int number = kn_album_find(&mind->album, normal);
    return number >= 0 && mind->memory[number].certain < 0;
}

/* The winning move the other would have now: one that wins after most of one's own moves. A rope is a cell
 * where he would lose likewise. Asking what he could do if it were his turn needs no move that the rules do
 * not have. */
static bool stands(const Desk *desk, const uint16_t *where, int cell)
{
    int able = 0;
    for (int i = 0; i < desk->count; i++) able += !desk->sights[i].end && desk->sights[i].action.to != cell;
    return where[cell] && 2 * where[cell] >= able;
}

static void mark_panic(const Desk *desk, bool *bad)
{
    bool threatened = false;
    for (int c = 0; c < desk->mind->scene->cells && !threatened; c++)
        threatened = stands(desk, desk->threat, c);
    for (int i = 0; i < desk->count; i++) bad[i] = threatened && desk->sights[i].winning > 0;
}

/* A move after which the other can only lose. */
static int shortsight_wins(const Desk *desk)
{
    for (int i = 0; i < desk->count; i++) {
        const Sight *s = &desk->sights[i];
        if (!s->out && !s->end && !s->again && s->replies > 0 && s->losing == s->replies) return i;
    }
    return -1;
}

static bool decide(Ruling *ruling, int advisor, int move)
{
    if (move < 0) return false;
    ruling->chosen = move;
    ruling->advisor = kn_first_tier_names[advisor];
    return true;
}

void kn_first_tier(Desk *desk, bool victory_first, Ruling *ruling)
{
    bool bad[desk->count + 1];
    memset(bad, 0, sizeof bad);
    int last = 0;
    *ruling = (Ruling){.chosen = -1};
    if (victory_first && decide(ruling, VICTORY, kn_first_tier_victory(desk))) return;
    if (decide(ruling, WISER, wiser(desk))) return;
    ruling->resigns = sadder(desk);
    if (decide(ruling, VICTORY, kn_first_tier_victory(desk))) return;
    for (int i = 0; i < desk->count; i++) bad[i] = desk->sights[i].end == -1 || desk->sights[i].certain == -1;
    ruling->removed[DONT_LOSE] = take_away(desk, bad);
    mark_panic(desk, bad);
    ruling->removed[PANIC] = take_away(desk, bad);
    if (decide(ruling, SHORTSIGHT, shortsight_wins(desk))) return;
    for (int i = 0; i < desk->count; i++) bad[i] = desk->sights[i].winning > 0;
    ruling->removed[SHORTSIGHT] = take_away(desk, bad);
    for (int i = 0; i < desk->count; i++)
        bad[i] = desk->sights[i].action.to != KN_NO_CELL &&
                 stands(desk, desk->rope, desk->sights[i].action.to);
    ruling->removed[ENOUGH_ROPE] = take_away(desk, bad);
    if (kn_first_tier_left(desk, &last) == 1) {
        ruling->chosen = last;
        ruling->advisor = "the only move left";
    }
}
