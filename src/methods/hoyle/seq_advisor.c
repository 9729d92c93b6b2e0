#include "methods/hoyle/seq_advisor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/hoyle/hoyle.h"
#include "methods/hoyle/temporal/advisors_file.h"

/* "All Sitact Advisors of weight 1.0" (p. 110). */
static const double certain = 1 - 1e-9;

KnStatus kn_seq_advisor_open(HoyleKnowledge *knowledge, KnError *error)
{
    if (knowledge->settings.seq == SEQ_NOWHERE) return KN_OK;
    SeqAdvisor *seq = knowledge->seq = calloc(1, sizeof *seq);
    if (!seq) return kn_fail_memory(error, "learning sequences");
    seq->place = knowledge->settings.seq;
    for (int stage = 0; stage < KN_BOARD_STAGES; stage++)
        seq->weight[stage] = (int)(knowledge->settings.start * WEIGHT_UNIT + 0.5);
    KnStatus status = kn_temporal_board_open(knowledge->view, &seq->board, error);
    if (status != KN_OK) return status;
    KnTpOptions readings = kn_tp_options();
    kn_tp_lengths(&readings.gathering, seq->board->cells);
    readings.sitact = true;
    seq->temporal = kn_tp_context_new(seq->board, &readings);
    return seq->temporal ? KN_OK : kn_fail_memory(error, "learning sequences");
}

void kn_seq_advisor_close(SeqAdvisor *seq)
{
    if (!seq) return;
    kn_tp_context_free(seq->temporal);
    kn_advisors_free(seq->advisors);
    kn_game_actions_free(&seq->record);
    kn_temporal_board_close(seq->board);
    free(seq);
}

KnStatus kn_seq_advisor_comments_open(Decision *decision, KnError *error)
{
    if (!decision->knowledge->seq) return KN_OK;
    SeqComments *c = decision->seq = calloc(1, sizeof *c);
    size_t count = (size_t)decision->capacity + 1;
    if (c)
        *c = (SeqComments){.strengths = calloc(count, sizeof(int)),
                           .votes = calloc(count, sizeof(double)),
                           .last = calloc(count, sizeof(uint32_t))};
    return c && c->strengths && c->votes && c->last ? KN_OK : kn_fail_memory(error, "laying out a decision");
}

void kn_seq_advisor_comments_close(Decision *decision)
{
    if (!decision->seq) return;
    free(decision->seq->strengths);
    free(decision->seq->votes);
    free(decision->seq->last);
    free(decision->seq->found);
    free(decision->seq);
}

/* ---- Learning ---- */

KnStatus kn_seq_advisor_learn(SeqAdvisor *seq, const KnPlayedGame *played, KnError *error)
{
    if (!seq) return KN_OK;
    if (!seq->temporal)
        return kn_fail(error, KN_INPUT,
                       "Sitact Advisors that were read from a file do not learn on: the sequences they came "
                       "from are not kept");
    KnStatus status = kn_game_actions_fill(&seq->record, seq->board, played, error);
    return status == KN_OK ? kn_tp_context_learn(seq->temporal, &seq->record, error) : status;
}

KnStatus kn_seq_advisor_end_tournament(SeqAdvisor *seq, KnError *error)
{
    return seq && seq->temporal ? kn_tp_context_sweep(seq->temporal, error) : KN_OK;
}

KnStatus kn_seq_advisor_freeze(SeqAdvisor *seq, KnError *error)
{
    if (!seq || !seq->temporal) return KN_OK;
    seq->advisors = kn_tp_context_take_advisors(seq->temporal);
    kn_tp_context_free(seq->temporal);
    seq->temporal = NULL;
    return kn_advisors_ready(seq->advisors, certain, error);
}

/* ---- Comments ---- */

static const KnAdvisors *speaking(const SeqAdvisor *seq)
{
    return seq->temporal ? kn_tp_context_advisors(seq->temporal) : seq->advisors;
}

static bool make_room(SeqComments *comments, size_t room)
{
    if (comments->room >= room) return true;
    KnInstance *more = realloc(comments->found, room * sizeof *more);
    if (!more) return false;
    comments->found = more;
    comments->room = room;
    return true;
}

/* One Advisor in one orientation; each counts once for a move, and its orientations follow one another. */
static void add_vote(const Decision *decision, const KnAdvisors *advisors, KnInstance instance)
{
    const SeqAdvisor *seq = decision->knowledge->seq;
    const KnAdvisor *advisor = kn_advisors_at(advisors, instance.advisor);
    if (advisor->weight < certain) return;
    for (size_t s = 0; s < advisor->sequence_count; s++) {
        KnAction action = kn_temporal_board_transform(seq->board, instance.symmetry,
                                                      advisor->sequences[s].actions[0]);
        for (int i = 0; i < decision->count; i++) {
            KnAction here = decision->actions[i];
            if (!seq->board->names_taken) here.taken = KN_NO_CELL;
            if (decision->consequences[i].out || !kn_action_equal(here, action) ||
                decision->seq->last[i] == instance.advisor + 1)
                continue;
            decision->seq->last[i] = instance.advisor + 1;
            decision->seq->votes[i] += advisor->weight;
        }
    }
}

/* Thesis 5.2. */
void kn_seq_advisor_comment(Decision *decision)
{
    const SeqAdvisor *seq = decision->knowledge->seq;
    if (!seq) return;
    SeqComments *c = decision->seq;
    const KnAdvisors *advisors = speaking(seq);
    double best = 0;
    for (int i = 0; i < decision->count; i++) c->strengths[i] = SILENT, c->votes[i] = 0, c->last[i] = 0;
    if (!advisors || !make_room(c, kn_advisors_room(advisors) + 1)) return; /* nothing can be said, then */
    size_t found = kn_advisors_match(advisors, decision->role, decision->cells, c->found);
    for (size_t k = 0; k < found; k++) add_vote(decision, advisors, c->found[k]);
    for (int i = 0; i < decision->count; i++)
        if (c->votes[i] > best) best = c->votes[i];
    for (int i = 0; i < decision->count && best > 0; i++)
        if (c->votes[i] > best - 1e-9) c->strengths[i] = HEAVY;
}

void kn_seq_advisor_vote(const Decision *decision, long *votes)
{
    KN_ASSERT(decision->stage >= 0);
    const SeqAdvisor *seq = decision->knowledge->seq;
    if (!seq || seq->place != SEQ_SECOND) return;
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out && decision->seq->strengths[i] != SILENT)
            votes[i] += (long)seq->weight[decision->stage] * (decision->seq->strengths[i] - NEUTRAL);
}

void kn_seq_advisor_update_weight(SeqAdvisor *seq, const Decision *decision, int expert, double step)
{
    if (seq)
        seq->judged[decision->stage] += kn_hoyle_update_weight(decision, decision->seq->strengths, expert,
                                                               step, &seq->weight[decision->stage]);
}

int kn_seq_advisor_choose(Decision *decision, KnRng *rng)
{
    int chosen = -1, equals = 0;
    kn_seq_advisor_comment(decision);
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out && decision->seq->strengths[i] == HEAVY &&
            kn_rng_below(rng, (uint32_t)++equals) == 0)
            chosen = i;
    return chosen;
}

/* ---- explanation ---- */

static size_t count_speaking(const SeqAdvisor *seq)
{
    const KnAdvisors *advisors = speaking(seq);
    size_t count = 0;
    for (size_t i = 0; advisors && i < kn_advisors_count(advisors); i++)
        count += kn_advisors_at(advisors, i)->weight >= certain;
    return count;
}

void kn_seq_advisor_explain(const Decision *decision, const KnRequest *request, KnExplanation *group)
{
    const SeqAdvisor *seq = decision->knowledge->seq;
    if (!seq) return;
    KnArena *arena = request->arena;
    KnText text = KN_TEXT_EMPTY;
    kn_decision_comments(decision, request, decision->seq->strengths, &text);
    if (text.length) {
        KnExplanation *node =
            kn_explanation_text(arena, group,
                                kn_arena_printf(arena, "Seq-Advisor (weight %.2f)",
                                                (double)seq->weight[decision->stage] / WEIGHT_UNIT),
                                kn_arena_string(arena, text.data));
        for (int i = 0; i < decision->count; i++)
            if (decision->seq->votes[i] > 0)
                kn_explanation_number(
                    arena, node,
                    kn_game_move_name(request->game, request->position, decision->moves[i], arena),
                    decision->seq->votes[i], "Sitact Advisors");
    }
    kn_text_free(&text);
}

void kn_seq_advisor_show(const SeqAdvisor *seq, KnText *out)
{
    if (!seq) return;
    kn_text_printf(out, "Seq-Advisor: %zu Sitact Advisors of weight 1; its own weight", count_speaking(seq));
    for (int stage = 0; stage < seq->board->view->stages; stage++)
        kn_text_printf(out, " %.2f", (double)seq->weight[stage] / WEIGHT_UNIT);
    kn_text_add_char(out, '\n');
}

void kn_seq_advisor_figures(const SeqAdvisor *seq, json_t *figures)
{
    if (!seq) return;
    json_object_set_new(figures, "sitact advisors", json_integer((json_int_t)count_speaking(seq)));
    for (int stage = 0; stage < seq->board->view->stages; stage++) {
        char name[40];
        snprintf(name, sizeof name, "weight %d Seq-Advisor", stage);
        json_object_set_new(figures, name, json_real((double)seq->weight[stage] / WEIGHT_UNIT));
    }
}

/* ---- In a file ---- */

json_t *kn_seq_advisor_json(const SeqAdvisor *seq)
{
    json_t *weights = json_array();
    for (int stage = 0; stage < seq->board->view->stages; stage++)
        json_array_append_new(weights, json_real((double)seq->weight[stage] / WEIGHT_UNIT));
    return json_pack("{s:o, s:o}", "Seq-Advisor", weights, "advisors",
                     kn_advisors_json(seq->board, speaking(seq), certain));
}

KnStatus kn_seq_advisor_parse(SeqAdvisor *seq, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"Seq-Advisor", "advisors", NULL};
    KnJson weights, list;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_array(at, "Seq-Advisor", &weights, error);
    if (status == KN_OK && kn_json_size(&weights) != (size_t)seq->board->view->stages)
        return kn_json_fail(at, "Seq-Advisor", error, "weights of %zu stages, but the game has %d",
                            kn_json_size(&weights), seq->board->view->stages);
    for (int stage = 0; status == KN_OK && stage < seq->board->view->stages; stage++) {
        KnJson item = kn_json_item(&weights, (size_t)stage);
        double weight = 0;
        status = kn_json_real(&item, NULL, &weight, error);
        if (status == KN_OK && !(weight >= 0 && weight <= 1))
            return kn_json_fail(&item, NULL, error, "expected a weight from 0 to 1");
        seq->weight[stage] = (int)(weight * WEIGHT_UNIT + 0.5);
    }
    if (status == KN_OK) status = kn_json_array(at, "advisors", &list, error);
    if (status != KN_OK) return status;
    kn_tp_context_free(seq->temporal);
    seq->temporal = NULL;
    return kn_advisors_parse(seq->board, &list, certain, &seq->advisors, error);
}
