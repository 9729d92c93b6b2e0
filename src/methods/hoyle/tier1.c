/* The first tier (Lock 2003, Appendix B): Wiser, Sadder, Victory, Don't Lose, Panic, Shortsight, Enough Rope.
 */
#include "base/assert.h"
#include "methods/hoyle/hoyle.h"

#include <string.h>

const char *const kn_first_tier_names[FIRST_TIER] = {"Wiser", "Sadder",     "Victory",    "Don't Lose",
                                                     "Panic", "Shortsight", "Enough Rope"};

enum { WISER, SADDER, VICTORY, DONT_LOSE, PANIC, SHORTSIGHT, ENOUGH_ROPE };

int kn_first_tier_left(const Decision *decision, int *last)
{
    int left = 0;
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out) left++, *last = i;
    return left;
}

/* Removes moves, unless none would be left. Returns how many. */
static int take_away(Decision *decision, const bool *bad)
{
    int taken = 0, left = 0;
    for (int i = 0; i < decision->count; i++) {
        taken += !decision->consequences[i].out && bad[i];
        left += !decision->consequences[i].out && !bad[i];
    }
    if (!left) return 0;
    for (int i = 0; i < decision->count; i++) decision->consequences[i].out |= bad[i];
    return taken;
}

int kn_first_tier_victory(const Decision *decision)
{
    for (int i = 0; i < decision->count; i++)
        if (decision->consequences[i].end == 1) return i;
    return -1;
}

/* A move to a state that is known to be lost for the player to move there. */
static int wiser(const Decision *decision)
{
    for (int i = 0; i < decision->count; i++)
        if (decision->consequences[i].certain == 1) return i;
    return -1;
}

static bool sadder(const Decision *decision)
{
    const HoyleKnowledge *knowledge = decision->knowledge;
    unsigned char normal[knowledge->game->position_size] __attribute__((aligned(16)));
    kn_board_view_normalise(knowledge->view, decision->position, normal);
    int number = kn_state_table_find(&knowledge->states, normal);
    return number >= 0 && knowledge->known_state[number].certain < 0;
}

/* The winning move the other would have now: one that wins after most of one's own moves. A rope is a cell
 * where he would lose likewise. Asking what he could do if it were his turn needs no move that the rules do
 * not have. */
static bool stands(const Decision *decision, const uint16_t *where, int cell)
{
    int able = 0;
    for (int i = 0; i < decision->count; i++)
        able += !decision->consequences[i].end && decision->consequences[i].action.to != cell;
    return where[cell] && 2 * where[cell] >= able;
}

static void mark_panic(const Decision *decision, bool *bad)
{
    bool threatened = false;
    for (int c = 0; c < decision->knowledge->view->cells && !threatened; c++)
        threatened = stands(decision, decision->threat, c);
    for (int i = 0; i < decision->count; i++) bad[i] = threatened && decision->consequences[i].winning > 0;
}

/* A move after which the other can only lose. */
static int shortsight_wins(const Decision *decision)
{
    for (int i = 0; i < decision->count; i++) {
        const Consequence *s = &decision->consequences[i];
        if (!s->out && !s->end && !s->again && s->replies > 0 && s->losing == s->replies) return i;
    }
    return -1;
}

static bool decide(FirstTierResult *result, int advisor, int move)
{
    if (move < 0) return false;
    result->chosen = move;
    result->advisor = kn_first_tier_names[advisor];
    return true;
}

/* Thesis 1.4, figure 1; the Advisors: appendix B. */
void kn_first_tier(Decision *decision, bool victory_first, FirstTierResult *result)
{
    bool bad[decision->count + 1];
    memset(bad, 0, sizeof bad);
    int last = 0;
    KN_ASSERT(decision->count > 0 && decision->count <= decision->capacity);
    *result = (FirstTierResult){.chosen = -1};
    if (victory_first && decide(result, VICTORY, kn_first_tier_victory(decision))) return;
    if (decide(result, WISER, wiser(decision))) return;
    result->resigns = sadder(decision);
    if (decide(result, VICTORY, kn_first_tier_victory(decision))) return;
    for (int i = 0; i < decision->count; i++)
        bad[i] = decision->consequences[i].end == -1 || decision->consequences[i].certain == -1;
    result->removed[DONT_LOSE] = take_away(decision, bad);
    mark_panic(decision, bad);
    result->removed[PANIC] = take_away(decision, bad);
    if (decide(result, SHORTSIGHT, shortsight_wins(decision))) return;
    for (int i = 0; i < decision->count; i++) bad[i] = decision->consequences[i].winning > 0;
    result->removed[SHORTSIGHT] = take_away(decision, bad);
    for (int i = 0; i < decision->count; i++)
        bad[i] = decision->consequences[i].action.to != KN_NO_CELL &&
                 stands(decision, decision->rope, decision->consequences[i].action.to);
    result->removed[ENOUGH_ROPE] = take_away(decision, bad);
    if (kn_first_tier_left(decision, &last) == 1) {
        result->chosen = last;
        result->advisor = "the only move left";
    }
}
