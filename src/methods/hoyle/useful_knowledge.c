#include "methods/hoyle/hoyle.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[SECOND_TIER] = {
    "Anthropomorph", "Candide", "Challenge", "Coverage",  "Cyber",      "Greedy", "Leery",
    "Material",      "Freedom", "Not Again", "Pitchfork", "Vulnerable", "Worried"};

const char *kn_second_tier_name(int advisor) { return names[advisor]; }

KnStatus kn_hoyle_knowledge_open(const KnBoardView *view, const Settings *settings, HoyleKnowledge *knowledge,
                                 KnError *error)
{
    knowledge->game = view->game;
    knowledge->view = view;
    knowledge->settings = *settings;
    int start = (int)(settings->start * WEIGHT_UNIT + 0.5);
    for (int stage = 0; stage < KN_BOARD_STAGES; stage++) {
        for (int v = 0; v < SECOND_TIER; v++) knowledge->weights[stage][v] = start;
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
