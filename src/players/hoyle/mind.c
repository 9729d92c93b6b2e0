#include "players/hoyle/mind.h"

#include <stdlib.h>
#include <string.h>

static const char *const voices[SECOND_TIER] = {
    "Anthropomorph", "Candide", "Challenge", "Coverage",  "Cyber",      "Greedy", "Leery",
    "Material",      "Freedom", "Not Again", "Pitchfork", "Vulnerable", "Worried"};

const char *kn_mind_voice(int voice) { return voices[voice]; }

KnStatus kn_mind_open(const KnScene *scene, const Settings *settings, Mind *mind, KnError *error)
{
    mind->game = scene->game;
    mind->scene = scene;
    mind->settings = *settings;
    int start = (int)(settings->start * WEIGHT_UNIT + 0.5);
    for (int stage = 0; stage < KN_SCENE_STAGES; stage++) {
        for (int v = 0; v < SECOND_TIER; v++) mind->weights[stage][v] = start;
        mind->random_weight[stage] = start;
    }
    KnStatus status = kn_album_open(&mind->album, scene, error);
    if (status == KN_OK) status = kn_lines_open(scene, &mind->lines, error);
    if (status == KN_OK && settings->sequences != SEQUENCES_NONE)
        status = kn_rote_open(scene, &settings->rote, &mind->rote, error);
    if (status == KN_OK) status = kn_patsy_open(mind, error);
    return status == KN_OK ? kn_seq_open(mind, error) : status;
}

void kn_mind_close(Mind *mind)
{
    kn_lines_close(mind->lines);
    kn_album_close(&mind->album);
    kn_rote_close(mind->rote);
    kn_imitate_close(mind->imitate);
    kn_patsy_close(mind->patsy);
    kn_seq_close(mind->seq);
    free(mind->memory);
    free(mind->notes);
}

Memory *kn_mind_memory(Mind *mind, const void *normal, KnError *error)
{
    int number, before = mind->album.count;
    if (kn_album_add(&mind->album, normal, &number, error) != KN_OK) return NULL;
    if (number >= mind->memory_capacity) {
        int capacity = mind->memory_capacity ? mind->memory_capacity * 2 : 256;
        Memory *more = realloc(mind->memory, (size_t)capacity * sizeof *more);
        if (!more) {
            kn_fail_memory(error, "remembering states");
            return NULL;
        }
        mind->memory = more;
        mind->memory_capacity = capacity;
    }
    if (number == before) mind->memory[number] = (Memory){.first = -1};
    return &mind->memory[number];
}

KnStatus kn_mind_remark(Mind *mind, const void *normal, KnAction action, NoteKind kind, uint32_t count,
                        KnError *error)
{
    Memory *memory = kn_mind_memory(mind, normal, error);
    if (!memory) return KN_SYSTEM;
    for (int i = memory->first; i >= 0; i = mind->notes[i].next)
        if (mind->notes[i].kind == kind && kn_action_equal(mind->notes[i].action, action)) {
            mind->notes[i].count += count;
            return KN_OK;
        }
    if (mind->note_count == mind->note_capacity) {
        int capacity = mind->note_capacity ? mind->note_capacity * 2 : 256;
        Note *more = realloc(mind->notes, (size_t)capacity * sizeof *more);
        if (!more) return kn_fail_memory(error, "remembering moves");
        mind->notes = more;
        mind->note_capacity = capacity;
    }
    mind->notes[mind->note_count] = (Note){action, (uint8_t)kind, count, memory->first};
    memory->first = mind->note_count++;
    return KN_OK;
}
