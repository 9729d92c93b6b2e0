/* What Hoyle knows, as JSON that a person can read, and as text. */
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/hoyle.h"

static const char *const note_names[NOTE_KINDS] = {"expert", "won", "drawn", "lost"};

/* ---- Writing ---- */

static json_t *weights_json(const HoyleKnowledge *knowledge)
{
    json_t *stages = json_array();
    for (int stage = 0; stage < knowledge->view->stages; stage++) {
        json_t *of = json_object();
        for (int v = 0; v < SECOND_TIER; v++)
            json_object_set_new(of, kn_second_tier_name(v),
                                json_real((double)knowledge->weights[stage][v] / WEIGHT_UNIT));
        json_object_set_new(of, "at random",
                            json_real((double)knowledge->random_weight[stage] / WEIGHT_UNIT));
        json_array_append_new(stages, of);
    }
    return stages;
}

/* {"state": ..., "certain": 1, "lost": true, "expert": {"5": 3}, ...}; what is not known is left out. */
static json_t *state_json(const HoyleKnowledge *knowledge, int number, KnText *text)
{
    const StateKnowledge *known_state = &knowledge->known_state[number];
    kn_text_clear(text);
    knowledge->game->type->position_text(knowledge->game, kn_state_table_at(&knowledge->states, number),
                                         text);
    json_t *item = json_pack("{s:s}", "state", text->data);
    if (known_state->certain) json_object_set_new(item, "certain", json_integer(known_state->certain));
    if (known_state->lost_from) json_object_set_new(item, "lost from", json_true());
    for (int n = known_state->first; n >= 0; n = knowledge->notes[n].next) {
        const Note *note = &knowledge->notes[n];
        json_t *of = json_object_get(item, note_names[note->kind]);
        if (!of) json_object_set_new(item, note_names[note->kind], of = json_object());
        kn_text_clear(text);
        kn_action_text(knowledge->view, note->action, text);
        json_object_set_new(of, text->data, json_integer(note->count));
    }
    return item;
}

json_t *kn_hoyle_knowledge_json(const HoyleKnowledge *knowledge)
{
    json_t *states = json_array(), *root;
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < knowledge->states.count; i++)
        json_array_append_new(states, state_json(knowledge, i, &text));
    kn_text_free(&text);
    root = json_pack("{s:o, s:o, s:o}", "weights", weights_json(knowledge), "reasons",
                     kn_reasons_json(knowledge), "states", states);
    if (knowledge->rote) json_object_set_new(root, "trees", kn_tp_rote_json(knowledge->rote));
    if (knowledge->patsy) json_object_set_new(root, "patterns", kn_patsy_json(knowledge->patsy));
    if (knowledge->seq) json_object_set_new(root, "sequences", kn_seq_advisor_json(knowledge->seq));
    return root;
}

/* ---- Reading ---- */

static KnStatus parse_weights(HoyleKnowledge *knowledge, const KnJson *at, KnError *error)
{
    if (kn_json_size(at) != (size_t)knowledge->view->stages)
        return kn_json_fail(at, NULL, error, "weights of %zu stages, but the game has %d", kn_json_size(at),
                            knowledge->view->stages);
    for (int stage = 0; stage < knowledge->view->stages; stage++) {
        KnJson of = kn_json_item(at, (size_t)stage);
        for (int v = 0; v <= SECOND_TIER; v++) {
            const char *name = v < SECOND_TIER ? kn_second_tier_name(v) : "at random";
            double weight;
            KnStatus status = kn_json_real(&of, name, &weight, error);
            if (status != KN_OK) return status;
            if (!(weight >= 0 && weight <= 1))
                return kn_json_fail(&of, name, error, "expected a weight from 0 to 1");
            *(v < SECOND_TIER ? &knowledge->weights[stage][v]
                              : &knowledge->random_weight[stage]) = (int)(weight * WEIGHT_UNIT + 0.5);
        }
    }
    return KN_OK;
}

static KnStatus parse_notes(HoyleKnowledge *knowledge, const KnJson *of, const void *normal, NoteKind kind,
                            KnError *error)
{
    const char *text;
    json_t *value;
    json_object_foreach(of->value, text, value)
    {
        KnAction action;
        int64_t count;
        KnStatus status = kn_json_integer(of, text, 1, INT32_MAX, &count, error);
        if (status != KN_OK) return status;
        unsigned char next[knowledge->game->position_size] __attribute__((aligned(16)));
        memcpy(next, normal, knowledge->game->position_size);
        if (kn_action_parse(knowledge->view, text, &action, NULL) != KN_OK ||
            !kn_tp_rote_apply(knowledge->view, next, action))
            return kn_json_fail(of, text, error, "is no legal move there");
        status = kn_hoyle_knowledge_note_move(knowledge, normal, action, kind, (uint32_t)count, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

static KnStatus parse_state(HoyleKnowledge *knowledge, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"state", "certain", "lost from", "expert",
                                        "won",   "drawn",   "lost",      NULL};
    const KnGame *game = knowledge->game;
    unsigned char position[game->position_size] __attribute__((aligned(16))),
        normal[game->position_size] __attribute__((aligned(16)));
    const char *text;
    KnError inner;
    int64_t certain = 0;
    bool lost = false;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_string(at, "state", &text, error);
    if (status == KN_OK && kn_json_has(at, "certain"))
        status = kn_json_integer(at, "certain", -1, 1, &certain, error);
    if (status == KN_OK && kn_json_has(at, "lost from")) status = kn_json_bool(at, "lost from", &lost, error);
    if (status != KN_OK) return status;
    if (game->type->parse_position(game, text, position, &inner) != KN_OK)
        return kn_json_fail(at, "state", error, "%s", inner.text);
    kn_board_view_normalise(knowledge->view, position, normal);
    if (memcmp(normal, position, game->position_size) != 0)
        return kn_json_fail(at, "state", error, "is not in its normal frame");
    if (kn_state_table_find(&knowledge->states, normal) >= 0)
        return kn_json_fail(at, "state", error, "stands here twice");
    StateKnowledge *known_state = kn_hoyle_knowledge_of_state(knowledge, normal, error);
    if (!known_state) return KN_SYSTEM;
    known_state->certain = (int8_t)certain;
    known_state->lost_from = lost;
    for (int kind = 0; kind < NOTE_KINDS && status == KN_OK; kind++) {
        KnJson of;
        if (!kn_json_has(at, note_names[kind])) continue;
        status = kn_json_object(at, note_names[kind], &of, error);
        if (status == KN_OK) status = parse_notes(knowledge, &of, normal, (NoteKind)kind, error);
    }
    return status;
}

KnStatus kn_hoyle_knowledge_parse(HoyleKnowledge *knowledge, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"weights",  "reasons",   "states", "trees",
                                        "patterns", "sequences", NULL};
    KnJson weights, states, more;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK && !knowledge->game->type->parse_position)
        status = kn_fail(error, KN_INPUT, "%s does not read positions", knowledge->game->spec);
    if (status == KN_OK) status = kn_json_array(at, "weights", &weights, error);
    if (status == KN_OK) status = parse_weights(knowledge, &weights, error);
    if (status == KN_OK && kn_json_has(at, "reasons")) { /* older files have none */
        status = kn_json_array(at, "reasons", &more, error);
        if (status == KN_OK) status = kn_reasons_parse(knowledge, &more, error);
    }
    if (status == KN_OK) status = kn_json_array(at, "states", &states, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&states); i++) {
        KnJson item = kn_json_item(&states, i);
        status = parse_state(knowledge, &item, error);
    }
    if (status == KN_OK && !knowledge->rote && kn_json_has(at, "trees"))
        return kn_json_fail(at, "trees", error, "are there, but the learner's spec has no sequences");
    if (status == KN_OK && !knowledge->patsy && kn_json_has(at, "patterns"))
        return kn_json_fail(at, "patterns", error, "are there, but the learner's spec has no +patterns");
    if (status == KN_OK && knowledge->rote) status = kn_json_array(at, "trees", &more, error);
    if (status == KN_OK && knowledge->rote) status = kn_tp_rote_parse(knowledge->rote, &more, error);
    if (status == KN_OK && !knowledge->seq && kn_json_has(at, "sequences"))
        return kn_json_fail(at, "sequences", error, "are there, but the learner's spec has no seq-advisor");
    if (status == KN_OK && knowledge->patsy) status = kn_json_object(at, "patterns", &more, error);
    if (status == KN_OK && knowledge->patsy) status = kn_patsy_parse(knowledge->patsy, &more, error);
    if (status == KN_OK && knowledge->seq) status = kn_json_object(at, "sequences", &more, error);
    return status == KN_OK && knowledge->seq ? kn_seq_advisor_parse(knowledge->seq, &more, error) : status;
}

/* ---- Showing ---- */

/* Heaviest first, with what each looks for. */
static void explain_weights(const HoyleKnowledge *knowledge, int stage, KnArena *arena, KnExplanation *root)
{
    int order[SECOND_TIER];
    for (int v = 0; v < SECOND_TIER; v++) {
        int k = v;
        for (; k > 0 && knowledge->weights[stage][order[k - 1]] < knowledge->weights[stage][v]; k--)
            order[k] = order[k - 1];
        order[k] = v;
    }
    KnExplanation *group = kn_explanation_group(
        arena, root,
        knowledge->view->stages > 1 ? kn_arena_printf(arena, "weights in stage %d", stage + 1) : "weights");
    for (int i = 0; i < SECOND_TIER; i++) {
        KnExplanation *weight = kn_explanation_bar(
            arena, group,
            kn_arena_printf(arena, "%s %s", kn_second_tier_name(order[i]), kn_second_tier_says(order[i])),
            (double)knowledge->weights[stage][order[i]] / WEIGHT_UNIT, 0, 1, NULL);
        kn_reasons_explain(knowledge, stage, order[i], arena, weight);
    }
}

/* A part of the knowledge as lines of text. */
static void explain_lines(KnArena *arena, KnExplanation *root, const char *heading, KnText *lines)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s\n%s", heading, lines->data ? lines->data : "");
    KnExplanation *part = lines->length && kn_text_ok(&text) ? kn_explanation_from_lines(arena, text.data)
                                                             : NULL;
    KnExplanation *group = part ? kn_explanation_group(arena, root, heading) : NULL;
    if (group) group->first = part->first, group->last = part->last;
    kn_text_free(&text);
    kn_text_clear(lines);
}

void kn_hoyle_knowledge_explain(const HoyleKnowledge *knowledge, KnArena *arena, KnExplanation *root)
{
    KnText lines = KN_TEXT_EMPTY;
    int certain = 0;
    for (int stage = 0; stage < knowledge->view->stages; stage++)
        explain_weights(knowledge, stage, arena, root);
    for (int i = 0; i < knowledge->states.count; i++) certain += knowledge->known_state[i].certain != 0;
    kn_explanation_text(
        arena, root, "states remembered",
        kn_arena_printf(arena, "%d, of which certain wins or losses: %d", knowledge->states.count, certain));
    kn_patsy_show(knowledge->patsy, &lines);
    explain_lines(arena, root, "patterns and concepts", &lines);
    kn_seq_advisor_show(knowledge->seq, &lines);
    explain_lines(arena, root, "Seq-Advisor", &lines);
    if (knowledge->rote && knowledge->rote->filtered) {
        KnTpRoteCounts counts = kn_tp_rote_counts(knowledge->rote);
        kn_tp_rote_show(knowledge->rote, 6, &lines);
        explain_lines(arena, root,
                      kn_arena_printf(arena, "sequence trees: %d, with %d sequences of %d moves in all",
                                      counts.trees, counts.sequences, counts.moves),
                      &lines);
    }
    kn_text_free(&lines);
}
