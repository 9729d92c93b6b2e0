/* The second tier (Lock 2003, Appendix B) and its vote. Strengths are read as in docs/hoyle.md; an Advisor
 * that says the same of every move is silent. */
#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "methods/hoyle/hoyle.h"

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

void kn_strengths_scale(const Decision *decision, const int *values, int *strengths)
{
    int low = INT_MAX, high = INT_MIN;
    for (int i = 0; i < decision->count; i++) {
        if (decision->consequences[i].out) continue;
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
    }
    for (int i = 0; i < decision->count; i++)
        strengths[i] = decision->consequences[i].out || high <= low
                           ? SILENT
                           : (HEAVY * (values[i] - low) + (high - low) / 2) / (high - low);
}

/* The change that a move brings, from 5 on, by so much for each unit of it; silent where all moves bring the
 * same. */
static void change(const Decision *decision, const int *values, int unit, int *strengths)
{
    int first = INT_MIN;
    bool differ = false;
    for (int i = 0; i < decision->count; i++) {
        if (decision->consequences[i].out) continue;
        differ |= first != INT_MIN && values[i] != first;
        first = values[i];
    }
    for (int i = 0; i < decision->count; i++) {
        int strength = NEUTRAL + unit * values[i];
        strengths[i] = !differ || decision->consequences[i].out ? SILENT
                       : strength < 0                           ? 0
                       : strength > HEAVY                       ? HEAVY
                                                                : strength;
    }
}

/* Steps to free cells next to own men. */
static int room(const Decision *decision, const uint8_t *cells, int role)
{
    const KnLines *lines = decision->knowledge->lines;
    int count = 0;
    for (int c = 0; c < decision->knowledge->view->cells; c++) {
        if (decision->knowledge->view->owner[cells[c]] != role) continue;
        for (int k = 0; k < lines->neighbours[c]; k++) count += cells[lines->neighbour[c][k]] == 0;
    }
    return count;
}

static int freedom(const Decision *decision, const uint8_t *cells)
{
    return room(decision, cells, decision->role) - room(decision, cells, 1 - decision->role);
}

static int material(const Decision *decision, const uint8_t *cells)
{
    int lead = 0;
    for (int c = 0; c < decision->knowledge->view->cells; c++) {
        int owner = decision->knowledge->view->owner[cells[c]];
        lead += owner == decision->role ? 1 : owner >= 0 ? -1 : 0;
    }
    return lead;
}

static void counted(const Decision *decision)
{
    const KnLines *lines = decision->knowledge->lines;
    int values[decision->count], challenge[decision->count], coverage[decision->count];
    int before = material(decision, decision->cells) +
                 (decision->count && decision->actions[0].from == KN_NO_CELL);
    for (int i = 0; i < decision->count; i++)
        values[i] = decision->consequences[i].own - decision->consequences[i].other - before;
    if (lines->takes) change(decision, values, 5, kn_decision_strengths(decision, MATERIAL));
    for (int i = 0; i < decision->count; i++) values[i] = -decision->consequences[i].taking;
    kn_strengths_scale(decision, values, kn_decision_strengths(decision, VULNERABLE));
    int room_before = lines->slides ? freedom(decision, decision->cells) : 0;
    for (int i = 0; i < decision->count; i++)
        values[i] = lines->slides ? freedom(decision, kn_decision_cells_after(decision, i)) - room_before
                                  : -decision->consequences[i].replies;
    if (lines->slides)
        change(decision, values, 1, kn_decision_strengths(decision, FREEDOM));
    else
        kn_strengths_scale(decision, values, kn_decision_strengths(decision, FREEDOM));
    kn_advise_lines(decision, challenge, coverage, kn_decision_strengths(decision, GREEDY),
                    kn_decision_strengths(decision, CANDIDE), kn_decision_strengths(decision, WORRIED),
                    kn_decision_strengths(decision, PITCHFORK));
    if (lines->count) change(decision, challenge, 2, kn_decision_strengths(decision, CHALLENGE));
    if (lines->drawn_count) change(decision, coverage, 1, kn_decision_strengths(decision, COVERAGE));
}

/* Comments on moves that were once made here, in any orientation. */
static void remembered(const Decision *decision)
{
    const HoyleKnowledge *knowledge = decision->knowledge;
    if (!knowledge->states.count) return;
    unsigned char normal[knowledge->game->position_size] __attribute__((aligned(16)));
    int symmetries[KN_BOARD_SYMMETRIES],
        count = kn_board_view_normalise_all(knowledge->view, decision->position, normal, symmetries);
    int number = kn_state_table_find(&knowledge->states, normal);
    for (int n = number < 0 ? -1 : knowledge->known_state[number].first; n >= 0;
         n = knowledge->notes[n].next) {
        const Note *note = &knowledge->notes[n];
        for (int i = 0; i < decision->count; i++) {
            if (decision->consequences[i].out) continue;
            bool same = false;
            for (int t = 0; t < count && !same; t++)
                same = kn_action_equal(
                    kn_board_view_transform_action(knowledge->view, symmetries[t], decision->actions[i]),
                    note->action);
            if (!same) continue;
            if (note->kind == NOTE_EXPERT) kn_decision_strengths(decision, ANTHROPOMORPH)[i] = HEAVY;
            if (note->kind == NOTE_OWN_WON) kn_decision_strengths(decision, CYBER)[i] = HEAVY;
            if (note->kind == NOTE_OWN_DRAWN && kn_decision_strengths(decision, CYBER)[i] == SILENT)
                kn_decision_strengths(decision, CYBER)[i] = 8;
            if (note->kind == NOTE_OWN_LOST) kn_decision_strengths(decision, NOT_AGAIN)[i] = 0;
        }
    }
}

/* Thesis 1.4, figure 1; the Advisors: appendix B. */
void kn_second_tier(Decision *decision)
{
    for (int v = 0; v < SECOND_TIER; v++)
        for (int i = 0; i < decision->count; i++) kn_decision_strengths(decision, v)[i] = SILENT;
    counted(decision);
    remembered(decision);
    for (int i = 0; i < decision->count; i++)
        if (decision->consequences[i].leery && !decision->consequences[i].out)
            kn_decision_strengths(decision, LEERY)[i] = 2;
    kn_patsy_comment(decision);
    kn_seq_advisor_comment(decision);
}

bool kn_second_tier_heard(const HoyleKnowledge *knowledge, int stage, int advisor)
{
    return !knowledge->settings.benchmark ||
           knowledge->weights[stage][advisor] >= knowledge->random_weight[stage];
}

long kn_second_tier_vote(const Decision *decision, long *votes)
{
    const HoyleKnowledge *knowledge = decision->knowledge;
    long best = LONG_MIN;
    for (int i = 0; i < decision->count; i++) {
        votes[i] = 0;
        if (decision->consequences[i].out) continue;
        for (int v = 0; v < SECOND_TIER; v++) {
            int strength = kn_decision_strengths(decision, v)[i];
            if (strength != SILENT && kn_second_tier_heard(knowledge, decision->stage, v))
                votes[i] += (long)knowledge->weights[decision->stage][v] * (strength - NEUTRAL);
        }
    }
    KN_ASSERT(decision->stage >= 0 && decision->stage < KN_BOARD_STAGES);
    kn_patsy_vote(decision, votes);
    kn_seq_advisor_vote(decision, votes);
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out && votes[i] > best) best = votes[i];
    return best;
}
