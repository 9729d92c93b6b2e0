#include "lab/hoyle/trained.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "methods/hoyle/environment.h"

const KnTrainedGame kn_trained_games[KN_TRAINED_GAMES] = {
    {"Lose tic-tac-toe", "tictactoe(lose)", 20, 0, "lose runs", false},
    {"Five men's morris", "morris(men=5)", 40, 100, "morris runs", false},
};

const char *const kn_trained_agents[KN_TRAINED_AGENTS] = {"Perfect", "Expert", "Novice", "Random"};

const KnInterpretation kn_trained_interpretations[] = {
    {"Games, agents and counting.",
     "As temporal.table6 reads them; its interpretations are measured by temporal.table6-readings.", ""},
    {"How often is \"often\" (p. 58)?", "A sequence seen three times.",
     "Twelve times: fewer pairs, 3 points better against the perfect player of lose tic-tac-toe."},
    {"What becomes of a pair whose context grows more general (p. 58)?", "It stays beside the new one.",
     "It is replaced: a third fewer pairs on morris (2,500 for 3,600; the thesis has 3,844)."},
    {"How does PWL revise a weight (p. 59)?",
     "As for Hoyle's own Advisors: from .5, by .02 up for a decision foreseen and down for one that was not; "
     "weights stay within 0 and 1.",
     "A fifth of it down: more Advisors than in the thesis (2,563 of 4,215 on morris for 1,616 of 3,844)."},
    {"Does an action say which man a mill takes?",
     "No: a sequence says where men go, as in figure 21; any man that may be taken will do.",
     "Yes: then mills hardly ever come up three times, and what was learned never wins a game on morris."},
    {"Several orientations or merged sequences of one Advisor may advise different moves: when is it right?",
     "If one of them is what the expert did.", "By their share."},
    {"Which sequences are gathered?", "Those of players who won or drew, as in TP-Rote; of both players.",
     "Also of players who lost: 30 points worse."},
    {"Enforcer's tree holds branches that name the opponent's move, and solos that leave it open (p. 66). "
     "Which go first?",
     "Those that name what he did; solos only where there is none.",
     "All have a vote: 40 points worse on lose tic-tac-toe."},
    {0}};

static json_t *value_list(const KnEnvironmentResult *t, KnEnvironmentMeasure measure, int agent)
{
    json_t *list = json_array();
    for (uint64_t r = 0; r < t->count; r++)
        json_array_append_new(list, json_real(kn_environment_value(t, measure, agent, r)));
    return list;
}

static json_t *figure_list(const KnEnvironmentResult *t, const char *name)
{
    json_t *list = json_array();
    for (uint64_t r = 0; r < t->count; r++)
        json_array_append_new(list, json_real(json_number_value(json_object_get(t->runs[r].figures, name))));
    return list;
}

/* Milliseconds of thinking a game, over all agents. */
static json_t *time_list(const KnEnvironmentResult *t)
{
    json_t *list = json_array();
    for (uint64_t r = 0; r < t->count; r++) {
        double sum = 0;
        for (int a = 0; a < t->agents; a++) sum += kn_environment_value(t, KN_THINKING, a, r);
        json_array_append_new(list, json_real(sum / t->agents));
    }
    return list;
}

static json_t *usage_list(const KnEnvironmentResult *t)
{
    json_t *list = json_array();
    for (uint64_t r = 0; r < t->count; r++) {
        double decisions = kn_environment_tally_value(t, "decisions", -1, r),
               advised = kn_environment_tally_value(t, "advised", -1, r);
        json_array_append_new(list, json_real(decisions > 0 ? advised / decisions : 0));
    }
    return list;
}

static json_t *to_json(const KnEnvironmentResult *t)
{
    static const char *const figures[] = {"pairs",     "advisors",  "retained", "segment 1",
                                          "segment 2", "segment 3", "tier 3"};
    json_t *root = json_object(), *learning = json_array();
    for (int a = 0; a < t->agents && a < KN_TRAINED_AGENTS; a++) {
        char name[40];
        snprintf(name, sizeof name, "%s reliability", kn_trained_agents[a]);
        json_object_set_new(root, name, value_list(t, KN_RELIABILITY, a));
        snprintf(name, sizeof name, "%s power", kn_trained_agents[a]);
        json_object_set_new(root, name, value_list(t, KN_POWER, a));
    }
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        json_object_set_new(root, figures[f], figure_list(t, figures[f]));
    const char *name;
    json_t *ignored;
    json_object_foreach(t->runs[0].figures, name, ignored) if (strncmp(name, "weight ", 7) == 0)
        json_object_set_new(root, name, figure_list(t, name));
    json_object_set_new(root, "usage", usage_list(t));
    json_object_set_new(root, "time", time_list(t));
    for (uint64_t r = 0; r < t->count; r++)
        json_array_append_new(learning, json_real(t->runs[r].learning_seconds));
    json_object_set_new(root, "learning", learning);
    return root;
}

enum { TESTS = 50 /* games with each agent */ };

uint64_t kn_lab_trained_work(const KnLabRun *run, const KnTrainedGame *game)
{
    uint64_t each = (game->once ? 1 : 2) * game->watch + TESTS;
    return (uint64_t)kn_lab_parameter(run, game->runs) * KN_TRAINED_AGENTS * each;
}

void kn_lab_expect_trained(KnLabRun *run, const KnTrainedGame *game, uint64_t learners)
{
    kn_lab_expect_more(run, learners * kn_lab_trained_work(run, game));
}

KnStatus kn_lab_trained(KnLabRun *run, const KnTrainedGame *game, const char *learner,
                        const char *const *agents, const json_t **trained, KnError *error)
{
    char key[300];
    snprintf(key, sizeof key, "%s learns %s from %s, %d contests a tournament%s", learner, game->spec,
             agents ? agents[0] : "the thesis's agents", (int)game->watch, game->once ? ", once" : "");
    *trained = kn_lab_done_work(run, key, kn_lab_trained_work(run, game));
    if (*trained) return KN_OK;
    KnEnvironmentPlan plan = {.game = game->spec,
                              .learner = learner,
                              .environment = game->once ? KN_TRAIN_INCREASING : KN_TRAIN_DOUBLE,
                              .watch = game->watch,
                              .test = TESTS,
                              .runs = (uint64_t)kn_lab_parameter(run, game->runs),
                              .seed = kn_lab_seed(run, game->spec),
                              .ply_limit = game->ply_limit,
                              .jobs = kn_lab_jobs(run),
                              .cancel = kn_lab_cancel(run),
                              .progress = kn_lab_progress(run)};
    for (int a = 0; agents && a < KN_TRAINED_AGENTS; a++) plan.agents[a] = agents[a];
    KnEnvironmentResult *training;
    KnStatus status = kn_environment_run(kn_lab_context(run), &plan, &training, error);
    if (status != KN_OK) return status;
    json_t *unit = to_json(training);
    kn_environment_free(training);
    status = unit ? kn_lab_keep(run, key, unit, error) : kn_fail_memory(error, "keeping a training");
    *trained = kn_lab_done(run, key);
    return status;
}

KnMoments kn_trained_moments(const json_t *trained, const char *number)
{
    KnMoments moments = {0};
    const json_t *list = json_object_get(trained, number);
    for (size_t r = 0; r < json_array_size(list); r++)
        kn_moments_add(&moments, json_number_value(json_array_get(list, r)));
    return moments;
}

KnMoments kn_trained_difference(const json_t *a, const json_t *b, const char *number)
{
    KN_ASSERT(json_array_size(json_object_get(a, number)) <= json_array_size(json_object_get(b, number)));
    KnMoments moments = {0};
    const json_t *x = json_object_get(a, number), *y = json_object_get(b, number);
    for (size_t r = 0; r < json_array_size(x); r++)
        kn_moments_add(&moments,
                       json_number_value(json_array_get(x, r)) - json_number_value(json_array_get(y, r)));
    return moments;
}

KnMoments kn_trained_ratio(const json_t *a, const json_t *b, const char *number)
{
    KN_ASSERT(json_array_size(json_object_get(a, number)) <= json_array_size(json_object_get(b, number)));
    KnMoments moments = {0};
    const json_t *x = json_object_get(a, number), *y = json_object_get(b, number);
    for (size_t r = 0; r < json_array_size(x); r++) {
        double below = json_number_value(json_array_get(y, r));
        if (below > 0) kn_moments_add(&moments, json_number_value(json_array_get(x, r)) / below);
    }
    return moments;
}
