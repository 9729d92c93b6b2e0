/* Beyond the thesis: whether a weight of .9 means nine of ten. PWL's walk beside smoothed precision
 * (SeqLearner) and logistic regression (Hoyle): what the weights promise in games that were not learned from,
 * and how the players do against the whole panel (methods/panel.h), taught by a mixture of experts. */
#include <stdio.h>
#include <string.h>

#include "games/turns.h"
#include "lab/registry.h"
#include "lab/hoyle/trained.h"
#include "methods/hoyle/environment.h"
#include "methods/panel.h"

typedef struct Subject {
    const char *row;
    const char *learner;
    bool twice; /* both cycles of tournaments, as SeqLearner has them */
} Subject;

static const Subject subjects[] = {
    {"TP-Sitact, PWL", "seqlearner(sitact, weights=walk)", true},
    {"TP-Sitact, precision", "seqlearner(sitact)", true},
    {"TP-Context II, PWL", "seqlearner(version=2, weights=walk)", true},
    {"TP-Context II, precision", "seqlearner(version=2, weights=precision)", true},
    {"Hoyle, PWL", "hoyle(weights=walk)", false},
    {"Hoyle, logistic", "hoyle", false},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const KnParameter parameters[] = {
    {"runs", 4, 20, "Runs of each learner; each watches as in the thesis and is then judged and tested."},
    {"games", 20, 50, "Games against each of the panel, and games of the teacher that judge the weights."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 5, 0, "Nothing is published to compare with."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Who teaches?",
     "perfect, perfect(draw=wide) and the expert reasonable(0.1), drawn for each game, so that nobody's "
     "habit is all there is to learn.",
     ""},
    {"When is an Advisor judged?",
     "After training, in games that it did not learn from, if it had to say "
     "something ten times there.",
     ""},
    {0}};

static const char *const figures[] = {"judged at .9",  "right at .9",     "right at .75",
                                      "weight off by", "bits a decision", "bits of a guess"};

static json_t *to_json(const KnEnvironmentResult *t)
{
    json_t *root = json_object(), *reliability = json_array(), *power = json_array();
    for (uint64_t r = 0; r < t->count; r++) {
        double kept = 0, won = 0;
        for (int a = 0; a < t->agents; a++) {
            kept += kn_environment_value(t, KN_RELIABILITY, a, r) / t->agents;
            won += kn_environment_value(t, KN_POWER, a, r) / t->agents;
        }
        json_array_append_new(reliability, json_real(kept));
        json_array_append_new(power, json_real(won));
    }
    json_object_set_new(root, "reliability", reliability);
    json_object_set_new(root, "power", power);
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
        json_t *list = json_array();
        for (uint64_t r = 0; r < t->count; r++) {
            const json_t *number = json_object_get(t->runs[r].figures, figures[f]);
            if (number) json_array_append_new(list, json_real(json_number_value(number)));
        }
        json_object_set_new(root, figures[f], list);
    }
    return root;
}

static KnStatus train(KnLabRun *run, const KnTrainedGame *game, const Subject *subject, const json_t **unit,
                      KnError *error)
{
    char key[160];
    snprintf(key, sizeof key, "%s on %s", subject->learner, game->spec);
    *unit = kn_lab_done(run, key);
    if (*unit) return KN_OK;
    KnGame *opened = NULL;
    KnArena *arena = kn_arena_new();
    KnStatus status = arena ? kn_game_open_turns(kn_lab_context(run), game->spec, &opened, error)
                            : kn_fail_memory(error, "training");
    KnEnvironmentPlan plan = {.game = game->spec,
                              .learner = subject->learner,
                              .environment = subject->twice ? KN_TRAIN_DOUBLE : KN_TRAIN_INCREASING,
                              .watch = subject->twice ? game->watch : 30,
                              .test = (uint64_t)kn_lab_parameter(run, "games"),
                              .judge = (uint64_t)kn_lab_parameter(run, "games"),
                              .runs = (uint64_t)kn_lab_parameter(run, "runs"),
                              .seed = kn_lab_seed(run, game->spec),
                              .ply_limit = game->ply_limit,
                              .jobs = kn_lab_jobs(run),
                              .agents = {NULL, "reasonable(0.1)", "reasonable(0.7)", "random"},
                              .cancel = kn_lab_cancel(run),
                              .progress = kn_lab_progress(run)};
    KnEnvironmentResult *training = NULL;
    if (status == KN_OK) {
        KnPanelMember members[KN_PANEL_MOST];
        int count = kn_panel(opened, arena, members);
        for (int i = 0; i < count; i++) plan.panel[i] = members[i].spec;
        plan.agents[0] = kn_panel_teacher(opened);
        status = kn_environment_run(kn_lab_context(run), &plan, &training, error);
    }
    if (status == KN_OK) status = kn_lab_keep(run, key, to_json(training), error);
    kn_environment_free(training);
    kn_game_close(opened);
    kn_arena_free(arena);
    *unit = kn_lab_done(run, key);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, "calibration", "What weights promise, and what players do", "", 2,
                                       error);
    for (int g = 0; g < KN_TRAINED_GAMES; g++)
        for (int s = 0; s < SUBJECTS && status == KN_OK; s++) {
            const json_t *unit, *list;
            const char *name;
            char row[100];
            status = train(run, &kn_trained_games[g], &subjects[s], &unit, error);
            snprintf(row, sizeof row, "%s: %s", kn_trained_games[g].name, subjects[s].row);
            if (status != KN_OK) return status;
            json_object_foreach((json_t *)(uintptr_t)unit, name, list)
            {
                KnMoments moments = kn_trained_moments(unit, name);
                if (json_array_size(list) && status == KN_OK)
                    status = kn_lab_measured(run, row, name, kn_measure_mean(&moments), NULL, error);
            }
        }
    return status;
}

const KnExperiment kn_temporal_calibration = {
    .head = {"temporal.calibration", "whether weights keep their promise, and play against a whole panel",
             NULL},
    .paper = "lock-2003",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
