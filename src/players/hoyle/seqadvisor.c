#include "players/hoyle/seqadvisor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "players/hoyle/mind.h"
#include "players/temporal/advisors_file.h"

/* "All Sitact Advisors of weight 1.0" (p. 110). */
static const double certain = 1 - 1e-9;

KnStatus kn_seq_open(Mind *mind, KnError *error)
{
    if (mind->settings.seq == SEQ_NOWHERE) return KN_OK;
    SeqAdvisor *seq = mind->seq = calloc(1, sizeof *seq);
    if (!seq) return kn_fail_memory(error, "learning sequences");
    seq->place = mind->settings.seq;
    for (int stage = 0; stage < KN_SCENE_STAGES; stage++)
        seq->weight[stage] = (int)(mind->settings.start * WEIGHT_UNIT + 0.5);
    KnStatus status = kn_temporal_board_open(mind->scene, &seq->board, error);
    if (status != KN_OK) return status;
    KnTemporalReadings readings = kn_temporal_readings();
    kn_temporal_lengths(&readings.gathering, seq->board->cells);
    readings.sitact = true;
    seq->temporal = kn_temporal_new(seq->board, &readings);
    return seq->temporal ? KN_OK : kn_fail_memory(error, "learning sequences");
}

void kn_seq_close(SeqAdvisor *seq)
{
    if (!seq) return;
    kn_temporal_free(seq->temporal);
    kn_advisors_free(seq->advisors);
    kn_record_free(&seq->record);
    kn_temporal_board_close(seq->board);
    free(seq);
}

KnStatus kn_seq_desk_open(Desk *desk, KnError *error)
{
    if (!desk->mind->seq) return KN_OK;
    SeqComments *c = desk->seq = calloc(1, sizeof *c);
    size_t count = (size_t)desk->capacity + 1;
    if (c)
        *c = (SeqComments){.strengths = calloc(count, sizeof(int)),
                           .votes = calloc(count, sizeof(double)),
                           .last = calloc(count, sizeof(uint32_t))};
    return c && c->strengths && c->votes && c->last ? KN_OK : kn_fail_memory(error, "laying out a decision");
}

void kn_seq_desk_close(Desk *desk)
{
    if (!desk->seq) return;
    free(desk->seq->strengths);
    free(desk->seq->votes);
    free(desk->seq->last);
    free(desk->seq->found);
    free(desk->seq);
}

/* ---- Learning ---- */

KnStatus kn_seq_learn(SeqAdvisor *seq, const KnWatched *contest, KnError *error)
{
    if (!seq) return KN_OK;
    if (!seq->temporal)
        return kn_fail(error, KN_INPUT,
                       "Sitact Advisors that were read from a file do not learn on: the sequences they came "
                       "from are not kept");
    KnStatus status = kn_record_fill(&seq->record, seq->board, contest, error);
    return status == KN_OK ? kn_temporal_watch(seq->temporal, &seq->record, error) : status;
}

KnStatus kn_seq_pause(SeqAdvisor *seq, KnError *error)
{
    return seq && seq->temporal ? kn_temporal_sweep(seq->temporal, error) : KN_OK;
}

KnStatus kn_seq_settle(SeqAdvisor *seq, KnError *error)
{
    if (!seq || !seq->temporal) return KN_OK;
    seq->advisors = kn_temporal_take_advisors(seq->temporal);
    kn_temporal_free(seq->temporal);
    seq->temporal = NULL;
    return kn_advisors_ready(seq->advisors, certain, error);
}

/* ---- Comments ---- */

static const KnAdvisors *speaking(const SeqAdvisor *seq)
{
    return seq->temporal ? kn_temporal_advisors(seq->temporal) : seq->advisors;
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
static void add_voice(const Desk *desk, const KnAdvisors *advisors, KnInstance instance)
{
    const SeqAdvisor *seq = desk->mind->seq;
    const KnAdvisor *advisor = kn_advisors_at(advisors, instance.advisor);
    if (advisor->weight < certain) return;
    for (size_t s = 0; s < advisor->sequence_count; s++) {
        KnAction action = kn_temporal_turn(seq->board, instance.symmetry, advisor->sequences[s].actions[0]);
        for (int i = 0; i < desk->count; i++) {
            KnAction here = desk->actions[i];
            if (!seq->board->names_taken) here.taken = KN_NO_CELL;
            if (desk->sights[i].out || !kn_action_equal(here, action) ||
                desk->seq->last[i] == instance.advisor + 1)
                continue;
            desk->seq->last[i] = instance.advisor + 1;
            desk->seq->votes[i] += advisor->weight;
        }
    }
}

void kn_seq_comment(Desk *desk)
{
    const SeqAdvisor *seq = desk->mind->seq;
    if (!seq) return;
    SeqComments *c = desk->seq;
    const KnAdvisors *advisors = speaking(seq);
    double best = 0;
    for (int i = 0; i < desk->count; i++) c->strengths[i] = SILENT, c->votes[i] = 0, c->last[i] = 0;
    if (!advisors || !make_room(c, kn_advisors_room(advisors) + 1)) return; /* nothing can be said, then */
    size_t found = kn_advisors_match(advisors, desk->role, desk->cells, c->found);
    for (size_t k = 0; k < found; k++) add_voice(desk, advisors, c->found[k]);
    for (int i = 0; i < desk->count; i++)
        if (c->votes[i] > best) best = c->votes[i];
    for (int i = 0; i < desk->count && best > 0; i++)
        if (c->votes[i] > best - 1e-9) c->strengths[i] = HEAVY;
}

void kn_seq_vote(const Desk *desk, long *votes)
{
    const SeqAdvisor *seq = desk->mind->seq;
    if (!seq || seq->place != SEQ_SECOND) return;
    for (int i = 0; i < desk->count; i++)
        if (!desk->sights[i].out && desk->seq->strengths[i] != SILENT)
            votes[i] += (long)seq->weight[desk->stage] * (desk->seq->strengths[i] - NEUTRAL);
}

void kn_seq_weigh(SeqAdvisor *seq, const Desk *desk, int expert, double step)
{
    if (seq)
        seq->judged[desk->stage] += kn_weigh_voice(desk, desk->seq->strengths, expert, step,
                                                   &seq->weight[desk->stage]);
}

int kn_seq_choose(Desk *desk, KnRng *rng)
{
    int chosen = -1, equals = 0;
    kn_seq_comment(desk);
    for (int i = 0; i < desk->count; i++)
        if (!desk->sights[i].out && desk->seq->strengths[i] == HEAVY &&
            kn_rng_below(rng, (uint32_t)++equals) == 0)
            chosen = i;
    return chosen;
}

/* ---- Telling ---- */

static size_t count_speaking(const SeqAdvisor *seq)
{
    const KnAdvisors *advisors = speaking(seq);
    size_t count = 0;
    for (size_t i = 0; advisors && i < kn_advisors_count(advisors); i++)
        count += kn_advisors_at(advisors, i)->weight >= certain;
    return count;
}

void kn_seq_tell(const Desk *desk, const KnRequest *request, KnReason *group)
{
    const SeqAdvisor *seq = desk->mind->seq;
    if (!seq) return;
    KnArena *arena = request->arena;
    KnText text = KN_TEXT_EMPTY;
    kn_desk_comments(desk, request, desk->seq->strengths, &text);
    if (text.length) {
        KnReason *told = kn_reason_text(arena, group,
                                        kn_arena_printf(arena, "Seq-Advisor (weight %.2f)",
                                                        (double)seq->weight[desk->stage] / WEIGHT_UNIT),
                                        kn_arena_string(arena, text.data));
        for (int i = 0; i < desk->count; i++)
            if (desk->seq->votes[i] > 0)
                kn_reason_number(arena, told,
                                 kn_game_move_name(request->game, request->position, desk->moves[i], arena),
                                 desk->seq->votes[i], "Sitact Advisors");
    }
    kn_text_free(&text);
}

void kn_seq_show(const SeqAdvisor *seq, KnText *out)
{
    if (!seq) return;
    kn_text_printf(out, "Seq-Advisor: %zu Sitact Advisors of weight 1; its own weight", count_speaking(seq));
    for (int stage = 0; stage < seq->board->scene->stages; stage++)
        kn_text_printf(out, " %.2f", (double)seq->weight[stage] / WEIGHT_UNIT);
    kn_text_add_char(out, '\n');
}

void kn_seq_figures(const SeqAdvisor *seq, json_t *figures)
{
    if (!seq) return;
    json_object_set_new(figures, "sitact advisors", json_integer((json_int_t)count_speaking(seq)));
    for (int stage = 0; stage < seq->board->scene->stages; stage++) {
        char name[40];
        snprintf(name, sizeof name, "weight %d Seq-Advisor", stage);
        json_object_set_new(figures, name, json_real((double)seq->weight[stage] / WEIGHT_UNIT));
    }
}

/* ---- In a file ---- */

json_t *kn_seq_json(const SeqAdvisor *seq)
{
    json_t *weights = json_array();
    for (int stage = 0; stage < seq->board->scene->stages; stage++)
        json_array_append_new(weights, json_real((double)seq->weight[stage] / WEIGHT_UNIT));
    return json_pack("{s:o, s:o}", "Seq-Advisor", weights, "advisors",
                     kn_advisors_json(seq->board, speaking(seq), certain));
}

KnStatus kn_seq_parse(SeqAdvisor *seq, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"Seq-Advisor", "advisors", NULL};
    KnJson weights, list;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_array(at, "Seq-Advisor", &weights, error);
    if (status == KN_OK && kn_json_size(&weights) != (size_t)seq->board->scene->stages)
        return kn_json_fail(at, "Seq-Advisor", error, "weights of %zu stages, but the game has %d",
                            kn_json_size(&weights), seq->board->scene->stages);
    for (int stage = 0; status == KN_OK && stage < seq->board->scene->stages; stage++) {
        KnJson item = kn_json_item(&weights, (size_t)stage);
        double weight = 0;
        status = kn_json_real(&item, NULL, &weight, error);
        if (status == KN_OK && !(weight >= 0 && weight <= 1))
            return kn_json_fail(&item, NULL, error, "expected a weight from 0 to 1");
        seq->weight[stage] = (int)(weight * WEIGHT_UNIT + 0.5);
    }
    if (status == KN_OK) status = kn_json_array(at, "advisors", &list, error);
    if (status != KN_OK) return status;
    kn_temporal_free(seq->temporal);
    seq->temporal = NULL;
    return kn_advisors_recall(seq->board, &list, certain, &seq->advisors, error);
}
