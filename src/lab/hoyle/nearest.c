/* Beyond the thesis: a SeqLearner that learns context pairs only, from the same games, and plays by the
 * nearest of them. The goal is a reliability against the perfect player of five men's morris whose 95%
 * interval lies above 95%. */
#include <stdio.h>

#include "lab/registry.h"
#include "lab/hoyle/trained.h"

static const KnParameter parameters[] = {
    {"lose runs", 5, 20,
     "Runs on lose tic-tac-toe, each of 8 x 20 games watched and 4 x 50 games of testing."},
    {"morris runs", 2, 20,
     "Runs on five men's morris, each of 8 x 40 games watched and 4 x 50 games of testing."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 5, 0, "Nothing is published to compare with."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Games, agents and training.",
     "As temporal.table11 reads them; the last row has a perfect agent that plays any drawing move.", ""},
    {"What is a context pair here?",
     "A whole board and one action; nearness when deciding stands for what patterns in common are in "
     "TP-Context.",
     ""},
    {0}};

enum { ROWS = 3 };

static KnStatus measure(KnLabRun *run, KnError *error)
{
    static const char *const any[KN_TRAINED_AGENTS] = {"perfect", "reasonable(0.1)", "reasonable(0.7)",
                                                       "random"};
    kn_lab_expect_trained(run, &kn_trained_games[0], 1);
    kn_lab_expect_trained(run, &kn_trained_games[1], 2);
    KnMoments pairs[ROWS];
    char labels[ROWS][100];
    KnStatus status = kn_lab_own_table(run, "nearest", "Reliability of the nearest contexts", "%", 1, error);
    for (int row = 0; row < ROWS && status == KN_OK; row++) {
        const KnTrainedGame *game = &kn_trained_games[row > 0];
        const json_t *trained;
        status = kn_lab_trained(run, game, "seqlearner(method=nearest, weights=walk)", row == 2 ? any : NULL,
                                &trained, error);
        snprintf(labels[row], sizeof labels[row], "%s%s", game->name, row == 2 ? ", any drawing move" : "");
        for (int a = 0; a < KN_TRAINED_AGENTS && status == KN_OK; a++) {
            char number[40];
            snprintf(number, sizeof number, "%s reliability", kn_trained_agents[a]);
            KnMoments moments = kn_trained_moments(trained, number);
            status = kn_lab_measured(run, labels[row], number, kn_measure_mean(&moments), NULL, error);
        }
        if (status == KN_OK) pairs[row] = kn_trained_moments(trained, "pairs");
    }
    if (status == KN_OK) status = kn_lab_own_table(run, "pairs", "Context pairs", "", 1, error);
    for (int row = 0; row < ROWS && status == KN_OK; row++)
        status = kn_lab_measured(run, labels[row], "pairs", kn_measure_mean(&pairs[row]), NULL, error);
    return status;
}

const KnExperiment kn_temporal_nearest = {
    .head = {"temporal.nearest", "a SeqLearner that plays by the nearest contexts, on both games", NULL},
    .paper = "lock-2003",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
