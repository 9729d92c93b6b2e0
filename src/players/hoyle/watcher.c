/* Hoyle as a learner: after every contest weights first, then useful knowledge; sequence trees at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "players/hoyle/mind.h"
#include "players/registry.h"

typedef struct Learner {
    Mind mind;
    Desk desk;
    KnRng rng; /* of the benchmark */
    bool opened;
} Learner;

const Mind *kn_hoyle_mind(const KnWatcher *watcher) { return &((const Learner *)watcher->data)->mind; }

/* The thesis: 20 on lose tic-tac-toe, 5 on five men's morris; "the games with the smaller search spaces
 * received higher values". */
static int default_significant(const KnGame *game) { return game->cells <= 9 ? 20 : 5; }

static KnStatus open(KnWatcher *watcher, const KnOptions *options, KnError *error)
{
    Learner *learner = watcher->data = calloc(1, sizeof *learner);
    if (!learner) return kn_fail_memory(error, "opening a learner");
    long significant = kn_option_integer(options, "significant");
    Settings settings = {
        .sequences = (Sequences)kn_option_choice(options, "sequences"),
        .rote = {.significant = significant ? (int)significant : default_significant(watcher->game),
                 .cutoff_base = kn_option_real(options, "cutoff"),
                 .stops = !kn_option_flag(options, "onward"),
                 .ends = kn_option_flag(options, "ends")},
        .step = kn_option_real(options, "step"),
        .start = kn_option_real(options, "start"),
        .weigh_all = kn_option_flag(options, "weigh-all"),
        .benchmark = kn_option_flag(options, "benchmark"),
        .patterns = kn_option_flag(options, "patterns"),
        .view = (int)kn_option_integer(options, "view"),
        .draw = kn_option_real(options, "draw"),
        .seq = (SeqPlace)kn_option_choice(options, "seq-advisor")};
    learner->opened = true;
    learner->rng = kn_rng_seeded(1994);
    KnStatus status = kn_mind_open(watcher->scene, &settings, &learner->mind, error);
    if (status == KN_OK) status = kn_desk_open(&learner->desk, &learner->mind, error);
    return status;
}

static void close(KnWatcher *watcher)
{
    Learner *learner = watcher->data;
    if (!learner) return;
    if (learner->opened) {
        kn_desk_close(&learner->desk);
        kn_mind_close(&learner->mind);
    }
    free(learner);
}

static KnStatus watch(KnWatcher *watcher, const KnWatched *contest, KnError *error)
{
    Learner *learner = watcher->data;
    kn_mind_weigh(&learner->mind, &learner->desk, contest, &learner->rng);
    return kn_mind_learn(&learner->mind, &learner->desk, contest, error);
}

static KnStatus settle(KnWatcher *watcher, KnError *error)
{
    Mind *mind = &((Learner *)watcher->data)->mind;
    KnStatus status = KN_OK;
    if (mind->rote) status = kn_rote_filter(mind->rote, error);
    if (status == KN_OK && mind->settings.sequences == SEQUENCES_IMITATE)
        status = kn_imitate_build(mind->rote, &mind->imitate, error);
    if (status == KN_OK) status = kn_patsy_settle(mind->patsy, error);
    return status == KN_OK ? kn_seq_settle(mind->seq, error) : status;
}

static KnStatus pause(KnWatcher *watcher, KnError *error)
{
    return kn_seq_pause(((Learner *)watcher->data)->mind.seq, error);
}

static json_t *figures(const KnWatcher *watcher)
{
    const Mind *mind = kn_hoyle_mind(watcher);
    json_t *out = json_object();
    int certain = 0, expert = 0;
    for (int i = 0; i < mind->album.count; i++) certain += mind->memory[i].certain != 0;
    for (int i = 0; i < mind->note_count; i++) expert += mind->notes[i].kind == NOTE_EXPERT;
    json_object_set_new(out, "states", json_integer(mind->album.count));
    json_object_set_new(out, "certain", json_integer(certain));
    json_object_set_new(out, "expert moves", json_integer(expert));
    for (int stage = 0; stage < mind->scene->stages; stage++)
        for (int v = 0; v < SECOND_TIER; v++) {
            char name[64];
            snprintf(name, sizeof name, "weight %d %s", stage, kn_mind_voice(v));
            json_object_set_new(out, name, json_real((double)mind->weights[stage][v] / WEIGHT_UNIT));
        }
    if (mind->rote && mind->rote->filtered) {
        KnRoteCounts counts = kn_rote_counts(mind->rote);
        json_object_set_new(out, "trees", json_integer(counts.trees));
        json_object_set_new(out, "sequences", json_integer(counts.sequences));
        json_object_set_new(out, "moves", json_integer(counts.moves));
        KnImitate *imitate = mind->imitate, *made = NULL;
        if (!imitate && kn_imitate_build(mind->rote, &made, NULL) == KN_OK) imitate = made;
        json_object_set_new(out, "imitate states", json_integer(imitate ? kn_imitate_states(imitate) : 0));
        json_object_set_new(out, "imitate moves", json_integer(imitate ? imitate->move_count : 0));
        kn_imitate_close(made);
    }
    kn_patsy_figures(mind->patsy, out);
    kn_seq_figures(mind->seq, out);
    return out;
}

static json_t *knowledge(const KnWatcher *watcher) { return kn_mind_json(kn_hoyle_mind(watcher)); }

static KnStatus recall(KnWatcher *watcher, const KnJson *at, KnError *error)
{
    Mind *mind = &((Learner *)watcher->data)->mind;
    KnStatus status = kn_mind_parse(mind, at, error);
    if (status == KN_OK && mind->settings.sequences == SEQUENCES_IMITATE)
        status = kn_imitate_build(mind->rote, &mind->imitate, error);
    return status;
}

static void show(const KnWatcher *watcher, KnText *out) { kn_mind_show(kn_hoyle_mind(watcher), out); }

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
    {"step", KN_OPTION_REAL, "0.02", 0, 1, NULL, "by how much a weight moves for each expert decision"},
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
     "what a pattern that was only seen in draws is worth to either player, where a won one is 1"},
    {0}};

const KnWatcherType kn_watcher_hoyle = {
    .head = {"hoyle", "Hoyle: useful knowledge and weights of its Advisors, and sequences by rote", options},
    .format = 1,
    .open = open,
    .close = close,
    .watch = watch,
    .pause = pause,
    .settle = settle,
    .player = &kn_hoyle_learned,
    .attach = kn_hoyle_attach,
    .knowledge = knowledge,
    .recall = recall,
    .figures = figures,
    .tally = kn_hoyle_tally,
    .show = show,
};
