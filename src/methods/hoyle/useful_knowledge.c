#include "methods/hoyle/hoyle.h"

#include <stdlib.h>
#include <string.h>

/* docs/hoyle.md has the same sentences. */
static const struct {
    const char *name, *says;
} advisors[SECOND_TIER] = {
    {"Anthropomorph", "backs what an expert played here and did not lose with"},
    {"Candide", "backs moves that advance a shortest plan for a line, as if the other did nothing"},
    {"Challenge", "prefers what opens lines for itself and closes those of the other"},
    {"Coverage", "prefers to have more men than the other on more of the board's lines"},
    {"Cyber", "backs what it played here itself in a game that it won or drew"},
    {"Greedy", "backs moves that add a man to two open lines or more"},
    {"Leery", "warns of moves to states from which games were lost"},
    {"Material", "prefers to take men and to keep its own"},
    {"Freedom", "prefers free cells beside its own men, and few beside those of the other"},
    {"Not Again", "opposes what it played here itself in a game that it lost"},
    {"Pitchfork", "backs moves that make two threats at one cell, or that end such a pair of the other"},
    {"Vulnerable", "warns of moves after which the other can take a man"},
    {"Worried", "backs moves that make a shortest plan of the other longer"},
};

const char *kn_second_tier_name(int advisor) { return advisors[advisor].name; }
const char *kn_second_tier_says(int advisor) { return advisors[advisor].says; }

KnStatus kn_hoyle_knowledge_open(const KnBoardView *view, const Settings *settings, HoyleKnowledge *knowledge,
                                 KnError *error)
{
    knowledge->game = view->game;
    knowledge->view = view;
    knowledge->settings = *settings;
    int start = (int)(settings->start * WEIGHT_UNIT + 0.5);
    for (int stage = 0; stage < KN_BOARD_STAGES; stage++) {
        for (int v = 0; v < SECOND_TIER; v++) {
            knowledge->weights[stage][v] = start;
            knowledge->coefficients[stage][v] = settings->start;
        }
        knowledge->random_weight[stage] = start;
    }
    KnStatus status = kn_state_table_open(&knowledge->states, view, error);
    if (status == KN_OK) status = kn_lines_open(view, &knowledge->lines, error);
    if (status == KN_OK && settings->sequences != SEQUENCES_NONE)
        status = kn_tp_rote_open(view, &settings->rote, &knowledge->rote, error);
    if (status == KN_OK) status = kn_patsy_open(knowledge, error);
    return status == KN_OK ? kn_seq_advisor_open(knowledge, error) : status;
}

void kn_hoyle_knowledge_close(HoyleKnowledge *knowledge)
{
    kn_reasons_free(knowledge);
    kn_lines_close(knowledge->lines);
    kn_state_table_close(&knowledge->states);
    kn_tp_rote_close(knowledge->rote);
    kn_imitate_close(knowledge->imitate);
    kn_patsy_close(knowledge->patsy);
    kn_seq_advisor_close(knowledge->seq);
    free(knowledge->known_state);
    free(knowledge->notes);
}

StateKnowledge *kn_hoyle_knowledge_of_state(HoyleKnowledge *knowledge, const void *normal, KnError *error)
{
    int number, before = knowledge->states.count;
    if (kn_state_table_add(&knowledge->states, normal, &number, error) != KN_OK) return NULL;
    if (number >= knowledge->known_state_capacity) {
        int capacity = knowledge->known_state_capacity ? knowledge->known_state_capacity * 2 : 256;
        StateKnowledge *more = realloc(knowledge->known_state, (size_t)capacity * sizeof *more);
        if (!more) {
            kn_fail_memory(error, "remembering states");
            return NULL;
        }
        knowledge->known_state = more;
        knowledge->known_state_capacity = capacity;
    }
    if (number == before) knowledge->known_state[number] = (StateKnowledge){.first = -1};
    return &knowledge->known_state[number];
}

KnStatus kn_hoyle_knowledge_note_move(HoyleKnowledge *knowledge, const void *normal, KnAction action,
                                      NoteKind kind, uint32_t count, KnError *error)
{
    StateKnowledge *known_state = kn_hoyle_knowledge_of_state(knowledge, normal, error);
    if (!known_state) return KN_SYSTEM;
    for (int i = known_state->first; i >= 0; i = knowledge->notes[i].next)
        if (knowledge->notes[i].kind == kind && kn_action_equal(knowledge->notes[i].action, action)) {
            knowledge->notes[i].count += count;
            return KN_OK;
        }
    if (knowledge->note_count == knowledge->note_capacity) {
        int capacity = knowledge->note_capacity ? knowledge->note_capacity * 2 : 256;
        Note *more = realloc(knowledge->notes, (size_t)capacity * sizeof *more);
        if (!more) return kn_fail_memory(error, "remembering moves");
        knowledge->notes = more;
        knowledge->note_capacity = capacity;
    }
    knowledge->notes[knowledge->note_count] = (Note){action, (uint8_t)kind, count, known_state->first};
    known_state->first = knowledge->note_count++;
    return KN_OK;
}
