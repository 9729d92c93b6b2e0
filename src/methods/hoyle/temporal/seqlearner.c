#include "methods/hoyle/temporal/seqlearner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By precision an Advisor that foresaw one decision in twenty is heard, after all better ones: few moves
 * are foreseen by anybody, and a move at random is worse. .55 and .3 were worse on development seeds. */
static const double HEARD = 0.05;

enum { LENGTHS_AUTO, LENGTHS_3, LENGTHS_5, LENGTHS_3_5 };

static void set_lengths(KnGathering *gathering, int choice, int cells)
{
    kn_tp_lengths(gathering, cells);
    if (choice == LENGTHS_AUTO) return;
    gathering->lengths[0] = choice == LENGTHS_5 ? 5 : 3;
    gathering->lengths[1] = choice == LENGTHS_3_5 ? 5 : 0;
}

static KnStatus open(KnGameLearner *learner, const KnOptions *options, KnError *error)
{
    KnSeqLearner *s = learner->data = calloc(1, sizeof *s);
    if (!s) return kn_fail_memory(error, "opening a learner");
    KnStatus status = kn_temporal_board_open(learner->view, &s->board, error);
    if (status != KN_OK) return status;
    KnTpOptions *r = &s->readings;
    *r = kn_tp_options();
    r->sitact = kn_option_choice(options, "method") == 1;
    r->minimum = (int)kn_option_integer(options, "minimum");
    r->merge = !kn_option_flag(options, "apart");
    r->renewal = (KnRenewal)kn_option_choice(options, "renewal");
    r->credit = (KnCredit)kn_option_choice(options, "credit");
    int weights = kn_option_choice(options, "weights");
    r->weights = weights == 1 || (weights == 0 && r->sitact) ? KN_TP_PRECISION : KN_TP_WALK;
    r->start = kn_option_real(options, "start");
    r->step = kn_option_real(options, "step");
    r->down = kn_option_real(options, "down");
    r->gathering.lost = kn_option_flag(options, "lost");
    r->gathering.solos = kn_option_choice(options, "solos") == 0;
    set_lengths(&r->gathering, kn_option_choice(options, "lengths"), s->board->cells);
    s->board->names_taken = kn_option_choice(options, "taken") == 1;
    s->rules = kn_option_choice(options, "version") == 0 ? kn_plan_version1 : kn_plan_version2;
    double threshold = kn_option_real(options, "threshold");
    if (threshold <= 0 && r->weights == KN_TP_PRECISION) threshold = HEARD;
    if (threshold > 0) s->rules.levels[s->rules.count - 1].weight = threshold;
    s->near = kn_option_choice(options, "method") == 2;
    s->by_hash = kn_option_choice(options, "index") == 1;
    if (s->near) s->board->names_taken = true; /* else the board that a move leads to is unknown */
    if (s->near)
        s->advisors = kn_advisors_new(s->board);
    else
        s->temporal = kn_tp_context_new(s->board, r);
    return s->temporal || s->advisors ? KN_OK : kn_fail_memory(error, "opening a learner");
}

static void close(KnGameLearner *learner)
{
    KnSeqLearner *s = learner->data;
    if (!s) return;
    kn_pwl_free(s->judge);
    free(s->foresight);
    kn_advisors_free(s->advisors);
    kn_tp_context_free(s->temporal);
    kn_game_actions_free(&s->record);
    kn_temporal_board_close(s->board);
    free(s);
}

static KnStatus learn(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    KnSeqLearner *s = learner->data;
    if (s->settled || (!s->near && !s->temporal))
        return kn_fail(
            error, KN_INPUT,
            "Advisors that were read from a file do not learn on: the sequences they came from are not kept");
    KnStatus status = kn_game_actions_fill(&s->record, s->board, played, error);
    if (status == KN_OK && s->near) return kn_nearest_learn(s->advisors, &s->record, error);
    if (status == KN_OK) status = kn_tp_context_learn(s->temporal, &s->record, error);
    return status;
}

static KnStatus end_tournament(KnGameLearner *learner, KnError *error)
{
    KnSeqLearner *s = learner->data;
    return s->temporal ? kn_tp_context_sweep(s->temporal, error) : KN_OK;
}

static KnStatus freeze(KnGameLearner *learner, KnError *error)
{
    KnSeqLearner *s = learner->data;
    if (s->near && !s->settled) {
        s->pairs = kn_advisors_count(s->advisors);
        kn_nearest_freeze(s->advisors);
    }
    s->settled = true;
    if (!s->temporal) return KN_OK;
    s->pairs = kn_tp_context_pairs(s->temporal);
    kn_advisors_free(s->advisors);
    s->advisors = kn_tp_context_take_advisors(s->temporal);
    kn_tp_context_free(s->temporal);
    s->temporal = NULL;
    if (s->by_hash) kn_advisors_use_hash(s->advisors);
    return kn_advisors_ready(s->advisors, s->rules.levels[s->rules.count - 1].weight - 1e-9, error);
}

static json_t *figures(const KnGameLearner *learner)
{
    const KnSeqLearner *s = learner->data;
    int segments[5] = {0}, retained = 0;
    for (size_t i = 0; s->advisors && i < kn_advisors_count(s->advisors); i++) {
        double weight = kn_advisors_at(s->advisors, i)->weight + 1e-9;
        retained += weight >= 0.55;
        segments[weight >= 0.9 ? 0 : weight >= 0.8 ? 1 : weight >= 0.7 ? 2 : weight >= 0.55 ? 3 : 4]++;
    }
    json_t *out = json_pack("{s:I, s:i, s:f, s:i, s:i, s:i, s:i}", "pairs", (json_int_t)s->pairs, "advisors",
                            retained, "retained", s->pairs ? 100.0 * retained / (double)s->pairs : 0.0,
                            "segment 1", segments[0], "segment 2", segments[1], "segment 3", segments[2],
                            "tier 3", segments[3]);
    kn_seqlearner_calibration(s, out);
    return out;
}

static json_t *tally(const KnPlayer *player)
{
    const KnSeqPlayer *p = player->data;
    json_t *counts = json_pack("{s:I, s:I, s:I}", "decisions", (json_int_t)p->decisions, "advised",
                               (json_int_t)p->advised, "enforced", (json_int_t)p->enforced);
    for (int level = 0; level < p->learner->rules.count; level++) {
        char name[20];
        snprintf(name, sizeof name, "level %d", level + 1);
        json_object_set_new(counts, name, json_integer((json_int_t)p->by_level[level]));
    }
    return counts;
}

static const KnOption options[] = {
    {"method", KN_OPTION_CHOICE, "context", 0, 0, "context|sitact|nearest",
     "TP-Context learns sequences, TP-Sitact breaks them up into single actions; nearest keeps whole boards "
     "and plays by the nearest"},
    {"version", KN_OPTION_CHOICE, "2", 0, 0, "1|2",
     "1: one planner; 2: planners by weight, and a pseudoplanner"},
    {"threshold", KN_OPTION_REAL, "0", 0, 1, NULL,
     "weight from which Advisors are heard; 0: .05 by precision, the thesis's .55 by PWL"},
    {"lengths", KN_OPTION_CHOICE, "auto", 0, 0, "auto|3|5|3-5",
     "of sequences; auto: 3 up to nine cells, else 3 and 5"},
    {"minimum", KN_OPTION_INTEGER, "3", 1, 1000, NULL, "times a sequence must be seen"},
    {"solos", KN_OPTION_CHOICE, "on", 0, 0, "on|off", "also gather one player's actions alone"},
    {"lost", KN_OPTION_FLAG, NULL, 0, 0, NULL, "also learn from games that the player lost"},
    {"apart", KN_OPTION_FLAG, NULL, 0, 0, NULL, "sequences of equal contexts stay apart, with a weight each"},
    {"renewal", KN_OPTION_CHOICE, "keep", 0, 0, "keep|replace",
     "what becomes of older pairs of a sequence whose context is more general now"},
    {"credit", KN_OPTION_CHOICE, "any", 0, 0, "any|fraction",
     "an Advisor is right if any of its suggestions is, or by their share"},
    {"taken", KN_OPTION_CHOICE, "open", 0, 0, "open|named",
     "whether an action says which man it takes, or any that may be taken will do"},
    {"index", KN_OPTION_CHOICE, "bits", 0, 0, "bits|hash",
     "how Advisors are found when playing: all at once in bits, or one by one in the thesis's hash table"},
    {"weights", KN_OPTION_CHOICE, "auto", 0, 0, "auto|precision|walk",
     "how Advisors are weighed: by the smoothed share of the expert's decisions that they foresaw (auto for "
     "TP-Sitact), or by the thesis's PWL, steps up and down (auto for TP-Context, which plays better by it)"},
    {"start", KN_OPTION_REAL, "0.5", 0, 1, NULL, "a new pair's weight"},
    {"step", KN_OPTION_REAL, "0.02", 0, 1, NULL, "how much a right decision adds"},
    {"down", KN_OPTION_REAL, "1", 0, 10, NULL, "how much a wrong one takes away, as a share of that"},
    {0}};

const KnGameLearnerType kn_game_learner_seqlearner = {
    .head = {"seqlearner",
             "plays by sequences it has seen experts play: TP-Context and TP-Sitact (Lock 2003)", options},
    .format = 1,
    .open = open,
    .close = close,
    .learn = learn,
    .end_tournament = end_tournament,
    .freeze = freeze,
    .judge = kn_seqlearner_judge,
    .player = &kn_player_seqlearner,
    .attach = kn_seqlearner_attach,
    .knowledge = kn_seqlearner_knowledge,
    .recall = kn_seqlearner_parse,
    .figures = figures,
    .tally = tally,
    .explain = kn_seqlearner_explain,
};
