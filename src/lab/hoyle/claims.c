/* The thesis's claims that one method plays better than another, under both readings of the perfect agent
 * that teaches and tests: one that leaves the most ways to draw, with which the tables are made, and one that
 * plays any drawing move. A claim is a difference, run by run from the same games; it holds where the whole
 * interval lies above zero. */
#include <stdio.h>

#include "lab/registry.h"
#include "lab/hoyle/trained.h"

typedef struct Claim {
    const char *row;
    const char *less, *more; /* learners: the second is said to play better */
    bool morris_only;        /* the thesis tells it of five men's morris */
} Claim;

static const Claim claims[] = {
    {"TP-Context plays better than chance", "idle", "seqlearner(version=1, weights=walk)", false},
    {"TP-Context II over I", "seqlearner(version=1, weights=walk)", "seqlearner(version=2, weights=walk)",
     false},
    {"TP-Sitact over TP-Context II", "seqlearner(version=2, weights=walk)",
     "seqlearner(sitact, weights=walk)", false},
    {"Seq-Advisor lifts Hoyle", "hoyle(weights=walk)", "hoyle(seq-advisor=second, weights=walk)", true},
};

enum { CLAIMS = sizeof claims / sizeof *claims, READINGS = 2 };

static const char *const any[KN_TRAINED_AGENTS] = {"perfect", "reasonable(0.1)", "reasonable(0.7)", "random"};
static const char *const *const agents[READINGS] = {NULL, any};
static const char *const readings[READINGS] = {"most ways to draw", "any drawing move"};

static const KnParameter parameters[] = {KN_TRAINED_PARAMETERS, {0}};

static const KnTolerance tolerances[] = {{"*", 5, 0, "Nothing is published to compare with."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Who is the perfect agent (p. 44)?",
     "Both readings, side by side: the one of the tables, which leaves the most ways to draw, and one that "
     "plays any drawing move. Expert and novice are made of the same agent.",
     ""},
    {"When does a claim hold?",
     "When the whole 95% interval of the difference lies above zero, run by run from the same games.", ""},
    {0}};

static KnStatus give(KnLabRun *run, const Claim *claim, const KnTrainedGame *game, int reading,
                     KnError *error)
{
    static const char *const numbers[] = {"Perfect reliability", "Novice reliability"};
    const json_t *less, *more;
    KnStatus status = kn_lab_trained(run, game, claim->less, agents[reading], &less, error);
    if (status == KN_OK) status = kn_lab_trained(run, game, claim->more, agents[reading], &more, error);
    char row[100];
    snprintf(row, sizeof row, "%s: %s", game->name, claim->row);
    for (int n = 0; n < 2 && status == KN_OK; n++) {
        char column[80];
        KnMoments gain = kn_trained_difference(more, less, numbers[n]);
        KnMeasure m = kn_measure_mean(&gain);
        snprintf(column, sizeof column, "%s: gain against the %s", readings[reading],
                 n ? "novice" : "perfect agent");
        status = kn_lab_measured(run, row, column, m,
                                 m.low > 0    ? "It holds."
                                 : m.high < 0 ? "The reverse holds."
                                              : "Undecided.",
                                 error);
    }
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, "claims", "Gains in reliability under two readings", "points", 1,
                                       error);
    for (int c = 0; c < CLAIMS; c++)
        for (int g = claims[c].morris_only ? 1 : 0; g < KN_TRAINED_GAMES; g++)
            for (int r = 0; r < READINGS && status == KN_OK; r++)
                status = give(run, &claims[c], &kn_trained_games[g], r, error);
    return status;
}

const KnExperiment kn_temporal_claims = {
    .head = {"temporal.claims", "the thesis's claims under both readings of the perfect agent", NULL},
    .paper = "lock-2003",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
