/* Hoyle as a learner: after every game weights first, then useful knowledge; sequence trees at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/hoyle.h"
#include "methods/registry.h"

typedef struct HoyleLearner {
    HoyleKnowledge knowledge;
    Decision decision;
    KnRng rng; /* of the benchmark */
    bool opened;
} HoyleLearner;

const HoyleKnowledge *kn_hoyle_knowledge(const KnGameLearner *learner)
{
    return &((const HoyleLearner *)learner->data)->knowledge;
}

/* The thesis: 20 on lose tic-tac-toe, 5 on five men's morris; "the games with the smaller search spaces
 * received higher values". */
static int default_significant(const KnGame *game) { return game->cells <= 9 ? 20 : 5; }

static KnStatus open(KnGameLearner *learner, const KnOptions *options, KnError *error)
{
    HoyleLearner *own = learner->data = calloc(1, sizeof *own);
    if (!own) return kn_fail_memory(error, "opening a learner");
    long significant = kn_option_integer(options, "significant");
    Settings settings = {
        .sequences = (Sequences)kn_option_choice(options, "sequences"),
        .rote = {.significant = significant ? (int)significant : default_significant(learner->game),
                 .cutoff_base = kn_option_real(options, "cutoff"),
                 .stops = !kn_option_flag(options, "onward"),
                 .ends = kn_option_flag(options, "ends")},
        .rule = (WeightRule)kn_option_choice(options, "weights"),
        .step = kn_option_real(options, "step"),
        .start = kn_option_real(options, "start"),
        .weigh_all = kn_option_flag(options, "weigh-all"),
        .benchmark = kn_option_flag(options, "benchmark"),
        .patterns = kn_option_flag(options, "patterns"),
        .field_of_view = (int)kn_option_integer(options, "view"),
        .draw = kn_option_real(options, "draw"),
        .seq = (SeqPlace)kn_option_choice(options, "seq-advisor")};
    own->opened = true;
    own->rng = kn_rng_seeded(1994);
    KnStatus status = kn_hoyle_knowledge_open(learner->view, &settings, &own->knowledge, error);
    if (status == KN_OK) status = kn_decision_open(&own->decision, &own->knowledge, error);
    return status;
}

static void close(KnGameLearner *learner)
{
    HoyleLearner *own = learner->data;
    if (!own) return;
    if (own->opened) {
        kn_decision_close(&own->decision);
        kn_hoyle_knowledge_close(&own->knowledge);
    }
    free(own);
}

static KnStatus learn(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    HoyleLearner *own = learner->data;
    kn_hoyle_learn_weights(&own->knowledge, &own->decision, played, &own->rng);
    return kn_hoyle_learn_knowledge(&own->knowledge, &own->decision, played, error);
}

static KnStatus judge(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    (void)error;
    HoyleLearner *own = learner->data;
    kn_hoyle_judge(&own->knowledge, &own->decision, played);
    return KN_OK;
}

static KnStatus freeze(KnGameLearner *learner, KnError *error)
{
    HoyleKnowledge *knowledge = &((HoyleLearner *)learner->data)->knowledge;
    KnStatus status = KN_OK;
    if (knowledge->rote) status = kn_tp_rote_filter(knowledge->rote, error);
    if (status == KN_OK && knowledge->settings.sequences == SEQUENCES_IMITATE)
        status = kn_imitate_build(knowledge->rote, &knowledge->imitate, error);
    if (status == KN_OK) status = kn_patsy_freeze(knowledge->patsy, error);
    return status == KN_OK ? kn_seq_advisor_freeze(knowledge->seq, error) : status;
}

static KnStatus end_tournament(KnGameLearner *learner, KnError *error)
{
    return kn_seq_advisor_end_tournament(((HoyleLearner *)learner->data)->knowledge.seq, error);
}

static json_t *figures(const KnGameLearner *learner)
{
    const HoyleKnowledge *knowledge = kn_hoyle_knowledge(learner);
    json_t *out = json_object();
    int certain = 0, expert = 0;
    for (int i = 0; i < knowledge->states.count; i++) certain += knowledge->known_state[i].certain != 0;
    for (int i = 0; i < knowledge->note_count; i++) expert += knowledge->notes[i].kind == NOTE_EXPERT;
    json_object_set_new(out, "states", json_integer(knowledge->states.count));
    json_object_set_new(out, "certain", json_integer(certain));
    json_object_set_new(out, "expert moves", json_integer(expert));
    for (int stage = 0; stage < knowledge->view->stages; stage++)
        for (int v = 0; v < SECOND_TIER; v++) {
            char name[64];
            snprintf(name, sizeof name, "weight %d %s", stage, kn_second_tier_name(v));
            json_object_set_new(out, name, json_real((double)knowledge->weights[stage][v] / WEIGHT_UNIT));
        }
    if (knowledge->rote && knowledge->rote->filtered) {
        KnTpRoteCounts counts = kn_tp_rote_counts(knowledge->rote);
        json_object_set_new(out, "trees", json_integer(counts.trees));
        json_object_set_new(out, "sequences", json_integer(counts.sequences));
        json_object_set_new(out, "moves", json_integer(counts.moves));
        KnImitate *imitate = knowledge->imitate, *made = NULL;
        if (!imitate && kn_imitate_build(knowledge->rote, &made, NULL) == KN_OK) imitate = made;
        json_object_set_new(out, "imitate states", json_integer(imitate ? kn_imitate_states(imitate) : 0));
        json_object_set_new(out, "imitate moves", json_integer(imitate ? imitate->move_count : 0));
        kn_imitate_close(made);
    }
    if (knowledge->foreseen_decisions) {
        double judged = (double)knowledge->foreseen_decisions;
        json_object_set_new(out, "bits a decision", json_real(knowledge->foreseen_bits / judged));
        json_object_set_new(out, "bits of a guess", json_real(knowledge->chance_bits / judged));
    }
    kn_patsy_figures(knowledge->patsy, out);
    kn_seq_advisor_figures(knowledge->seq, out);
    return out;
}

static json_t *knowledge(const KnGameLearner *learner)
{
    return kn_hoyle_knowledge_json(kn_hoyle_knowledge(learner));
}

static KnStatus recall(KnGameLearner *learner, const KnJson *at, KnError *error)
{
    HoyleKnowledge *knowledge = &((HoyleLearner *)learner->data)->knowledge;
    KnStatus status = kn_hoyle_knowledge_parse(knowledge, at, error);
    if (status == KN_OK && knowledge->settings.sequences == SEQUENCES_IMITATE)
        status = kn_imitate_build(knowledge->rote, &knowledge->imitate, error);
    return status;
}

static void explain(const KnGameLearner *learner, KnArena *arena, KnExplanation *root)
{
    kn_hoyle_knowledge_explain(kn_hoyle_knowledge(learner), arena, root);
}

static const KnOption options[] = {
    {"sequences", KN_OPTION_CHOICE, "none", 0, 0, "none|rote|imitate",
     "temporal patterns by rote: none, TP-Rote's trees, or its table of states and moves"},
    {"significant", KN_OPTION_INTEGER, "0", 0, 1000000, NULL,
     "a state seen more often than this may begin a sequence; 0: 20 on nine cells, else 5"},
    {"cutoff", KN_OPTION_REAL, "0.25", 0, 1, NULL,
     "cutoff-base: what a sequence must exceed of all that followed its state"},
    {"onward", KN_OPTION_FLAG, NULL, 0, 0, NULL,
     "sequences go on beyond states that may be no key any more (the thesis's text; its Table 1 ends them "
     "there)"},
    {"ends", KN_OPTION_FLAG, NULL, 0, 0, NULL,
     "Do-Not-Maintain looks at the states where sequences end only, not at those on their way"},
    {"weights", KN_OPTION_CHOICE, "logistic", 0, 0, "logistic|walk",
     "how Advisors are weighed: by logistic regression of the expert's moves on what they say, or by the "
     "thesis's PWL, steps up and down"},
    {"step", KN_OPTION_REAL, "0.02", 0, 1, NULL, "PWL: by how much a weight moves for each expert decision"},
    {"start", KN_OPTION_REAL, "0.5", 0, 1, NULL, "weight of an Advisor that was never judged"},
    {"weigh-all", KN_OPTION_FLAG, NULL, 0, 0, NULL, "weights are moved also where the first tier decides"},
    {"benchmark", KN_OPTION_FLAG, NULL, 0, 0, NULL,
     "Advisors below the weight of one that comments at random are not heard"},
    {"seq-advisor", KN_OPTION_CHOICE, "none", 0, 0, "none|second|middle|first",
     "Sitact Advisors of weight 1 as one Advisor, and where it stands: in the second tier as in the thesis, "
     "between the tiers, or in the first behind Victory"},
    {"patterns", KN_OPTION_FLAG, NULL, 0, 0, NULL,
     "learns spatial patterns and concepts: Patsy and spatial Advisors in the second tier"},
    {"view", KN_OPTION_INTEGER, "4", 2, KN_VIEW_MAX, NULL,
     "field of view: how broad a pattern may be, in distances between neighbours"},
    {"draw", KN_OPTION_REAL, "0", -1, 1, NULL,
     "what a pattern that was seen only in draws counts for either player; one seen in wins counts 1"},
    {0}};

const KnGameLearnerType kn_game_learner_hoyle = {
    .head = {"hoyle", "Hoyle: useful knowledge and weights of its Advisors, and sequences by rote", options},
    .format = 1,
    .open = open,
    .close = close,
    .learn = learn,
    .end_tournament = end_tournament,
    .freeze = freeze,
    .judge = judge,
    .player = &kn_hoyle_learner_player,
    .attach = kn_hoyle_attach,
    .knowledge = knowledge,
    .recall = recall,
    .figures = figures,
    .tally = kn_hoyle_tally,
    .explain = explain,
};
