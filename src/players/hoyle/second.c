/* The second tier (Lock 2003, Appendix B) and its vote. Strengths are read as in docs/hoyle.md; an Advisor
 * that says the same of every move is silent. */
#include <limits.h>
#include <string.h>

#include "players/hoyle/mind.h"

enum {
    ANTHROPOMORPH,
    CANDIDE,
    CHALLENGE,
    COVERAGE,
    CYBER,
    GREEDY,
    LEERY,
    MATERIAL,
    FREEDOM,
    NOT_AGAIN,
    PITCHFORK,
    VULNERABLE,
    WORRIED
};

void kn_strengths_scale(const Desk *desk, const int *values, int *strengths)
{
    int low = INT_MAX, high = INT_MIN;
    for (int i = 0; i < desk->count; i++) {
        if (desk->sights[i].out) continue;
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
    }
    for (int i = 0; i < desk->count; i++)
        strengths[i] = desk->sights[i].out || high <= low
                           ? SILENT
                           : (HEAVY * (values[i] - low) + (high - low) / 2) / (high - low);
}

/* The change that a move brings, from 5 on, by so much for each unit of it; silent where all moves bring the
 * same. */
static void change(const Desk *desk, const int *values, int unit, int *strengths)
{
    int first = INT_MIN;
    bool differ = false;
    for (int i = 0; i < desk->count; i++) {
        if (desk->sights[i].out) continue;
        differ |= first != INT_MIN && values[i] != first;
        first = values[i];
    }
    for (int i = 0; i < desk->count; i++) {
        int strength = NEUTRAL + unit * values[i];
        strengths[i] = !differ || desk->sights[i].out ? SILENT
                       : strength < 0                 ? 0
                       : strength > HEAVY             ? HEAVY
                                                      : strength;
    }
}

/* Steps to free cells next to own men. */
static int room(const Desk *desk, const uint8_t *cells, int role)
{
    const KnLines *lines = desk->mind->lines;
    int count = 0;
    for (int c = 0; c < desk->mind->scene->cells; c++) {
        if (desk->mind->scene->owner[cells[c]] != role) continue;
        for (int k = 0; k < lines->neighbours[c]; k++) count += cells[lines->neighbour[c][k]] == 0;
    }
    return count;
}

static int freedom(const Desk *desk, const uint8_t *cells)
{
    return room(desk, cells, desk->role) - room(desk, cells, 1 - desk->role);
}

static int material(const Desk *desk, const uint8_t *cells)
{
    int lead = 0;
    for (int c = 0; c < desk->mind->scene->cells; c++) {
        int owner = desk->mind->scene->owner[cells[c]];
        lead += owner == desk->role ? 1 : owner >= 0 ? -1 : 0;
    }
    return lead;
}

static void counted(const Desk *desk)
{
    const KnLines *lines = desk->mind->lines;
    int values[desk->count], challenge[desk->count], coverage[desk->count];
    int before = material(desk, desk->cells) + (desk->count && desk->actions[0].from == KN_NO_CELL);
    for (int i = 0; i < desk->count; i++) values[i] = desk->sights[i].own - desk->sights[i].other - before;
    if (lines->takes) change(desk, values, 5, kn_desk_strengths(desk, MATERIAL));
    for (int i = 0; i < desk->count; i++) values[i] = -desk->sights[i].taking;
    kn_strengths_scale(desk, values, kn_desk_strengths(desk, VULNERABLE));
    int room_before = lines->slides ? freedom(desk, desk->cells) : 0;
    for (int i = 0; i < desk->count; i++)
        values[i] = lines->slides ? freedom(desk, kn_desk_after(desk, i)) - room_before
                                  : -desk->sights[i].replies;
    if (lines->slides)
        change(desk, values, 1, kn_desk_strengths(desk, FREEDOM));
    else
        kn_strengths_scale(desk, values, kn_desk_strengths(desk, FREEDOM));
    kn_advise_lines(desk, challenge, coverage, kn_desk_strengths(desk, GREEDY),
                    kn_desk_strengths(desk, CANDIDE), kn_desk_strengths(desk, WORRIED),
                    kn_desk_strengths(desk, PITCHFORK));
    if (lines->count) change(desk, challenge, 2, kn_desk_strengths(desk, CHALLENGE));
    if (lines->drawn_count) change(desk, coverage, 1, kn_desk_strengths(desk, COVERAGE));
}

/* Comments on moves that were once made here, in whatever orientation. */
static void remembered(const Desk *desk)
{
    const Mind *mind = desk->mind;
    if (!mind->album.count) return;
    unsigned char normal[mind->game->position_size] __attribute__((aligned(16)));
    int turns[KN_SCENE_TURNS], count = kn_scene_frames(mind->scene, desk->position, normal, turns);
    int number = kn_album_find(&mind->album, normal);
    for (int n = number < 0 ? -1 : mind->memory[number].first; n >= 0; n = mind->notes[n].next) {
        const Note *note = &mind->notes[n];
        for (int i = 0; i < desk->count; i++) {
            if (desk->sights[i].out) continue;
            bool same = false;
            for (int t = 0; t < count && !same; t++)
                same = kn_action_equal(kn_scene_turn_action(mind->scene, turns[t], desk->actions[i]),
                                       note->action);
            if (!same) continue;
            if (note->kind == NOTE_EXPERT) kn_desk_strengths(desk, ANTHROPOMORPH)[i] = HEAVY;
            if (note->kind == NOTE_OWN_WON) kn_desk_strengths(desk, CYBER)[i] = HEAVY;
            if (note->kind == NOTE_OWN_DRAWN && kn_desk_strengths(desk, CYBER)[i] == SILENT)
                kn_desk_strengths(desk, CYBER)[i] = 8;
            if (note->kind == NOTE_OWN_LOST) kn_desk_strengths(desk, NOT_AGAIN)[i] = 0;
        }
    }
}

void kn_second_tier(Desk *desk)
{
    for (int v = 0; v < SECOND_TIER; v++)
        for (int i = 0; i < desk->count; i++) kn_desk_strengths(desk, v)[i] = SILENT;
    counted(desk);
    remembered(desk);
    for (int i = 0; i < desk->count; i++)
        if (desk->sights[i].leery && !desk->sights[i].out) kn_desk_strengths(desk, LEERY)[i] = 2;
    kn_patsy_comment(desk);
    kn_seq_comment(desk);
}

bool kn_second_tier_heard(const Mind *mind, int stage, int voice)
{
    return !mind->settings.benchmark || mind->weights[stage][voice] >= mind->random_weight[stage];
}

long kn_second_tier_vote(const Desk *desk, long *votes)
{
    const Mind *mind = desk->mind;
    long best = LONG_MIN;
    for (int i = 0; i < desk->count; i++) {
        votes[i] = 0;
        if (desk->sights[i].out) continue;
        for (int v = 0; v < SECOND_TIER; v++) {
            int strength = kn_desk_strengths(desk, v)[i];
            if (strength != SILENT && kn_second_tier_heard(mind, desk->stage, v))
                votes[i] += (long)mind->weights[desk->stage][v] * (strength - NEUTRAL);
        }
    }
    kn_patsy_vote(desk, votes);
    kn_seq_vote(desk, votes);
    for (int i = 0; i < desk->count; i++)
        if (!desk->sights[i].out && votes[i] > best) best = votes[i];
    return best;
}
